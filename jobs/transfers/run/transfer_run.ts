/**
 * One run of a transfer: its record, plan and facts, read by each step, and the walk through the parts of its rows.
 *
 * @module
 */
import { AddressRoom } from "../../../kv/redirects/address_room.ts";
import type { Context } from "../../../kv/context.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import type { Actor } from "../../../kv/model/entities/entity.ts";
import {
  type Plan,
  type PlanCollection,
  referredSlugs,
  targetSlug,
} from "../../../kv/model/transfers/plan.ts";
import { type TransferAction, writesRows } from "../../../kv/model/transfers/transfer_state.ts";
import type { TransferWriter } from "../../../kv/transfers/write_document.ts";
import {
  changeTransfer,
  getTransfer,
  NO_ROWS,
  readPlan,
  readProgress,
  stageProgress,
  type TransferCounts,
  type TransferRecord,
} from "../../../kv/transfers/transfers.ts";
import type { CursorOf } from "../../runner/job_cursors.ts";
import {
  again,
  finish,
  next,
  nextUncommitted,
  type OutcomeOf,
  waitUntil,
  type Work,
} from "../../runner/job_kind.ts";
import { initialNulls } from "../formats/csv.ts";
import { type Converters, loadConverters } from "../mapping/converters.ts";
import type { RowScope } from "../mapping/map_row.ts";
import { type BlockMappings, blockMappings } from "../mapping/source_blocks.ts";
import type { StoredSource } from "../reading/row_store.ts";
import { FileIndex } from "../reading/file_index.ts";
import { BadSource, type SourceFile } from "../reading/source_file.ts";
import { authorPaths, findAuthors, type SourceAuthors } from "./source_authors.ts";
import type { TransferDeps } from "./transfer_deps.ts";
import { addCounts } from "./report.ts";
import { readFacts, type TransferFacts } from "./transfer_facts.ts";

export { writesRows };

/** A paused run looks this often whether it may continue, milliseconds. */
const PAUSE_MS = 2_000;

/** Parts of one step, and how long a step may begin others, milliseconds: a step has a cost of its own. */
const PARTS_PER_STEP = 8;
const STEP_MS = 1_500;

/** The phases that go through the rows. */
export type RowPhase = "media" | "documents" | "references" | "publish" | "redirects";
export type TransferWork<S extends RowPhase = RowPhase> = Work<"TRANSFER", S>;
type Cursor = CursorOf<"TRANSFER", "documents">;

/** A run. */
export interface TransferRun {
  deps: TransferDeps;
  context: Context;
  record: TransferRecord;
  plan: Plan;
  facts: TransferFacts;
  /** The files of the upload. */
  files: FileIndex<SourceFile>;
  schema: Schema;
  converters: Converters;
  authors: SourceAuthors;
  blocks: BlockMappings;
  actor: Actor;
  writer: TransferWriter;
  isDry: boolean;
  /** Only rows that failed in the run before. */
  onlyFailed: boolean;
  addressRoom: AddressRoom;
  signal: AbortSignal;
}

/** Kinds of rows of a plan, with what was stored of them. */
export interface PlannedRows {
  collection: PlanCollection;
  stored: StoredSource;
}

/** Whether an action goes through the rows. */
export function isRun(action: TransferAction): boolean {
  return action === "dryRun" || writesRows(action);
}

/** The record, plan and facts of a step. */
export async function openRun(
  deps: TransferDeps,
  { payload, jobId, signal, context }: Work<"TRANSFER">,
): Promise<TransferRun> {
  const record = await getTransfer(context, payload.transferId);
  const plan = await readPlan(context, record);
  if (plan === null) throw new BadSource("The transfer has no plan");
  return await runOf(deps, record, plan, {
    context,
    writer: { transferId: record.id, jobId, summary: `transfer ${record.name}` },
    isDry: payload.action === "dryRun",
    onlyFailed: payload.action === "retry",
    signal,
  });
}

/** A run of a plan. */
export async function runOf(
  deps: TransferDeps,
  record: TransferRecord,
  plan: Plan,
  how: Pick<TransferRun, "context" | "writer" | "isDry" | "onlyFailed" | "signal">,
): Promise<TransferRun> {
  const facts = await readFacts(how.context, record);
  const { blocks = [] } = facts.facts;
  const schema = await deps.content.schema.current();
  return {
    deps,
    record,
    plan,
    facts,
    addressRoom: new AddressRoom(how.context),
    files: new FileIndex(facts.files),
    schema,
    converters: await loadConverters(plan, blocks),
    authors: await findAuthors(how.context, plan),
    blocks: blockMappings(plan, blocks, schema),
    actor: { userId: record.createdBy },
    ...how,
  };
}

/** The rows of a plan in an order in which most references lead to documents that were written before. */
export function plannedRows({ plan, facts }: Pick<TransferRun, "plan" | "facts">): PlannedRows[] {
  const rows = plan.collections.filter(({ mode }) => mode !== "skip").flatMap((collection) => {
    const stored = facts.sources.find(({ source }) => source === collection.source);
    return stored === undefined ? [] : [{ collection, stored }];
  });
  const slugs = rows.map(({ collection }) => targetSlug(collection));
  const placed: PlannedRows[] = [];
  const waiting = new Set(rows);
  while (waiting.size > 0) {
    const isFree = ({ collection }: PlannedRows) =>
      collection.fields.flatMap(referredSlugs).every((slug) =>
        slug === targetSlug(collection) || !slugs.includes(slug) ||
        ![...waiting].some((other) => targetSlug(other.collection) === slug)
      );
    const next = [...waiting].find(isFree) ?? [...waiting][0];
    if (next === undefined) break;
    waiting.delete(next);
    placed.push(next);
  }
  return placed;
}

/** What the rows of a kind are mapped with. */
export function rowScope(
  { plan, converters, schema, authors, blocks, facts: { kind, facts } }: TransferRun,
  collection: PlanCollection,
): RowScope {
  const { groups = {}, keepsLanguages = false } = facts;
  return {
    plan,
    collection,
    converters,
    slugs: schema.slugs ?? "ascii",
    nulls: new Set(collection.nulls ?? plan.nulls ?? initialNulls(kind)),
    authorPaths: authors.users.size === 0 ? [] : authorPaths(collection, plan),
    blocks,
    groups,
    keepsLanguages,
    original: schema.languages?.original ?? null,
  };
}

/** A part of the rows of a kind. */
export interface PlannedPart {
  planned: PlannedRows;
  part: number;
}

/** Works on parts of the rows, which a step gives as long as it has time; answers what is added to the report. */
export type PartsWork = (run: TransferRun, parts: Iterable<PlannedPart>) => Promise<TransferCounts>;

/** Work on one part after another. */
export function eachPart(
  work: (run: TransferRun, planned: PlannedRows, part: number) => Promise<TransferCounts | null>,
): PartsWork {
  return async (run, parts) => {
    let sum = { ...NO_ROWS };
    for (const { planned, part } of parts) {
      sum = addCounts(sum, await work(run, planned, part) ?? NO_ROWS);
    }
    return sum;
  };
}

/** Runs a phase on the next parts of the rows; a paused run waits, a cancelled one ends. */
export async function nextParts<S extends RowPhase>(
  deps: TransferDeps,
  work: TransferWork<S>,
  phase: S,
  workOn: PartsWork,
): Promise<OutcomeOf<"TRANSFER", S>> {
  type Out = OutcomeOf<"TRANSFER", S>;
  if (!isRun(work.payload.action)) return nextUncommitted() as Out;
  const { context, jobId } = work;
  const run = await openRun(deps, work);
  const { state, id } = run.record;
  if (state === "cancelled") return finish({ ...NO_ROWS }) as Out;
  let cursor: Cursor = work.cursor as Cursor | null ?? { collection: 0, part: 0, done: 0 };
  if (state === "paused") return waitUntil(context.now() + PAUSE_MS, cursor) as Out;
  const planned = plannedRows(run);
  const total = planned.reduce((sum, { stored }) => sum + stored.rows, 0);
  const before = await readProgress(context, id);
  const report = before?.jobId === jobId ? before.report : { ...NO_ROWS };
  function* parts(): Generator<PlannedPart> {
    const startedAt = performance.now();
    for (let given = 0; given < PARTS_PER_STEP; given++) {
      const rows = planned[cursor.collection];
      // Others have their turn between steps, and a pause takes effect.
      if (rows === undefined || performance.now() - startedAt > STEP_MS) return;
      const { part } = cursor;
      cursor = cursorAfter(planned, cursor, total);
      yield { planned: rows, part };
    }
  }
  const counted = await workOn(run, parts());
  const { done } = cursor;
  stageProgress(work.operation, id, {
    jobId,
    phase,
    done,
    total,
    report: addCounts(report, counted),
  });
  if (cursor.collection >= planned.length) return next() as Out;
  return again(cursor, { done, total }) as Out;
}

/** The part after one. */
function cursorAfter(planned: readonly PlannedRows[], cursor: Cursor, total: number): Cursor {
  const { stored } = planned[cursor.collection] ?? {};
  if (stored === undefined) return cursor;
  if (cursor.part + 1 < stored.parts) {
    const done = Math.min(total, cursor.done + Math.ceil(stored.rows / stored.parts));
    return { ...cursor, part: cursor.part + 1, done };
  }
  const done = planned.slice(0, cursor.collection + 1)
    .reduce((sum, { stored }) => sum + stored.rows, 0);
  return { collection: cursor.collection + 1, part: 0, done };
}

/** Ends a run: its transfer is done, unless it was cancelled in between. */
export async function endRun(run: TransferRun): Promise<void> {
  await changeTransfer(run.context, run.record.id, (record) => {
    if (record.state !== "running" && record.state !== "paused") return null;
    return { ...record, state: run.isDry ? dryStateOf(record) : "done" };
  });
}

/** A dry run leaves a transfer as it was: planned, or done if it has run before. */
function dryStateOf({ runs }: TransferRecord): "planned" | "done" {
  return runs.some(({ action }) => writesRows(action)) ? "done" : "planned";
}
