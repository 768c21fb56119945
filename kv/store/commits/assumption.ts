/**
 * Optimistic reads: a write may begin with what this process has seen last of a few keys instead of reading them,
 * and lets its commit check that they have not changed since. It then costs one call of the store; where the
 * check fails nothing was written, and the write begins again with a read.
 *
 * @module
 */
import { SecondChanceCache } from "../../cache/second_chance_cache.ts";
import type { Key } from "../../keys.ts";
import { ASSUMED_HITS_MIN, ASSUMED_PROBES, ASSUMED_ROWS_BYTES_MAX } from "../../tuning.ts";
import { type Entry, isSameKey, keyText, roughBytes } from "../operation.ts";
import type { Store } from "../store.ts";

/** How much one outcome weighs in the share of assumptions that held. */
const OUTCOME_WEIGHT = 1 / 16;

/** What a write takes for granted until its commit has checked it. */
export class Assumption {
  /** Whether its commit was sent: what comes of it stands, be it an error. */
  isSent = false;
  /** What was there instead, in the same order, once that was read. */
  found: Entry[] | null = null;
  /** What is known of keys. */
  readonly known: readonly Entry[];
  /** The same, and keys of which nothing is known that most likely are not there. */
  readonly entries: readonly Entry[];

  constructor(known: readonly Entry[], absent: readonly Key[] = []) {
    this.known = known;
    const nothing = absent.map((key) => ({ key, value: null, versionstamp: null }));
    this.entries = [...known, ...nothing];
  }
}

/** Thrown where a write has committed nothing because of what it assumed: it has to read, and to decide again. */
export class AssumptionFailed extends Error {
  override name = "AssumptionFailed";

  constructor() {
    super("Nothing was written: what was taken for granted has changed");
  }
}

/** What a process saw last of keys, with the share of assumptions by it that held. */
export class AssumedEntries {
  readonly #entries = new SecondChanceCache(ASSUMED_ROWS_BYTES_MAX);
  #held = 1;
  #asked = 0;

  /** Notes what was read or written of a key; what is known to be newer stays. */
  note(entry: Entry): void {
    const name = keyText(entry.key);
    const known = this.#entries.get<Entry>(name);
    if ((known?.versionstamp ?? "") > (entry.versionstamp ?? "")) return;
    this.#entries.set(name, entry, roughBytes(entry.value));
  }

  /**
   * What is known of keys: those that many share, and those of one document, which are handed out to one writer at a
   * time: a second one would surely fail. Null when one of them is not known, or too many assumptions failed
   * lately, because other processes write the same.
   */
  take(shared: readonly Key[], own: readonly Key[]): Entry[] | null {
    if (own.length > 0 && this.#held < ASSUMED_HITS_MIN && ++this.#asked % ASSUMED_PROBES > 0) {
      return null;
    }
    const found: Entry[] = [];
    for (const key of [...shared, ...own]) {
      const entry = this.#entries.get<Entry>(keyText(key));
      if (entry === undefined) return null;
      found.push(entry);
    }
    for (const key of own) this.#entries.delete(keyText(key));
    return found;
  }

  /** An assumption held; `left` are those of its entries that its commit has left as they were. */
  held(left: readonly Entry[]): void {
    this.#held += (1 - this.#held) * OUTCOME_WEIGHT;
    for (const entry of left) {
      if (this.#entries.get(keyText(entry.key)) === undefined) this.note(entry);
    }
  }

  /** One failed at its commit. */
  failed(): void {
    this.#held -= this.#held * OUTCOME_WEIGHT;
  }
}

/**
 * Reads what was assumed, unless it is among what was `read` just now; answers whether it holds, and notes what
 * was found.
 */
export async function holds(
  store: Store,
  assumption: Assumption,
  read: readonly Entry[] = [],
): Promise<boolean> {
  const { entries, known, isSent } = assumption;
  const again = entries.map(({ key }) => read.find((one) => isSameKey(one.key, key)));
  const found = again.every((entry) => entry !== undefined)
    ? again
    : await store.getMany(entries.map(({ key }) => key));
  for (const entry of found.slice(0, known.length)) store.assumed.note(entry);
  assumption.found = found;
  if (found.every(({ versionstamp }, index) => versionstamp === entries[index]!.versionstamp)) {
    return true;
  }
  if (isSent) store.assumed.failed();
  return false;
}
