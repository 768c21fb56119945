/**
 * Group commit. An embedded commit costs an fsync whatever its size, and they run one at a time, so waiting
 * operations share one. If a check of the group fails, the operations whose checks failed are answered and the
 * others are committed again. On a remote store several commits are in flight at a time.
 *
 * @module
 */
import { KV_GET_MANY_MAX, WRITE_DEADLINE_MS } from "../../limits/store.ts";
import { zip } from "../../model/primitives/zip.ts";
import { GROUP_BYTES_MAX, GROUP_MUTATIONS_MAX, WRITE_ATTEMPTS_MAX } from "../../tuning.ts";
import { unavailable } from "../../refusals.ts";
import { CommitDelay } from "./commit_delay.ts";
import { CommitGroup, Footprint, Member } from "./commit_group.ts";
import { type CommitResult, type Driver, StoreLocked } from "../driver.ts";
import { type Entry, keyText, type Operation } from "../operation.ts";
import type { StoreCounts } from "../counts.ts";

/** The parts of the store that the queue uses. */
interface Waits {
  sleep: (ms: number) => Promise<void>;
  monotonic: () => number;
  random: () => number;
  counts: StoreCounts;
  /** How long a commit may wait for others to share it, milliseconds. */
  commitDelayMs: number;
}

/** Runs conflicting operations in order of arrival, and the others together. */
export class CommitQueue {
  readonly #driver: Driver;
  readonly #waits: Waits;
  /** The number of operations with a failed check. */
  conflicts = 0;
  #waiting: Member[] = [];
  /** The size of all waiting operations. */
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

  /**
   * Whether operations wait for their commit: then another call costs little, and another check costs much.
   */
  get isCongested(): boolean {
    const { inFlightMax } = this.#driver;
    return inFlightMax > 1 && this.#underWay.size >= inFlightMax && this.#waiting.length > 0;
  }

  /** If full, one more commit than usual may run: waiting would gain nothing. */
  #mayBegin(): boolean {
    const { inFlightMax, commitsInFlightMax = inFlightMax } = this.#driver;
    const beyond = this.#underWay.size - commitsInFlightMax;
    return beyond < 0 || (beyond === 0 && this.#isFull);
  }

  /** Whether the waiting operations alone fill a commit. */
  get #isFull(): boolean {
    const { mutations, bytes } = this.#size;
    return mutations >= GROUP_MUTATIONS_MAX || bytes >= GROUP_BYTES_MAX;
  }

  /** Starts as many commits as may run at a time. */
  #begin(): void {
    while (this.#waiting.length > 0 && this.#mayBegin()) {
      if (!this.#isFull && this.#delay.waits(this.#waiting.length, () => this.#begin())) return;
      if (
        this.#waiting.length === 1 && this.#underWay.size === 0 && this.#driver.inFlightMax === 1
      ) {
        // Usually there is one operation, and nothing to compare it with.
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

  /**
   * The next operations that may share a commit. One that conflicts with a running commit, or with an earlier
   * waiting operation, waits.
   */
  #takeGroup(): CommitGroup {
    const group = new CommitGroup(this.#driver.groupChecksMax);
    const before = [...this.#underWay];
    const passed = new Footprint();
    const rest: Member[] = [];
    for (const [index, member] of this.#waiting.entries()) {
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
    const [first] = group.members;
    if (first !== undefined && group.members.length === 1) return await this.#commitAlone(first);
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
    await this.#commitSeparately(group);
  }

  /**
   * Answers the operations whose checks no longer hold; the others share a commit again if that is known.
   * Waiting operations with a failed check are answered too, since their commits would fail one after another.
   */
  async #commitSeparately({ members, operation }: CommitGroup): Promise<void> {
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

  /** Answers the operations of `waiting`, queued before the read, that can no longer succeed. */
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

  /** The current entries of the checked keys of a commit, by text; empty if they cannot be read. */
  async #readChecked({ checks }: Operation): Promise<Map<string, Entry>> {
    const keys = checks.map(({ key }) => key);
    const batches: Promise<Entry[]>[] = [];
    for (let start = 0; start < keys.length; start += KV_GET_MANY_MAX) {
      this.#waits.counts.reads += 1;
      batches.push(this.#driver.getMany(keys.slice(start, start + KV_GET_MANY_MAX)));
    }
    try {
      const entries = (await Promise.all(batches)).flat();
      return new Map(zip(keys, entries).map(([key, entry]) => [keyText(key), entry]));
    } catch {
      return new Map();
    }
  }

  async #commitAlone({ operation, resolve, reject }: Member): Promise<void> {
    try {
      const result = await this.#try(operation);
      // Counted before the answer: a caller that commits again at once is still the same writer.
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
