/**
 * One commit as plain data, so that it can be counted, merged, delayed and simulated before it reaches
 * the store.
 *
 * @module
 */
import type { Key } from "../keys.ts";
import { KV_CHECKS_MAX, KV_MUTATIONS_MAX } from "../limits/store.ts";
import { LIST_ENTRIES_MAX } from "../tuning.ts";

/** An entry as read: `versionstamp` is null if the key is absent. */
export interface Entry<T = unknown> {
  key: Key;
  value: T | null;
  versionstamp: string | null;
}

/** An entry of a key that exists, as ranges return it. */
export interface StoredEntry<T = unknown> extends Entry<T> {
  value: T;
  versionstamp: string;
}

/** Whether the key of an entry exists. */
export function exists<T>(entry: Entry<T>): entry is StoredEntry<T> {
  return entry.value !== null;
}

/** The entries of keys, in their order: as many as there are keys. */
export type EntriesOf<Keys extends readonly Key[]> = { -readonly [Index in keyof Keys]: Entry };

/** A condition of a commit: the key still has this versionstamp. */
export interface Check {
  key: Key;
  versionstamp: string | null;
}

/** A value to store. `expireIn` (ms) is only garbage collection: readers check the value's own expiry. */
export interface SetMutation {
  key: Key;
  value: unknown;
  expireIn?: number;
  /** Set by writers that do not check one another: within a group the last one counts. */
  blind?: true;
  /**
   * The list that the value belongs to: within a group, values of one list form one row, at the key of the
   * first.
   */
  list?: string;
}

/** A key as text, for maps. */
export function keyText(key: Key): string {
  return JSON.stringify(key);
}

/** Whether two keys are the same; cheaper than their texts. */
export function isSameKey(a: Key, b: Key): boolean {
  if (a.length !== b.length) return false;
  for (let part = a.length - 1; part >= 0; part--) if (a[part] !== b[part]) return false;
  return true;
}

/** Checks and mutations that are committed together or not at all. */
export class Operation {
  readonly checks: Check[] = [];
  readonly sets: SetMutation[] = [];
  readonly deletes: Key[] = [];
  /** Keys of checks that the commit can omit, the last one first. */
  readonly #optionalChecks: Key[] = [];
  /** Keys set only for a new versionstamp: several writers of a group may touch the same key. */
  readonly touches: Key[] = [];
  /** Rough size in bytes, for packing; the store itself measures exactly. */
  bytes = 0;

  /** Adds a check; adding it twice has no effect. */
  check(entry: Check): this {
    const known = this.checks.find(({ key }) => isSameKey(key, entry.key));
    if (known === undefined) {
      this.checks.push({ key: entry.key, versionstamp: entry.versionstamp });
    } else if (known.versionstamp !== entry.versionstamp) {
      throw new StaleRead(entry.key);
    }
    return this;
  }

  /** The same operation with one more check. */
  under(check: Check): Operation {
    const stricter = this.copy();
    stricter.checks.push({ key: check.key, versionstamp: check.versionstamp });
    return stricter;
  }

  /** The same operation, of which no check is optional. */
  copy(): Operation {
    const copy = new Operation();
    copy.checks.push(...this.checks);
    copy.sets.push(...this.sets);
    copy.deletes.push(...this.deletes);
    copy.touches.push(...this.touches);
    copy.bytes = this.bytes;
    return copy;
  }

  set(key: Key, value: unknown, options: { expireIn?: number; blind?: true } = {}): this {
    this.sets.push({ key, value, ...options });
    this.bytes += 128 + roughBytes(value);
    return this;
  }

  /**
   * Appends an entry to a list. Entries of a list that are committed together form one row at the key of the
   * first, so no other writer may use these keys.
   */
  append(list: string, key: Key, entry: unknown): this {
    const index = this.sets.findLastIndex((set) => set.list === list);
    const row = this.sets[index];
    const before = (row?.value ?? []) as unknown[];
    if (row === undefined || before.length >= LIST_ENTRIES_MAX) {
      this.sets.push({ key, value: [entry], list });
    } else this.sets[index] = { ...row, value: [...before, entry] };
    this.bytes += 128 + roughBytes(entry);
    return this;
  }

  delete(key: Key): this {
    this.deletes.push(key);
    this.bytes += 128;
    return this;
  }

  /** Whether the commit checks a key. */
  hasCheck(key: Key): boolean {
    return this.checks.some((check) => isSameKey(check.key, key));
  }

  /** Whether the commit changes the versionstamp of a key. */
  writes(key: Key): boolean {
    const isMeant = (one: Key) => isSameKey(one, key);
    return this.sets.some((set) => isMeant(set.key)) || this.deletes.some(isMeant) ||
      this.touches.some(isMeant);
  }

  /** Sets a key only for a new versionstamp; several writers of a group may touch the same key. */
  touch(key: Key): this {
    if (!this.touches.some((touched) => isSameKey(touched, key))) this.touches.push(key);
    this.bytes += 128;
    return this;
  }

  /** Allows the check of `key` to be omitted if there are too many: another check covers it. */
  optionalCheck(key: Key): this {
    this.#optionalChecks.push(key);
    return this;
  }

  /** Whether a check may be omitted. */
  isOptionalCheck(key: Key): boolean {
    return this.#optionalChecks.some((spare) => isSameKey(spare, key));
  }

  /** Omits optional checks while there are more checks than a commit may have. */
  fitChecks(): void {
    while (this.checks.length > KV_CHECKS_MAX) {
      const spare = this.#optionalChecks.pop();
      if (spare === undefined) return;
      const at = this.checks.findIndex(({ key }) => isSameKey(key, spare));
      if (at >= 0) this.checks.splice(at, 1);
    }
  }

  /** The number of sets, deletes and touches. */
  get mutations(): number {
    return this.sets.length + this.deletes.length + this.touches.length;
  }

  /** Throws when a store with the strictest published limits would refuse this commit. */
  assertWithinLimits(): void {
    if (this.checks.length > KV_CHECKS_MAX) {
      throw new RangeError(`A commit has ${this.checks.length} checks, at most ${KV_CHECKS_MAX}`);
    }
    if (this.mutations > KV_MUTATIONS_MAX) {
      throw new RangeError(`A commit has ${this.mutations} mutations, at most ${KV_MUTATIONS_MAX}`);
    }
  }
}

/** Two reads of one attempt saw different versions of a key; the attempt starts over. */
export class StaleRead extends Error {
  override name = "StaleRead";

  constructor(key: Key) {
    super(`A key changed between two reads: ${keyText(key)}`);
  }
}

/** The approximate size of a value in memory, bytes. */
export function roughBytes(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value === "string") return value.length * 2;
  if (typeof value !== "object" || value === null) return 9;
  let bytes = 16;
  for (const part of Object.values(value)) bytes += 16 + roughBytes(part);
  return bytes;
}
