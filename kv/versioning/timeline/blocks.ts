/**
 * Blocks: batches of events, each stored as one value. A segment is a sorted sequence of blocks; an entity's
 * events may continue in the next block. Merging reads and writes one block at a time, so its memory and the
 * time between yields stay small, however large the segments are.
 *
 * @module
 */
import { compareIds, ID_WORDS } from "../../index/segments/id_words.ts";
import { CHUNK_BYTES } from "../../limits/store.ts";
import { type Events, EventsBuilder, rankOf } from "./events.ts";

/** Words of a block: two counts, ids, starts and one more, times, versions with their kinds. */
const BLOCK_WORDS_MAX = Math.floor(CHUNK_BYTES / Uint32Array.BYTES_PER_ELEMENT);
const FRAME_WORDS = 3;
const ENTITY_WORDS = ID_WORDS + 1;
const EVENT_WORDS = 2;
const EVENTS_MAX = Math.floor((BLOCK_WORDS_MAX - FRAME_WORDS - ENTITY_WORDS) / EVENT_WORDS);
const ENTITIES_MAX = Math.floor(
  (BLOCK_WORDS_MAX - FRAME_WORDS) / (ENTITY_WORDS + EVENT_WORDS),
);

/** A block as bytes. */
export function blockBytes({ ids, starts, at, what }: Events): Uint8Array {
  const words = new Uint32Array(2 + ids.length + starts.length + at.length + what.length);
  words.set([starts.length - 1, at.length]);
  let offset = 2;
  for (const part of [ids, starts, at, what]) {
    words.set(part, offset);
    offset += part.length;
  }
  return new Uint8Array(words.buffer);
}

/** The events in the bytes of a block. */
export function readBlock(bytes: Uint8Array): Events {
  // A value from the store need not begin at an aligned offset, a copy does.
  const words = new Uint32Array(bytes.slice().buffer);
  const [entities = 0, events = 0] = words;
  let offset = 2;
  const take = (length: number) => words.subarray(offset, offset += length);
  const ids = take(entities * ID_WORDS);
  const starts = take(entities + 1);
  const at = take(events);
  return { ids, starts, at, what: take(events) };
}

/** A row of one block, of any size. */
export async function* once(events: Events): AsyncGenerator<Events> {
  if (events.at.length > 0) yield await Promise.resolve(events);
}

/** Makes one sorted row of blocks of several. */
export async function* mergeBlocks(
  parts: readonly AsyncIterable<Events>[],
): AsyncGenerator<Events> {
  const sources = parts.map((blocks) => new Source(blocks));
  for (const source of sources) await source.turnPage();
  const id = new Uint32Array(ID_WORDS);
  let block = newBlock();
  for (let first; (first = lowest(sources)) !== null;) {
    first.copyId(id);
    let mine = sources.filter((source) => source.isAt(id));
    let isOpen = false;
    while (mine.length > 0) {
      const source = earliest(mine);
      if (!hasRoom(block, isOpen)) {
        yield block.finish();
        block = newBlock();
        isOpen = false;
      }
      if (!isOpen) block.openEntity(id, 0);
      isOpen = true;
      block.add(source.at, source.what);
      if (source.next()) continue;
      if (source.isRead) await source.turnPage();
      mine = mine.filter((one) => one.isAt(id));
    }
  }
  if (block.events > 0) yield block.finish();
}

function newBlock(): EventsBuilder {
  return new EventsBuilder(ENTITIES_MAX, EVENTS_MAX);
}

/** Whether one more event fits, of an entity that is in the block already or of another. */
function hasRoom(block: EventsBuilder, isOpen: boolean): boolean {
  const words = FRAME_WORDS + block.entities * ENTITY_WORDS + block.events * EVENT_WORDS;
  return words + (isOpen ? 0 : ENTITY_WORDS) + EVENT_WORDS <= BLOCK_WORDS_MAX;
}

/** A source at the lowest id; null when all are read. */
function lowest(sources: readonly Source[]): Source | null {
  let found: Source | null = null;
  for (const source of sources) {
    if (!source.isRead && (found === null || source.isBefore(found))) found = source;
  }
  return found;
}

/** Of sources at one entity the one whose next event comes first. */
function earliest(sources: readonly Source[]): Source {
  return sources.reduce((found, source) => source.rank < found.rank ? source : found);
}

const NO_EVENTS: Events = {
  ids: new Uint32Array(),
  starts: new Uint32Array(),
  at: new Uint32Array(),
  what: new Uint32Array(),
};

/** One row of blocks, read event by event. */
class Source {
  readonly #blocks: AsyncIterator<Events>;
  /** The block that is being read, or an empty one. */
  #block: Events = NO_EVENTS;
  #row = 0;
  #event = 0;
  #end = 0;

  constructor(blocks: AsyncIterable<Events>) {
    this.#blocks = blocks[Symbol.asyncIterator]();
  }

  /** Whether the block is read to its end: then the next one is to be turned to, if there is one. */
  get isRead(): boolean {
    return this.#block === NO_EVENTS;
  }

  get at(): number {
    return this.#block.at[this.#event]!;
  }

  get what(): number {
    return this.#block.what[this.#event]!;
  }

  get rank(): number {
    return rankOf(this.at, this.what);
  }

  isAt(id: Uint32Array): boolean {
    return !this.isRead && compareIds(this.#block.ids, this.#row, id, 0) === 0;
  }

  isBefore(other: Source): boolean {
    return compareIds(this.#block.ids, this.#row, other.#block.ids, other.#row) < 0;
  }

  copyId(to: Uint32Array): void {
    const base = this.#row * ID_WORDS;
    to.set(this.#block.ids.subarray(base, base + ID_WORDS));
  }

  /** Moves to the next event; false if that belongs to another entity or is in another block. */
  next(): boolean {
    this.#event += 1;
    if (this.#event < this.#end) return true;
    const { starts } = this.#block;
    this.#row += 1;
    if (this.#row + 1 < starts.length) this.#end = starts[this.#row + 1]!;
    else this.#block = NO_EVENTS;
    return false;
  }

  /** Reads the next block. */
  async turnPage(): Promise<void> {
    const { done, value } = await this.#blocks.next();
    if (done) return;
    this.#block = value;
    this.#row = this.#event = 0;
    this.#end = value.starts[1] ?? 0;
  }
}
