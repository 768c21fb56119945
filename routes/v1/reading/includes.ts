/**
 * `include`: replaces IDs with documents and media. Each level is loaded in one call for all
 * documents of a page, each entity once. IDs of deleted or invisible entities stay.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import { idsIn } from "../../../kv/model/fields/referenced_ids.ts";
import type { MediaState } from "../../../kv/model/entities/media.ts";
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { type ListedOrLarge, readAhead } from "../../../kv/documents/read_ahead.ts";
import type { StoredDocument } from "../../../kv/documents/write.ts";
import { zip } from "../../../kv/model/primitives/zip.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { INCLUDED_MAX } from "../../input/limits.ts";
import { blockIncludes, type Include, TREE_KEY } from "../../query/include.ts";
import { countDocuments } from "./document_counts.ts";
import { type IncludeLists, includeRanks, reverseIds } from "./include_selection.ts";
import type { Projection } from "../../query/projection.ts";
import type { EntityRef, Viewpoint } from "./viewpoint.ts";

/** A document that was included, with its collection. */
export interface IncludedDocument {
  stored: StoredDocument;
  collection: Collection;
}

/** Included entities by ID. */
export interface Included {
  documents: ReadonlyMap<string, IncludedDocument>;
  media: ReadonlyMap<string, MediaState>;
  /** By reverse include and document, the documents that refer to it. */
  reverse: ReadonlyMap<Include, ReadonlyMap<string, readonly string[]>>;
  /** By include with a filter or a sort, the places of the documents that it selects. */
  ranks: ReadonlyMap<Include, ReadonlyMap<string, number>>;
  /** By document and name, how many documents it refers to or is referred to by. */
  counts: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** How many documents and media were looked up, found or not. */
  read: number;
  /** The versions of all included entities, visible or not: equal versions mean equal responses. */
  versions: string;
}

/** Nothing was included. */
const NOTHING_INCLUDED: Included = {
  documents: new Map(),
  media: new Map(),
  reverse: new Map(),
  ranks: new Map(),
  counts: new Map(),
  read: 0,
  versions: "",
};

/** The IDs of one level, with the includes inside their targets. */
interface Level {
  includes: readonly Include[];
  states: readonly DocumentState[];
}

/** The visibility of included documents and media. */
export interface IncludeVisibility extends Omit<IncludeLists, "list"> {
  /** The collection of a document that may be seen; null for one that may not. */
  collectionOf(state: DocumentState): Collection | null;
  /** Whether media may be included. */
  canSeeMedia: boolean;
}

/** How a request looks up what it includes. */
export interface IncludeSource {
  view: Viewpoint;
  visibility: IncludeVisibility;
  list: IncludeLists["list"];
}

/** What a request includes and counts. */
type Wanted = Pick<Projection, "includes" | "counts">;

/** Loads the includes of a page; of large documents it keeps only the IDs. */
export async function loadIncludesOfPage(
  source: IncludeSource,
  wanted: Wanted,
  listed: readonly ListedOrLarge[],
  shown: (stored: StoredDocument) => StoredDocument = (stored) => stored,
): Promise<Included> {
  if (wanted.includes.length === 0 && wanted.counts.length === 0) return NOTHING_INCLUDED;
  const keys = [...wanted.includes, ...wanted.counts].map(({ key }) => key);
  const states: DocumentState[] = [];
  for await (const taken of readAhead(listed)) {
    if ("unavailable" in taken) continue;
    const { data, blocks, ...framing } = shown(taken.stored).state;
    const own = keys.flatMap((key) => Object.hasOwn(data, key) ? [[key, data[key]]] : []);
    const tree = keys.includes(TREE_KEY) ? blocks : [];
    states.push({ ...framing, blocks: tree, data: Object.fromEntries(own) });
  }
  return await loadIncludes(source, wanted, states);
}

/** Loads the includes of some documents. */
export async function loadIncludes(
  source: IncludeSource,
  { includes, counts }: Wanted,
  states: readonly DocumentState[],
): Promise<Included> {
  const loading = new Loading(source);
  await loading.count(counts, states);
  let levels: Level[] = [{ includes, states }];
  while (levels.length > 0) {
    for (const level of levels) await loading.select(level);
    await loading.load(levels);
    levels = levels.flatMap((level) => loading.next(level));
  }
  return loading.included();
}

/** What has been included so far. */
class Loading {
  readonly #source: IncludeSource;
  readonly #lists: IncludeLists;
  readonly #documents = new Map<string, IncludedDocument>();
  readonly #media = new Map<string, MediaState>();
  readonly #reverse = new Map<Include, ReadonlyMap<string, readonly string[]>>();
  readonly #ranks = new Map<Include, ReadonlyMap<string, number>>();
  #counts: Included["counts"] = new Map();
  readonly #versions: string[] = [];
  readonly #requested = new Set<string>();

  constructor(source: IncludeSource) {
    this.#source = source;
    const { visibility, list } = source;
    this.#lists = {
      list,
      statuses: (collection) => visibility.statuses(collection),
      collection: (slug) => visibility.collection(slug),
    };
  }

  included(): Included {
    return {
      documents: this.#documents,
      media: this.#media,
      reverse: this.#reverse,
      ranks: this.#ranks,
      counts: this.#counts,
      read: this.#requested.size,
      versions: this.#versions.join(),
    };
  }

  /** Counts what some documents refer to, and are referred to by. */
  async count(counts: Wanted["counts"], states: readonly DocumentState[]): Promise<void> {
    if (counts.length === 0) return;
    const ids = counts.filter(({ reverse }) => reverse === null)
      .flatMap(({ key }) => states.flatMap(({ data }) => idsIn(ownValue(data, key))));
    await this.#look(ids.filter(isUlid).map((id) => ({ id, type: "document" })));
    this.#counts = await countDocuments(counts, states, {
      ...this.#lists,
      isVisible: (id) => this.#documents.has(id),
    });
    this.#versions.push(JSON.stringify([...this.#counts]));
  }

  /** Finds out which documents the includes of a level select. */
  async select({ includes, states }: Level): Promise<void> {
    for (const include of includes) {
      const found = await reverseIds(include, states, this.#lists);
      if (found === null) continue;
      this.#reverse.set(include, found);
      this.#versions.push(`${include.name} ${JSON.stringify([...found])}`);
    }
    const byInclude = new Map<Include, Set<string>>();
    for (const state of states) {
      for (const { include, ids } of leadsOf(includes, state)) {
        if (include.selection === null || include.kind !== "document") continue;
        const known = byInclude.get(include) ?? new Set();
        byInclude.set(include, known);
        for (const id of ids) if (isUlid(id)) known.add(id);
      }
    }
    for (const [include, ids] of byInclude) {
      const ranks = await includeRanks(include, [...ids], this.#lists);
      if (ranks === null) continue;
      this.#ranks.set(include, ranks);
      this.#versions.push(`${include.name} ${[...ranks.keys()]}`);
    }
  }

  /** Reads the documents and media that the includes of some levels show. */
  async load(levels: readonly Level[]): Promise<void> {
    const refs = new Map<string, EntityRef>();
    const { canSeeMedia } = this.#source.visibility;
    for (const { include, id } of levels.flatMap((level) => [...this.#leads(level, false)])) {
      if (include.kind === "media" && !canSeeMedia) continue;
      refs.set(id, { id, type: include.kind === "media" ? "media_metadata" : "document" });
    }
    await this.#look([...refs.values()]);
  }

  async #look(wanted: readonly EntityRef[]): Promise<void> {
    const { view, visibility } = this.#source;
    const refs = [...new Map(wanted.map((ref) => [ref.id, ref])).values()]
      .filter(({ id }) => !this.#requested.has(id));
    for (const { id } of refs) this.#requested.add(id);
    if (this.#requested.size > INCLUDED_MAX) {
      const about =
        `at most ${INCLUDED_MAX} documents and media can be included; request fewer documents per page`;
      throw new Refusal("INCLUDE_INVALID", { about });
    }
    const views = await view(refs);
    for (const [{ id }, { version, document: stored, medium }] of zip(refs, views)) {
      const collection = stored === null ? null : visibility.collectionOf(stored.state);
      if (stored !== null && collection !== null) this.#documents.set(id, { stored, collection });
      if (medium !== null && medium.deletedAt === null) this.#media.set(id, medium);
      // The scopes of a token change without a new version.
      const isShown = this.#documents.has(id) || this.#media.has(id);
      this.#versions.push(`${id} ${version} ${isShown}`);
    }
  }

  /** The documents that a level has led to, with the includes inside them. */
  next(level: Level): Level[] {
    const next = new Map<readonly Include[], DocumentState[]>();
    for (const { include, id } of this.#leads(level, true)) {
      const found = this.#documents.get(id);
      const inner = include.targets.get(found?.collection.slug ?? "") ?? [];
      if (found === undefined || inner.length === 0) continue;
      const known = next.get(inner) ?? [];
      known.push(found.stored.state);
      next.set(inner, known);
    }
    return [...next].map(([inner, found]) => ({ includes: inner, states: found }));
  }

  /** The ids that the includes of a level show; only visible documents count before a limit. */
  *#leads({ includes, states }: Level, isLoaded: boolean): Generator<Lead> {
    const found = { documents: this.#documents, ranks: this.#ranks };
    for (const state of states) {
      for (const include of includes) {
        for (const id of this.#reverse.get(include)?.get(state.id) ?? []) yield { include, id };
      }
      for (const { include, ids } of leadsOf(includes, state)) {
        const all = isLoaded || this.#ranks.has(include) ? keptIds(include, ids, found) : ids;
        for (const id of all) if (isUlid(id)) yield { include, id };
      }
    }
  }
}

/** The ids of a value that an include shows, in its order. */
export function keptIds(
  include: Include,
  ids: readonly string[],
  { ranks, documents }: Pick<Included, "ranks" | "documents">,
): readonly string[] {
  const { selection } = include;
  if (selection === null) return ids;
  const places = ranks.get(include);
  const isSelected = (id: string) => places === undefined ? documents.has(id) : places.has(id);
  const kept = ids.filter(isSelected);
  if (selection.sort !== null) {
    const placeOf = (id: string) => places?.get(id) ?? 0;
    kept.sort((a, b) => placeOf(a) - placeOf(b));
  }
  // Without a filter or a limit, what may not be seen stays an id.
  if (selection.where === null && selection.limit === null) {
    return [...kept, ...ids.filter((id) => !isSelected(id))];
  }
  return selection.limit === null ? kept : kept.slice(0, selection.limit);
}

/** An id that an include is about. */
interface Lead {
  include: Include;
  id: string;
}

/** The ids of one value. */
interface Leads {
  include: Include;
  ids: readonly string[];
}

/** The ids that includes are about in a document, value by value. */
function leadsOf(includes: readonly Include[], { data, blocks }: DocumentState): Generator<Leads> {
  return leads(includes, { ...data, [TREE_KEY]: blocks });
}

function* leads(
  includes: readonly Include[],
  values: Readonly<Record<string, Json>>,
): Generator<Leads> {
  for (const include of includes) {
    const { key, kind, inner } = include;
    if (kind === "reverse") continue;
    const value = ownValue(values, key) ?? null;
    if (kind === "media" || kind === "document") {
      yield { include, ids: idsIn(value) };
      continue;
    }
    for (const part of Array.isArray(value) ? value : [value]) {
      if (!isJsonObject(part)) continue;
      if (kind === "rows") yield* leads(inner, part);
      else if (isJsonObject(part.data)) yield* leads(blockIncludes(part, inner), part.data);
    }
  }
}
