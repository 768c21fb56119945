/**
 * What a due entry tells of its job, so that a look admits it without reading its record.
 *
 * @module
 */
import type { JobRecord } from "./job.ts";
import type { JobContract } from "./job_contract.ts";
import { JOBS } from "./job_contracts.ts";

/** The type of a job, and the receiver that it calls where its contract names one. */
export interface DueFacts {
  type: string;
  receiver: string | null;
}

/** The value of a job's due entry: its type, and after a space its receiver. */
export function dueValue({ type, payload }: Pick<JobRecord, "type" | "payload">): string {
  const { receiver }: JobContract = JOBS[type];
  if (receiver === undefined) return type;
  return `${type} ${(payload as Record<string, unknown>)[receiver]}`;
}

/** The parts of a due entry's value; entries from before receivers have a type only. */
export function readDueValue(value: unknown): DueFacts {
  const [type, receiver] = String(value).split(" ");
  return { type: type!, receiver: receiver ?? null };
}
