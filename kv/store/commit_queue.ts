/**
 * Group commit: an embedded commit costs an fsync whatever its size, and they go one at a time, so
 * commits that wait together share one. When a check of the group fails, each member is tried alone:
 * nobody's conflict is another's failure.
 *
 * @module
 */
import { WRITE_ATTEMPTS_MAX, WRITE_DEADLINE_MS } from "../limits.ts";
import { unavailable } from "../refusals.ts";
import { type CommitResult, type Driver, StoreLocked } from "./driver.ts";
import { keyText, Operation } from "./operation.ts";
import type { StoreCounts } from "./counts.ts";

/** Members are packed up to this many mutations and bytes: far below the store's own limits. */
const GROUP_MUTATIONS_MAX = 400;
const GROUP_BYTES_MAX = 256_000;

interface Member {
  operation: Operation;
  resolve: (result: CommitResult) => void;
  reject: (error: unknown) => void;
}

/** What the queue needs of its store. */
interface Waits {
  sleep: (ms: number) => Promise<void>;
  random: () => number;
  counts: StoreCounts;
}

/** Commits in the order of arrival, several at a time where they cannot disturb one another. */
export class CommitQueue {
  readonly #driver: Driver;
  readonly #waits: Waits;
  #waiting: Member[] = [];
  #busy = false;

  constructor(driver: Driver, waits: Waits) {
    this.#driver = driver;
    this.#waits = waits;
  }

  /** Commits once, alone or in a group. */
  commit(operation: Operation): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ operation, resolve, reject });
      if (!this.#busy) {
        this.#busy = true;
        queueMicrotask(() => this.#pump());
      }
    });
  }

  async #pump(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Most often there is one, and nothing to compare it with.
      if (this.#waiting.length === 1) await this.#commitAlone(this.#waiting.pop()!);
      else await this.#commitGroup(this.#takeGroup());
    }
    this.#busy = false;
  }

  #takeGroup(): Group {
    const group = new Group(this.#driver.groupChecksMax);
    const rest: Member[] = [];
    for (const member of this.#waiting) {
      if (rest.length > 0 || !group.add(member)) rest.push(member);
    }
    this.#waiting = rest;
    return group;
  }

  async #commitGroup(group: Group): Promise<void> {
    if (group.members.length === 1) return await this.#commitAlone(group.members[0]!);
    try {
      const result = await this.#try(group.operation);
      if (result.ok) {
        for (const { resolve } of group.members) resolve(result);
        return;
      }
    } catch (error) {
      for (const { reject } of group.members) reject(error);
      return;
    }
    for (const member of group.members) await this.#commitAlone(member);
  }

  async #commitAlone({ operation, resolve, reject }: Member): Promise<void> {
    try {
      resolve(await this.#try(operation));
    } catch (error) {
      reject(error);
    }
  }

  async #try(operation: Operation): Promise<CommitResult> {
    const { sleep, random, counts } = this.#waits;
    const startedAt = performance.now();
    for (let attempt = 0;; attempt++) {
      try {
        counts.commits += 1;
        return await this.#driver.commit(operation);
      } catch (error) {
        if (!(error instanceof StoreLocked)) throw error;
        const late = performance.now() - startedAt > WRITE_DEADLINE_MS;
        if (late || attempt >= WRITE_ATTEMPTS_MAX) throw unavailable(error);
        await sleep(random() * Math.min(100, 2 ** (attempt + 1)));
      }
    }
  }
}

/** Operations that may share a commit: none writes what another checks or writes. */
class Group {
  readonly #checksMax: number;
  readonly members: Member[] = [];
  readonly operation = new Operation();
  readonly #checked = new Map<string, string | null>();
  readonly #written = new Set<string>();
  readonly #touched = new Set<string>();

  constructor(checksMax: number) {
    this.#checksMax = checksMax;
  }

  /** Adds a member, or returns false when it must wait for the next commit. */
  add(member: Member): boolean {
    const { operation } = member;
    if (this.members.length > 0 && !this.#fits(operation)) return false;
    this.members.push(member);
    for (const check of operation.checks) {
      const text = keyText(check.key);
      if (!this.#checked.has(text)) this.operation.checks.push(check);
      this.#checked.set(text, check.versionstamp);
    }
    for (const set of operation.sets) this.#written.add(keyText(set.key));
    for (const key of operation.deletes) this.#written.add(keyText(key));
    this.operation.sets.push(...operation.sets);
    this.operation.deletes.push(...operation.deletes);
    for (const key of operation.touches) {
      const text = keyText(key);
      if (!this.#touched.has(text)) this.operation.touches.push(key);
      this.#touched.add(text);
    }
    this.operation.bytes += operation.bytes;
    return true;
  }

  #fits(next: Operation): boolean {
    if (this.operation.bytes + next.bytes > GROUP_BYTES_MAX) return false;
    if (this.operation.mutations + next.mutations > GROUP_MUTATIONS_MAX) return false;
    let checks = this.#checked.size;
    for (const { key, versionstamp } of next.checks) {
      const text = keyText(key);
      if (this.#written.has(text) || this.#touched.has(text)) return false;
      if (!this.#checked.has(text)) checks += 1;
      else if (this.#checked.get(text) !== versionstamp) return false;
    }
    if (checks > this.#checksMax) return false;
    const writes = [...next.sets.map((set) => set.key), ...next.deletes].map(keyText);
    if (writes.some((text) => this.#clashes(text) || this.#touched.has(text))) return false;
    return !next.touches.map(keyText).some((text) => this.#clashes(text));
  }

  #clashes(text: string): boolean {
    return this.#written.has(text) || this.#checked.has(text);
  }
}
