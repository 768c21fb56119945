/**
 * Keys for parts of a value that came without one, made from what the part is and where it stands: the
 * same body written twice gives the same keys, so the second write changes nothing.
 *
 * @module
 */
import { sha256 } from "./sha256.ts";
import { CROCKFORD } from "./ulid.ts";

/** The first of `spell(seed)`, `spell(seed + 1)`, … that is not in `taken`; it is added there. */
function untaken(taken: Set<string>, seed: string, spell: (digest: string) => string): string {
  for (let attempt = 0;; attempt++) {
    const key = spell(sha256(`${attempt}\n${seed}`));
    if (taken.has(key)) continue;
    taken.add(key);
    return key;
  }
}

/** Twelve hexadecimal digits that no sibling has. */
export function contentKey(taken: Set<string>, seed: string): string {
  return untaken(taken, seed, (digest) => digest.slice(0, 12));
}

/** An identifier spelled as a ULID that no sibling has. */
export function contentId(taken: Set<string>, seed: string): string {
  return untaken(taken, seed, (digest) => {
    let id = String(parseInt(digest.charAt(0), 16) % 8);
    for (let at = 1; at < 26; at++) {
      id += CROCKFORD[parseInt(digest.slice(at * 2, at * 2 + 2), 16) % 32];
    }
    return id;
  });
}
