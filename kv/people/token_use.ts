/**
 * How many requests were made with each token, by the hour. Counted in the process and written down with
 * the mark of when the token was last used, so that no request pays for it: what a process has counted
 * since its last mark, at most a minute while there are requests, is lost with it.
 *
 * @module
 */
import { tokenUseKey } from "../keys.ts";
import type { Context } from "../context.ts";
import type { Entry, Operation } from "../store/operation.ts";
import { COUNTED_TOKENS_MAX } from "../tuning.ts";

/** Hours that are kept. */
export const USE_HOURS_KEPT = 168;
const HOUR_SECONDS = 3_600;

/** Requests within an hour, identified by its number since the epoch. */
export type UseOfHour = [hour: number, requests: number];

/** Token uses that a process has counted but not yet stored. */
export class TokenUse {
  readonly #counted = new Map<string, Map<number, number>>();

  /** Counts a request; `now` is in epoch seconds. */
  count(id: string, now: number): void {
    let hours = this.#counted.get(id);
    if (hours === undefined) {
      if (this.#counted.size >= COUNTED_TOKENS_MAX) this.#counted.clear();
      this.#counted.set(id, hours = new Map());
    }
    const hour = Math.floor(now / HOUR_SECONDS);
    hours.set(hour, (hours.get(hour) ?? 0) + 1);
  }

  /** Adds what was counted to a commit; the returned function says that it has been committed. */
  stage(operation: Operation, id: string, entry: Entry<UseOfHour[]>): () => void {
    const counted = this.#counted.get(id) ?? new Map<number, number>();
    const added = [...counted];
    operation.check(entry).set(entry.key, merged(entry.value ?? [], added));
    return () => {
      for (const [hour, requests] of added) {
        const left = (counted.get(hour) ?? 0) - requests;
        if (left === 0) counted.delete(hour);
        else counted.set(hour, left);
      }
    };
  }
}

/** The requests of the last hours up to `now` (epoch seconds), oldest first, with the hours of none. */
export async function useOfToken(
  { store }: Context,
  id: string,
  now: number,
  hours: number,
): Promise<{ at: number; requests: number }[]> {
  const { value } = await store.get<UseOfHour[]>(tokenUseKey(id));
  const known = new Map(value ?? []);
  const last = Math.floor(now / HOUR_SECONDS);
  return Array.from({ length: hours }, (_, index) => {
    const hour = last - hours + 1 + index;
    return { at: hour * HOUR_SECONDS, requests: known.get(hour) ?? 0 };
  });
}

function merged(before: UseOfHour[], added: UseOfHour[]): UseOfHour[] {
  const hours = new Map(before);
  for (const [hour, requests] of added) hours.set(hour, (hours.get(hour) ?? 0) + requests);
  return [...hours].sort(([a], [b]) => a - b).slice(-USE_HOURS_KEPT);
}
