/**
 * Groups of operations that share a commit: which ones may, and which conflict.
 *
 * @module
 */
import type { Key } from "../../keys.ts";
import { GROUP_BYTES_MAX, GROUP_MUTATIONS_MAX, LIST_ENTRIES_MAX } from "../../tuning.ts";
import type { CommitResult } from "../driver.ts";
import { type Check, type Entry, keyText, Operation, type SetMutation } from "../operation.ts";

/** An operation whose caller waits. */
export class Member {
  readonly operation: Operation;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
  #keys: KeyTexts | null = null;

  constructor(operation: Operation, { resolve, reject }: PromiseWithResolvers<CommitResult>) {
    this.operation = operation;
    this.resolve = resolve;
    this.reject = reject;
  }

  /** Its keys as texts, made when they are first compared. */
  get keys(): KeyTexts {
    return this.#keys ??= keyTexts(this.operation);
  }

  /** Whether a check fails according to entries, by text, that were read after the operation was made. */
  isStale(found: ReadonlyMap<string, Entry>): boolean {
    return this.keys.checks.some(({ text, check: { versionstamp } }) => {
      const entry = found.get(text);
      return entry !== undefined && entry.versionstamp !== versionstamp;
    });
  }

  /**
   * Reports that a check has failed, with the current entries of the checked keys, and those that it assumed
   * to be absent: the next attempt assumes them again, and its commit checks them.
   */
  refuse(by: ReadonlyMap<string, Entry>): void {
    const [found, assumedAbsent]: [Entry[], Entry[]] = [[], []];
    for (const { text, check: { key, versionstamp }, isRequired } of this.keys.checks) {
      if (!isRequired) continue;
      const entry = by.get(text);
      if (entry !== undefined) found.push(entry);
      else if (versionstamp === null) assumedAbsent.push({ key, value: null, versionstamp });
    }
    this.resolve({ ok: false, found, assumedAbsent });
  }
}

/** The parts of an operation with their keys as texts, each list in the operation's order. */
interface KeyTexts {
  checks: { text: string; check: Check; isRequired: boolean }[];
  sets: { text: string; set: SetMutation }[];
  deletes: string[];
  touches: { text: string; key: Key }[];
}

function keyTexts(operation: Operation): KeyTexts {
  const { checks, sets, deletes, touches } = operation;
  return {
    checks: checks.map((check) => ({
      text: keyText(check.key),
      check,
      isRequired: !operation.isOptionalCheck(check.key),
    })),
    sets: sets.map((set) => ({ text: keyText(set.key), set })),
    deletes: deletes.map(keyText),
    touches: touches.map((key) => ({ text: keyText(key), key })),
  };
}

/** The uses of a key by a group of operations, as bits. */
const CHECKED = 1;
const WRITTEN = 2;
const SET_BLINDLY = 4;
const TOUCHED = 8;

/** The bits, or for a key that is only checked the versionstamp that all of them expect. */
type Use = number | string | null;

function bitsOf(use: Use | undefined): number {
  if (use === undefined) return 0;
  return typeof use === "number" ? use : CHECKED;
}

/** The keys that a group of operations checks, writes and touches. */
export class Footprint {
  readonly #uses = new Map<string, Use>();
  readonly #touched = new Set<string>();
  /** Filled on the first comparison: an operation that commits alone is not compared. */
  readonly #uncounted: Member[] = [];

  /** Adds the keys of a commit. */
  add(member: Member): void {
    this.#uncounted.push(member);
  }

  #count(): void {
    for (const { keys } of this.#uncounted) {
      for (const { text, check } of keys.checks) {
        if (typeof this.#uses.get(text) === "number") this.#use(text, CHECKED);
        else this.#uses.set(text, check.versionstamp);
      }
      for (const { text, set } of keys.sets) this.#use(text, set.blind ? SET_BLINDLY : WRITTEN);
      for (const text of keys.deletes) this.#use(text, WRITTEN);
      for (const { text } of keys.touches) {
        this.#use(text, TOUCHED);
        this.#touched.add(text);
      }
    }
    this.#uncounted.length = 0;
  }

  #use(text: string, how: number): void {
    this.#uses.set(text, bitsOf(this.#uses.get(text)) | how);
  }

  /**
   * Whether one writes a key that the other checks or writes, or they check it for different versions.
   * Operations that all set a key blindly do not conflict.
   */
  clashes({ keys }: Member): boolean {
    this.#count();
    for (const { text, check } of keys.checks) {
      const use = this.#uses.get(text);
      if (use !== undefined && use !== check.versionstamp) return true;
    }
    for (const { text, set } of keys.sets) {
      const use = this.#uses.get(text);
      if (use !== undefined && !(set.blind && use === SET_BLINDLY)) return true;
    }
    for (const text of keys.deletes) if (this.#uses.has(text)) return true;
    for (const { text } of keys.touches) {
      if ((bitsOf(this.#uses.get(text)) & ~TOUCHED) !== 0) return true;
    }
    return false;
  }

  /** The keys that are touched. */
  get touched(): ReadonlySet<string> {
    this.#count();
    return this.#touched;
  }
}

/**
 * Operations that share a commit: none writes a key that another checks or writes. Optional checks are
 * omitted, because the number of checks is what keeps groups small on a remote store.
 */
export class CommitGroup {
  readonly #checksMax: number;
  readonly members: Member[] = [];
  readonly footprint = new Footprint();
  readonly operation = new Operation();
  readonly #checked = new Set<string>();
  /** Indexes of blind sets. */
  readonly #blind = new Map<string, number>();
  /** Entries of lists, by name; these arrays belong to the group. */
  readonly #lists = new Map<string, unknown[]>();
  #isFull = false;

  constructor(checksMax: number) {
    this.#checksMax = checksMax;
  }

  /** Whether an operation was refused for lack of room. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Adds an operation; false if it must wait for another commit. */
  add(member: Member): boolean {
    if (this.members.length > 0) {
      this.#isFull = !this.#hasPlaceFor(member);
      if (this.#isFull || this.footprint.clashes(member)) return false;
    }
    const { operation, keys } = member;
    this.members.push(member);
    const { touched } = this.footprint;
    for (const { text, check, isRequired } of keys.checks) {
      if (this.#checked.has(text) || !isRequired) continue;
      this.#checked.add(text);
      this.operation.checks.push(check);
    }
    for (const { text, set } of keys.sets) this.#addSet(set, text);
    this.operation.deletes.push(...operation.deletes);
    for (const { text, key } of keys.touches) {
      if (!touched.has(text)) this.operation.touches.push(key);
    }
    this.operation.bytes += operation.bytes;
    this.footprint.add(member);
    return true;
  }

  /** Of several blind sets of a key the last one counts; sets of one list become one. */
  #addSet(set: SetMutation, text: string): void {
    const { sets } = this.operation;
    if (set.list !== undefined) {
      this.#addList(set, set.list);
      return;
    }
    const index = set.blind ? this.#blind.get(text) : undefined;
    if (index !== undefined) sets[index] = set;
    else {
      if (set.blind) this.#blind.set(text, sets.length);
      sets.push(set);
    }
  }

  #addList(set: SetMutation, name: string): void {
    const entries = set.value as unknown[];
    const before = this.#lists.get(name);
    if (before !== undefined && before.length + entries.length <= LIST_ENTRIES_MAX) {
      before.push(...entries);
      return;
    }
    const value = [...entries];
    this.#lists.set(name, value);
    this.operation.sets.push({ ...set, value });
  }

  #hasPlaceFor({ operation, keys }: Member): boolean {
    if (this.operation.bytes + operation.bytes > GROUP_BYTES_MAX) return false;
    if (this.operation.mutations + operation.mutations > GROUP_MUTATIONS_MAX) return false;
    let checks = this.#checked.size;
    for (const { text, isRequired } of keys.checks) {
      if (isRequired && !this.#checked.has(text)) checks += 1;
    }
    return checks <= this.#checksMax;
  }
}
