/**
 * Group commit: an embedded commit costs an fsync whatever its size, and they go one at a time, so
 * commits that wait together share one. When a check of the group fails, those whose checks failed are told
 * and the others go again: nobody's conflict is another's failure. On a distant store several commits are
 * under way at a time.
 *
 * @module
 */
import { KV_GET_MANY_MAX, WRITE_DEADLINE_MS } from "../../limits.ts";
import { GROUP_BYTES_MAX, GROUP_MUTATIONS_MAX, WRITE_ATTEMPTS_MAX } from "../../tuning.ts";
import { unavailable } from "../../refusals.ts";
import { CommitDelay } from "./commit_delay.ts";
import { CommitGroup, Footprint, Member } from "./commit_group.ts";
import { type CommitResult, type Driver, StoreLocked } from "../driver.ts";
import { type Entry, keyText, type Operation } from "../operation.ts";
import type { StoreCounts } from "../counts.ts";

/** What the queue needs of its store. */
interface Waits {
  sleep: (ms: number) => Promise<void>;
  monotonic: () => number;
  random: () => number;
  counts: StoreCounts;
  /** How long a commit may wait for others to share it, milliseconds. */
  commitDelayMs: number;
}

/** Commits in the order of arrival where they could disturb one another, and together where not. */
export class CommitQueue {
  readonly #driver: Driver;
  readonly #waits: Waits;
  /** Commits whose checks failed. */
  conflicts = 0;
  #waiting: Member[] = [];
  /** Of all that wait. */
  readonly #size = { mutations: 0, bytes: 0 };
  readonly #underWay = new Set<Footprint>();
  #gathering = false;
  readonly #delay: CommitDelay;

  constructor(driver: Driver, waits: Waits) {
    this.#driver = driver;
    this.#waits = waits;
    this.#delay = new CommitDelay(waits.commitDelayMs);
  }

  /** Commits once, alone or in a group. */
  commit(operation: Operation): Promise<CommitResult> {
    const answer = Promise.withResolvers<CommitResult>();
    this.#waiting.push(new Member(operation, answer));
    this.#size.mutations += operation.mutations;
    this.#size.bytes += operation.bytes;
    if (!this.#gathering && this.#mayBegin()) {
      this.#gathering = true;
      queueMicrotask(() => {
        this.#gathering = false;
        this.#begin();
      });
    }
    return answer.promise;
  }

  /** Whether commits wait for others to arrive: then a call more costs little, and a check more costs much. */
  get isCongested(): boolean {
    const { inFlightMax } = this.#driver;
    return inFlightMax > 1 && this.#underWay.size >= inFlightMax && this.#waiting.length > 0;
  }

  /** One more than usual may be under way where it is full: it would gain nothing by waiting. */
  #mayBegin(): boolean {
    const beyond = this.#underWay.size - this.#driver.inFlightMax;
    return beyond < 0 || (beyond === 0 && this.#isFull);
  }

  /** Whether no more than what waits would share a commit. */
  get #isFull(): boolean {
    const { mutations, bytes } = this.#size;
    return mutations >= GROUP_MUTATIONS_MAX || bytes >= GROUP_BYTES_MAX;
  }

  /** Begins as many commits as may be under way at a time. */
  #begin(): void {
    while (this.#waiting.length > 0 && this.#mayBegin()) {
      if (!this.#isFull && this.#delay.waits(this.#waiting.length, () => this.#begin())) return;
      if (
        this.#waiting.length === 1 && this.#underWay.size === 0 && this.#driver.inFlightMax === 1
      ) {
        // Most often there is one, and nothing to compare it with.
        const member = this.#waiting.pop()!;
        this.#taken([member]);
        const footprint = new Footprint();
        footprint.add(member);
        this.#run(footprint, 1, this.#commitAlone(member));
        return;
      }
      const group = this.#takeGroup();
      if (group.members.length === 0) return;
      this.#taken(group.members);
      this.#run(group.footprint, group.members.length, this.#commitGroup(group));
    }
  }

  #taken(members: readonly Member[]): void {
    for (const { operation: { mutations, bytes } } of members) {
      this.#size.mutations -= mutations;
      this.#size.bytes -= bytes;
    }
  }

  #run(footprint: Footprint, members: number, commit: Promise<void>): void {
    this.#underWay.add(footprint);
    this.#delay.began(members);
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
    for (let index = 0; index < this.#waiting.length; index++) {
      const member = this.#waiting[index]!;
      const waits = before.some((other) => other.clashes(member)) ||
        (rest.length > 0 && passed.clashes(member));
      if (!waits && group.add(member)) continue;
      if (group.isFull) {
        rest.push(...this.#waiting.slice(index));
        break;
      }
      rest.push(member);
      passed.add(member);
    }
    this.#waiting = rest;
    return group;
  }

  async #commitGroup(group: CommitGroup): Promise<void> {
    if (group.members.length === 1) return await this.#commitAlone(group.members[0]!);
    try {
      const result = await this.#try(group.operation);
      this.#delay.ended(group.members.length, this.#waiting.length);
      if (result.ok) {
        for (const { resolve } of group.members) resolve(result);
        return;
      }
    } catch (error) {
      for (const { reject } of group.members) reject(error);
      return;
    }
    await this.#fallApart(group);
  }

  /**
   * Answers those whose checks no longer hold; the others, if that can be told, share a commit again. Those who
   * wait with a check that failed are answered, too: their commits would fail one after the other.
   */
  async #fallApart({ members, operation }: CommitGroup): Promise<void> {
    const waiting = new Set(this.#waiting);
    const found = await this.#readChecked(operation);
    const again = new CommitGroup(this.#driver.groupChecksMax);
    for (const member of members) {
      if (member.isStale(found)) member.refuse(found);
      else again.add(member);
    }
    if (again.members.length === members.length) {
      await Promise.all(members.map((member) => this.#commitAlone(member)));
      return;
    }
    this.#refuseStale(waiting, found);
    if (again.members.length > 0) await this.#commitGroup(again);
  }

  /** Answers those of `waiting`, who waited before the read, that cannot succeed any more by what was found. */
  #refuseStale(waiting: ReadonlySet<Member>, found: ReadonlyMap<string, Entry>): void {
    const stale = new Set(
      this.#waiting.filter((member) => waiting.has(member) && member.isStale(found)),
    );
    if (stale.size === 0) return;
    this.#waiting = this.#waiting.filter((member) => !stale.has(member));
    this.#taken([...stale]);
    this.conflicts += stale.size;
    for (const member of stale) member.refuse(found);
  }

  /** What the keys of a commit's checks hold now, by their texts; nothing when it cannot be read. */
  async #readChecked({ checks }: Operation): Promise<Map<string, Entry>> {
    const keys = checks.map(({ key }) => key);
    const batches: Promise<Entry[]>[] = [];
    for (let start = 0; start < keys.length; start += KV_GET_MANY_MAX) {
      this.#waits.counts.reads += 1;
      batches.push(this.#driver.getMany(keys.slice(start, start + KV_GET_MANY_MAX)));
    }
    try {
      const entries = (await Promise.all(batches)).flat();
      return new Map(keys.map((key, index) => [keyText(key), entries[index]!]));
    } catch {
      return new Map();
    }
  }

  async #commitAlone({ operation, resolve, reject }: Member): Promise<void> {
    try {
      const result = await this.#try(operation);
      // Counted before it is answered: who goes on at once with another commit is still one writer.
      this.#delay.ended(1, this.#waiting.length);
      resolve(result);
    } catch (error) {
      reject(error);
    }
  }

  async #try(operation: Operation): Promise<CommitResult> {
    const { sleep, random, counts, monotonic } = this.#waits;
    const startedAt = monotonic();
    for (let attempt = 0;; attempt++) {
      try {
        counts.commits += 1;
        const result = await this.#driver.commit(operation);
        if (!result.ok) this.conflicts += 1;
        return result;
      } catch (error) {
        if (!(error instanceof StoreLocked)) throw error;
        const late = monotonic() - startedAt > WRITE_DEADLINE_MS;
        if (late || attempt >= WRITE_ATTEMPTS_MAX) throw unavailable(error);
        await sleep(random() * Math.min(100, 2 ** (attempt + 1)));
      }
    }
  }
}
