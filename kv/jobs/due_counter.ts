/**
 * Counts the due jobs of a lane for screens that are looked at again and again: what a process has counted is counted
 * once, because at-once jobs are taken from the front of a lane and added at its end.
 *
 * @module
 */
import type { Store } from "../store/store.ts";
import { dueLanePrefix } from "./job_keys.ts";
import { atOnceKey, isDueAtOnce, type Lane, laneNumber, readDueKey } from "./due.ts";

/** Entries between two marks. */
const MARK_ENTRIES = 100;
/** How long marks are trusted, milliseconds: jobs that were cancelled or came late are counted again then. */
const RECOUNT_MS = 60_000;

/** Every hundredth at-once entry of a lane, and when all of them were counted. */
interface Marks {
  ids: string[];
  countedAt: number;
}

/** Counts due jobs. */
export class DueCounter {
  readonly #store: Store;
  readonly #marks = new Map<Lane, Marks>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** How many jobs of a lane are due, at most `max`. */
  async count(lane: Lane, now: number, max: number): Promise<number> {
    const marks = await this.#kept(lane, now);
    const last = marks.ids.at(-1);
    const before = last === undefined ? 0 : marks.front + (marks.ids.length - 1) * MARK_ENTRIES;
    const ids = [...marks.ids];
    const prefix = dueLanePrefix(laneNumber(lane));
    const range = last === undefined ? { prefix } : { prefix, start: atOnceKey(lane, `${last}\0`) };
    let count = before;
    let sinceMark = 0;
    for await (const { key } of this.#store.list(range, { limit: Math.max(1, max - before) })) {
      const { at, idOrName } = readDueKey(key);
      if (at > now) break;
      count += 1;
      // Requests come before, and what is due at a time comes behind the jobs that are due at once.
      if (!isDueAtOnce(key) || ++sinceMark < MARK_ENTRIES) continue;
      ids.push(idOrName);
      sinceMark = 0;
    }
    this.#marks.set(lane, { ids, countedAt: marks.countedAt });
    return Math.min(count, max);
  }

  /** The marks of entries that still wait, and how many entries there are up to the first of them. */
  async #kept(lane: Lane, now: number): Promise<Marks & { front: number }> {
    const none = { ids: [], countedAt: now, front: 0 };
    const known = this.#marks.get(lane);
    if (known === undefined || now - known.countedAt >= RECOUNT_MS) return none;
    const prefix = dueLanePrefix(laneNumber(lane));
    const first = await this.#store.listAll({ prefix }, { limit: 2 * MARK_ENTRIES });
    const waiting = new Map(first.map(({ key }, at) => [readDueKey(key).idOrName, at + 1]));
    const start = known.ids.findIndex((id) => waiting.has(id));
    const front = waiting.get(known.ids[start] ?? "");
    // Neither is at the front if the lane was emptied, or if much has come before.
    return front === undefined ? none : { ...known, ids: known.ids.slice(start), front };
  }
}
