/**
 * The events of all entities of a type, in flat arrays: sorted by entity, and for each entity by version
 * number, after the marks of pruned versions.
 *
 * @module
 */
import { compareIds, ID_WORDS, writeId } from "../../index/segments/id_words.ts";

/** Kinds of events. */
export const CREATED = 0;
/** A version that changed a living entity. */
export const CHANGED = 1;
/** A tombstone. */
export const DELETED = 2;
/** A mark of pruning: the versions from the number in its `at` on, up to and without its own, are gone. */
export const PRUNED = 3;

/** How the log spells the kinds. */
const LETTERS = ["c", "u", "d", "p"];
/** Bits of a kind, next to its version number. */
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
  /** The first event of each entity, followed by the number of events. */
  starts: Uint32Array;
  /** Epoch seconds of each event; the first number of what is gone for a mark of pruning. */
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

/** The order of an entity's events: marks by what they begin with, then versions, whose times only grow. */
export function rankOf(at: number, what: number): number {
  return kindIn(what) === PRUNED ? at - MARKS_BEFORE : what;
}

/** Greater than any version number. */
const MARKS_BEFORE = 2 ** 32;

/** Sorts events of the log into arrays; one that comes twice is taken once. */
export function eventsOf(log: readonly LogEvent[]): Events {
  const packed = log.map(({ id, n, at, kind }) => ({ id, at, what: (n << KIND_BITS) | kind }));
  packed.sort((a, b) =>
    a.id < b.id ? -1 : a.id > b.id ? 1 : rankOf(a.at, a.what) - rankOf(b.at, b.what)
  );
  const builder = new EventsBuilder(packed.length, packed.length);
  const words = new Uint32Array(ID_WORDS);
  let open: string | null = null;
  for (const { id, at, what } of packed) {
    if (id !== open) {
      writeId(words.fill(0), 0, id);
      builder.openEntity(words, 0);
    }
    open = id;
    builder.add(at, what);
  }
  return builder.finish();
}

/** Fills the arrays from the first entity to the last. */
export class EventsBuilder {
  readonly #ids: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #at: Uint32Array;
  readonly #what: Uint32Array;
  #entities = 0;
  #events = 0;

  constructor(entitiesMax: number, eventsMax: number) {
    this.#ids = new Uint32Array(entitiesMax * ID_WORDS);
    this.#starts = new Uint32Array(entitiesMax + 1);
    this.#at = new Uint32Array(eventsMax);
    this.#what = new Uint32Array(eventsMax);
  }

  /** Entities so far. */
  get entities(): number {
    return this.#entities;
  }

  /** Events so far. */
  get events(): number {
    return this.#events;
  }

  /** Begins the entity with the id at `row` of `ids`, or continues it. */
  openEntity(ids: Uint32Array, row: number): void {
    const last = this.#entities - 1;
    if (last >= 0 && compareIds(this.#ids, last, ids, row) === 0) return;
    const base = row * ID_WORDS;
    this.#ids.set(ids.subarray(base, base + ID_WORDS), this.#entities * ID_WORDS);
    this.#starts[this.#entities] = this.#events;
    this.#entities += 1;
  }

  /** Adds the next event of the entity; one that is there already is passed by, marks that meet become one. */
  add(at: number, what: number): void {
    const last = this.#events - 1;
    if (last >= this.#starts[this.#entities - 1]!) {
      const before = this.#what[last]!;
      if (before === what) return;
      if (kindIn(what) === PRUNED && at <= versionIn(before)) {
        if (what > before) this.#what[last] = what;
        return;
      }
    }
    this.#at[this.#events] = at;
    this.#what[this.#events] = what;
    this.#events += 1;
  }

  /** Adds what comes after, beginning perhaps in the middle of the last entity. */
  append({ ids, starts, at, what }: Events): void {
    for (let row = 0; row + 1 < starts.length; row++) {
      this.openEntity(ids, row);
      const end = starts[row + 1]!;
      for (let event = starts[row]!; event < end; event++) this.add(at[event]!, what[event]!);
    }
  }

  /** The events added so far. */
  finish(): Events {
    this.#starts[this.#entities] = this.#events;
    return {
      ids: firstOf(this.#ids, this.#entities * ID_WORDS),
      starts: firstOf(this.#starts, this.#entities + 1),
      at: firstOf(this.#at, this.#events),
      what: firstOf(this.#what, this.#events),
    };
  }
}

/** The first words, without the room behind them. */
function firstOf(words: Uint32Array, count: number): Uint32Array {
  return words.length === count ? words : words.slice(0, count);
}
