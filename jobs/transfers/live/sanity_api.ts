/**
 * Sanity: the documents of a dataset, one on each line, as its export has them.
 *
 * @module
 */
import { type LiveApi, objectsOf } from "./live_api.ts";
import { bearer, type LiveSystem } from "./live_system.ts";

/** The version of the API that is read. */
const VERSION = "v2025-02-19";
/** Documents of one answer. */
const PAGE = 1_000;

/** Reads a dataset: an address such as `https://<project>.api.sanity.io/<version>/data/export/<dataset>`. */
export const sanityApi: LiveSystem = {
  base: (url) => {
    const { origin, pathname } = new URL(url);
    const dataset = pathname.split("/").filter((part) => part !== "").at(-1) ?? "production";
    return `${origin}/${VERSION}/data/query/${dataset}`;
  },
  headers: (token) => Promise.resolve(bearer(token)),
  async *files(api) {
    yield { name: "sanity.ndjson", content: linesOf(api) };
  },
};

async function* linesOf(api: LiveApi): AsyncGenerator<string> {
  for (let last = "";;) {
    const query = `*[_id > $last] | order(_id) [0...${PAGE}]`;
    const parameters = new URLSearchParams({
      query,
      $last: JSON.stringify(last),
      perspective: "raw",
    });
    const { body } = await api.get(`?${parameters}`);
    const documents = objectsOf(body, "result");
    for (const document of documents) yield `${JSON.stringify(document)}\n`;
    last = String(documents.at(-1)?._id ?? "");
    if (documents.length < PAGE) return;
  }
}
