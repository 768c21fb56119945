/**
 * Holding on to versions: while a back-up is being written no version is removed for good, so that what was
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

/** Until when each back-up holds on, milliseconds. */
export type Holds = Record<string, number>;

/** Whether somebody holds on to versions; who removes some checks the entry in the same commit. */
export function areVersionsHeld({ now }: Pick<Context, "now">, entry: Entry): boolean {
  const at = now();
  return Object.values((entry.value ?? {}) as Holds).some((until) => until > at);
}

/**
 * Goes on writing a back-up while no version is removed. `write` is to call `renew` often, and is told whether the hold
 * has stood since the last call of this for the same back-up: otherwise versions may be gone. The hold stays until
 * `write` answers that all `isDone`; a back-up that nobody goes on with lets go by itself.
 */
export async function withVersionsHeld<T extends { isDone: boolean }>(
  context: Context,
  id: string,
  write: (hold: { hasStood: boolean; renew: () => Promise<void> }) => Promise<T>,
): Promise<T> {
  let renewedAt = context.now();
  const hasStood = await setHold(context, id, renewedAt + HELD_MS);
  const written = await write({
    hasStood,
    renew: async () => {
      if (Math.abs(context.now() - renewedAt) < RENEWED_MS) return;
      renewedAt = context.now();
      await setHold(context, id, renewedAt + HELD_MS);
    },
  });
  if (written.isDone) {
    // What is not let go of ends by itself.
    await setHold(context, id, null).catch((error) =>
      context.log.warn("a back-up's hold on versions stays until it lapses", { error: `${error}` })
    );
  }
  return written;
}

/** Sets until when a back-up holds on, null for no longer; answers whether it did so until now. */
async function setHold(
  { store, now }: Context,
  id: string,
  until: number | null,
): Promise<boolean> {
  for (;;) {
    const entry = await store.get<Holds>(versionHoldsKey);
    const { [id]: own = 0, ...others } = entry.value ?? {};
    const standing = Object.entries(others).filter(([, end]) => end > now());
    const holds: Holds = Object.fromEntries(standing);
    if (until !== null) holds[id] = until;
    const { ok } = await store.commit(new Operation().check(entry).set(versionHoldsKey, holds));
    if (ok) return own > now();
  }
}
