/**
 * The plan of an import: consecutive stages, each of independent lanes that run concurrently on a remote
 * store. A lane is a sequence of units, each in portions: after a crash the import continues with the
 * interrupted portions.
 *
 * @module
 */
import { IndexWriter } from "../../kv/backup/index_writer.ts";
import { keepImporter, noteSessions, rebindSessions } from "../../kv/backup/keep_people.ts";
import { type HeldLock, replayChunk } from "../../kv/backup/replay.ts";
import { emptyTimeline, rebuildLog } from "../../kv/backup/rebuild_log.ts";
import { sweepReplaced, SWEPT_AFTERWARDS } from "../../kv/backup/sweep_replaced.ts";
import { zip } from "../../kv/model/primitives/zip.ts";
import type { Context } from "../../kv/context.ts";
import { currentPrefix, type Key, stateChunkTypePrefix } from "../../kv/keys.ts";
import { settleMarks } from "../../kv/backup/transfer_marks.ts";
import { isVersionTable, type TableName, TABLES } from "../../kv/model/entities/backup.ts";
import { transferredPrefix } from "../../kv/transfers/transfer_keys.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { SchemaSource } from "../../kv/sources/schema_source.ts";
import type { CursorOf } from "../runner/job_cursors.ts";
import { remotePace } from "../runner/remote_pace.ts";
import { forEachConcurrent } from "../../kv/store/concurrency.ts";
import { ENTITY_TYPES, type EntityType } from "../../kv/model/entities/entity_kinds.ts";

/** The position of an import: its stage, and the progress of each lane. */
export type PlanPosition = CursorOf<"IMPORT", "replay">;

/** The backup to import. */
export interface ImportScope {
  importId: string;
  userId: string;
  /** Chunks of each table. */
  chunks: Record<string, number>;
}

/** Does a portion from `at` on, or several; returns where to continue, null when the unit is done. */
type Unit = (work: UnitWork, at: Json) => Promise<Json>;

interface UnitWork {
  context: Context;
  lock: HeldLock;
  imported: ImportScope;
  /** The schema as it was imported. */
  schema: SchemaSource;
  /** Whether another portion is worth its time: on an embedded store each has a mark of progress of its own. */
  mayContinue: () => boolean;
}

type Lane = readonly Unit[];

/** Tables of people: what is kept of the present ones is decided before they are swept. */
const PEOPLE: readonly TableName[] = ["permission", "role", "user", "user_role"];
/** Tables that say how documents are read: nothing of the present ones is left when those are replayed. */
const SCHEMA: readonly EntityType[] = ["collection", "field_definition", "block_definition"];

const STAGES: readonly (readonly Lane[])[] = [
  [
    [once(({ context, lock }) => noteSessions(context, lock))],
    ...TABLES.filter((table) => !PEOPLE.includes(table) && table !== "document").map(replayLane),
  ],
  [
    ...PEOPLE.map(replayLane),
    ...SCHEMA.map((type) => [sweepUnit(currentPrefix(type))]),
  ],
  [
    [
      once(({ context, lock, imported }) => keepImporter(context, lock, imported.userId)),
      once(({ context, lock }) => rebindSessions(context, lock)),
    ],
    replayLane("document"),
    ...ENTITY_TYPES.map((
      type,
    ) => [once(({ context, lock }) => emptyTimeline(context, lock, type))]),
  ],
  [
    ...TABLES.filter(isVersionTable).flatMap(sweepLanes),
    ...SWEPT_AFTERWARDS.map((prefix) => [sweepUnit(prefix)]),
    [sweepMarks],
  ],
];

/** Units of an embedded store that are done without a commit between: most have nothing to do. */
const UNITS_AT_ONCE = 8;

/** Chunks of a table that are replayed side by side on a remote store. */
const REMOTE_CHUNKS = 8;
/** Chunks after which the index is asked to compact what they have added: 300 rows each. */
const CHUNKS_PER_COMPACTION = 16;

/** How many units an import has. */
export function countUnits(): number {
  return unitsOf(STAGES);
}

/** How many of them are done. */
export function countDone({ stage, lanes }: PlanPosition): number {
  return unitsOf(STAGES.slice(0, stage)) + lanes.reduce((sum, { unit }) => sum + unit, 0);
}

function lanesOf(stage: number): readonly Lane[] {
  return STAGES[stage] ?? [];
}

function unitsOf(stages: readonly (readonly Lane[])[]): number {
  return stages.flat(2).length;
}

/** The first position of an import. */
export function beginning(): PlanPosition {
  return startOf(0);
}

function startOf(stage: number): PlanPosition {
  return { stage, lanes: lanesOf(stage).map(() => ({ unit: 0, at: null })) };
}

/** Does the next portions; answers the place after them, null when nothing is left to do. */
export async function carryOut(
  context: Context,
  lock: HeldLock,
  imported: ImportScope,
  { place: position, signal }: { place: PlanPosition; signal: AbortSignal },
): Promise<PlanPosition | null> {
  const budget = new Budget(context);
  const mayContinue = () => context.store.isRemote && budget.isLeft && !signal.aborted;
  const work = { context, lock, imported, schema: new SchemaSource(context), mayContinue };
  let { stage, lanes } = structuredClone(position);
  while (budget.isLeft) {
    await forEachConcurrent(
      zip(lanesOf(stage), lanes),
      context.store.isRemote ? lanes.length : 1,
      async ([units, there]) => {
        for (let unit = units[there.unit]; unit !== undefined; unit = units[there.unit]) {
          if (!budget.isLeft) return;
          signal.throwIfAborted();
          there.at = await unit(work, there.at);
          if (there.at === null) there.unit += 1;
          budget.take(there.at === null);
        }
      },
    );
    if (zip(lanesOf(stage), lanes).some(([units, { unit }]) => unit < units.length)) break;
    if (stage === STAGES.length - 1) return null;
    ({ stage, lanes } = startOf(stage + 1));
  }
  return { stage, lanes };
}

/** How much is done between two marks of progress. */
class Budget {
  readonly #isRemote: boolean;
  readonly #mayContinue: () => boolean;
  #units = UNITS_AT_ONCE;

  constructor(context: Context) {
    this.#isRemote = context.store.isRemote;
    this.#mayContinue = remotePace(context);
  }

  get isLeft(): boolean {
    return this.#isRemote ? this.#mayContinue() : this.#units > 0;
  }

  /** Counts a unit that is done, or a portion. */
  take(isDone: boolean): void {
    this.#units = isDone ? this.#units - 1 : 0;
  }
}

function once(run: (work: UnitWork) => Promise<unknown>): Unit {
  return async (work) => {
    await run(work);
    return null;
  };
}

function replayLane(table: TableName): Lane {
  return [async ({ context, lock, imported: { importId, chunks }, schema, mayContinue }, at) => {
    const first = (at as number | null) ?? 0;
    const count = chunks[table] ?? 0;
    const { isRemote } = context.store;
    // At first there is nothing to compact.
    const compacts = first > 0 && (isRemote || first % CHUNKS_PER_COMPACTION === 0);
    const replayed = { importId, table, schema, index: new IndexWriter(context, { compacts }) };
    let next = first;
    const some = function* () {
      while (next < count && (next === first || mayContinue())) yield next++;
    };
    await forEachConcurrent(some(), isRemote ? REMOTE_CHUNKS : 1, (chunk) => {
      return replayChunk(context, lock, { ...replayed, chunk });
    });
    return next < count ? next : null;
  }];
}

/** Current rows need their pieces to be read when they go. */
function sweepLanes(type: EntityType): Lane[] {
  return [
    [sweepUnit(currentPrefix(type)), sweepUnit(stateChunkTypePrefix(type))],
    [async ({ context, lock, mayContinue }, at) =>
      await rebuildLog(context, lock, { type, after: at as Key | null, mayContinue }) as Json],
  ];
}

/** Marks of transfers: a backup of an earlier release has none. */
async function sweepMarks(work: UnitWork, at: Json): Promise<Json> {
  const { context, lock, imported: { chunks }, mayContinue } = work;
  const after = at as Key | null;
  if (chunks.transferred !== undefined) return await sweepUnit(transferredPrefix)(work, at);
  return await settleMarks(context, lock, { after, mayContinue }) as Json;
}

function sweepUnit(prefix: Key): Unit {
  return async ({ context, lock, mayContinue }, at) =>
    await sweepReplaced(context, lock, { prefix, after: at as Key | null, mayContinue }) as Json;
}
