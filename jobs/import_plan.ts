/**
 * What an import does to the site, unit after unit, each in portions: a crash in the middle goes on at the
 * portion that was cut off.
 *
 * @module
 */
import { keepImporter, noteSessions, rebindSessions } from "../kv/backup/keep_people.ts";
import { type HeldLock, replayChunk } from "../kv/backup/replay.ts";
import { emptyTimeline, rebuildLog } from "../kv/backup/rebuild_log.ts";
import { sweepReplaced, SWEPT_AFTERWARDS, sweptPrefixes } from "../kv/backup/sweep_replaced.ts";
import type { Context } from "../kv/context.ts";
import type { Key } from "../kv/keys.ts";
import { isVersionTable, type TableName, TABLES } from "../kv/model/backup.ts";
import type { Json } from "../kv/model/entity.ts";
import { sideBySide } from "../kv/store/side_by_side.ts";
import { ENTITY_TYPES, type EntityType } from "../kv/model/entity_kinds.ts";

/** Where an import stands: in which unit, and how far in it. */
export type Place = { unit: number; at: Json };

/** What is imported. */
export interface Imported {
  importId: string;
  userId: string;
  /** Chunks of each table. */
  chunks: Record<string, number>;
}

/** Does a portion from `at` on; answers where to go on, null when the unit is done. */
type Unit = (work: UnitWork, at: Json) => Promise<Json>;

interface UnitWork {
  context: Context;
  lock: HeldLock;
  imported: Imported;
}

/** Tables of people: what is kept of the present ones is decided before they are swept. */
const PEOPLE: readonly TableName[] = ["permission", "role", "user", "user_role"];

const UNITS: readonly Unit[] = [
  once(({ context, lock }) => noteSessions(context, lock)),
  ...PEOPLE.map(replayUnit),
  once(({ context, lock, imported }) => keepImporter(context, lock, imported.userId)),
  once(({ context, lock }) => rebindSessions(context, lock)),
  ...PEOPLE.flatMap(sweepUnits),
  ...TABLES.filter((table) => !PEOPLE.includes(table)).flatMap((table) => [
    replayUnit(table),
    ...sweepUnits(table),
  ]),
  ...SWEPT_AFTERWARDS.map(sweepUnit),
  ...ENTITY_TYPES.flatMap(timelineUnits),
];

/** Units that are done one after the other without a commit between: most have nothing to do. */
const UNITS_AT_ONCE = 8;

/** Chunks of a table that are replayed side by side on a distant store. */
const DISTANT_CHUNKS = 8;
/** For how long a distant store is not told how far the work is: the marks of progress travel, too. Milliseconds. */
const DISTANT_MS = 1_000;

/** How many units an import has. */
export function countUnits(): number {
  return UNITS.length;
}

/** Does the next portions; answers the place after them, null when nothing is left to do. */
export async function carryOut(
  context: Context,
  lock: HeldLock,
  imported: Imported,
  place: Place,
): Promise<Place | null> {
  const startedAt = context.now();
  let { unit, at } = place;
  while (unit < UNITS.length) {
    at = await UNITS[unit]!({ context, lock, imported }, at);
    if (at === null) unit += 1;
    const isEnough = context.store.isDistant
      ? context.now() - startedAt > DISTANT_MS
      : at !== null || unit === place.unit + UNITS_AT_ONCE;
    if (isEnough && unit < UNITS.length) return { unit, at };
  }
  return null;
}

function once(run: (work: UnitWork) => Promise<unknown>): Unit {
  return async (work) => {
    await run(work);
    return null;
  };
}

function replayUnit(table: TableName): Unit {
  return async ({ context, lock, imported: { importId, chunks } }, at) => {
    const first = (at as number | null) ?? 0;
    const count = chunks[table] ?? 0;
    const end = Math.min(count, first + (context.store.isDistant ? DISTANT_CHUNKS : 1));
    const some = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
    await sideBySide(some, DISTANT_CHUNKS, (chunk) => {
      return replayChunk(context, lock, { importId, table, chunk });
    });
    return end < count ? end : null;
  };
}

function sweepUnits(table: TableName): Unit[] {
  return isVersionTable(table) ? sweptPrefixes(table).map(sweepUnit) : [];
}

function sweepUnit(prefix: Key): Unit {
  return async ({ context, lock }, at) =>
    await sweepReplaced(context, lock, prefix, at as Key | null) as Json;
}

function timelineUnits(type: EntityType): Unit[] {
  return [
    once(({ context, lock }) => emptyTimeline(context, lock, type)),
    async ({ context, lock }, at) =>
      await rebuildLog(context, lock, type, at as Key | null) as Json,
  ];
}
