/**
 * `/find`: search results for the palette as JSON: documents by title, then by published text, then files.
 * Without a query, the most recently changed documents. `in:posts` and `@ada` limit the documents.
 *
 * @module
 */
import { allOf, createdBy, titleContains } from "../../../../kv/index/query/condition.ts";
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import { readId } from "../../../../kv/index/segments/id_words.ts";
import { STATUSES } from "../../../../kv/model/entities/document.ts";
import { usersInOrder } from "../../../../kv/people/users.ts";
import { parseMediaQuery } from "../../../query/media_query.ts";
import type { Deps } from "../../../deps/deps.ts";
import {
  COMBOBOX_FOUND_MAX,
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
  /** Whether no filter limits the collections. */
  isWhole: boolean;
  /** The ids of the users who created them; null for documents of anyone. */
  creators: ReadonlySet<string> | null;
  limit: number;
}

const LIVING = STATUSES.filter((status) => status !== "trashed");

/**
 * `GET /find?q=…`; words too long for a search find nothing. `GET /find/users?q=…`: users by name, as a choice
 * list takes them.
 */
export function findScreens(deps: Deps): Handlers<"find" | "findUsers"> {
  return {
    find: async (c) => {
      const visit = c.get("visit");
      const query = c.req.query("q") ?? "";
      const words = parseSearchWords([query]);
      const isTooLong = "code" in words && words.code === "TOO_LONG";
      const entries = isTooLong ? [] : await findEntries(deps, visit, query);
      return c.json({ entries }, 200, { "cache-control": "no-store" });
    },
    findUsers: async (c) => {
      const text = (c.req.query("q") ?? "").trim().toLowerCase();
      const data = usersInOrder(await deps.people.access.current()).values()
        .filter(({ displayName }) => displayName.toLowerCase().includes(text))
        .take(COMBOBOX_FOUND_MAX)
        .map(({ id, displayName }) => ({ id, title: displayName }))
        .toArray();
      return c.json({ data }, 200, { "cache-control": "no-store" });
    },
  };
}

async function findEntries(deps: Deps, visit: Visit, query: string): Promise<FoundEntry[]> {
  const { text, collection, person } = parseFindQuery(query);
  const isFiltered = collection !== null || person !== null;
  const people = isFiltered ? usersInOrder(await deps.people.access.current()) : [];
  const creators = person === null ? null : peopleNamed(person, people);
  const scope: Scope = {
    collections: collection === null
      ? visit.readable
      : collectionsNamed(collection, visit.readable),
    isWhole: collection === null,
    creators: creators === null ? null : new Set(creators.map(({ id }) => id)),
    limit: isFiltered ? PALETTE_FILTERED_MAX : PALETTE_DOCUMENTS_MAX,
  };
  const words = parseSearchWords([text]);
  const titled = byTitle(deps, visit, scope, text);
  const found = await Promise.all([
    suggestFilters(query, visit.readable, people).map(filterEntry),
    titled.then(({ entries }) => entries),
    "text" in words ? byText(deps, visit, scope, words.text) : [],
    text === "" || isFiltered ? [] : byFilename(deps, visit, text),
    text === "" ? titled.then(({ total }) => wholeList(scope, creators ?? [], total)) : [],
  ]);
  const byKey = new Map(
    found.flat().toReversed().map((entry) => [entry.fill ?? entry.href, entry]),
  );
  return [...byKey.values()].toReversed();
}

function filterEntry({ label, fill, name, kind }: Suggestion): FoundEntry {
  const icon = kind === "collection" ? "document" : "account";
  return { label, hint: name, href: "#", icon, group: "Filters", fill };
}

/** The list of everything that one user created, of which the palette shows the beginning. */
function wholeList(
  { collections, isWhole }: Scope,
  [creator, ...others]: Person[],
  total: number,
): FoundEntry[] {
  const [only] = collections;
  const isList = isWhole || collections.length === 1;
  if (creator === undefined || others.length > 0 || total === 0 || !isList) return [];
  const { id, displayName } = creator;
  const path = isWhole || only === undefined ? "" : `/${only.slug}`;
  return [{
    label: `All documents by ${displayName}`,
    href: `/admin/content${path}?createdBy=${id}`,
    hint: total.toLocaleString("en"),
    icon: "account",
    group: "Documents",
  }];
}

/** Documents by title, the last changed first. */
async function byTitle(
  { content, reader }: Deps,
  visit: Visit,
  { collections, creators, limit }: Scope,
  text: string,
): Promise<{ entries: FoundEntry[]; total: number }> {
  if (collections.length === 0 || creators?.size === 0) return { entries: [], total: 0 };
  const conditions = [
    ...text === "" ? [] : [titleContains(text)],
    ...creators === null ? [] : [createdBy(creators)],
  ];
  const listed = await content.index.list({
    collections,
    statuses: LIVING,
    sort: [{ by: "updatedAt", descending: true }],
    offset: 0,
    limit,
    ...(conditions.length > 0 && { where: allOf(...conditions) }),
  });
  const { documents } = await reader.readableOfPage(listed);
  const isRecent = text === "" && creators === null;
  const entries = documents.map(({ state }): FoundEntry => ({
    ...entryOf(visit, state, STATUS_LABELS[state.status]),
    ...(isRecent && { group: "Recent documents" }),
  }));
  return { entries, total: listed.total };
}

/** Published documents by their texts. */
async function byText(
  deps: Deps,
  visit: Visit,
  { collections, creators }: Pick<Scope, "collections" | "creators">,
  text: string,
): Promise<FoundEntry[]> {
  if (collections.length === 0 || creators?.size === 0) return [];
  if (creators !== null) {
    return await byTextAndCreator(deps, visit, { collections, creators }, text);
  }
  const { hits } = await deps.search.search({
    text,
    collectionIds: collections.map(({ id }) => id),
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

/** The same of some users: the index selects all that match, as in a list with a search. */
async function byTextAndCreator(
  { search, reader, content: { index } }: Deps,
  visit: Visit,
  { collections, creators }: { collections: Collection[]; creators: ReadonlySet<string> },
  text: string,
): Promise<FoundEntry[]> {
  const found = await Promise.all(collections.map(async (collection) => {
    const matches = await search.matches(text, collection.id, visit.schema);
    if (matches.scores.length === 0) return [];
    const page = await index.ranked({
      collections: [collection],
      statuses: ["published"],
      where: createdBy(creators),
      sort: [],
      offset: 0,
      limit: PALETTE_DOCUMENTS_MAX,
    }, matches);
    const { documents } = await reader.readableOfPage(page);
    const scores = new Map(
      Array.from(matches.scores, (score, at) => [readId(matches.ids, at), score]),
    );
    return documents.map(({ state }) => ({ state, score: scores.get(state.id) ?? 0 }));
  }));
  return found.flat().sort((a, b) => b.score - a.score).slice(0, PALETTE_DOCUMENTS_MAX)
    .map(({ state }) => entryOf(visit, state, "in the text"));
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
