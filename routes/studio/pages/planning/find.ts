/**
 * `/find`: search results for the palette as JSON: documents by title, then by published text, then files.
 * Without a query, the most recently changed documents. `in:posts` and `@ada` limit the documents.
 *
 * @module
 */
import type { StoredDocument } from "../../../../kv/documents/write.ts";
import { titleContains } from "../../../../kv/index/query/condition.ts";
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import { type DocumentState, STATUSES } from "../../../../kv/model/entities/document.ts";
import { parseMediaQuery } from "../../../query/media_query.ts";
import type { Deps } from "../../../deps/deps.ts";
import {
  CREATED_READ_MAX,
  PALETTE_DOCUMENTS_MAX,
  PALETTE_FILTERED_MAX,
  PALETTE_MEDIA_MAX,
} from "../../../input/limits.ts";
import { parseSearchWords } from "../../../query/search_words.ts";
import { STATUS_LABELS } from "../../components/status.tsx";
import type { IconName } from "../../components/icon_names.ts";
import { collectionIcon } from "../../navigation.ts";
import type { Handlers } from "../../screens.ts";
import type { Visit } from "../../serving/studio_env.ts";
import {
  collectionsNamed,
  parseFindQuery,
  peopleNamed,
  type Person,
  suggestFilters,
  type Suggestion,
} from "./find_filters.ts";

/** A thing that was found, as the palette lists it. */
interface FoundEntry {
  label: string;
  href: string;
  hint: string;
  icon: IconName;
  group: "Documents" | "Recent documents" | "Media" | "Filters";
  /** The query that replaces the current one, instead of a page to open. */
  fill?: string;
}

/** The documents that are searched. */
interface Scope {
  collections: Collection[];
  /** The ids of the users who created them; null for documents of anyone. */
  creators: ReadonlySet<string> | null;
  limit: number;
}

const LIVING = STATUSES.filter((status) => status !== "trashed");

/** `GET /find?q=…`; words too long for a search find nothing. */
export function findScreens(deps: Deps): Handlers<"find"> {
  return {
    find: async (c) => {
      const visit = c.get("visit");
      const query = c.req.query("q") ?? "";
      const words = parseSearchWords([query]);
      const isTooLong = "code" in words && words.code === "TOO_LONG";
      const entries = isTooLong ? [] : await findEntries(deps, visit, query);
      return c.json({ entries }, 200, { "cache-control": "no-store" });
    },
  };
}

async function findEntries(deps: Deps, visit: Visit, query: string): Promise<FoundEntry[]> {
  const { text, collection, person } = parseFindQuery(query);
  const isFiltered = collection !== null || person !== null;
  const people = isFiltered ? await peopleOf(deps) : [];
  const scope: Scope = {
    collections: collection === null
      ? visit.readable
      : collectionsNamed(collection, visit.readable),
    creators: person === null ? null : new Set(peopleNamed(person, people).map(({ id }) => id)),
    limit: isFiltered ? PALETTE_FILTERED_MAX : PALETTE_DOCUMENTS_MAX,
  };
  const words = parseSearchWords([text]);
  const found = await Promise.all([
    suggestFilters(query, visit.readable, people).map(filterEntry),
    byTitle(deps, visit, scope, text),
    "text" in words ? byText(deps, visit, scope, words.text) : [],
    text === "" || isFiltered ? [] : byFilename(deps, visit, text),
  ]);
  const byKey = new Map(
    found.flat().toReversed().map((entry) => [entry.fill ?? entry.href, entry]),
  );
  return [...byKey.values()].toReversed();
}

async function peopleOf({ people }: Deps): Promise<Person[]> {
  const { users } = await people.access.current();
  return [...users].map(([id, { displayName }]) => ({ id, displayName }));
}

function filterEntry({ label, fill, name, kind }: Suggestion): FoundEntry {
  const icon = kind === "collection" ? "document" : "account";
  return { label, hint: name, href: "#", icon, group: "Filters", fill };
}

/** Documents by title, the last changed first. */
async function byTitle(
  { content, reader }: Deps,
  visit: Visit,
  { collections, creators, limit }: Scope,
  text: string,
): Promise<FoundEntry[]> {
  if (collections.length === 0 || creators?.size === 0) return [];
  const found: StoredDocument[] = [];
  // Lists have no column for creators, so their documents are looked for among those changed last.
  const readMax = creators === null ? limit : CREATED_READ_MAX;
  for (let offset = 0; offset < readMax && found.length < limit; offset += limit) {
    const listed = await content.index.list({
      collections,
      statuses: LIVING,
      sort: [{ by: "updatedAt", descending: true }],
      offset,
      limit,
      ...(text !== "" && { where: titleContains(text) }),
    });
    const { documents } = await reader.readableOfPage(listed);
    found.push(...documents.filter(({ state }) => isBy(creators, state)));
    if (offset + limit >= listed.total) break;
  }
  const isRecent = text === "" && creators === null;
  return found.slice(0, limit).map(({ state }): FoundEntry => ({
    ...entryOf(visit, state, STATUS_LABELS[state.status]),
    ...(isRecent && { group: "Recent documents" }),
  }));
}

function isBy(creators: Scope["creators"], { createdBy }: DocumentState): boolean {
  return creators === null || (createdBy !== undefined && creators.has(createdBy));
}

/** Published documents by their texts. */
async function byText(
  { search, reader }: Deps,
  visit: Visit,
  { collections, creators }: Scope,
  text: string,
): Promise<FoundEntry[]> {
  if (collections.length === 0 || creators?.size === 0) return [];
  const { hits } = await search.search({
    text,
    collectionIds: collections.map(({ id }) => id),
    schema: visit.schema,
    page: 1,
    perPage: PALETTE_DOCUMENTS_MAX,
    exact: false,
    counts: false,
  });
  const isWanted = await Promise.all(hits.map(async ({ documentId }) => {
    if (creators === null) return true;
    const stored = await reader.find(documentId);
    return stored !== null && isBy(creators, stored.state);
  }));
  return hits.filter((_, index) => isWanted[index]).map(({ documentId, ...hit }) =>
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
