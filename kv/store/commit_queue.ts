/**
 * Group commit: an embedded commit costs an fsync whatever its size, and they go one at a time, so
 * commits that wait together share one. When a check of the group fails, each member is tried alone:
 * nobody's conflict is another's failure. On a distant store several commits are under way at a time.
 *
 * @module
 */
import { WRITE_DEADLINE_MS } from "../limits.ts";
import { WRITE_ATTEMPTS_MAX } from "../tuning.ts";
import { unavailable } from "../refusals.ts";
import { CommitGroup, Footprint, type Member } from "./commit_group.ts";
import { type CommitResult, type Driver, StoreLocked } from "./driver.ts";
import type { Operation } from "./operation.ts";
import type { StoreCounts } from "./counts.ts";

/** What the queue needs of its store. */
interface Waits {
  sleep: (ms: number) => Promise<void>;
  random: () => number;
  counts: StoreCounts;
}

/** Commits in the order of arrival where they could disturb one another, and together where not. */
export class CommitQueue {
  readonly #driver: Driver;
  readonly #waits: Waits;
  /** Commits whose checks failed. */
  conflicts = 0;
  #waiting: Member[] = [];
  readonly #underWay = new Set<Footprint>();
  #gathering = false;

  constructor(driver: Driver, waits: Waits) {
    this.#driver = driver;
    this.#waits = waits;
  }

  /** Commits once, alone or in a group. */
  commit(operation: Operation): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ operation, resolve, reject });
      if (this.#gathering || this.#underWay.size >= this.#driver.inFlightMax) return;
      this.#gathering = true;
      queueMicrotask(() => {
        this.#gathering = false;
        this.#begin();
      });
    });
  }

  /** Begins as many commits as may be under way at a time. */
  #begin(): void {
    while (this.#waiting.length > 0 && this.#underWay.size < this.#driver.inFlightMax) {
      if (this.#waiting.length === 1 && this.#driver.inFlightMax === 1) {
        // Most often there is one, and nothing to compare it with.
        this.#run(new Footprint(), this.#commitAlone(this.#waiting.pop()!));
        return;
      }
      const group = this.#takeGroup();
      if (group.members.length === 0) return;
      this.#run(group.footprint, this.#commitGroup(group));
    }
  }

  #run(footprint: Footprint, commit: Promise<void>): void {
    this.#underWay.add(footprint);
    void commit.finally(() => {
      this.#underWay.delete(footprint);
      this.#begin();
    });
  }

  /** The next that may share a commit; what clashes with one under way, or waits before it, waits on. */
  #takeGroup(): CommitGroup {
    const group = new CommitGroup(this.#driver.groupChecksMax);
    const before = [...this.#underWay];
    const passed = new Footprint();
    const rest: Member[] = [];
    for (const member of this.#waiting) {
      const { operation } = member;
      const waits = before.some((other) => other.clashes(operation)) ||
        (rest.length > 0 && passed.clashes(operation));
      if (!waits && group.add(member)) continue;
      rest.push(member);
      passed.add(operation);
    }
    this.#waiting = rest;
    return group;
  }

  async #commitGroup(group: CommitGroup): Promise<void> {
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
    await Promise.all(group.members.map((member) => this.#commitAlone(member)));
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
        const result = await this.#driver.commit(operation);
        if (!result.ok) this.conflicts += 1;
        return result;
      } catch (error) {
        if (!(error instanceof StoreLocked)) throw error;
        const late = performance.now() - startedAt > WRITE_DEADLINE_MS;
        if (late || attempt >= WRITE_ATTEMPTS_MAX) throw unavailable(error);
        await sleep(random() * Math.min(100, 2 ** (attempt + 1)));
      }
    }
  }
}
