/**
 * How well known pages are found: `deno run -A tests/bench/search_quality.ts <pages.jsonl>`, a JSON object
 * with `title` and `body` a line.
 *
 * @module
 */
import { type KnownPage, measureRecall } from "../support/search_quality.ts";
import { SearchSite } from "../support/search_site.ts";

const lines = (await Deno.readTextFile(Deno.args[0]!)).split("\n").filter((line) => line !== "");
using site = await SearchSite.open();
const pages: KnownPage[] = [];
for (const line of lines) {
  const { title, body } = JSON.parse(line) as { title: string; body: string };
  pages.push({ id: await site.publish({ title, text: body }), title, body });
}
await site.compact();
const recall = await measureRecall(
  pages,
  async (text) => (await site.search(text)).hits.map(({ documentId }) => documentId),
);
const percent = (share: number) => `${(share * 100).toFixed(1)} %`.padStart(8);
console.log(`${pages.length} pages; share found in the first   1        3       10`);
for (const [kind, { queries, first, three, ten }] of Object.entries(recall)) {
  console.log(
    `${kind.padEnd(12)} ${`${queries} queries`.padEnd(20)}`,
    percent(first),
    percent(three),
    percent(ten),
  );
}
