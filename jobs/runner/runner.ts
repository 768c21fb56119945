/**
 * The runner: finds due jobs, takes a lease on as many as it may run at a time, and executes their steps. Any
 * number of processes run one over the same store.
 *
 * - **Record.** The stored truth about a job: `queued` (due now), `waiting` (due later), `running` (leased), `done` or
 *   `failed`. Notifications, timers and the cron's sweep only say when to poll.
 * - **Due entry.** The key under which an unfinished job waits, ordered by lane and time. It changes in the same
 *   commit as the record.
 * - **Lane.** One for each class of jobs, one for retries. Lanes have slots, so that bulk work never takes the last
 *   slot from an editor who waits.
 * - **Lease.** The right of one runner to change a record. Heartbeats extend it. A runner that has seen neither the
 *   record nor the heartbeat change for the length of a lease, by its own clock, takes it over.
 * - **Fence.** Every commit of a step checks the record that it started from, so nothing that a former holder does
 *   after a takeover takes effect. The record counts its changes, which settles a commit of unknown outcome.
 * - **Step.** Runs at least once and takes effect at most once. Its effect, the job's progress and its next due
 *   entry are one commit.
 * - **Cohort.** Jobs of one kind that share a slot and start in one poll, so that their reads and commits combine.
 * - **Poll.** Reads the first due entries of some lanes and claims what the free slots admit. Polls are throttled
 *   while requests are running, and repeated after an interval in case a notification was lost.
 *
 * Invariants: at most one runner holds a job; a step that was cut off anywhere can run again; a job that no runner
 * knows the kind of stays where it is.
 *
 * @module
 */
import { COHORT_BESIDE_MAX, PASSED_OVER_MAX, RUNNING_MAX, SWEEP_MS_MAX } from "../limits.ts";
import type { Context } from "../../kv/context.ts";
import { type JobRates, putRates } from "../../kv/jobs/job_rates.ts";
import type { JobRecord } from "../../kv/jobs/job.ts";
import { BULK_LANES, type Lane, laneOf, LANES, readDueKey } from "../../kv/jobs/due.ts";
import type { Entry, StoredEntry } from "../../kv/store/operation.ts";
import { claimDue, type JobClaimer } from "./claim_due.ts";
import { DUE_BATCH, DueLanes, readDue } from "./due_lane.ts";
import { Cohorts, type ReleaseSlot } from "./cohorts.ts";
import type { DueFlags } from "./due_flags.ts";
import { Execution } from "./execution.ts";
import type { JobKind } from "./job_kind.ts";
import { LEASE_MS, LeaseWatch } from "./lease.ts";
import { RateMeter } from "./rate_meter.ts";
import { type RunnerClock, systemClock } from "./runner_clock.ts";
import { Slots } from "./slots.ts";
import { StepGate } from "./step_gate.ts";
import { Traffic } from "./traffic.ts";

/** The longest time between polls, milliseconds: finds jobs that other processes left behind. */
export const POLL_INTERVAL_MS = 60_000;
/** The same on an embedded store, where a poll is cheap. */
export const LOCAL_POLL_INTERVAL_MS = 5_000;
/** When to poll again after the store did not answer, milliseconds. */
const POLL_AFTER_FAILURE_MS = 2_000;
/** The shortest time between polls while requests are running, milliseconds. */
export const POLL_GAP_MS = 10;
/**
 * The same for polls of bulk lanes alone, under full load; scaled by the square of the load. Jobs that start together
 * share reads, commits and listing pages.
 */
export const BULK_POLL_GAP_MS = 60;
/** When a poll that skipped entries continues, milliseconds. */
const CONTINUE_AFTER_MS = 250;
/** How long a shutdown, which has five seconds, waits for steps to end, milliseconds. */
const STOP_GRACE_MS = 4_000;
/** How long it then waits for leases to be handed back, milliseconds. */
const HAND_BACK_MS = 800;

/** How a runner is set up. */
export interface RunnerOptions {
  kinds: readonly JobKind[];
  clock?: RunnerClock;
  runningMax?: number;
  /** The requests of this process, to which bulk work yields. */
  traffic?: Traffic;
  /** Lanes with a pending notification from another thread. */
  dueFlags?: DueFlags;
  /** Called if more jobs are due than this process may run. */
  wakeOthers?: () => void;
  /** The longest time between polls, milliseconds; {@linkcode POLL_INTERVAL_MS} by default. */
  pollIntervalMs?: number;
}

interface PollResult {
  claimed: boolean;
  /** Milliseconds until the next poll is worthwhile. */
  laterMs: number;
}

interface AdmittedEntry {
  due: Entry;
  releaseSlot: ReleaseSlot;
}

/** Runs the jobs of a store, concurrently with the runners of other processes. */
export class Runner {
  /** Identifies this process in leases. */
  readonly id: string;
  readonly #context: Context;
  readonly #clock: RunnerClock;
  readonly #claimer: JobClaimer;
  readonly #slots: Slots;
  readonly #cohorts: Cohorts;
  readonly #gate: StepGate;
  readonly #traffic: Traffic;
  readonly #meter: RateMeter;
  readonly #dueLanes: DueLanes;
  readonly #dueFlags: DueFlags | undefined;
  readonly #wakeOthers: () => void;
  readonly #pollIntervalMs: number;
  readonly #running = new Map<string, { execution: Execution; end: Promise<void> }>();
  /** The entry after which the next poll of a lane continues, behind its first batch. */
  readonly #continueAfter = new Map<Lane, Entry>();
  /** Lanes in which jobs wait for a slot since the last poll. */
  readonly #lanesWithBacklog = new Set<Lane>();
  #polling: Promise<void> | null = null;
  #requestedLanes = new Set<Lane>();
  /** Ends the pause before a poll of bulk lanes, for a lane that cannot wait. */
  #wake = () => {};
  #polledAt: number | null = null;
  #started = false;
  #stopping = false;
  #nextPoll: { at: number; cancel: () => void } | null = null;

  constructor(context: Context, options: RunnerOptions) {
    this.id = context.newId(context.now());
    this.#context = context;
    this.#clock = options.clock ?? systemClock(context.store.random);
    this.#slots = new Slots(options.runningMax ?? RUNNING_MAX);
    this.#traffic = options.traffic ?? new Traffic(this.#clock.monotonic);
    this.#gate = new StepGate(this.#traffic, {
      ...this.#clock,
      turn: () => context.store.sleep(0),
    });
    this.#meter = new RateMeter(this.#clock.monotonic, (rates) => this.#reportRates(rates));
    this.#dueLanes = new DueLanes(context.store);
    this.#dueFlags = options.dueFlags;
    this.#wakeOthers = options.wakeOthers ?? (() => {});
    this.#pollIntervalMs = options.pollIntervalMs ?? POLL_INTERVAL_MS;
    this.#claimer = {
      context,
      runnerId: this.id,
      kinds: new Map(options.kinds.map((kind) => [kind.type, kind])),
      watch: new LeaseWatch(this.#clock.monotonic),
    };
    this.#cohorts = new Cohorts(this.#slots, this.#claimer.kinds);
  }

  start(): void {
    this.#started = true;
    this.poll();
  }

  /** Called by a due notifier: an entry of a lane is due at `dueAt` (milliseconds). */
  notify(dueAt: number, lane: Lane): void {
    const ms = dueAt - this.#context.now();
    if (ms > 0) this.#pollIn(ms);
    // If jobs already wait for a slot, the end of the job that frees it polls.
    else if (!this.#lanesWithBacklog.has(lane)) this.poll([lane]);
  }

  /** Polls some lanes now, or once more after the poll that is running. */
  poll(lanes: readonly Lane[] = LANES): void {
    if (!this.#started || this.#stopping) return;
    for (const lane of lanes) this.#requestedLanes.add(lane);
    if (!this.#mayBatch()) this.#wake();
    this.#polling ??= this.#pollWhileRequested().finally(() => this.#polling = null);
  }

  /** Polls, and resolves when the claimed jobs are done: keeps a short-lived instance alive. */
  async sweep(): Promise<void> {
    const startedAt = this.#clock.monotonic();
    this.poll();
    while (!this.#stopping && this.#clock.monotonic() - startedAt < SWEEP_MS_MAX) {
      await this.#polling;
      const soon = this.#nextPoll !== null &&
        this.#nextPoll.at - this.#clock.monotonic() <= LEASE_MS;
      if (this.#running.size === 0 && this.#polling === null && !soon) return;
      await this.#pause(500);
    }
  }

  /** Runs all due jobs and the jobs that these make due; for tests and commands. */
  async drain(): Promise<void> {
    for (;;) {
      // A job that ends during a poll may make another due that the poll missed.
      const wasIdle = this.#running.size === 0;
      const claimed = await this.#pollOnce();
      if (wasIdle && !claimed) return;
      if (this.#running.size === 0) continue;
      await Promise.race([...this.#running.values()].map(({ end }) => end));
    }
  }

  /** Finishes or hands back the running jobs within five seconds, and claims no more. */
  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    this.#stopping = true;
    this.#nextPoll?.cancel();
    const running = [...this.#running.values()];
    for (const { execution } of running) execution.stop();
    const ends = this.#polling?.then(() => this.#ends()) ?? this.#ends();
    await this.#pause(graceMs, ends);
    const back = [...this.#running].map(([id, { execution }]) =>
      execution.handBack().catch((error) => {
        this.#context.log.warn("job not handed back", { jobId: id, error: `${error}` });
      })
    );
    await this.#pause(HAND_BACK_MS, Promise.all(back));
  }

  async #ends(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ end }) => end));
  }

  /** Milliseconds since the last successful poll; null before the first. */
  get pollAgeMs(): number | null {
    return this.#polledAt === null ? null : this.#clock.monotonic() - this.#polledAt;
  }

  get running(): number {
    return this.#running.size;
  }

  async #pollWhileRequested(): Promise<void> {
    while (this.#requestedLanes.size > 0 && !this.#stopping) {
      await this.#throttle();
      const requested = this.#requestedLanes;
      this.#requestedLanes = new Set();
      try {
        await this.#pollOnce(requested);
      } catch (error) {
        this.#context.log.warn("jobs not polled", { error: `${error}` });
        this.#pollIn(POLL_AFTER_FAILURE_MS);
      }
    }
  }

  /** Requests each make jobs due: while they are running, one poll serves many. */
  async #throttle(): Promise<void> {
    const polledAt = this.#polledAt;
    if (!this.#traffic.busy || polledAt === null) return;
    const leftMs = (ms: number) => polledAt + ms - this.#clock.monotonic();
    if (this.#mayBatch()) {
      const ms = leftMs(BULK_POLL_GAP_MS * this.#traffic.load ** 2);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      if (ms > 0) await this.#pause(ms, promise);
      this.#wake = () => {};
    }
    const ms = leftMs(POLL_GAP_MS);
    if (ms > 0) await this.#pause(ms);
  }

  /** Whether the next poll is for bulk jobs that gain from starting together; a lane with a backlog has enough. */
  #mayBatch(): boolean {
    return [...this.#requestedLanes].every((lane) =>
      BULK_LANES.has(lane) && !this.#lanesWithBacklog.has(lane)
    );
  }

  /** Claims due jobs of some lanes while slots are free; answers whether any was claimed. */
  async #pollOnce(requested: ReadonlySet<Lane> = new Set(LANES)): Promise<boolean> {
    const seen: PollResult = { claimed: false, laterMs: this.#pollIntervalMs };
    const order = requested.size > 1 ? this.#slots.order(requested) : LANES;
    const lanes = order.filter((lane) => requested.has(lane) && this.#slots.free(lane) > 0);
    for (const lane of requested) {
      if (lanes.includes(lane)) this.#lanesWithBacklog.delete(lane);
      else this.#lanesWithBacklog.add(lane);
    }
    this.#dueFlags?.lower(lanes);
    for (const [lane, first] of await this.#dueLanes.firsts(lanes)) {
      await this.#claimLane(lane, first, seen);
    }
    this.#polledAt = this.#clock.monotonic();
    this.#pollIn(seen.laterMs);
    return seen.claimed;
  }

  /** Claims due jobs of a lane; `entries` are its first. The end of each job polls again. */
  async #claimLane(lane: Lane, entries: Entry[], seen: PollResult): Promise<void> {
    const now = this.#context.now();
    const { isLoaded } = this.#traffic;
    const admit = this.#cohorts.admission(lane, isLoaded ? COHORT_BESIDE_MAX : Infinity);
    let continueAfter = this.#continueAfter.get(lane);
    this.#continueAfter.delete(lane);
    // The next poll covers the entries between the first batch and this one.
    if (continueAfter !== undefined) seen.laterMs = Math.min(seen.laterMs, CONTINUE_AFTER_MS);
    let passedOver = 0;
    for (const batch: AdmittedEntry[] = [];;) {
      for (const due of entries) {
        const { at, idOrName } = readDueKey(due.key);
        if (at > now) {
          seen.laterMs = Math.min(seen.laterMs, at - now);
          return await this.#claimAll(batch, seen);
        }
        if (this.#running.has(idOrName)) continue;
        if (this.#cohorts.isCrowded(due.value)) {
          passedOver += 1;
          continue;
        }
        let releaseSlot = this.#stopping ? null : admit(due.value);
        if (releaseSlot === null) {
          await this.#claimAll(batch.splice(0), seen);
          // Entries that other runners claimed have released their slots.
          releaseSlot = this.#stopping ? null : admit(due.value);
          if (releaseSlot === null) {
            this.#lanesWithBacklog.add(lane);
            return this.#wakeOthers();
          }
        }
        batch.push({ due, releaseSlot });
      }
      await this.#claimAll(batch.splice(0), seen);
      const last = entries.length < DUE_BATCH ? undefined : entries.at(-1);
      if (last === undefined) return;
      if (passedOver >= PASSED_OVER_MAX) {
        this.#continueAfter.set(lane, last);
        seen.laterMs = Math.min(seen.laterMs, CONTINUE_AFTER_MS);
        return;
      }
      entries = await readDue(this.#context.store, lane, continueAfter ?? last);
      continueAfter = undefined;
    }
  }

  /** Claims admitted entries; one that cannot be claimed releases its slot. */
  async #claimAll(batch: AdmittedEntry[], seen: PollResult): Promise<void> {
    await Promise.all(batch.map(async ({ due, releaseSlot }) => {
      const found = await claimDue(this.#claimer, due).catch((error) => {
        releaseSlot();
        throw error;
      });
      if (found.kind === "later") seen.laterMs = Math.min(seen.laterMs, found.ms);
      if (found.kind !== "claimed") return void releaseSlot();
      seen.claimed = true;
      this.#execute(found.entry, releaseSlot);
    }));
  }

  #execute(entry: StoredEntry<JobRecord>, releaseSlot: ReleaseSlot): void {
    const { id } = entry.value;
    const lane = laneOf(entry.value);
    const execution = this.#executionOf(entry);
    if (this.#stopping) execution.stop();
    const end = execution.run().catch((error) => {
      this.#context.log.error("job left to other runners", { jobId: id }, error);
    }).finally(() => {
      this.#running.delete(id);
      this.#meter.count(lane);
      if (releaseSlot()) this.poll(this.#lanesAfter(entry.value));
    });
    this.#running.set(id, { execution, end });
  }

  /**
   * Lanes in which the end of a job may let another start: its own, and those with a backlog. Requests to a named job
   * and jobs of a bounded kind may be in any lane.
   */
  #lanesAfter(job: JobRecord): readonly Lane[] {
    const isBounded = this.#claimer.kinds.get(job.type)?.concurrencyMax !== undefined;
    if (job.name !== undefined || isBounded) return LANES;
    return [...new Set([job.class, laneOf(job), ...this.#lanesWithBacklog])];
  }

  #executionOf(entry: StoredEntry<JobRecord>): Execution {
    const { context, runnerId, kinds } = this.#claimer;
    const executor = { context, runnerId, clock: this.#clock, gate: this.#gate };
    return new Execution(executor, kinds.get(entry.value.type)!, entry);
  }

  async #reportRates(rates: JobRates): Promise<void> {
    if (this.#stopping) return;
    try {
      await putRates(this.#context, this.id, rates);
    } catch (error) {
      this.#context.log.debug("job rates not reported", { error: `${error}` });
    }
  }

  #pollIn(ms: number): void {
    if (!this.#started || this.#stopping) return;
    const at = this.#clock.monotonic() + Math.min(ms, POLL_INTERVAL_MS);
    if (this.#nextPoll !== null && this.#nextPoll.at <= at) return;
    this.#nextPoll?.cancel();
    const cancel = this.#clock.setTimer(Math.min(ms, POLL_INTERVAL_MS), () => {
      this.#nextPoll = null;
      this.poll();
    });
    this.#nextPoll = { at, cancel };
  }

  /** Waits `ms`, or until `ended`. */
  async #pause(ms: number, ended?: Promise<unknown>): Promise<void> {
    let cancel = () => {};
    const passed = new Promise<void>((done) => cancel = this.#clock.setTimer(ms, done));
    await (ended === undefined ? passed : Promise.race([passed, ended]));
    cancel();
  }
}
