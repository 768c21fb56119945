/**
 * Commits that share one: which of them may, and which could disturb one another.
 *
 * @module
 */
import { GROUP_BYTES_MAX, GROUP_MUTATIONS_MAX } from "../tuning.ts";
import type { CommitResult } from "./driver.ts";
import { keyText, Operation, type SetMutation } from "./operation.ts";

/** A commit that somebody waits for. */
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

  /** Its keys as texts; made when they are first compared with those of others. */
  get keys(): KeyTexts {
    return this.#keys ??= keyTexts(this.operation);
  }
}

/** The keys of a commit, each list in the order of the operation's. */
interface KeyTexts {
  checks: string[];
  sets: string[];
  deletes: string[];
  touches: string[];
}

function keyTexts({ checks, sets, deletes, touches }: Operation): KeyTexts {
  return {
    checks: checks.map(({ key }) => keyText(key)),
    sets: sets.map(({ key }) => keyText(key)),
    deletes: deletes.map(keyText),
    touches: touches.map(keyText),
  };
}

/** The keys that some commits check, write and touch. */
export class Footprint {
  readonly #checked = new Map<string, string | null>();
  readonly #written = new Set<string>();
  readonly #blind = new Set<string>();
  readonly #touched = new Set<string>();
  /** Most often nothing is compared with a commit that goes alone. */
  #uncounted: Member[] = [];

  /** Adds the keys of a commit. */
  add(member: Member): void {
    this.#uncounted.push(member);
  }

  #count(): void {
    if (this.#uncounted.length === 0) return;
    for (const { operation, keys } of this.#uncounted) {
      for (const [index, { versionstamp }] of operation.checks.entries()) {
        this.#checked.set(keys.checks[index]!, versionstamp);
      }
      for (const [index, { blind }] of operation.sets.entries()) {
        (blind ? this.#blind : this.#written).add(keys.sets[index]!);
      }
      for (const text of keys.deletes) this.#written.add(text);
      for (const text of keys.touches) this.#touched.add(text);
    }
    this.#uncounted = [];
  }

  /**
   * Whether one writes what the other checks or writes, or they check a key for different versions. Those
   * who set a key blindly, all of them, do not conflict.
   */
  clashes({ operation, keys }: Member): boolean {
    this.#count();
    for (const [index, { versionstamp }] of operation.checks.entries()) {
      const text = keys.checks[index]!;
      if (this.#isWritten(text) || this.#touched.has(text)) return true;
      if (this.#checked.has(text) && this.#checked.get(text) !== versionstamp) return true;
    }
    const isUsed = (text: string) => this.#isWritten(text) || this.#checked.has(text);
    const isKnown = (text: string) => isUsed(text) || this.#touched.has(text);
    const clashesBlind = (text: string) =>
      this.#written.has(text) || this.#checked.has(text) || this.#touched.has(text);
    return operation.sets.some(({ blind }, index) =>
      (blind ? clashesBlind : isKnown)(keys.sets[index]!)
    ) || keys.deletes.some(isKnown) || keys.touches.some(isUsed);
  }

  #isWritten(text: string): boolean {
    return this.#written.has(text) || this.#blind.has(text);
  }

  /** Whether a key is touched already. */
  touches(text: string): boolean {
    this.#count();
    return this.#touched.has(text);
  }

  /** The keys that are checked, with the versionstamps that they are to have. */
  get checked(): ReadonlyMap<string, string | null> {
    this.#count();
    return this.#checked;
  }
}

/** Operations that share a commit: none writes what another checks or writes. */
export class CommitGroup {
  readonly #checksMax: number;
  readonly members: Member[] = [];
  readonly footprint = new Footprint();
  readonly operation = new Operation();
  /** Where blind sets stand among the sets. */
  readonly #blind = new Map<string, number>();
  #isFull = false;

  constructor(checksMax: number) {
    this.#checksMax = checksMax;
  }

  /** Whether one was refused because there was no place left. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Adds a member, or returns false when it must wait for another commit. */
  add(member: Member): boolean {
    if (this.members.length > 0) {
      this.#isFull = !this.#hasPlaceFor(member);
      if (this.#isFull || this.footprint.clashes(member)) return false;
    }
    const { operation, keys } = member;
    this.members.push(member);
    for (const [index, check] of operation.checks.entries()) {
      if (!this.footprint.checked.has(keys.checks[index]!)) this.operation.checks.push(check);
    }
    for (const [index, set] of operation.sets.entries()) this.#addSet(set, keys.sets[index]!);
    this.operation.deletes.push(...operation.deletes);
    for (const [index, key] of operation.touches.entries()) {
      if (!this.footprint.touches(keys.touches[index]!)) this.operation.touches.push(key);
    }
    this.operation.bytes += operation.bytes;
    this.footprint.add(member);
    return true;
  }

  /** Of several blind sets of a key the last one stands. */
  #addSet(set: SetMutation, text: string): void {
    const { sets } = this.operation;
    const index = set.blind ? this.#blind.get(text) : undefined;
    if (index !== undefined) sets[index] = set;
    else {
      if (set.blind) this.#blind.set(text, sets.length);
      sets.push(set);
    }
  }

  #hasPlaceFor({ operation, keys }: Member): boolean {
    if (this.operation.bytes + operation.bytes > GROUP_BYTES_MAX) return false;
    if (this.operation.mutations + operation.mutations > GROUP_MUTATIONS_MAX) return false;
    const { checked } = this.footprint;
    const added = keys.checks.filter((text) => !checked.has(text)).length;
    return checked.size + added <= this.#checksMax;
  }
}
