/**
 * The log of a type: an entry for each version since the last compaction, and the marks of pruning.
 *
 * @module
 */
import { type Key, logKey, logPrefix, prunedMarkKey } from "../../keys.ts";
import type { EntityType } from "../../model/entities/entity_kinds.ts";
import type { Operation, StoredEntry } from "../../store/operation.ts";
import type { Store } from "../../store/store.ts";
import { kindOf, type LogEvent, PRUNED } from "./events.ts";

/** Events that are sorted in one go, some milliseconds long; compacted, they fit into one commit. */
export const LOG_EVENTS_AT_ONCE = 4_096;

/** The value of a row: the events of a commit, or the letter of the single event that its key describes. */
export type LogRow = [id: string, n: number, letter: string][] | string;

/** The events of a row. */
export function eventsOfRow({ key, value }: StoredEntry<LogRow>): LogEvent[] {
  const [at, id, n] = key.slice(2) as [number, string, number];
  if (typeof value === "string") return [{ id, n, at, kind: kindOf(value) }];
  return value.map(([id, n, letter]) => ({ id, n, at, kind: kindOf(letter) }));
}

/** Adds the entry of a version to a commit; those of one second and commit share a row. */
export function recordVersion(
  operation: Operation,
  type: EntityType,
  { id, n, at }: { id: string; n: number; at: number },
  letter: "c" | "u" | "d",
): void {
  operation.append(`log ${type} ${at}`, logKey(type, at, id, n), [id, n, letter]);
}

/** Everything that is in the log of a type, some entries after the others. */
export async function* readLog(store: Store, type: EntityType): AsyncGenerator<LogEvent[]> {
  let some: LogEvent[] = [];
  for await (const row of store.list<LogRow>({ prefix: logPrefix(type) })) {
    some.push(...eventsOfRow(row));
    if (some.length < LOG_EVENTS_AT_ONCE) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** The first rows of the log of a type, as many as have `max` events, and these. */
export async function readFirstLog(
  store: Store,
  type: EntityType,
  max: number,
): Promise<{ keys: Key[]; events: LogEvent[] }> {
  const keys: Key[] = [];
  const events: LogEvent[] = [];
  for await (const row of store.list<LogRow>({ prefix: logPrefix(type) }, { batchSize: max })) {
    const more = eventsOfRow(row);
    if (events.length + more.length > max) break;
    keys.push(row.key);
    events.push(...more);
  }
  return { keys, events };
}

/** Whether the log of a type has so many events. */
export async function isLogAsLongAs(
  store: Store,
  type: EntityType,
  length: number,
): Promise<boolean> {
  let events = 0;
  for await (const row of store.list<LogRow>({ prefix: logPrefix(type) }, { batchSize: length })) {
    events += eventsOfRow(row).length;
    if (events >= length) return true;
  }
  return false;
}

/** Rows read together of those that one second may have besides, for each that is asked for. */
const ROWS_PER_EVENT = 4;

/** The newest entries of the log of a type that are `older` than a position, in no order within a second. */
export async function readNewestLog(
  store: Store,
  type: EntityType,
  { before, older, limit }: LogPage,
): Promise<LogEvent[]> {
  const prefix = logPrefix(type);
  const range = { prefix, ...(before !== null && { end: logKey(type, before + 1, "", 0) }) };
  const found: LogEvent[] = [];
  const options = { reverse: true, batchSize: ROWS_PER_EVENT * limit };
  for await (const row of store.list<LogRow>(range, options)) {
    const events = eventsOfRow(row);
    if (found.length >= limit && (events[0]?.at ?? 0) < (found.at(-1)?.at ?? 0)) break;
    for (const event of events) if (event.kind !== PRUNED && older(event)) found.push(event);
  }
  return found;
}

/** Options of reading the newest entries. */
export interface LogPage {
  /** Of this second and before it; null for the newest of all. */
  before: number | null;
  older: (event: LogEvent) => boolean;
  limit: number;
}

/** Adds to a commit that the versions of an entity from `first` on, below `end`, are gone. */
export function recordPruned(
  operation: Operation,
  type: EntityType,
  id: string,
  { first = 0, end }: { first?: number; end: number },
): void {
  operation.set(prunedMarkKey(type, id, first, end), "p");
}
