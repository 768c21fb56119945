/**
 * The execution of one job under a lease. Its steps run one after another, each committed with the progress
 * that it makes, until the job is done, waits, has failed, is handed back, or another runner has taken it
 * over.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { jobBeatKey, jobKey } from "../../kv/jobs/job_keys.ts";
import type { JobPayload, JobType } from "../../kv/jobs/job_contracts.ts";
import type { JobRecord } from "../../kv/jobs/job.ts";
import { exists, Operation, StaleRead, type StoredEntry } from "../../kv/store/operation.ts";
import { STALE_RUNS_MAX } from "../limits.ts";
import { traced } from "../../kv/tracing.ts";
import { Heartbeat } from "./heartbeat.ts";
import { JobFailure, type JobKind, type Outcome, type Work } from "./job_kind.ts";
import { commitFenced, isSuccessor } from "./fenced_commit.ts";
import type { StepBatch, StepGate } from "./step_gate.ts";
import type { RunnerClock } from "./runner_clock.ts";
import {
  advanced,
  currentStep,
  failed,
  type LeaseHolder,
  putRecord,
  released,
} from "./transition.ts";

const STALE_DELAY_MS = 5;

/** The dependencies of an execution. */
export interface Executor {
  context: Context;
  runnerId: string;
  clock: RunnerClock;
  gate: StepGate;
}

/** Executes one job. */
export class Execution {
  readonly #executor: Executor;
  readonly #kind: JobKind;
  #entry: StoredEntry<JobRecord>;
  #abort = new AbortController();
  #stopping = false;
  /** Set when the lease is lost: nothing may be committed any more. */
  #over = false;
  #committing = false;
  /** The effect of finished steps that is not yet committed, and the stored record before them. */
  #merged: { operation: Operation; before: StoredEntry<JobRecord> } | null = null;
  #staleRuns = 0;
  #parsed: { of: unknown; payload: unknown } | null = null;
  #heartbeat: Heartbeat | null = null;

  /** `entry` is the record as the claim left it. */
  constructor(executor: Executor, kind: JobKind, entry: StoredEntry<JobRecord>) {
    this.#executor = executor;
    this.#kind = kind;
    this.#entry = entry;
  }

  get #record(): JobRecord {
    return this.#entry.value;
  }

  /** Runs until the lease ends; throws only if the store does not respond. */
  async run(): Promise<void> {
    const { clock } = this.#executor;
    this.#heartbeat = new Heartbeat(clock, () => this.#beat(), () => this.#lose());
    try {
      while (this.#holds) {
        if (this.#stopping) return await this.handBack();
        if (this.#abort.signal.aborted) return;
        await this.#attempt();
      }
    } finally {
      this.#over = true;
      this.#heartbeat.end();
    }
  }

  /** Aborts the current step; the job is handed back when it ends. */
  stop(): void {
    this.#stopping = true;
    this.#abort.abort(new DOMException("The process is shutting down", "AbortError"));
  }

  /** Hands the lease back at once; nothing that the step still does takes effect. */
  async handBack(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    this.#discardMerged();
    const after = released(this.#record, this.#leaseHolder);
    const operation = new Operation().check(this.#entry);
    putRecord(operation, this.#record, after);
    await commitFenced(this.#executor.context, operation, this.#entry, after);
  }

  get #holds(): boolean {
    return !this.#over && this.#record.state === "running" &&
      this.#record.holder === this.#executor.runnerId;
  }

  get #leaseHolder(): LeaseHolder {
    return { runnerId: this.#executor.runnerId, now: this.#executor.context.now() };
  }

  /** Runs the current step, again a few times if concurrent writes change what it reads. */
  async #attempt(): Promise<void> {
    const { store } = this.#executor.context;
    try {
      while (this.#staleRuns < STALE_RUNS_MAX) {
        if (this.#abort.signal.aborted || await this.#runStep()) return;
        this.#discardMerged();
        this.#staleRuns += 1;
        await store.sleep(store.random() * STALE_DELAY_MS * this.#staleRuns);
      }
      this.#staleRuns = 0;
      throw new Error("What the step reads is changed too often");
    } catch (error) {
      if (this.#over) return;
      if (this.#stopping) return await this.handBack();
      await this.#fail(error);
    }
  }

  /** Runs the current step and commits its outcome; false if it must run again on fresh reads. */
  async #runStep(): Promise<boolean> {
    const name = currentStep(this.#record, this.#kind);
    const step = this.#kind.steps[name];
    if (step === undefined) {
      throw new JobFailure(`${this.#kind.type} has no step "${name}" any more`);
    }
    const operation = this.#merged?.operation ?? new Operation();
    const leave = await this.#executor.gate.enter(this.#record.class, this.#stepBatch(name));
    try {
      const outcome = await this.#traced(name, () => step(this.#work(name, operation)));
      if (this.#over) return true;
      if (outcome.kind === "sealed") return await this.#adopt(outcome);
      if (this.#advanceUncommitted(outcome, operation)) return true;
      return await this.#commit(operation, outcome);
    } catch (error) {
      if (error instanceof StaleRead) return false;
      throw error;
    } finally {
      leave();
    }
  }

  /** The batch in which this step runs with other jobs; null if it runs alone. */
  #stepBatch(step: string): StepBatch | null {
    const { type, batchSize = 1 } = this.#kind;
    if (batchSize === 1) return null;
    const waitedMs = this.#executor.context.now() - this.#record.dueAt;
    return { name: `${type} ${step}`, waitedMs };
  }

  /** Traces a step, with a link to the span that requested the job. */
  #traced<T>(step: string, work: () => T | Promise<T>): Promise<T> {
    const { id, type, attempts, trace } = this.#record;
    const attributes = { "job.id": id, "job.type": type, "job.attempt": attempts + 1 };
    return traced(`job ${type} ${step}`, { attributes, root: true, askedBy: trace }, work);
  }

  /**
   * Continues without a commit after a step that merges into the next or has changed nothing, unless it is the
   * last.
   */
  #advanceUncommitted(outcome: Outcome, operation: Operation): boolean {
    if (outcome.kind !== "next" || !outcome.uncommitted) return false;
    if (operation.mutations > 0 && !outcome.merged) return false;
    // The stored record must stay in the lane of its due entry, and a success after a failure changes the
    // lane.
    if (this.#record.attempts > 0) return false;
    const after = advanced(this.#record, this.#kind, outcome, this.#leaseHolder);
    if (after.state !== "running" || this.#stopping) return false;
    // The stored record is still the one before; the next commit replaces it.
    if (outcome.merged) this.#merged ??= { operation, before: this.#entry };
    this.#entry = { ...this.#entry, value: { ...after, fence: this.#record.fence } };
    return true;
  }

  /** Returns to the stored record: nothing of the merged steps has taken effect. */
  #discardMerged(): void {
    if (this.#merged !== null) this.#entry = this.#merged.before;
    this.#merged = null;
  }

  #work(name: string, operation: Operation): Work<JobType> {
    const { results, cursor, attempts, id, fence, class: urgency } = this.#record;
    return {
      context: this.#executor.context,
      jobId: id,
      payload: this.#payload(),
      cursor,
      results,
      attempt: attempts + 1,
      urgent: urgency === "interactive",
      // A named job's record restarts with every run, so its id alone does not identify the run.
      key: `${id}-${this.#record.createdAt}-${name}`,
      operation,
      signal: this.#abort.signal,
      commitWith: (sealed, outcome) => {
        if (fence.n !== this.#record.fence.n || this.#over) throw new StaleRead(jobKey(id));
        this.#committing = true;
        this.#add(sealed, outcome);
        return { kind: "sealed", outcome };
      },
    };
  }

  /** Parsed once for all steps; an unreadable payload fails the step. */
  #payload(): JobPayload<JobType> {
    const { payload } = this.#record;
    if (this.#parsed?.of !== payload) {
      this.#parsed = { of: payload, payload: this.#kind.payload.parse(payload) };
    }
    return this.#parsed.payload as JobPayload<JobType>;
  }

  /** Adds the fence and the next record to a commit. */
  #add(operation: Operation, outcome: Outcome): JobRecord {
    const next = advanced(this.#record, this.#kind, outcome, this.#leaseHolder);
    const stays = this.#stopping && next.state === "running";
    const after: JobRecord = stays ? { ...next, state: "queued", holder: null } : next;
    operation.check(this.#entry);
    putRecord(operation, this.#record, after);
    return after;
  }

  async #commit(operation: Operation, outcome: Outcome): Promise<boolean> {
    this.#committing = true;
    try {
      const after = this.#add(operation, outcome);
      const commit = await commitFenced(this.#executor.context, operation, this.#entry, after);
      if (commit.kind === "committed") this.#advance(commit.entry);
      if (commit.kind === "lost") this.#over = true;
      return commit.kind !== "stale";
    } finally {
      this.#committing = false;
    }
  }

  /** Reads the record that the step's own commit has written. */
  async #adopt(outcome: Outcome): Promise<boolean> {
    try {
      const expected = advanced(this.#record, this.#kind, outcome, this.#leaseHolder);
      const found = await this.#executor.context.store.get<JobRecord>(this.#entry.key);
      if (exists(found) && isSuccessor(found.value, expected)) {
        this.#advance(found);
        return true;
      }
      if (found.versionstamp === this.#entry.versionstamp) {
        throw new Error("The step sealed a commit that did not take place");
      }
      this.#over = true;
      return true;
    } finally {
      this.#committing = false;
    }
  }

  async #fail(error: unknown): Promise<void> {
    const { context, clock } = this.#executor;
    const step = currentStep(this.#record, this.#kind);
    this.#discardMerged();
    const message = `${step}: ${error instanceof Error ? error.message : error}`;
    const final = error instanceof JobFailure;
    const after = failed(this.#record, message, this.#leaseHolder, { random: clock.random, final });
    const facts = { jobId: after.id, type: after.type, step, attempts: after.attempts };
    if (after.state === "failed") context.log.error("job failed", facts, error);
    else context.log.warn("job step failed", { ...facts, error: after.error, dueAt: after.dueAt });
    this.#committing = true;
    const operation = new Operation().check(this.#entry);
    putRecord(operation, this.#record, after);
    const commit = await commitFenced(context, operation, this.#entry, after);
    this.#committing = false;
    if (commit.kind === "committed") this.#advance(commit.entry);
    else this.#over = true;
  }

  /** Renews the lease without changing the record, so the fence of the step stays valid. */
  async #beat(): Promise<boolean> {
    if (this.#committing) return false;
    const { context } = this.#executor;
    const entry = this.#entry;
    const operation = new Operation().check(entry)
      .set(jobBeatKey(this.#record.id), this.#executor.clock.monotonic());
    try {
      const { ok } = await context.store.commit(operation);
      if (!ok && entry === this.#entry && !this.#committing) this.#lose();
      return ok;
    } catch (error) {
      context.log.warn("job beat failed", { jobId: this.#record.id, error: `${error}` });
      return false;
    }
  }

  #lose(): void {
    // A running commit decides which process holds the job.
    if (!this.#committing) this.#over = true;
    this.#abort.abort(new DOMException("The lease was lost", "AbortError"));
  }

  #advance(entry: StoredEntry<JobRecord>): void {
    this.#entry = entry;
    this.#merged = null;
    this.#staleRuns = 0;
    this.#heartbeat?.heard();
    if (this.#abort.signal.aborted && !this.#stopping) this.#abort = new AbortController();
  }
}
