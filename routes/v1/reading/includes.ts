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
  /** The versions of all included entities, visible or not: equal versions mean equal responses. */
  versions: string;
}

/** Nothing was included. */
const NOTHING_INCLUDED: Included = { documents: new Map(), media: new Map(), versions: "" };

/** The IDs of one level, with the includes inside their targets. */
interface Level {
  includes: readonly Include[];
  states: readonly DocumentState[];
}

/** The visibility of included documents and media. */
export interface IncludeVisibility {
  /** The collection of a document that may be seen; null for one that may not. */
  collectionOf(state: DocumentState): Collection | null;
  /** Whether media may be included. */
  canSeeMedia: boolean;
}

/** Loads the includes of a page; of large documents it keeps only the IDs. */
export async function loadIncludesOfPage(
  view: Viewpoint,
  visibility: IncludeVisibility,
  includes: readonly Include[],
  listed: readonly ListedOrLarge[],
  shown: (stored: StoredDocument) => StoredDocument = (stored) => stored,
): Promise<Included> {
  if (includes.length === 0) return NOTHING_INCLUDED;
  const keys = includes.map(({ key }) => key);
  const states: DocumentState[] = [];
  for await (const taken of readAhead(listed)) {
    if ("unavailable" in taken) continue;
    const { data, blocks, ...framing } = shown(taken.stored).state;
    const own = keys.flatMap((key) => Object.hasOwn(data, key) ? [[key, data[key]]] : []);
    const tree = keys.includes(TREE_KEY) ? blocks : [];
    states.push({ ...framing, blocks: tree, data: Object.fromEntries(own) });
  }
  return await loadIncludes(view, visibility, includes, states);
}

/** Loads the includes of some documents. */
export async function loadIncludes(
  view: Viewpoint,
  visibility: IncludeVisibility,
  includes: readonly Include[],
  states: readonly DocumentState[],
): Promise<Included> {
  const documents = new Map<string, IncludedDocument>();
  const media = new Map<string, MediaState>();
  const versions: string[] = [];
  const requested = new Set<string>();
  let levels: Level[] = [{ includes, states }];
  while (levels.length > 0) {
    const refs = refsOf(levels, visibility).filter(({ id }) => !requested.has(id));
    for (const { id } of refs) requested.add(id);
    if (requested.size > INCLUDED_MAX) {
      const about =
        `at most ${INCLUDED_MAX} documents and media can be included; request fewer documents per page`;
      throw new Refusal("INCLUDE_INVALID", { about });
    }
    const views = await view(refs);
    for (const [{ id }, { version, document: stored, medium }] of zip(refs, views)) {
      const collection = stored === null ? null : visibility.collectionOf(stored.state);
      if (stored !== null && collection !== null) documents.set(id, { stored, collection });
      if (medium !== null && medium.deletedAt === null) media.set(id, medium);
      // The scopes of a token change without a new version.
      const isShown = documents.has(id) || media.has(id);
      versions.push(`${id} ${version} ${isShown}`);
    }
    levels = levels.flatMap((level) => nextLevels(level, documents));
  }
  return { documents, media, versions: versions.join() };
}

/** The ids of a level, each once. */
function refsOf(levels: readonly Level[], { canSeeMedia }: IncludeVisibility): EntityRef[] {
  const refs = new Map<string, EntityRef>();
  for (const { includes, states } of levels) {
    for (const state of states) {
      for (const { include: { kind }, id } of leadsOf(includes, state)) {
        if (kind === "media" && !canSeeMedia) continue;
        refs.set(id, { id, type: kind === "media" ? "media_metadata" : "document" });
      }
    }
  }
  return [...refs.values()];
}

function nextLevels(
  { includes, states }: Level,
  documents: ReadonlyMap<string, IncludedDocument>,
): Level[] {
  const next = new Map<readonly Include[], DocumentState[]>();
  for (const state of states) {
    for (const { include, id } of leadsOf(includes, state)) {
      const found = documents.get(id);
      const inner = include.targets.get(found?.collection.slug ?? "") ?? [];
      if (found === undefined || inner.length === 0) continue;
      const known = next.get(inner) ?? [];
      known.push(found.stored.state);
      next.set(inner, known);
    }
  }
  return [...next].map(([inner, found]) => ({ includes: inner, states: found }));
}

/** An id that an include is about. */
interface Lead {
  include: Include;
  id: string;
}

/** The ids that includes are about in a document. */
function leadsOf(includes: readonly Include[], { data, blocks }: DocumentState): Generator<Lead> {
  return leads(includes, { ...data, [TREE_KEY]: blocks });
}

function* leads(
  includes: readonly Include[],
  values: Readonly<Record<string, Json>>,
): Generator<Lead> {
  for (const include of includes) {
    const { key, kind, inner } = include;
    const value = ownValue(values, key) ?? null;
    if (kind === "media" || kind === "document") {
      for (const id of idsIn(value)) if (isUlid(id)) yield { include, id };
      continue;
    }
    for (const part of Array.isArray(value) ? value : [value]) {
      if (!isJsonObject(part)) continue;
      if (kind === "rows") yield* leads(inner, part);
      else if (isJsonObject(part.data)) yield* leads(blockIncludes(part, inner), part.data);
    }
  }
}
