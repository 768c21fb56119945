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
type Holds = Record<string, number>;

/** Whether somebody holds on to versions; who removes some checks the entry in the same commit. */
export function areVersionsHeld({ now }: Pick<Context, "now">, entry: Entry): boolean {
  const at = now();
  return Object.values((entry.value ?? {}) as Holds).some((until) => until > at);
}

/** Writes a back-up while no version is removed; `write` is to call `keep` often: it renews the hold. */
export async function withVersionsHeld<T>(
  context: Context,
  id: string,
  write: (keep: () => Promise<void>) => Promise<T>,
): Promise<T> {
  let renewedAt = context.now();
  const hold = () => setHold(context, id, renewedAt + HELD_MS);
  await hold();
  try {
    return await write(async () => {
      if (Math.abs(context.now() - renewedAt) < RENEWED_MS) return;
      renewedAt = context.now();
      await hold();
    });
  } finally {
    // What is not let go of ends by itself.
    await setHold(context, id, null).catch((error) =>
      context.log.warn("a back-up's hold on versions stays until it lapses", { error: `${error}` })
    );
  }
}

async function setHold({ store, now }: Context, id: string, until: number | null): Promise<void> {
  for (;;) {
    const entry = await store.get<Holds>(versionHoldsKey);
    const { [id]: _, ...others } = entry.value ?? {};
    const standing = Object.entries(others).filter(([, end]) => end > now());
    const holds: Holds = Object.fromEntries(standing);
    if (until !== null) holds[id] = until;
    if ((await store.commit(new Operation().check(entry).set(versionHoldsKey, holds))).ok) return;
  }
}
