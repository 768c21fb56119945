/**
 * Commits that share one: which of them may, and which could disturb one another.
 *
 * @module
 */
import { GROUP_BYTES_MAX, GROUP_MUTATIONS_MAX } from "../tuning.ts";
import type { CommitResult } from "./driver.ts";
import { keyText, Operation, type SetMutation } from "./operation.ts";

/** A commit that somebody waits for. */
export interface Member {
  operation: Operation;
  resolve: (result: CommitResult) => void;
  reject: (error: unknown) => void;
}

/** The keys that some commits check, write and touch. */
export class Footprint {
  /** With the versionstamp that each is to have. */
  readonly checked = new Map<string, string | null>();
  readonly #written = new Set<string>();
  readonly #blind = new Set<string>();
  readonly #touched = new Set<string>();

  /** Adds the keys of a commit. */
  add({ checks, sets, deletes, touches }: Operation): void {
    for (const { key, versionstamp } of checks) this.checked.set(keyText(key), versionstamp);
    for (const { key, blind } of sets) (blind ? this.#blind : this.#written).add(keyText(key));
    for (const key of deletes) this.#written.add(keyText(key));
    for (const key of touches) this.#touched.add(keyText(key));
  }

  /**
   * Whether one writes what the other checks or writes, or they check a key for different versions. Those
   * who set a key blindly, all of them, do not conflict.
   */
  clashes({ checks, sets, deletes, touches }: Operation): boolean {
    for (const { key, versionstamp } of checks) {
      const text = keyText(key);
      if (this.#isWritten(text) || this.#touched.has(text)) return true;
      if (this.checked.has(text) && this.checked.get(text) !== versionstamp) return true;
    }
    const isUsed = (text: string) => this.#isWritten(text) || this.checked.has(text);
    const isKnown = (text: string) => isUsed(text) || this.#touched.has(text);
    const clashesBlind = (text: string) =>
      this.#written.has(text) || this.checked.has(text) || this.#touched.has(text);
    return sets.some(({ key, blind }) => (blind ? clashesBlind : isKnown)(keyText(key))) ||
      deletes.some((key) => isKnown(keyText(key))) || touches.some((key) => isUsed(keyText(key)));
  }

  #isWritten(text: string): boolean {
    return this.#written.has(text) || this.#blind.has(text);
  }

  /** Whether a key is touched already. */
  touches(text: string): boolean {
    return this.#touched.has(text);
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

  constructor(checksMax: number) {
    this.#checksMax = checksMax;
  }

  /** Adds a member, or returns false when it must wait for another commit. */
  add(member: Member): boolean {
    const { operation } = member;
    if (this.members.length > 0 && !this.#fits(operation)) return false;
    this.members.push(member);
    for (const check of operation.checks) {
      if (!this.footprint.checked.has(keyText(check.key))) this.operation.checks.push(check);
    }
    for (const set of operation.sets) this.#addSet(set);
    this.operation.deletes.push(...operation.deletes);
    for (const key of operation.touches) {
      if (!this.footprint.touches(keyText(key))) this.operation.touches.push(key);
    }
    this.operation.bytes += operation.bytes;
    this.footprint.add(operation);
    return true;
  }

  /** Of several blind sets of a key the last one stands. */
  #addSet(set: SetMutation): void {
    const { sets } = this.operation;
    const index = set.blind ? this.#blind.get(keyText(set.key)) : undefined;
    if (index !== undefined) sets[index] = set;
    else {
      if (set.blind) this.#blind.set(keyText(set.key), sets.length);
      sets.push(set);
    }
  }

  #fits(next: Operation): boolean {
    if (this.operation.bytes + next.bytes > GROUP_BYTES_MAX) return false;
    if (this.operation.mutations + next.mutations > GROUP_MUTATIONS_MAX) return false;
    const { checked } = this.footprint;
    const added = next.checks.filter(({ key }) => !checked.has(keyText(key))).length;
    return checked.size + added <= this.#checksMax && !this.footprint.clashes(next);
  }
}
