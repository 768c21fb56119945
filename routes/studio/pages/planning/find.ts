/**
 * `/find`: search results for the palette as JSON: documents by title, then by published text, then files.
 * Without a query, the most recently changed documents.
 *
 * @module
 */
import { titleContains } from "../../../../kv/index/query/condition.ts";
import { STATUSES } from "../../../../kv/model/entities/document.ts";
import { parseMediaQuery } from "../../../query/media_query.ts";
import type { Deps } from "../../../deps/deps.ts";
import { PALETTE_DOCUMENTS_MAX, PALETTE_MEDIA_MAX } from "../../../input/limits.ts";
import { parseSearchWords } from "../../../query/search_words.ts";
import { STATUS_LABELS } from "../../components/status.tsx";
import type { IconName } from "../../components/icon_names.ts";
import { collectionIcon } from "../../navigation.ts";
import type { Handlers } from "../../screens.ts";
import type { Visit } from "../../serving/studio_env.ts";

/** A thing that was found, as the palette lists it. */
interface FoundEntry {
  label: string;
  href: string;
  hint: string;
  icon: IconName;
  group: "Documents" | "Recent documents" | "Media";
}

const LIVING = STATUSES.filter((status) => status !== "trashed");

/** `GET /find?q=…`; words too long for a search find nothing. */
export function findScreens(deps: Deps): Handlers<"find"> {
  return {
    find: async (c) => {
      const visit = c.get("visit");
      const text = (c.req.query("q") ?? "").trim();
      const words = parseSearchWords([text]);
      const isTooLong = "code" in words && words.code === "TOO_LONG";
      const found = isTooLong ? [] : await Promise.all([
        byTitle(deps, visit, text),
        "text" in words ? byText(deps, visit, words.text) : [],
        text === "" ? [] : byFilename(deps, visit, text),
      ]);
      const byAddress = new Map(found.flat().toReversed().map((entry) => [entry.href, entry]));
      const entries = [...byAddress.values()].toReversed();
      return c.json({ entries }, 200, { "cache-control": "no-store" });
    },
  };
}

async function byTitle({ content, reader }: Deps, visit: Visit, text: string) {
  const listed = await content.index.list({
    collections: visit.readable,
    statuses: LIVING,
    sort: [{ by: "updatedAt", descending: true }],
    offset: 0,
    limit: PALETTE_DOCUMENTS_MAX,
    ...(text !== "" && { where: titleContains(text) }),
  });
  const { documents } = await reader.readableOfPage(listed);
  return documents.map(({ state }): FoundEntry => ({
    ...entryOf(visit, state, STATUS_LABELS[state.status]),
    ...(text === "" && { group: "Recent documents" }),
  }));
}

async function byText({ search }: Deps, visit: Visit, text: string) {
  const { hits } = await search.search({
    text,
    collectionIds: visit.readable.map(({ id }) => id),
    schema: visit.schema,
    page: 1,
    perPage: PALETTE_DOCUMENTS_MAX,
    exact: false,
    counts: false,
  });
  return hits.map(({ documentId, ...hit }) =>
    entryOf(visit, { id: documentId, ...hit }, "in the text")
  );
}

async function byFilename({ mediaList }: Deps, visit: Visit, text: string): Promise<FoundEntry[]> {
  if (!visit.can("media.read")) return [];
  const params = new URLSearchParams({ q: text, perPage: String(PALETTE_MEDIA_MAX) });
  const { media } = await mediaList.list(parseMediaQuery(params).query);
  return media.map(({ id, filename }) => ({
    label: filename,
    href: `/admin/media/${id}`,
    hint: "",
    icon: "image",
    group: "Media",
  }));
}

function entryOf(
  { schema }: Visit,
  { id, title, collectionId }: { id: string; title: string; collectionId: string },
  note: string,
): FoundEntry {
  const home = schema.byId.get(collectionId);
  return {
    label: title || "Untitled",
    href: `/admin/documents/${id}`,
    hint: `${home?.name ?? ""} · ${note}`,
    icon: home === undefined ? "document" : collectionIcon(home),
    group: "Documents",
  };
}
