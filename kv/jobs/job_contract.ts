/**
 * The public contract of a job kind: its payload, its steps with their results, its urgency, and whether it
 * may be canceled. The kinds themselves, in `jobs/`, satisfy these contracts.
 *
 * @module
 */
import type { z } from "zod";

/**
 * Classes of jobs, the best first. `interactive`: a person waits for it. `scheduled`: it has its time.
 * `bulk`: any number at once. `idle`: upkeep, when nothing else is to be done. `outbound`: waits for a
 * receiver outside, who may take its time; it takes no slot from the others.
 */
const JOB_CLASSES = ["interactive", "scheduled", "bulk", "idle", "outbound"] as const;

/** How urgent a job is. */
export type JobClass = typeof JOB_CLASSES[number];

/** The steps of a kind in their order, with what each answers; `null` where that is nothing. */
export interface StepResults {
  readonly [step: string]: z.ZodType | null;
}

/** A kind of job as its callers know it. */
export interface JobContract<P extends z.ZodType = z.ZodType, S extends StepResults = StepResults> {
  readonly payload: P;
  /** Unless its caller raises it. */
  readonly class: JobClass;
  /**
   * Whether it may be canceled. Not if it carries out something acknowledged: a page to be published
   * or taken down, typed text that is put into its document, an import or a conversion that is half done.
   * A restore of the site is undone by another, which must not begin while a step of the first still writes.
   */
  readonly cancellable: boolean;
  readonly steps: S;
  /** Runs of a named job that can be looked at, the present one included; one when left out. */
  readonly runsKept?: number;
}

/** Declares a contract. */
export function contract<P extends z.ZodType, const S extends StepResults>(
  facts: {
    class: JobClass;
    payload: P;
    cancellable?: true;
    steps: S;
    runsKept?: number;
  },
): JobContract<P, S> {
  return { ...facts, cancellable: facts.cancellable === true };
}
