/**
 * A segment, read from the store: its document table is in memory, its terms and postings are read as
 * they are asked for and kept in a cache that all segments share.
 *
 * @module
 */
import type { SegmentSet } from "../../segments/segment_set.ts";
import { POSITION_BYTES_MAX, PREFIX_BYTES_MAX, PREFIX_TERMS_MAX } from "../../tuning.ts";
import { chunksOf, cutOut, readChunks, readRange } from "./chunk_stream.ts";
import { type DocumentTable, readTable, tableLength } from "./document_table.ts";
import type { SegmentInfo } from "./manifest.ts";
import {
  decodeList,
  decodeUnion,
  listBytes,
  NO_POSTINGS,
  type PostingList,
  unite,
} from "./posting_list.ts";
import { indexPositions, NO_POSITIONS, positionBytes, type PositionList } from "./position_list.ts";
import type { SearchMemory } from "../search_memory.ts";
import type { SegmentHead } from "./segment_writer.ts";
import { type ByteRange, TermBlock, type TermCursor } from "./term_block.ts";

/** A term's document count, and the byte ranges of its postings and positions. */
export interface TermEntry {
  term: string;
  documents: number;
  postings: ByteRange;
  positions: ByteRange;
}

/** Reading of one immutable segment. */
export class Segment {
  readonly #set: SegmentSet;
  readonly #memory: SearchMemory;
  readonly #loading = new Map<string, Promise<unknown>>();

  private constructor(
    set: SegmentSet,
    memory: SearchMemory,
    readonly info: SegmentInfo,
    readonly head: SegmentHead,
    readonly table: DocumentTable,
    /** Prefix of this segment's cache keys. */
    readonly cacheNumber: number,
  ) {
    this.#set = set;
    this.#memory = memory;
  }

  /** Reads head and document table. */
  static async open(
    set: SegmentSet,
    info: SegmentInfo,
    memory: SearchMemory,
    cacheNumber: number,
  ): Promise<Segment> {
    const tableEnd = tableLength(info.documents, info.tombstones);
    const [headBytes, tableBytes] = await Promise.all([
      readRange(set, info.id, "head", 0, info.headBytes),
      readRange(set, info.id, "table", 0, tableEnd),
    ]);
    const head = JSON.parse(new TextDecoder().decode(headBytes)) as SegmentHead;
    const { documents, tombstones } = info;
    const table = readTable(tableBytes, documents, tombstones, head);
    return new Segment(set, memory, info, head, table, cacheNumber);
  }

  /** The documents that have exactly this term. */
  list(term: string): PostingList | Promise<PostingList> {
    return this.cached(`list/${term}`, async () => {
      const entry = await this.entry(term);
      if (entry === null) return NO_POSTINGS;
      const { start, end } = entry.postings;
      const bytes = await this.#read("postings", start, end);
      return decodeList(bytes, entry.documents, this.info.documents);
    }, listBytes);
  }

  /** The documents that have a term with this prefix; at most what the bounds allow. */
  prefixList(prefix: string): PostingList | Promise<PostingList> {
    return this.cached(`prefix/${prefix}`, async () => {
      const entries = await this.entriesFrom(prefix);
      const [first, last] = [entries[0], entries.at(-1)];
      if (first === undefined || last === undefined) return NO_POSTINGS;
      if (first === last) return await this.list(first.term);
      const bytes = await this.#read("postings", first.postings.start, last.postings.end);
      return decodeUnion(bytes, entries.map(({ documents }) => documents), this.info.documents);
    }, listBytes);
  }

  /** The documents that have a term, or a longer one where it is a prefix, or any of its other forms. */
  formsList(term: string, isPrefix: boolean, forms: readonly string[]) {
    return this.cached(`any/${isPrefix}/${term}/${forms.join(" ")}`, async () => {
      const own = isPrefix ? this.prefixList(term) : this.list(term);
      const lists = await Promise.all([own, ...forms.map((form) => this.list(form))]);
      return unite(lists, this.info.documents);
    }, listBytes);
  }

  /** Whether a term occurs, and not so often that its positions say less than they cost. */
  hasFewPositions(term: string): boolean | Promise<boolean> {
    return this.cached(`few/${term}`, async () => {
      const entry = await this.entry(term);
      return entry !== null && entry.positions.end - entry.positions.start <= POSITION_BYTES_MAX;
    }, () => 0);
  }

  /** The positions at which a term occurs. */
  positionList(term: string): PositionList | Promise<PositionList> {
    return this.cached(`at/${term}`, async () => {
      const entry = await this.entry(term);
      if (entry === null) return NO_POSITIONS;
      const [list, bytes] = await Promise.all([this.list(term), this.positions(entry)]);
      // A copy, so that the chunk around it can go.
      return indexPositions(list, bytes.slice());
    }, positionBytes);
  }

  /** The entry of a term, or null. */
  async entry(term: string): Promise<TermEntry | null> {
    const n = this.#blockOf(term);
    if (n < 0) return null;
    const cursor = (await this.block(n)).seek(term);
    return cursor.isDone || cursor.term !== term ? null : entryAt(cursor);
  }

  /** The entries of the terms with a prefix, in order. */
  async entriesFrom(prefix: string): Promise<TermEntry[]> {
    const entries: TermEntry[] = [];
    let bytes = 0;
    for (let n = Math.max(0, this.#blockOf(prefix)); n < this.blocks; n++) {
      const firstTerm = this.head.firstTerms[n]!;
      if (firstTerm > prefix && !firstTerm.startsWith(prefix)) break;
      const cursor = (await this.block(n)).seek(prefix);
      for (; !cursor.isDone && cursor.term.startsWith(prefix); cursor.next()) {
        bytes += cursor.postingsLength;
        if (entries.length > 0 && bytes > PREFIX_BYTES_MAX) return entries;
        if (entries.push(entryAt(cursor)) >= PREFIX_TERMS_MAX) return entries;
      }
      if (!cursor.isDone) break;
    }
    return entries;
  }

  /** The positions of a term, document after document. */
  positions({ positions }: TermEntry): Promise<Uint8Array> {
    return this.#read("places", positions.start, positions.end);
  }

  /** How many dictionary blocks there are. */
  get blocks(): number {
    return this.head.firstTerms.length;
  }

  /** A block of the dictionary. */
  block(n: number): TermBlock | Promise<TermBlock> {
    return this.cached(
      `terms/${n}`,
      async () => new TermBlock((await readChunks(this.#set, this.info.id, "terms", [n]))[0]!),
      (block) => block.bytes.length,
    );
  }

  /** Something made of the segment, kept while there is buffers. */
  cached<T>(name: string, load: () => Promise<T>, bytesOf: (value: T) => number): T | Promise<T> {
    const key = `${this.cacheNumber}/${name}`;
    const known = this.#memory.lists.get<T>(key);
    if (known !== undefined) return known;
    let loading = this.#loading.get(key) as Promise<T> | undefined;
    if (loading === undefined) {
      loading = load()
        .then((value) => this.#memory.lists.set(key, value, 200 + bytesOf(value)))
        .finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    return loading;
  }

  async #read(part: string, start: number, end: number): Promise<Uint8Array> {
    const numbers = chunksOf(start, end);
    const { chunks: kept } = this.#memory;
    const found = numbers.map((n) => kept.get<Uint8Array>(`${this.cacheNumber}/${part}/${n}`));
    const missing = numbers.filter((_, index) => found[index] === undefined);
    const read = await readChunks(this.#set, this.info.id, part, missing);
    // A range of many chunks would push everything else out, and is kept in its decoded form anyway.
    const keep = missing.length <= 8;
    const chunks = found.map((chunk, index) => {
      if (chunk !== undefined) return chunk;
      const bytes = read.shift()!;
      const name = `${this.cacheNumber}/${part}/${numbers[index]}`;
      return keep ? kept.set(name, bytes, bytes.length) : bytes;
    });
    return cutOut(chunks, start, end);
  }

  /** The last block whose first term is not after `term`, or -1. */
  #blockOf(term: string): number {
    const { firstTerms } = this.head;
    let low = 0;
    let high = firstTerms.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firstTerms[middle]! <= term) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function entryAt(cursor: TermCursor): TermEntry {
  const { term, documents, postingsAt, postingsLength, positionsAt, positionsLength } = cursor;
  return {
    term,
    documents,
    postings: { start: postingsAt, end: postingsAt + postingsLength },
    positions: { start: positionsAt, end: positionsAt + positionsLength },
  };
}
