/**
 * Matches among what documents show under the present schema. A posting may hold texts whose definitions are
 * gone, until its document is published again or the index is rebuilt: such documents are only candidates,
 * and are matched again by the texts that they have now.
 *
 * @module
 */
import { Bits } from "../../index/segments/bits.ts";
import type { Schema } from "../../model/entities/collection.ts";
import type { DeltaDocument } from "../delta/delta_document.ts";
import { findMatches, type MatchRequest, type MatchResult } from "./find_matches.ts";
import type { MatchBuffers } from "./match_buffers.ts";
import type { LoadedDocument } from "../search_index.ts";
import type { SearchMemory } from "../search_memory.ts";
import { idOf, idTable, type Layer, type SearchReader, withDocuments } from "../search_reader.ts";
import { partsOfSearched } from "../languages/searched_id.ts";
import { languageOfFound } from "../languages/shown_languages.ts";
import { visiblePaths } from "../analysis/searched_text.ts";
import { analyzeCached } from "../analysis/analysis_cache.ts";

/** Candidates that are loaded at a time. */
const LOADED_AT_ONCE = 100;
/** Cache numbers of documents that are matched again; those of segments and the delta are smaller. */
const FIRST_NUMBER = 2 ** 26;

/** The matches, and the reader whose layers and delta they point into. */
export interface VisibleResult {
  found: MatchResult;
  reader: SearchReader;
}

/** Loads documents as a language shows them; those that it does not show are left out. */
export type LoadShown = (
  language: string,
  ids: string[],
) => AsyncIterable<LoadedDocument> | Iterable<LoadedDocument>;

/** A reader in two: documents whose postings are as the schema has them, and the others. */
interface Split {
  current: SearchReader;
  outdated: SearchReader;
}

/** The dependencies of {@linkcode VisibleMatches}. */
export interface VisibleMatchesOptions {
  memory: SearchMemory;
  buffers: MatchBuffers;
  loadDocuments: (ids: string[]) => AsyncIterable<LoadedDocument> | Iterable<LoadedDocument>;
}

/** Finds what documents show. */
export class VisibleMatches {
  readonly #options: VisibleMatchesOptions;
  readonly #splits = new WeakMap<SearchReader, { schema: Schema; split: Split | null }>();
  #numbers = FIRST_NUMBER;

  constructor(options: VisibleMatchesOptions) {
    this.#options = options;
  }

  /** Without a schema postings are taken as they are; `load` reads documents as languages show them. */
  async find(
    reader: SearchReader,
    schema: Schema | undefined,
    request: MatchRequest,
    load: LoadShown = () => [],
  ): Promise<VisibleResult> {
    const { buffers } = this.#options;
    const split = schema === undefined ? null : this.#split(reader, schema);
    if (schema === undefined || split === null) {
      return { reader, found: await findMatches(reader, buffers, request) };
    }
    const all = { ...request, from: 0, to: Number.MAX_SAFE_INTEGER };
    const candidates = await findMatches(split.outdated, buffers, all);
    const again = await this.#matchedAgain(split.outdated, schema, candidates, load);
    const whole = withDocuments(split.current, again);
    return { reader: whole, found: await findMatches(whole, buffers, request) };
  }

  #split(reader: SearchReader, schema: Schema): Split | null {
    const known = this.#splits.get(reader);
    if (known?.schema === schema) return known.split;
    const split = splitReader(reader, schema);
    this.#splits.set(reader, { schema, split });
    return split;
  }

  /** The candidates by the texts that they have now; each is taken apart once a schema. */
  async #matchedAgain(
    reader: SearchReader,
    schema: Schema,
    { documents }: MatchResult,
    load: LoadShown,
  ): Promise<DeltaDocument[]> {
    const { lists } = this.#options.memory;
    const found: DeltaDocument[] = [];
    const byLanguage = new Map<string | undefined, Map<string, string>>();
    for (const document of documents) {
      const layer = reader.layers[document.source];
      const ordinal = layer === undefined ? 0 : document.ordinal;
      const { cacheNumber } = layer?.segment ?? reader.delta[document.ordinal] ?? {};
      const name = `${cacheNumber}/again/${ordinal}/${schema.stamp}`;
      const known = lists.get<DeltaDocument>(name);
      if (known !== undefined) {
        found.push(known);
        continue;
      }
      const language = languageOfFound(reader, document);
      const names = byLanguage.get(language) ?? new Map<string, string>();
      byLanguage.set(language, names.set(idOf(reader, document), name));
    }
    for (const [language, names] of byLanguage) {
      const ids = [...names.keys()];
      for (let start = 0; start < ids.length; start += LOADED_AT_ONCE) {
        const some = ids.slice(start, start + LOADED_AT_ONCE);
        const loading = language === undefined
          ? this.#options.loadDocuments(some)
          : load(language, some);
        for await (const loaded of loading) {
          if (loaded.state.status !== "published") continue;
          const name = names.get(loaded.state.id);
          if (name === undefined) continue;
          found.push(analyzeCached(lists, name, loaded, this.#numbers++));
        }
      }
    }
    return found;
  }
}

/** Null when every posting is as the schema has it. */
function splitReader(reader: SearchReader, schema: Schema): Split | null {
  const isOutdated = (collectionId: string, paths: readonly string[]): boolean => {
    const visible = visiblePaths(schema, partsOfSearched(collectionId).collectionId);
    return visible !== null && paths.some((path) => !visible.has(path));
  };
  const outdated: Layer[] = [];
  const layers = reader.layers.map((layer) => {
    const { head: { paths = {} }, table } = layer.segment;
    const which = Uint8Array.from(
      table.collectionIds,
      (id) => Number(isOutdated(id, paths[id] ?? [])),
    );
    if (!which.includes(1)) return layer;
    outdated.push(withoutDocuments(layer, (ordinal) => which[table.collections[ordinal]!] === 0));
    return withoutDocuments(layer, (ordinal) => which[table.collections[ordinal]!] === 1);
  });
  const delta = reader.delta.filter((one) => isOutdated(one.collectionId, one.paths));
  if (outdated.length === 0 && delta.length === 0) return null;
  const rest = reader.delta.filter((one) => !delta.includes(one));
  const idsOf = (some: readonly DeltaDocument[]) =>
    idTable(some.map(({ documentId }) => documentId));
  return {
    current: { ...reader, layers, delta: rest, deltaIds: idsOf(rest) },
    outdated: { ...reader, layers: outdated, delta, deltaIds: idsOf(delta) },
  };
}

function withoutDocuments(
  { segment, masked, replaced }: Layer,
  isLeftOut: (ordinal: number) => boolean,
): Layer {
  const mask = new Bits(segment.info.documents);
  mask.words.set(masked.words);
  for (let ordinal = 0; ordinal < segment.info.documents; ordinal++) {
    if (isLeftOut(ordinal)) mask.add(ordinal);
  }
  return { segment, masked: mask, replaced };
}
