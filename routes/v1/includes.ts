/**
 * `include`: what stands in the place of ids. Each level is loaded in one call for all documents of a page,
 * each document and medium once. What the token may not see, and what is gone, stays an id.
 *
 * @module
 */
import type { Collection } from "../../kv/model/collection.ts";
import type { DocumentState } from "../../kv/model/document.ts";
import type { MediaState } from "../../kv/model/media.ts";
import { isUlid } from "../../kv/model/ulid.ts";
import { type Listed, readAhead } from "../../kv/documents/read_ahead.ts";
import type { Stored } from "../../kv/documents/write.ts";
import type { Include } from "../query/projection.ts";
import type { Viewpoint, Wanted } from "./viewpoint.ts";

/** A document that was included, with its collection. */
export interface IncludedDocument {
  stored: Stored;
  collection: Collection;
}

/** What was included, by id. */
export interface Included {
  documents: ReadonlyMap<string, IncludedDocument>;
  media: ReadonlyMap<string, MediaState>;
  /** Versions of all of it, and of what is not shown: equal texts, equal answers. */
  versions: string;
}

/** Nothing was included. */
const NOTHING_INCLUDED: Included = { documents: new Map(), media: new Map(), versions: "" };

/** Ids of one level, with what is to be included inside of what they lead to. */
interface Level {
  includes: readonly Include[];
  states: readonly DocumentState[];
}

/** What whoever asks may see of documents and media that others lead to. */
export interface IncludeSight {
  /** The collection of a document that may be seen; null for one that may not. */
  homeOf(state: DocumentState): Collection | null;
  /** Whether media may be seen as such. */
  showsMedia: boolean;
}

/** What the includes of a page lead to; of large documents only the ids are kept. */
export async function loadIncludesOfPage(
  view: Viewpoint,
  sight: IncludeSight,
  includes: readonly Include[],
  listed: readonly Listed[],
  shown: (stored: Stored) => Stored = (stored) => stored,
): Promise<Included> {
  if (includes.length === 0) return NOTHING_INCLUDED;
  const keys = includes.map(({ field }) => field.key);
  const states: DocumentState[] = [];
  for await (const taken of readAhead(listed)) {
    if ("unavailable" in taken) continue;
    const { data, ...framing } = shown(taken.stored).state;
    const own = keys.filter((key) => Object.hasOwn(data, key)).map((key) => [key, data[key]!]);
    states.push({ ...framing, blocks: [], data: Object.fromEntries(own) });
  }
  return await loadIncludes(view, sight, includes, states);
}

/** Loads what the includes of some documents lead to. */
export async function loadIncludes(
  view: Viewpoint,
  sight: IncludeSight,
  includes: readonly Include[],
  states: readonly DocumentState[],
): Promise<Included> {
  const documents = new Map<string, IncludedDocument>();
  const media = new Map<string, MediaState>();
  const versions: string[] = [];
  const asked = new Set<string>();
  let levels: Level[] = [{ includes, states }];
  while (levels.length > 0) {
    const wanted = wantedOf(levels, sight).filter(({ id }) => !asked.has(id));
    for (const { id } of wanted) asked.add(id);
    const seen = await view(wanted);
    for (const [index, { id }] of wanted.entries()) {
      const { version, document: stored, medium } = seen[index]!;
      const collection = stored === null ? null : sight.homeOf(stored.state);
      if (stored !== null && collection !== null) documents.set(id, { stored, collection });
      if (medium !== null && medium.deletedAt === null) media.set(id, medium);
      // Scopes change what may be seen of the same versions.
      const isShown = documents.has(id) || media.has(id);
      versions.push(`${id} ${version} ${isShown}`);
    }
    levels = levels.flatMap((level) => nextLevels(level, documents));
  }
  return { documents, media, versions: versions.join() };
}

/** The ids of a level, each once. */
function wantedOf(levels: readonly Level[], { showsMedia }: IncludeSight): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { includes, states } of levels) {
    for (const { field, kind } of includes) {
      if (kind === "media" && !showsMedia) continue;
      const type = kind === "media" ? "media_metadata" : "document";
      for (const { data } of states) {
        const id = data[field.key];
        if (isUlid(id)) wanted.set(id, { id, type });
      }
    }
  }
  return [...wanted.values()];
}

function nextLevels(
  { includes, states }: Level,
  documents: ReadonlyMap<string, IncludedDocument>,
): Level[] {
  return includes.filter(({ inner }) => inner.length > 0).map(({ field, inner }) => ({
    includes: inner,
    states: states.flatMap(({ data }) => {
      const found = documents.get(String(data[field.key]));
      return found === undefined ? [] : [found.stored.state];
    }),
  }));
}
