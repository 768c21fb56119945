/**
 * Holding on to versions: while a backup is being written no version is removed for good, so that what was
 * there at its instant is there when its rows are read.
 *
 * @module
 */
import { versionHoldsKey } from "./backup_keys.ts";
import type { Context } from "../context.ts";
import { type Entry, Operation } from "../store/operation.ts";

/** A hold that is not renewed ends after this: its process has died. */
const HELD_MS = 10 * 60_000;
/** How often a hold is renewed. */
const RENEWED_MS = 60_000;

/** Until when each backup holds on, milliseconds. */
export type Holds = Record<string, number>;

/** Whether a reader holds versions; a commit that removes versions checks the entry. */
export function areVersionsHeld({ now }: Pick<Context, "now">, entry: Entry): boolean {
  const at = now();
  return Object.values((entry.value ?? {}) as Holds).some((until) => until > at);
}

/** How a backup holds on to versions. */
export interface Hold {
  /** Whether it has stood since the last call for the same backup: otherwise versions may be gone. */
  hasStood: boolean;
  /** When it was set, if it was in this call: its commit's versionstamp, and a time before it in epoch seconds. */
  set: { stamp: string; at: number } | null;
  /** To be called often. */
  renew: () => Promise<void>;
}

/**
 * Continues writing a backup while no version is removed. The hold stays until `write` answers that all `isDone`; a
 * backup that no process continues releases its hold.
 */
export async function withVersionsHeld<T extends { isDone: boolean }>(
  context: Context,
  id: string,
  write: (hold: Hold) => Promise<T>,
): Promise<T> {
  const { store, now } = context;
  const found = await store.get<Holds>(versionHoldsKey);
  const until = found.value?.[id] ?? 0;
  const hasStood = until > now();
  let last = { entry: found, renewedAt: until - HELD_MS };
  let set: Hold["set"] = null;
  if (!hasStood || isDue(last, now())) {
    const at = Math.floor(now() / 1000);
    last = await setHold(context, id, found, now() + HELD_MS);
    set = { stamp: last.entry.versionstamp!, at };
  }
  const written = await write({
    hasStood,
    set,
    renew: async () => {
      if (isDue(last, now())) last = await setHold(context, id, last.entry, now() + HELD_MS);
    },
  });
  if (written.isDone) {
    // A hold that is not released expires.
    await setHold(context, id, last.entry, null).catch((error) =>
      context.log.warn("a backup's hold on versions stays until it lapses", { error: `${error}` })
    );
  }
  return written;
}

interface LastHold {
  /** The holds as this process last read them; others may have changed them. */
  entry: Entry<Holds>;
  renewedAt: number;
}

function isDue({ renewedAt }: LastHold, now: number): boolean {
  return Math.abs(now - renewedAt) >= RENEWED_MS;
}

/** Sets until when a backup holds on, null for no longer. */
async function setHold(
  { store, now }: Context,
  id: string,
  known: Entry<Holds>,
  until: number | null,
): Promise<LastHold> {
  for (let entry = known;; entry = await store.get<Holds>(versionHoldsKey)) {
    const { [id]: _own, ...others } = entry.value ?? {};
    const standing = Object.entries(others).filter(([, end]) => end > now());
    const holds: Holds = Object.fromEntries(standing);
    if (until !== null) holds[id] = until;
    const result = await store.commit(new Operation().check(entry).set(versionHoldsKey, holds));
    if (!result.ok) continue;
    const { versionstamp } = result;
    return { entry: { key: entry.key, value: holds, versionstamp }, renewedAt: now() };
  }
}
