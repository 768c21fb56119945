/**
 * The timeline of a type as it was read: what every entity was at any instant.
 *
 * @module
 */
import { isUlid } from "../../model/values/ulid.ts";
import { findId, ID_WORDS, readId, writeId } from "../../index/segments/id_words.ts";
import { EntityWalk } from "./entity_walk.ts";
import {
  DELETED,
  type Events,
  kindIn,
  PRUNED,
  versionIn,
} from "../../versioning/timeline/events.ts";

/** Entities visited in one go: a few milliseconds. */
const VISITED_AT_ONCE = 4_096;

/** An entity at an instant; the same object at every visit. */
export interface Moment {
  /** Packed event that was the newest then, for each instant that was asked for; -1 before the first. */
  what: number[];
  /** Whether pruning has removed that version, for each instant. */
  lost: boolean[];
  /** The first version that is known to have been; an import may know no earlier one. */
  first: number;
  /** The position of its ID. */
  position: EntityPosition;
}

/** The position of an ID; {@linkcode TimelineReader.idAt} reads it. */
export interface EntityPosition {
  layer: number;
  row: number;
}

/** Whether an entity may have been there before anything is known of it. */
export function isUnknown(what: number, { first }: Moment): boolean {
  return what < 0 && first > 1;
}

/** Whether an entity was there. */
export function isThere(what: number): boolean {
  return what >= 0 && kindIn(what) !== DELETED;
}

/** Events of a type, from the store's segments and its log. */
export class TimelineReader {
  readonly #layers: readonly Events[];
  readonly #pause: () => Promise<void>;

  /** `pause` lets others in between during a long walk. */
  constructor(layers: readonly Events[], pause: () => Promise<void>) {
    this.#layers = layers;
    this.#pause = pause;
  }

  /** Visits every entity that ever was, in order of id. */
  async walk(instants: readonly number[], visit: (moment: Moment) => void): Promise<void> {
    const moment = newMoment(instants.length);
    const walk = new EntityWalk(this.#layers);
    for (let visited = 1; walk.next(); visited++) {
      moment.position.layer = walk.first;
      moment.position.row = walk.rows[walk.first]!;
      this.#see(walk.rows, instants, moment);
      visit(moment);
      if (visited % VISITED_AT_ONCE === 0) await this.#pause();
    }
  }

  /**
   * Visits every version that pruning has left in its layer, of each layer the youngest entities first;
   * some may come twice.
   */
  eachVersion(visit: (at: number, what: number, position: EntityPosition) => void): void {
    const position: EntityPosition = { layer: 0, row: 0 };
    for (const [index, layer] of this.#layers.entries()) {
      const { starts, at, what } = layer;
      position.layer = index;
      for (let row = starts.length - 2; row >= 0; row--) {
        position.row = row;
        const start = starts[row]!;
        const versions = versionsOf(layer, start, starts[row + 1]!);
        for (let event = starts[row + 1]! - 1; event >= versions; event--) {
          if (isMarked(layer, start, versions, versionIn(what[event]!))) continue;
          visit(at[event]!, what[event]!, position);
        }
      }
    }
  }

  /** Visits the time of every version, epoch seconds, in no order; one that two compactions met may come twice. */
  eachTime(visit: (at: number) => void): void {
    for (const { at, what } of this.#layers) {
      for (const [event, time] of at.entries()) if (kindIn(what[event]!) !== PRUNED) visit(time);
    }
  }

  /** The id at a position. */
  idAt({ layer, row }: EntityPosition): string {
    return readId(this.#layers[layer]!.ids, row);
  }

  /** One entity at an instant; null when it never was. */
  find(id: string, at: number): Moment | null {
    if (!isUlid(id)) return null;
    const wanted = new Uint32Array(ID_WORDS);
    writeId(wanted, 0, id);
    const rows = Int32Array.from(this.#layers, ({ ids }) => findId(ids, wanted, 0));
    if (rows.every((row) => row < 0)) return null;
    const moment = newMoment(1);
    this.#see(rows, [at], moment);
    return moment;
  }

  #see(rows: Int32Array, instants: readonly number[], moment: Moment): void {
    moment.first = Infinity;
    // A loop of its own: this runs for each entity, and calls of fill() cost more than all else here.
    for (let instant = 0; instant < instants.length; instant++) {
      moment.what[instant] = -1;
      moment.lost[instant] = false;
    }
    for (let index = 0; index < rows.length; index++) {
      if (rows[index]! < 0) continue;
      const layer = this.#layers[index]!;
      const end = layer.starts[rows[index]! + 1]!;
      const start = versionsOf(layer, layer.starts[rows[index]!]!, end);
      if (start < end) moment.first = Math.min(moment.first, versionIn(layer.what[start]!));
      for (let instant = 0; instant < instants.length; instant++) {
        const found = newestAt(layer, start, end, instants[instant]!);
        if (found >= 0 && layer.what[found]! > moment.what[instant]!) {
          moment.what[instant] = layer.what[found]!;
        }
      }
    }
    for (let index = 0; index < rows.length; index++) {
      if (rows[index]! < 0) continue;
      const layer = this.#layers[index]!;
      const start = layer.starts[rows[index]!]!;
      const end = versionsOf(layer, start, layer.starts[rows[index]! + 1]!);
      for (let instant = 0; start < end && instant < instants.length; instant++) {
        const what = moment.what[instant]!;
        moment.lost[instant] ||= what >= 0 && isMarked(layer, start, end, versionIn(what));
      }
    }
  }
}

function newMoment(instants: number): Moment {
  return {
    what: new Array<number>(instants).fill(-1),
    lost: new Array<boolean>(instants).fill(false),
    first: 0,
    position: { layer: 0, row: 0 },
  };
}

/** The first version of an entity, after its marks. */
function versionsOf({ what }: Events, start: number, end: number): number {
  return start < end && kindIn(what[start]!) === PRUNED
    ? firstThat(start, end, (event) => kindIn(what[event]!) !== PRUNED)
    : start;
}

/** Whether one of an entity's marks, which lie apart from each other, is about version `n`. */
function isMarked({ at, what }: Events, start: number, end: number, n: number): boolean {
  if (start === end) return false;
  const mark = firstThat(start, end, (event) => at[event]! > n) - 1;
  return mark >= start && n < versionIn(what[mark]!);
}

/** Times never go backwards for an entity, so the newest event at an instant is the last that is not later. */
function newestAt({ at }: Events, start: number, end: number, instant: number): number {
  // Most entities have not changed since, or came later.
  if (start === end || at[start]! > instant) return -1;
  if (at[end - 1]! <= instant) return end - 1;
  return firstThat(start, end, (event) => at[event]! > instant) - 1;
}

/** The first of a range from which on something holds; its end where it nowhere does. */
function firstThat(start: number, end: number, holds: (event: number) => boolean): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
