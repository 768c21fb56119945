/**
 * The timeline of a type as it was read: what every entity was at any instant.
 *
 * @module
 */
import { isUlid } from "../../model/ulid.ts";
import { findId, ID_WORDS, readId, writeId } from "../../index/id_words.ts";
import { EntityWalk } from "./entity_walk.ts";
import { DELETED, type Events, kindIn, PRUNED, versionIn } from "./events.ts";

/** Entities visited in one go: a few milliseconds. */
const VISITED_AT_ONCE = 4_096;

/** What an entity was at an instant; the same object at every visit. */
export interface Moment {
  /** Packed event that was the newest then, for each instant that was asked for; -1 before the first. */
  what: number[];
  /** The lowest version that pruning has left. */
  kept: number;
  /** The first version that is known to have been; an import may know no earlier one. */
  first: number;
  /** Where its id is. */
  position: EntityPosition;
}

/** Where an id is; {@linkcode TimelineReader.idAt} makes text of it. */
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
    const moment: Moment = { what: [], kept: 0, first: 0, position: { layer: 0, row: 0 } };
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
    for (const [layer, { starts, at, what }] of this.#layers.entries()) {
      position.layer = layer;
      for (let row = starts.length - 2; row >= 0; row--) {
        position.row = row;
        let start = starts[row]!;
        const isMark = kindIn(what[start]!) === PRUNED;
        const kept = isMark ? versionIn(what[start]!) : 0;
        if (isMark) start += 1;
        for (let event = starts[row + 1]! - 1; event >= start; event--) {
          if (versionIn(what[event]!) >= kept) visit(at[event]!, what[event]!, position);
        }
      }
    }
  }

  /** Visits the time of every version, epoch seconds, in no order; one that two compactions met may come twice. */
  eachTime(visit: (at: number) => void): void {
    for (const { at } of this.#layers) {
      // Marks of pruning have the time 0, which no version has.
      for (const time of at) if (time > 0) visit(time);
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
    const moment: Moment = { what: [], kept: 0, first: 0, position: { layer: 0, row: 0 } };
    this.#see(rows, [at], moment);
    return moment;
  }

  #see(rows: Int32Array, instants: readonly number[], moment: Moment): void {
    moment.kept = 0;
    moment.first = Infinity;
    moment.what.length = 0;
    for (const _instant of instants) moment.what.push(-1);
    for (let index = 0; index < rows.length; index++) {
      if (rows[index]! < 0) continue;
      const layer = this.#layers[index]!;
      let start = layer.starts[rows[index]!]!;
      const end = layer.starts[rows[index]! + 1]!;
      if (kindIn(layer.what[start]!) === PRUNED) {
        moment.kept = Math.max(moment.kept, versionIn(layer.what[start]!));
        start += 1;
      }
      if (start < end) moment.first = Math.min(moment.first, versionIn(layer.what[start]!));
      for (let turn = 0; turn < instants.length; turn++) {
        const found = newestAt(layer, start, end, instants[turn]!);
        if (found >= 0 && layer.what[found]! > moment.what[turn]!) {
          moment.what[turn] = layer.what[found]!;
        }
      }
    }
  }
}

/** Times never go backwards for an entity, so the newest event at an instant is the last that is not later. */
function newestAt({ at }: Events, start: number, end: number, instant: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at[middle]! <= instant) low = middle + 1;
    else high = middle;
  }
  return low === start ? -1 : low - 1;
}
