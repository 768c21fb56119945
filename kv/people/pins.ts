/**
 * The collections that a user has pinned in the navigation. Like layouts of lists they have no history, do not
 * travel with backups, and stay when the site goes back in time.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { pinsKey } from "../keys.ts";
import { Refusal } from "../refusals.ts";
import { Operation } from "../store/operation.ts";
import { PIN_ATTEMPTS_MAX } from "../tuning.ts";

/** The ids of the collections that a user has pinned; some may no longer exist. */
export async function pinsOf({ store }: Context, userId: string): Promise<ReadonlySet<string>> {
  const { value } = await store.get<string[]>(pinsKey(userId));
  return new Set(value ?? []);
}

/** Sets or removes a pin, and drops pins of collections that no longer exist. Returns all pins. */
export async function savePin(
  { store }: Context,
  userId: string,
  { id, pinned, existing }: { id: string; pinned: boolean; existing: ReadonlySet<string> },
): Promise<ReadonlySet<string>> {
  for (let attempt = 0; attempt < PIN_ATTEMPTS_MAX; attempt++) {
    const entry = await store.get<string[]>(pinsKey(userId));
    const others = (entry.value ?? []).filter((one) => one !== id && existing.has(one));
    const pins = pinned ? [...others, id] : others;
    const operation = new Operation().check(entry).set(pinsKey(userId), pins);
    if ((await store.commit(operation)).ok) return new Set(pins);
  }
  throw new Refusal("CONFLICT", { about: "the pins changed at the same time" });
}
