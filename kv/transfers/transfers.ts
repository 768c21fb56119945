/**
 * Transfers as the store keeps them: what was uploaded, the plan, the state, and the runs. Their files are objects.
 *
 * @module
 */
import { type Context, seconds } from "../context.ts";
import type { Json } from "../model/entities/entity.ts";
import type { Plan, TransferKind } from "../model/transfers/plan.ts";
import type { TransferAction, TransferState } from "../model/transfers/transfer_state.ts";
import { transferPlanPath } from "../objects/paths.ts";
import { Refusal } from "../refusals.ts";
import { type Entry, Operation } from "../store/operation.ts";
import { transferKey, transferPrefix, transferProgressKey } from "./transfer_keys.ts";

/** A job of a transfer. */
export interface TransferRun {
  jobId: string;
  action: TransferAction;
}

/** A file of an upload. */
export interface TransferFile {
  name: string;
  bytes: number;
  /** The object that holds it. */
  object: string;
}

/** A transfer. */
export interface TransferRecord {
  id: string;
  name: string;
  /** Null until the analysis has found out. */
  kind: TransferKind | null;
  state: TransferState;
  files: TransferFile[];
  /** The address that the only file is fetched from. */
  url?: string;
  /** Set if the address is that of an API. */
  isLive?: true;
  /** The sealed token of the API, or key of an encrypted archive. */
  token?: string;
  /** The analysis whose rows count. */
  generation: string;
  /** Rows by source. */
  counts: Record<string, number>;
  /** The object that holds the plan. */
  plan: string | null;
  /** Jobs, oldest first. */
  runs: TransferRun[];
  /** Why it has failed. */
  error?: string;
  createdBy: string;
  createdAt: number;
}

/** How many rows ended how. */
export interface TransferCounts {
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  failed: number;
  warnings: number;
}

/** No rows. */
export const NO_ROWS: Readonly<TransferCounts> = {
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  warnings: 0,
};

/** How far a job of a transfer has come. */
export interface TransferProgress {
  jobId: string;
  phase: string;
  done: number;
  total: number;
  report: TransferCounts;
}

/** Adds a transfer to a commit. */
export function stageTransfer(operation: Operation, record: TransferRecord): void {
  operation.check({ key: transferKey(record.id), versionstamp: null })
    .set(transferKey(record.id), record);
}

/** A transfer; refuses with NOT_FOUND. */
export async function getTransfer({ store }: Context, id: string): Promise<TransferRecord> {
  const { value } = await store.get<TransferRecord>(transferKey(id));
  if (value === null) throw new Refusal("NOT_FOUND");
  return value;
}

/** All transfers, newest first. */
export async function listTransfers({ store }: Context): Promise<TransferRecord[]> {
  const entries = await store.listAll<TransferRecord>({ prefix: transferPrefix });
  return entries.map(({ value }) => value).reverse();
}

/** The progress of a transfer; null before its first. */
export async function readProgress(
  { store }: Context,
  id: string,
): Promise<TransferProgress | null> {
  return (await store.get<TransferProgress>(transferProgressKey(id))).value;
}

/** Adds progress to the commit of a step. */
export function stageProgress(operation: Operation, id: string, progress: TransferProgress): void {
  operation.set(transferProgressKey(id), progress);
}

/**
 * Changes a transfer: `change` answers the next record, or null to leave it as it is, and may add to the commit. It runs
 * again if the record has changed in between.
 */
export async function changeTransfer(
  { store }: Context,
  id: string,
  change: (record: TransferRecord, operation: Operation) => TransferRecord | null,
): Promise<TransferRecord> {
  for (;;) {
    const entry: Entry<TransferRecord> = await store.get<TransferRecord>(transferKey(id));
    if (entry.value === null) throw new Refusal("NOT_FOUND");
    const operation = new Operation().check(entry);
    const next = change(entry.value, operation);
    if (next === null) return entry.value;
    operation.set(entry.key, next);
    if ((await store.commit(operation)).ok) return next;
  }
}

/** The plan of a transfer; null before its analysis has ended. */
export async function readPlan(
  { objects }: Context,
  { plan }: Pick<TransferRecord, "plan">,
): Promise<Plan | null> {
  const bytes = plan === null ? null : await objects.get(plan);
  return bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes)) as Plan;
}

/** Stores a plan; answers the object that holds it. */
export async function writePlan(context: Context, id: string, plan: Plan): Promise<string> {
  const object = transferPlanPath(id, context.newId(context.now()));
  await context.objects.put(object, new TextEncoder().encode(JSON.stringify(plan)));
  return object;
}

/** A transfer as the admin API shows it. */
export async function transferView(
  context: Context,
  record: TransferRecord,
): Promise<Record<string, Json>> {
  const [plan, progress] = await Promise.all([
    readPlan(context, record),
    readProgress(context, record.id),
  ]);
  const { id, name, kind, state, counts, error, createdBy, createdAt, runs, files } = record;
  const { phase, done, total } = progress ?? { phase: "analyse", done: 0, total: 0 };
  return {
    id,
    name,
    kind,
    state,
    counts,
    plan: plan as Json,
    progress: { phase, done, total },
    report: { ...progress?.report ?? NO_ROWS },
    ...(error !== undefined && { error }),
    files: files.map(({ name, bytes }) => ({ name, bytes })),
    runs: runs.map((run) => ({ ...run })),
    createdBy,
    createdAt,
  };
}

/** Who adds transfers, and when. */
export function newTransfer(
  context: Context,
  { name, userId, kind }: { name: string; userId: string; kind: TransferKind | null },
): TransferRecord {
  const id = context.newId(context.now());
  return {
    id,
    name,
    kind,
    state: "analysing",
    files: [],
    generation: context.newId(context.now()),
    counts: {},
    plan: null,
    runs: [],
    createdBy: userId,
    createdAt: seconds(context),
  };
}
