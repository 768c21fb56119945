/**
 * The requests of one bucket in one process. They are decided together: while one commit is under way
 * the next batch gathers, so a busy bucket costs one commit per batch, and with a large quota one per
 * lease.
 *
 * @module
 */
import { type Key, windowKey } from "../keys.ts";
import { WRITE_ATTEMPTS_MAX, WRITE_DEADLINE_MS } from "../limits.ts";
import { Refusal, unavailable } from "../refusals.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { HeldLease } from "./held_lease.ts";
import { LEASES_MAX, type StoredWindow, Window } from "./window.ts";

/** Smallest quota of which slots are leased. */
export const LEASE_QUOTA_MIN = 1_000;
/** How long a lease lasts, milliseconds. */
export const LEASE_MS = 1_000;
/** A lease takes at most this part of the quota. */
const LEASE_SHARE = 16;
/** Leases are taken while less than this part of the quota is used. */
const LEASE_USED_SHARE = 2;

/** The decision on one request. */
export interface Admission {
  admitted: boolean;
  /** Requests that still fit now. */
  remaining: number;
  /** Whole seconds until the window has room for one more than now. */
  resetSeconds: number;
  /** Whole seconds until a request would be admitted; 0 when this one was. */
  retryAfterSeconds: number;
  /** The window's time of the decision, ms. */
  at: number;
}

/** What the buckets of a limiter share. */
export interface BucketSurroundings {
  store: Store;
  now: () => number;
  windowMs: number;
  newLeaseId: () => string;
}

interface Waiter {
  quota: number;
  resolve: (admission: Admission) => void;
  reject: (error: unknown) => void;
}

/** A window with the versionstamp under which it was read. */
interface Known {
  window: Window;
  versionstamp: string | null;
}

/** What one attempt would do if its commit succeeds. */
interface Decision {
  admissions: Admission[];
  refused: boolean;
  changed: boolean;
  granted: HeldLease | null;
}

/** Decides the requests of one bucket. */
export class Bucket {
  readonly #around: BucketSurroundings;
  readonly #key: Key;
  #waiting: Waiter[] = [];
  #running: Promise<void> | null = null;
  #known: Known | null = null;
  #offered: Entry<StoredWindow> | null = null;
  #lease: HeldLease | null = null;
  /** Leases whose use is not written back yet. */
  #owed: HeldLease[] = [];
  #committedAt = -Infinity;

  constructor(around: BucketSurroundings, name: string) {
    this.#around = around;
    this.#key = windowKey(name);
  }

  /** Whether a decision is under way; a bucket that is not busy may be forgotten at any time. */
  get busy(): boolean {
    return this.#running !== null;
  }

  /** Decides one request; `read` is the window's entry if the request has read it. */
  admit(quota: number, read?: Entry): Promise<Admission> {
    const leased = this.#fromLease(quota);
    if (leased !== null) return Promise.resolve(leased);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ quota, resolve, reject });
      if (read !== undefined) this.#offer(read as Entry<StoredWindow>);
      this.#start();
    });
  }

  /** Writes back what was used of a lease that is over, or of any lease when the process ends. */
  async settle(options: { force: boolean }): Promise<void> {
    if (this.#lease !== null && (options.force || this.#lease.ended(this.#around.now()))) {
      this.#owe();
    }
    if (this.#owed.length > 0) this.#start();
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // One turn later, so that requests that arrived together are decided together.
    await Promise.resolve();
    do {
      const batch = this.#waiting.filter((waiter) => !this.#answerFromLease(waiter));
      this.#waiting = [];
      try {
        await this.#decide(batch);
      } catch (error) {
        this.#known = null;
        const refusal = error instanceof Refusal ? error : unavailable(error);
        for (const { reject } of batch) reject(refusal);
      }
    } while (this.#waiting.length > 0);
    this.#running = null;
  }

  #answerFromLease({ quota, resolve }: Waiter): boolean {
    const admission = this.#fromLease(quota);
    if (admission !== null) resolve(admission);
    return admission !== null;
  }

  #fromLease(quota: number): Admission | null {
    if (this.#lease === null || this.#known === null) return null;
    const now = this.#around.now();
    const at = this.#lease.use(quota, now);
    if (at === null) return null;
    const { window } = this.#known;
    window.advance(at);
    const used = window.used - this.#lease.lease.slots + this.#lease.used;
    return {
      admitted: true,
      remaining: Math.max(0, quota - used),
      resetSeconds: wholeSeconds(window.nextLeave - now),
      retryAfterSeconds: 0,
      at,
    };
  }

  async #decide(batch: Waiter[]): Promise<void> {
    if (batch.length === 0 && this.#owed.length === 0 && this.#lease === null) return;
    const { store, now } = this.#around;
    const startedAt = now();
    let { known, fresh } = await this.#newestKnown();
    for (let attempt = 0;; attempt++) {
      const decision = this.#attempt(known.window, batch);
      // Others may have moved time on or given back leased slots since this window was read.
      const doubtful = decision.refused && !fresh;
      if (!doubtful && (!decision.changed || await this.#commit(known, decision))) {
        this.#known = known;
        // Either written back just now, or not in the window any more.
        this.#owed = [];
        batch.forEach(({ resolve }, place) => resolve(decision.admissions[place]!));
        return;
      }
      if (attempt + 1 >= WRITE_ATTEMPTS_MAX || now() - startedAt > WRITE_DEADLINE_MS) {
        throw unavailable(new Error("The window of a bucket is contended"));
      }
      if (!doubtful) await store.sleep(store.random() * Math.min(50, 2 ** attempt));
      known = this.#knowing(await store.get<StoredWindow>(this.#key));
      fresh = true;
    }
  }

  /** Decides the batch on a window, and gives back the leases that are over. */
  #attempt(window: Window, batch: Waiter[]): Decision {
    const now = this.#around.now();
    const at = window.advance(now);
    if (this.#lease !== null) this.#owe();
    let changed = false;
    for (const { lease, runs } of this.#owed) {
      if (window.settle(lease.id, runs)) changed = true;
    }
    let leasable: number | null = null;
    let refused = false;
    const admissions = batch.map(({ quota }): Admission => {
      const admitted = window.used < quota;
      if (admitted) window.add(at, 1);
      changed ||= admitted;
      refused ||= !admitted;
      if (admitted) leasable = quota;
      const resetSeconds = wholeSeconds((admitted ? window.nextLeave : window.fitsAt(quota)) - now);
      return {
        admitted,
        remaining: Math.max(0, quota - window.used),
        resetSeconds,
        retryAfterSeconds: admitted ? 0 : resetSeconds,
        at,
      };
    });
    const granted = leasable === null ? null : this.#grant(window, leasable, at, now);
    return { admissions, refused, changed, granted };
  }

  /** Sets slots aside when the quota is large, little of it is used, and requests follow quickly. */
  #grant(window: Window, quota: number, at: number, now: number): HeldLease | null {
    const room = Math.floor(quota / LEASE_USED_SHARE) - window.used;
    if (quota < LEASE_QUOTA_MIN || room <= 0 || window.leases.length >= LEASES_MAX) return null;
    if (now - this.#committedAt > LEASE_MS) return null;
    const slots = Math.min(room, Math.floor(quota / LEASE_SHARE));
    const lease = { id: this.#around.newLeaseId(), end: at + LEASE_MS, slots };
    window.lease(lease);
    return new HeldLease(lease, quota, { start: at, ownStart: now });
  }

  async #commit(known: Known, { granted }: Decision): Promise<boolean> {
    const { store, now, windowMs } = this.#around;
    // When the outcome stays unknown the lease is owed, unused: it is given back if it is there.
    if (granted !== null) this.#owed.push(granted);
    const operation = new Operation()
      .check({ key: this.#key, versionstamp: known.versionstamp })
      .set(this.#key, known.window.pack(), { expireIn: 2 * windowMs });
    const result = await store.commit(operation);
    if (granted !== null && !result.ok) this.#owed.pop();
    if (!result.ok) return false;
    known.versionstamp = result.versionstamp;
    this.#lease = granted;
    this.#committedAt = now();
    return true;
  }

  #owe(): void {
    this.#owed.push(this.#lease!);
    this.#lease = null;
  }

  #offer(entry: Entry<StoredWindow>): void {
    if ((entry.versionstamp ?? "") >= (this.#offered?.versionstamp ?? "")) this.#offered = entry;
  }

  /** The newest window at hand; `fresh` when it was read for this batch. */
  async #newestKnown(): Promise<{ known: Known; fresh: boolean }> {
    const [known, offered] = [this.#known, this.#offered];
    this.#known = this.#offered = null;
    if (known !== null && (offered?.versionstamp ?? "") <= (known.versionstamp ?? "")) {
      return { known, fresh: offered?.versionstamp === known.versionstamp };
    }
    const entry = offered ?? await this.#around.store.get<StoredWindow>(this.#key);
    return { known: this.#knowing(entry), fresh: true };
  }

  #knowing({ value, versionstamp }: Entry<StoredWindow>): Known {
    return { window: new Window(this.#around.windowMs, value), versionstamp };
  }
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
