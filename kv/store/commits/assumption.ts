/**
 * Optimistic reads: a write may start from the entries of a few keys that this process saw last, instead of
 * reading them, and its commit checks that they have not changed. It then costs one call. If the check fails,
 * nothing was written, and the write starts over with a read.
 *
 * @module
 */
import { SecondChanceCache } from "../../cache/second_chance_cache.ts";
import type { Key } from "../../keys.ts";
import { ASSUMED_HITS_MIN, ASSUMED_PROBES, ASSUMED_ROWS_BYTES_MAX } from "../../tuning.ts";
import { type Entry, isSameKey, keyText, roughBytes } from "../operation.ts";
import type { Store } from "../store.ts";

/** The weight of one outcome in the share of assumptions that held. */
const OUTCOME_WEIGHT = 1 / 16;

/** Entries that a write assumes until its commit has checked them. */
export class Assumption {
  /** Whether its commit was sent: from then on its result is final, even an error. */
  isSent = false;
  /** The current entries, in the same order, once they were read. */
  found: Entry[] | null = null;
  /** Entries that this process has seen. */
  readonly known: readonly Entry[];
  /** The same, and keys that it has not seen and that are most likely absent. */
  readonly entries: readonly Entry[];

  constructor(known: readonly Entry[], absent: readonly Key[] = []) {
    this.known = known;
    const nothing = absent.map((key) => ({ key, value: null, versionstamp: null }));
    this.entries = [...known, ...nothing];
  }
}

/** A write has committed nothing because an assumption was wrong: it must read and decide again. */
export class AssumptionFailed extends Error {
  override name = "AssumptionFailed";

  constructor() {
    super("Nothing was written: what was taken for granted has changed");
  }
}

/** The entries that a process saw last, and the share of assumptions that held. */
export class AssumedEntries {
  readonly #entries = new SecondChanceCache(ASSUMED_ROWS_BYTES_MAX);
  #held = 1;
  #asked = 0;

  /** Remembers an entry that was read or written, unless a newer one is known. */
  note(entry: Entry): void {
    const name = keyText(entry.key);
    const known = this.#entries.get<Entry>(name);
    if ((known?.versionstamp ?? "") > (entry.versionstamp ?? "")) return;
    this.#entries.set(name, entry, roughBytes(entry.value));
  }

  /**
   * The remembered entries of `shared` keys, and of `own` keys of one document, which are given to one writer
   * at a time, since a second one would fail. Null if one of them is unknown, or if too many assumptions
   * failed recently because other processes write the same.
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

  /** Records that an assumption held; `left` are the entries that its commit did not change. */
  held(left: readonly Entry[]): void {
    this.#held += (1 - this.#held) * OUTCOME_WEIGHT;
    for (const entry of left) {
      if (this.#entries.get(keyText(entry.key)) === undefined) this.note(entry);
    }
  }

  /** Records that an assumption failed. */
  failed(): void {
    this.#held -= this.#held * OUTCOME_WEIGHT;
  }
}

/**
 * Reads the assumed keys, except those just `read`; returns whether the assumption holds, and remembers the
 * entries.
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
  if (found.every(({ versionstamp }, index) => versionstamp === entries[index]?.versionstamp)) {
    return true;
  }
  if (isSent) store.assumed.failed();
  return false;
}
