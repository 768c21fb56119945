/**
 * The runner: finds due jobs, takes leases on as many as it may run at once, and lets each go forward.
 * The record in the store is the truth; due notifications, timers and the minute's sweep only say when to look.
 *
 * @module
 */
import { COHORT_BESIDE_MAX, PASSED_OVER_MAX, RUNNING_MAX, SWEEP_MS_MAX } from "../limits.ts";
import type { Context } from "../../kv/versioning/context.ts";
import { type JobRates, putRates } from "../../kv/jobs/job_rates.ts";
import type { JobRecord } from "../../kv/jobs/job.ts";
import { BULK_LANES, type Lane, laneOf, LANES, readDueKey } from "../../kv/jobs/due.ts";
import type { Entry } from "../../kv/store/operation.ts";
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

/** The longest time without a look, milliseconds: finds what other processes left behind. */
export const POLL_INTERVAL_MS = 60_000;
/** The same where a look costs next to nothing: on a store of one's own. */
export const LOCAL_POLL_INTERVAL_MS = 5_000;
/** When to look again after the store did not answer. */
const POLL_AFTER_FAILURE_MS = 2_000;
/** Between two looks beside requests, milliseconds. */
export const POLL_GAP_MS = 10;
/**
 * The same for looks into lanes of bulk work alone, while requests are always under way; it goes with the square of
 * the load. What begins together shares reads, commits and the pages of listings.
 */
export const BULK_POLL_GAP_MS = 60;
/** When a look goes on that has left entries out, milliseconds. */
const CONTINUE_AFTER_MS = 250;
/** How long a shutdown waits for steps to end by themselves, of the five seconds that it has. */
const STOP_GRACE_MS = 4_000;
/** And how long for the leases of those that did not. */
const HAND_BACK_MS = 800;
/** What a runner is made of. */
export interface RunnerOptions {
  kinds: readonly JobKind[];
  clock?: RunnerClock;
  runningMax?: number;
  /** The requests of this process, which bulk work lets go first. */
  traffic?: Traffic;
  /** Lanes that another thread notifies of once until they are looked into. */
  dueFlags?: DueFlags;
  /** Called when there is more to do than this process may run at once. */
  wakeOthers?: () => void;
  /** The longest time without a look, milliseconds; {@linkcode POLL_INTERVAL_MS} by itself. */
  pollIntervalMs?: number;
}

/** What a look has found so far. */
interface PollResult {
  claimed: boolean;
  /** When something that is due already may be taken. */
  laterMs: number;
}

/** A due entry that has its place in a slot. */
interface AdmittedEntry {
  due: Entry;
  releaseSlot: ReleaseSlot;
}

/** Runs the jobs of a store, beside the runners of other processes. */
export class Runner {
  /** Stands for this process in leases. */
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
  /** Where the next look into a lane goes on, after its first entries. */
  readonly #continueAfter = new Map<Lane, Entry>();
  /** Lanes in which the last look has left jobs to wait for a slot, or for which there was none. */
  readonly #lanesWithBacklog = new Set<Lane>();
  #polling: Promise<void> | null = null;
  /** Lanes for the next look. */
  #requestedLanes = new Set<Lane>();
  /** Ends the time that is left between two looks, for what cannot wait for so long. */
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

  /** Begins to look for jobs. */
  start(): void {
    this.#started = true;
    this.poll();
  }

  /** Something in a lane is due at `dueAt` (milliseconds): a due notifier calls it. */
  notify(dueAt: number, lane: Lane): void {
    const ms = dueAt - this.#context.now();
    if (ms > 0) this.#pollIn(ms);
    // Where some wait for a slot already, the job whose end makes it free looks.
    else if (!this.#lanesWithBacklog.has(lane)) this.poll([lane]);
  }

  /** Looks for due jobs of some lanes now, or once more after the look that is under way. */
  poll(lanes: readonly Lane[] = LANES): void {
    if (!this.#started || this.#stopping) return;
    for (const lane of lanes) this.#requestedLanes.add(lane);
    if (!this.#mayBatch()) this.#wake();
    this.#polling ??= this.#pollWhileRequested().finally(() => this.#polling = null);
  }

  /** Looks, and comes back when what was found is done: keeps a short-lived instance alive so long. */
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

  /** Runs everything that is due now, and what that makes due; for tests and commands. */
  async drain(): Promise<void> {
    for (;;) {
      // What ends during a look may have made something due that the look has missed.
      const wasIdle = this.#running.size === 0;
      const claimed = await this.#pollOnce();
      if (wasIdle && !claimed) return;
      if (this.#running.size === 0) continue;
      await Promise.race([...this.#running.values()].map(({ end }) => end));
    }
  }

  /** Finishes or hands back what runs, within five seconds; nothing is taken any more. */
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

  /** Milliseconds since a look for jobs last ended well; null before the first. */
  get pollAgeMs(): number | null {
    return this.#polledAt === null ? null : this.#clock.monotonic() - this.#polledAt;
  }

  /** How many jobs this process runs at the moment. */
  get running(): number {
    return this.#running.size;
  }

  async #pollWhileRequested(): Promise<void> {
    while (this.#requestedLanes.size > 0 && !this.#stopping) {
      await this.#throttle();
      const asked = this.#requestedLanes;
      this.#requestedLanes = new Set();
      try {
        await this.#pollOnce(asked);
      } catch (error) {
        this.#context.log.warn("jobs not looked for", { error: `${error}` });
        this.#pollIn(POLL_AFTER_FAILURE_MS);
      }
    }
  }

  /** Beside requests, of which each may make something due, one look serves many of them. */
  async #throttle(): Promise<void> {
    if (!this.#traffic.busy || this.#polledAt === null) return;
    const leftMs = (ms: number) => this.#polledAt! + ms - this.#clock.monotonic();
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

  /** Whether the next look is for bulk work that begins better together; what waits for a slot is enough already. */
  #mayBatch(): boolean {
    return [...this.#requestedLanes].every((lane) =>
      BULK_LANES.has(lane) && !this.#lanesWithBacklog.has(lane)
    );
  }

  /** Claims what is due in some lanes, as far as slots are free; answers whether anything was claimed. */
  async #pollOnce(asked: ReadonlySet<Lane> = new Set(LANES)): Promise<boolean> {
    const seen: PollResult = { claimed: false, laterMs: this.#pollIntervalMs };
    const order = asked.size > 1 ? this.#slots.order(asked) : LANES;
    const lanes = order.filter((lane) => asked.has(lane) && this.#free(lane) > 0);
    for (const lane of asked) {
      if (lanes.includes(lane)) this.#lanesWithBacklog.delete(lane);
      else this.#lanesWithBacklog.add(lane);
    }
    this.#dueFlags?.lower(lanes);
    const firsts = await this.#dueLanes.firsts(lanes);
    for (const [n, lane] of lanes.entries()) await this.#claimLane(lane, firsts[n]!, seen);
    this.#polledAt = this.#clock.monotonic();
    this.#pollIn(seen.laterMs);
    return seen.claimed;
  }

  /** Claims what is due in a lane; `entries` are its first. A job that ends is followed by another look. */
  async #claimLane(lane: Lane, entries: Entry[], seen: PollResult): Promise<void> {
    const now = this.#context.now();
    const { isLoaded } = this.#traffic;
    const admit = this.#cohorts.admission(lane, isLoaded ? COHORT_BESIDE_MAX : Infinity);
    let goOnAfter = this.#continueAfter.get(lane);
    this.#continueAfter.delete(lane);
    // What this look leaves out is looked at by the next.
    if (goOnAfter !== undefined) seen.laterMs = Math.min(seen.laterMs, CONTINUE_AFTER_MS);
    let passedOver = 0;
    for (let batch: AdmittedEntry[] = [];;) {
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
          await this.#claimAll(batch, seen);
          batch = [];
          // What others have claimed already has left its slots.
          releaseSlot = this.#stopping ? null : admit(due.value);
          if (releaseSlot === null) {
            this.#lanesWithBacklog.add(lane);
            return this.#wakeOthers();
          }
        }
        batch.push({ due, releaseSlot });
      }
      await this.#claimAll(batch, seen);
      batch = [];
      if (entries.length < DUE_BATCH) return;
      const last = entries.at(-1)!;
      if (passedOver >= PASSED_OVER_MAX) {
        this.#continueAfter.set(lane, last);
        seen.laterMs = Math.min(seen.laterMs, CONTINUE_AFTER_MS);
        return;
      }
      entries = await readDue(this.#context.store, lane, goOnAfter ?? last);
      goOnAfter = undefined;
    }
  }

  #free(lane: Lane): number {
    return this.#stopping ? 0 : this.#slots.free(lane);
  }

  /** Claims what was admitted; what cannot be claimed leaves its slot to others. */
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

  #execute(entry: Entry<JobRecord>, releaseSlot: ReleaseSlot): void {
    const { id } = entry.value!;
    const lane = laneOf(entry.value!);
    const execution = this.#executionOf(entry);
    if (this.#stopping) execution.stop();
    const end = execution.run().catch((error) => {
      this.#context.log.error("job left to others", { jobId: id }, error);
    }).finally(() => {
      this.#running.delete(id);
      this.#meter.count(lane);
      if (releaseSlot()) this.poll(this.#lanesAfter(entry.value!));
    });
    this.#running.set(id, { execution, end });
  }

  /**
   * Where the end of a job may let another begin: in its own lanes, and where some wait for its slot. Of what becomes
   * due elsewhere this is notified. What is asked of a named job while it runs, and jobs of a kind that is bounded,
   * may be in any lane.
   */
  #lanesAfter(job: JobRecord): readonly Lane[] {
    const isBounded = this.#claimer.kinds.get(job.type)?.concurrencyMax !== undefined;
    if (job.name !== undefined || isBounded) return LANES;
    return [...new Set([job.class, laneOf(job), ...this.#lanesWithBacklog])];
  }

  #executionOf(entry: Entry<JobRecord>): Execution {
    const { context, runnerId, kinds } = this.#claimer;
    const executor = { context, runnerId, clock: this.#clock, gate: this.#gate };
    return new Execution(executor, kinds.get(entry.value!.type)!, entry);
  }

  async #reportRates(rates: JobRates): Promise<void> {
    if (this.#stopping) return;
    try {
      await putRates(this.#context, this.id, rates);
    } catch (error) {
      this.#context.log.debug("job rates not told", { error: `${error}` });
    }
  }

  /** Looks in `ms` at the latest. */
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
