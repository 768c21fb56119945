/**
 * Every version of everything, newest first, a page at a time: what was changed, in the order in which it
 * was.
 *
 * @module
 */
import type { EntityType } from "../model/entities/entity_kinds.ts";
import { DELETED, kindIn, versionIn } from "../versioning/timeline/events.ts";
import type { Timeline } from "./timeline/timeline.ts";

/** A version in order of time. */
export interface VersionEvent {
  type: EntityType;
  id: string;
  n: number;
  /** Epoch seconds. */
  at: number;
  gone: boolean;
}

/** A position in that order: behind a version. */
export type EventPosition = Pick<VersionEvent, "at" | "id" | "n">;

/** The newest versions of some types, behind a position; one more than asked for tells that there are more. */
export async function newestVersions(
  timeline: Timeline,
  types: readonly EntityType[],
  { before, limit }: { before: EventPosition | null; limit: number },
): Promise<VersionEvent[]> {
  const found = new Newest(limit + 1, before);
  await Promise.all(types.map(async (type) => {
    const { log, compacted } = await timeline.newest(type, {
      before: before?.at ?? null,
      older: (event) => before === null || compare(event, before) > 0,
      limit: limit + 1,
    });
    for (const { id, n, at, kind } of log) {
      found.offer(at, () => ({ type, id, n, at, gone: kind === DELETED }));
    }
    compacted.eachVersion((at, what, position) =>
      found.offer(at, () => ({
        type,
        id: compacted.idAt(position),
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
  readonly #before: EventPosition | null;

  constructor(max: number, before: EventPosition | null) {
    this.#max = max;
    this.#before = before;
  }

  /** `make` is only called for what may be among them by its time. */
  offer(at: number, make: () => VersionEvent): void {
    if (this.#before !== null && at > this.#before.at) return;
    const isFull = this.events.length === this.#max;
    if (isFull && at < (this.events.at(-1)?.at ?? 0)) return;
    const event = make();
    if (this.#before !== null && compare(event, this.#before) <= 0) return;
    const position = this.events.findLastIndex((other) => compare(event, other) >= 0);
    const previous = this.events[position];
    // A compaction that was cut off leaves a version twice.
    if (previous !== undefined && compare(event, previous) === 0) return;
    this.events.splice(position + 1, 0, event);
    if (this.events.length > this.#max) this.events.pop();
  }
}

/** Negative when `a` is the newer one. */
function compare(a: EventPosition, b: EventPosition): number {
  if (a.at !== b.at) return b.at - a.at;
  if (a.id !== b.id) return a.id < b.id ? 1 : -1;
  return b.n - a.n;
}
