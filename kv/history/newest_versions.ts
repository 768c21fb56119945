/**
 * Every version of everything, newest first, a page at a time: what was changed, in the order in which it
 * was.
 *
 * @module
 */
import { logKey } from "../keys.ts";
import type { EntityType } from "../model/entity.ts";
import { DELETED, kindIn, versionIn } from "./timeline/events.ts";
import type { Timeline } from "./timeline/timeline.ts";

/** A version in the course of time. */
export interface VersionEvent {
  type: EntityType;
  id: string;
  n: number;
  /** Epoch seconds. */
  at: number;
  gone: boolean;
}

/** A place in that order: behind a version. */
export type EventPlace = Pick<VersionEvent, "at" | "id" | "n">;

/** The newest versions of some types, behind a place; one more than asked for tells that there are more. */
export async function newestVersions(
  timeline: Timeline,
  types: readonly EntityType[],
  { before, limit }: { before: EventPlace | null; limit: number },
): Promise<VersionEvent[]> {
  const found = new Newest(limit + 1, before);
  await Promise.all(types.map(async (type) => {
    const key = before === null ? null : logKey(type, before.at, before.id, before.n);
    const { log, folded } = await timeline.newest(type, { before: key, limit: limit + 1 });
    for (const { id, n, at, kind } of log) {
      found.offer(at, () => ({ type, id, n, at, gone: kind === DELETED }));
    }
    folded.eachVersion((at, what, place) =>
      found.offer(at, () => ({
        type,
        id: folded.idAt(place),
        n: versionIn(what),
        at,
        gone: kindIn(what) === DELETED,
      }))
    );
  }));
  return found.events;
}

/** The newest of what is offered, in order. */
class Newest {
  readonly events: VersionEvent[] = [];
  readonly #max: number;
  readonly #before: EventPlace | null;

  constructor(max: number, before: EventPlace | null) {
    this.#max = max;
    this.#before = before;
  }

  /** `make` is only called for what may be among them by its time. */
  offer(at: number, make: () => VersionEvent): void {
    if (this.#before !== null && at > this.#before.at) return;
    const isFull = this.events.length === this.#max;
    if (isFull && at < this.events.at(-1)!.at) return;
    const event = make();
    if (this.#before !== null && compare(event, this.#before) <= 0) return;
    let place = this.events.length;
    while (place > 0 && compare(event, this.events[place - 1]!) < 0) place -= 1;
    // A fold that was cut off leaves a version in two places.
    if (place > 0 && compare(event, this.events[place - 1]!) === 0) return;
    this.events.splice(place, 0, event);
    if (this.events.length > this.#max) this.events.pop();
  }
}

/** Negative when `a` is the newer one. */
function compare(a: EventPlace, b: EventPlace): number {
  if (a.at !== b.at) return b.at - a.at;
  if (a.id !== b.id) return a.id < b.id ? 1 : -1;
  return b.n - a.n;
}
