/**
 * The code that the first-run setup asks for, when the environment names none: made once and kept, so
 * that every process over the store prints and accepts the same.
 *
 * @module
 */
import { setupCodeKey } from "../keys.ts";
import { randomBase62 } from "../model/values/token_text.ts";
import { Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** Characters of a code: 95 bits. */
const CODE_CHARS = 16;

/** The code of this store. */
export async function setupCodeOf(store: Store): Promise<string> {
  for (;;) {
    const kept = await store.get<string>(setupCodeKey);
    if (kept.value !== null) return kept.value;
    await store.commit(new Operation().check(kept).set(setupCodeKey, randomBase62(CODE_CHARS)));
  }
}
