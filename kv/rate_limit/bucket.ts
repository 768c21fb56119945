/**
 * The requests of one bucket in one process. They are decided together: while one commit is under way
 * the next batch gathers, so a busy bucket costs one commit per batch, and with a large quota or with
 * several processes one per lease.
 *
 * Of processes that decide at the same time one succeeds in each round trip, so on a remote store the
 * others wait. From the first lost round on a process therefore claims a lease, which the winner of the
 * next round grants, and returns it when no more requests come.
 *
 * @module
 */
import { zip } from "../model/primitives/zip.ts";
import { StoreFull } from "../unavailable.ts";
import { type Key, windowKey } from "../keys.ts";
import { Refusal, unavailable } from "../refusals.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { type Claim, Claims, grantClaims } from "./claims.ts";
import { WINDOW_LEASES_MAX } from "../tuning.ts";
import { HeldLease } from "./held_lease.ts";
import { CONTENDED_LEASE_MS, contendedSlots, LEASE_MS, quickSlots } from "./lease_size.ts";
import { type StoredWindow, Window } from "./window.ts";
import type { WindowClock } from "./window_clock.ts";

/** How long a lost round is remembered. */
const CONTENTION_MS = 60_000;
/** A lease under contention is returned if it is unused for so long, milliseconds. */
const LEASE_IDLE_MS = 2_000;
/** Longest pause after a lost round, milliseconds. */
const PAUSE_MS = 50;

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

/** The state that the buckets of a limiter share. */
export interface BucketEnvironment {
  store: Store;
  clock: WindowClock;
  windowMs: number;
  newLeaseId: () => string;
}

interface Waiter {
  quota: number;
  resolve: (admission: Admission) => void;
  reject: (error: unknown) => void;
}

/** A window with the versionstamp under which it was read. */
interface KnownWindow {
  window: Window;
  versionstamp: string | null;
  /** Claims of other processes, read in the same call. */
  claims: Entry<Claim>[];
  /** Whether it has counted requests that a full disk did not take; it is not read again then. */
  inMemory?: true;
}

/** The decision of one attempt, valid if its commit succeeds. */
interface Decision {
  admissions: Admission[];
  refused: boolean;
  changed: boolean;
  granted: HeldLease | null;
  /** Leases that it gives back. */
  settled: HeldLease[];
  /** Claims of other processes that become leases. */
  claims: Entry<Claim>[];
}

/** Decides the requests of one bucket. */
export class Bucket {
  readonly #environment: BucketEnvironment;
  readonly #clock: WindowClock;
  readonly #key: Key;
  readonly #claims: Claims;
  #waiting: Waiter[] = [];
  #running: Promise<void> | null = null;
  #known: KnownWindow | null = null;
  #offered: Entry<StoredWindow> | null = null;
  #lease: HeldLease | null = null;
  /** Leases whose use is not written back yet. */
  #owed: HeldLease[] = [];
  #committedAt = -Infinity;
  #contendedAt = -Infinity;

  constructor(environment: BucketEnvironment, name: string) {
    this.#environment = environment;
    this.#clock = environment.clock.fork();
    this.#key = windowKey(name);
    this.#claims = new Claims(environment.store, name, environment.windowMs);
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

  /**
   * Writes back what was used of a lease that is over, or of any lease when the process ends, and takes
   * back a claim that no request waits for.
   */
  async settle(options: { force: boolean }): Promise<void> {
    if (this.#lease !== null && (options.force || this.#isOver(this.#lease))) this.#owe();
    this.#start();
    await this.#running;
  }

  #isOver(lease: HeldLease): boolean {
    const now = this.#clock.monotonic;
    return lease.ended(now) || (this.#isContended(now) && lease.idleMs(now) >= LEASE_IDLE_MS);
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
    } while (this.#waiting.length > 0 || this.#claims.own !== null);
    this.#running = null;
  }

  #answerFromLease({ quota, resolve }: Waiter): boolean {
    const admission = this.#fromLease(quota);
    if (admission !== null) resolve(admission);
    return admission !== null;
  }

  #fromLease(quota: number): Admission | null {
    if (this.#lease === null || this.#known === null) return null;
    const at = this.#lease.use(quota, this.#clock.monotonic);
    if (at === null) return null;
    const { window } = this.#known;
    const now = this.#clock.present(window);
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
    // What others have read until then may not show that the claim was granted.
    const isWithdrawn = batch.length === 0 && await this.#withdraw();
    if (batch.length === 0 && this.#owed.length === 0) return;
    let { known, fresh } = isWithdrawn
      ? { known: await this.#read(), fresh: true }
      : await this.#newestKnown();
    let rest = batch;
    // Ends while the store answers: a lost round is another process's admission, lease or return, and
    // the slots of a window are numbered.
    for (let attempt = 0;; attempt++) {
      rest = this.#answerFromGranted(known, rest);
      if (batch.length > 0 && rest.length === 0) return;
      const decision = this.#attempt(known, rest);
      // Others may have moved time on or given back leased slots since this window was read.
      const doubtful = decision.refused && !fresh && !known.inMemory;
      if (!doubtful && (!decision.changed || await this.#commit(known, decision))) {
        this.#known = decision.changed || known.inMemory ? known : null;
        // Either written back just now, or not in the window any more.
        if (decision.changed || batch.length === 0) {
          this.#owed = this.#owed.filter((lease) => !decision.settled.includes(lease));
        }
        for (const [{ resolve }, admission] of zip(rest, decision.admissions)) resolve(admission);
        return;
      }
      // Returning can wait: newer requests go first.
      if (batch.length === 0 && this.#waiting.length > 0) return;
      known = doubtful ? await this.#read() : await this.#readAfterLoss(rest, fresh, attempt);
      fresh = true;
    }
  }

  /** Reads the window again after a lost round; from the second one on that is contention. */
  async #readAfterLoss(
    batch: Waiter[],
    fresh: boolean,
    attempt: number,
  ): Promise<KnownWindow> {
    const { store, newLeaseId } = this.#environment;
    await store.sleep(store.random() * Math.min(PAUSE_MS, 2 ** attempt));
    // A round on a window that was read long ago is lost to its age.
    if (!fresh) return await this.#read();
    this.#contendedAt = this.#clock.monotonic;
    const last = batch.at(-1);
    const [known, claims] = await Promise.all([
      this.#read(),
      this.#claims.others(),
      last && this.#claims.make({ id: newLeaseId(), quota: last.quota, wanted: batch.length }),
    ]);
    return { ...known, claims };
  }

  /** Makes a lease that another process has granted the own one; answers who is still to be decided. */
  #answerFromGranted(known: KnownWindow, batch: Waiter[]): Waiter[] {
    const claim = this.#claims.own;
    const lease = known.window.leases.find(({ id }) => id === claim?.id);
    if (claim === null || lease === undefined) return batch;
    if (this.#lease !== null) this.#owe();
    const start = known.window.advance(this.#clock.present(known.window));
    this.#lease = new HeldLease(lease, claim.quota, { start, ownStart: this.#clock.monotonic });
    this.#claims.close();
    this.#known = known;
    return batch.filter((waiter) => !this.#answerFromLease(waiter));
  }

  /** Takes the own claim back; true when there was one. */
  async #withdraw(): Promise<boolean> {
    if (this.#claims.own === null) return false;
    const withdrawn = this.#claims.withdraw();
    this.#disown();
    this.#known = null;
    await withdrawn;
    return true;
  }

  /** Gives up the own claim: if it becomes a lease all the same, that is owed, unused. */
  #disown(): void {
    const claim = this.#claims.own;
    if (claim === null) return;
    const times = { start: 0, ownStart: this.#clock.monotonic };
    this.#owed.push(new HeldLease({ id: claim.id, end: 0, slots: 0 }, claim.quota, times));
    this.#claims.close();
  }

  /** Decides the batch on a window, and gives back the leases that are over. */
  #attempt({ window, claims }: KnownWindow, batch: Waiter[]): Decision {
    const now = this.#clock.present(window);
    const at = window.advance(now);
    // It does not cover the batch.
    if (this.#lease !== null && batch.length > 0) this.#owe();
    const settled = [...this.#owed];
    let hasSettled = false;
    for (const { lease, runs } of settled) {
      if (window.settle(lease.id, runs)) hasSettled = true;
    }
    // What is given back waits for a commit when it does not help this batch.
    let changed = hasSettled && batch.length === 0;
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
    const granted = leasable === null ? null : this.#grant(window, leasable, at);
    const grants = changed ? this.#grantOthers(window, claims, at) : [];
    return { admissions, refused, changed, granted, settled, claims: grants };
  }

  /** Sets slots aside for other processes as long as there is room. */
  #grantOthers(window: Window, claims: Entry<Claim>[], at: number): Entry<Claim>[] {
    return claims.filter(({ value }) => {
      const { id, quota, wanted } = value!;
      const needed = Math.min(wanted, Math.max(0, quota - window.used));
      const slots = Math.max(needed, contendedSlots(quota, window.used));
      const isGranted = window.leases.some((lease) => lease.id === id);
      if (slots === 0 || isGranted || window.leases.length >= WINDOW_LEASES_MAX) return false;
      window.lease({ id, end: at + CONTENDED_LEASE_MS, slots });
      return true;
    });
  }

  /** Sets slots aside when others contend, or when much of a large quota is asked for quickly. */
  #grant(window: Window, quota: number, at: number): HeldLease | null {
    if (window.leases.length >= WINDOW_LEASES_MAX) return null;
    const now = this.#clock.monotonic;
    const slots = this.#isContended(now) ? contendedSlots(quota, window.used) : 0;
    const quick = now - this.#committedAt > LEASE_MS ? 0 : quickSlots(quota, window.used);
    if (Math.max(slots, quick) === 0) return null;
    const duration = slots >= quick ? CONTENDED_LEASE_MS : LEASE_MS;
    const lease = {
      // A process that still sees this claim then sees its lease in the window too.
      id: this.#claims.own?.id ?? this.#environment.newLeaseId(),
      end: at + duration,
      slots: Math.max(slots, quick),
    };
    window.lease(lease);
    return new HeldLease(lease, quota, { start: at, ownStart: now });
  }

  #isContended(now: number): boolean {
    return now - this.#contendedAt < CONTENTION_MS;
  }

  async #commit(known: KnownWindow, { granted, claims }: Decision): Promise<boolean> {
    const { store, windowMs } = this.#environment;
    // When the outcome stays unknown the lease is owed, unused: it is given back if it is there.
    if (granted !== null) this.#owed.push(granted);
    const operation = new Operation()
      .check({ key: this.#key, versionstamp: known.versionstamp })
      .set(this.#key, known.window.pack(), { expireIn: 2 * windowMs });
    grantClaims(operation, claims);
    this.#claims.drop(operation);
    const result = await store.commit(operation).catch((error) => {
      if (error instanceof StoreFull) return null;
      this.#disown();
      throw error;
    });
    if (granted !== null) this.#owed = this.#owed.filter((lease) => lease !== granted);
    if (result === null) {
      // Reads continue: the next commit that finds room stores what was counted until then.
      known.inMemory = true;
    } else if (!result.ok) {
      return false;
    } else {
      known.versionstamp = result.versionstamp;
      delete known.inMemory;
    }
    this.#lease = granted ?? this.#lease;
    this.#claims.close();
    this.#committedAt = this.#clock.monotonic;
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
  async #newestKnown(): Promise<{ known: KnownWindow; fresh: boolean }> {
    const [known, offered] = [this.#known, this.#offered];
    this.#known = this.#offered = null;
    if (known !== null && (offered?.versionstamp ?? "") <= (known.versionstamp ?? "")) {
      return { known, fresh: offered?.versionstamp === known.versionstamp };
    }
    return { known: offered === null ? await this.#read() : this.#knowing(offered), fresh: true };
  }

  async #read(): Promise<KnownWindow> {
    return this.#knowing(await this.#environment.store.get<StoredWindow>(this.#key));
  }

  #knowing({ value, versionstamp }: Entry<StoredWindow>): KnownWindow {
    return { window: new Window(this.#environment.windowMs, value), versionstamp, claims: [] };
  }
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
