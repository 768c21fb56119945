/**
 * What happened to the entities of a type, in flat arrays: sorted by entity, and for each entity by
 * version number. The same layout is a segment in the store, so reading one decodes nothing.
 *
 * @module
 */
import { compareIds, ID_WORDS, writeId } from "../../index/id_words.ts";

/** Kinds of events; {@linkcode PRUNED} at `n` says that the versions below `n` are gone. */
export const CREATED = 0;
/** A version that changed a living entity. */
export const CHANGED = 1;
/** A tombstone. */
export const DELETED = 2;
/** A mark of pruning. */
export const PRUNED = 3;

/** How the log spells the kinds. */
const LETTERS = ["c", "u", "d", "p"];
/** Bits of a kind beside its version number. */
const KIND_BITS = 2;

/** An event as the log has it. */
export interface LogEvent {
  id: string;
  n: number;
  at: number;
  kind: number;
}

/** Events of some entities. */
export interface Events {
  /** The entities' ids, ascending, as words. */
  ids: Uint32Array;
  /** Where each entity's events begin; one more than there are entities. */
  starts: Uint32Array;
  /** Epoch seconds of each event; 0 for a mark of pruning. */
  at: Uint32Array;
  /** Version number and kind of each event. */
  what: Uint32Array;
}

/** The kind that the log spells like this. */
export function kindOf(letter: string): number {
  const kind = LETTERS.indexOf(letter);
  if (kind < 0) throw new TypeError(`Cannot read the log entry ${JSON.stringify(letter)}`);
  return kind;
}

/** The kind of a packed event. */
export function kindIn(what: number): number {
  return what & ((1 << KIND_BITS) - 1);
}

/** The version number of a packed event. */
export function versionIn(what: number): number {
  return what >>> KIND_BITS;
}

/** How many entities there are. */
export function entityCount({ starts }: Events): number {
  return starts.length - 1;
}

/** Sorts events of the log into arrays; one that comes twice is taken once. */
export function eventsOf(log: readonly LogEvent[]): Events {
  const sorted = log.toSorted((a, b) => {
    if (a.id !== b.id) return a.id < b.id ? -1 : 1;
    // Marks come before versions, whose times then only grow.
    const marks = Number(b.kind === PRUNED) - Number(a.kind === PRUNED);
    return marks || a.n - b.n;
  });
  const builder = new EventsBuilder(sorted.length, sorted.length);
  let open: string | null = null;
  for (const { id, n, at, kind } of sorted) {
    if (id !== open) builder.openEntity((ids, row) => writeId(ids, row, id));
    open = id;
    builder.add(at, (n << KIND_BITS) | kind);
  }
  return builder.finish();
}

/** Entities merged between two pauses. */
const MERGED_AT_ONCE = 2_000;

/** Makes one of several, in portions: who calls may let others in between. */
export function* mergeEvents(parts: readonly Events[]): Generator<void, Events> {
  const sum = (count: (part: Events) => number) => parts.reduce((all, one) => all + count(one), 0);
  const builder = new EventsBuilder(sum(entityCount), sum((part) => part.at.length));
  const walk = new EntityWalk(parts);
  for (let merged = 1; walk.next(); merged++) {
    const { rows, first } = walk;
    builder.openEntity((ids, row) => copyId(parts[first]!, rows[first]!, ids, row));
    const cursors = parts.map((part, place) => rows[place]! < 0 ? 0 : part.starts[rows[place]!]!);
    for (let place; (place = earliest(parts, rows, cursors)) >= 0;) {
      const cursor = cursors[place]!++;
      builder.add(parts[place]!.at[cursor]!, parts[place]!.what[cursor]!);
    }
    if (merged % MERGED_AT_ONCE === 0) yield;
  }
  return builder.finish();
}

/** Visits every entity of several parts, in order of id. */
export class EntityWalk {
  /** In which row each part has the entity; -1 where it has not. */
  readonly rows: Int32Array;
  /** A part that has it. */
  first = -1;
  readonly #parts: readonly Events[];
  readonly #counts: number[];
  readonly #cursors: Int32Array;

  constructor(parts: readonly Events[]) {
    this.#parts = parts;
    this.#counts = parts.map(entityCount);
    this.#cursors = new Int32Array(parts.length);
    this.rows = new Int32Array(parts.length).fill(-1);
  }

  /** Goes to the next entity; false when there is none. */
  next(): boolean {
    const { rows } = this;
    const parts = this.#parts;
    const cursors = this.#cursors;
    let first = -1;
    for (let place = 0; place < parts.length; place++) {
      if (rows[place]! >= 0) cursors[place]! += 1;
      rows[place] = -1;
      const cursor = cursors[place]!;
      if (cursor >= this.#counts[place]!) continue;
      const order = first < 0
        ? -1
        : compareIds(parts[place]!.ids, cursor, parts[first]!.ids, cursors[first]!);
      if (order < 0) {
        rows.fill(-1, 0, place);
        first = place;
      }
      if (order <= 0) rows[place] = cursor;
    }
    this.first = first;
    return first >= 0;
  }
}

/** The part whose next event of the entity comes first; -1 when none has one left. */
function earliest(parts: readonly Events[], rows: Int32Array, cursors: number[]): number {
  let found = -1;
  let lowest = Infinity;
  for (let place = 0; place < parts.length; place++) {
    const row = rows[place]!;
    if (row < 0 || cursors[place]! >= parts[place]!.starts[row + 1]!) continue;
    const what = parts[place]!.what[cursors[place]!]!;
    const rank = kindIn(what) === PRUNED ? -1 : what;
    if (rank < lowest) {
      lowest = rank;
      found = place;
    }
  }
  return found;
}

function copyId(from: Events, fromRow: number, to: Uint32Array, row: number): void {
  const base = fromRow * ID_WORDS;
  to.set(from.ids.subarray(base, base + ID_WORDS), row * ID_WORDS);
}

/** Fills the arrays from the first entity to the last. */
class EventsBuilder {
  readonly #ids: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #at: Uint32Array;
  readonly #what: Uint32Array;
  #entities = 0;
  #events = 0;

  constructor(entities: number, events: number) {
    this.#ids = new Uint32Array(entities * ID_WORDS);
    this.#starts = new Uint32Array(entities + 1);
    this.#at = new Uint32Array(events);
    this.#what = new Uint32Array(events);
  }

  openEntity(writeId: (ids: Uint32Array, row: number) => void): void {
    writeId(this.#ids, this.#entities);
    this.#starts[this.#entities] = this.#events;
    this.#entities += 1;
  }

  add(at: number, what: number): void {
    const last = this.#events - 1;
    if (last >= this.#starts[this.#entities - 1]!) {
      if (this.#what[last] === what) return;
      // Of marks the highest counts.
      if (kindIn(what) === PRUNED) {
        if (what > this.#what[last]!) this.#what[last] = what;
        return;
      }
    }
    this.#at[this.#events] = at;
    this.#what[this.#events] = what;
    this.#events += 1;
  }

  finish(): Events {
    this.#starts[this.#entities] = this.#events;
    return {
      ids: this.#ids.slice(0, this.#entities * ID_WORDS),
      starts: this.#starts.slice(0, this.#entities + 1),
      at: this.#at.slice(0, this.#events),
      what: this.#what.slice(0, this.#events),
    };
  }
}

/** Events as the bytes of a segment. */
export function eventsBytes({ ids, starts, at, what }: Events): Uint8Array {
  const words = new Uint32Array(2 + ids.length + starts.length + at.length + what.length);
  words.set([starts.length - 1, at.length]);
  let place = 2;
  for (const part of [ids, starts, at, what]) {
    words.set(part, place);
    place += part.length;
  }
  return new Uint8Array(words.buffer);
}

/** The events in the bytes of a segment, which begin at an aligned place of their buffer. */
export function readEvents(bytes: Uint8Array): Events {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const [entities, events] = [words[0]!, words[1]!];
  let place = 2;
  const take = (length: number) => words.subarray(place, place += length);
  const ids = take(entities * ID_WORDS);
  const starts = take(entities + 1);
  const at = take(events);
  return { ids, starts, at, what: take(events) };
}
