/**
 * Groups of operations that share a commit: which ones may, and which conflict.
 *
 * @module
 */
import { GROUP_BYTES_MAX, GROUP_MUTATIONS_MAX, LIST_ENTRIES_MAX } from "../../tuning.ts";
import type { CommitResult } from "../driver.ts";
import { type Entry, keyText, Operation, type SetMutation } from "../operation.ts";

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
    return this.operation.checks.some(({ versionstamp }, index) => {
      const entry = found.get(this.keys.checks[index]!);
      return entry !== undefined && entry.versionstamp !== versionstamp;
    });
  }

  /**
   * Reports that a check has failed, with the current entries of the checked keys, and those that it assumed
   * to be absent: the next attempt assumes them again, and its commit checks them.
   */
  refuse(by: ReadonlyMap<string, Entry>): void {
    const [found, guessed]: [Entry[], Entry[]] = [[], []];
    this.operation.checks.forEach(({ key, versionstamp }, index) => {
      const text = this.keys.checks[index]!;
      if (!this.keys.required.includes(text)) return;
      const entry = by.get(text);
      if (entry !== undefined) found.push(entry);
      else if (versionstamp === null) guessed.push({ key, value: null, versionstamp });
    });
    this.resolve({ ok: false, found, guessed });
  }
}

/** The keys of an operation, each list in the operation's order. */
interface KeyTexts {
  checks: string[];
  /** Keys of the required checks. */
  required: string[];
  sets: string[];
  deletes: string[];
  touches: string[];
}

function keyTexts(operation: Operation): KeyTexts {
  const { checks, sets, deletes, touches } = operation;
  const checkTexts = checks.map(({ key }) => keyText(key));
  return {
    checks: checkTexts,
    required: checkTexts.filter((_text, index) => !operation.isOptionalCheck(checks[index]!.key)),
    sets: sets.map(({ key }) => keyText(key)),
    deletes: deletes.map(keyText),
    touches: touches.map(keyText),
  };
}

/** What a group of operations does with a key, as bits. */
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
    for (const { operation: { checks, sets }, keys } of this.#uncounted) {
      for (let index = 0; index < checks.length; index++) {
        const text = keys.checks[index]!;
        if (typeof this.#uses.get(text) === "number") this.#use(text, CHECKED);
        else this.#uses.set(text, checks[index]!.versionstamp);
      }
      for (let index = 0; index < sets.length; index++) {
        this.#use(keys.sets[index]!, sets[index]!.blind ? SET_BLINDLY : WRITTEN);
      }
      for (const text of keys.deletes) this.#use(text, WRITTEN);
      for (const text of keys.touches) {
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
  clashes({ operation: { checks, sets }, keys }: Member): boolean {
    this.#count();
    for (let index = 0; index < checks.length; index++) {
      const use = this.#uses.get(keys.checks[index]!);
      if (use !== undefined && use !== checks[index]!.versionstamp) return true;
    }
    for (let index = 0; index < sets.length; index++) {
      const use = this.#uses.get(keys.sets[index]!);
      if (use !== undefined && !(sets[index]!.blind && use === SET_BLINDLY)) return true;
    }
    for (const text of keys.deletes) if (this.#uses.has(text)) return true;
    for (const text of keys.touches) {
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
    operation.checks.forEach((check, index) => {
      const text = keys.checks[index]!;
      if (this.#checked.has(text) || !keys.required.includes(text)) return;
      this.#checked.add(text);
      this.operation.checks.push(check);
    });
    operation.sets.forEach((set, index) => this.#addSet(set, keys.sets[index]!));
    this.operation.deletes.push(...operation.deletes);
    operation.touches.forEach((key, index) => {
      if (!touched.has(keys.touches[index]!)) this.operation.touches.push(key);
    });
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
    for (const text of keys.required) if (!this.#checked.has(text)) checks += 1;
    return checks <= this.#checksMax;
  }
}
