/**
 * The log of a type: one entry per version since the last compaction, and the marks of pruning.
 *
 * @module
 */
import { type Key, logPrefix, prunedMarkKey } from "../../keys.ts";
import type { EntityType } from "../../model/entity_kinds.ts";
import type { Entry, Operation } from "../../store/operation.ts";
import type { Store } from "../../store/store.ts";
import { kindOf, type LogEvent, PRUNED } from "./events.ts";

/** Entries that are sorted in one go, some milliseconds long; compacted, they fit into one commit. */
export const LOG_ENTRIES_AT_ONCE = 4_096;

/** An event of the log entry. */
export function eventOf({ key, value }: Entry<string>): LogEvent {
  const [at, id, n] = key.slice(2) as [number, string, number];
  return { id, n, at, kind: kindOf(value!) };
}

/** Everything that is in the log of a type, some entries after the others. */
export async function* readLog(store: Store, type: EntityType): AsyncGenerator<LogEvent[]> {
  let some: LogEvent[] = [];
  for await (const entry of store.list<string>({ prefix: logPrefix(type) })) {
    some.push(eventOf(entry));
    if (some.length < LOG_ENTRIES_AT_ONCE) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** The newest entries of the log of a type, newest first; `before` is the key behind them. */
export async function readNewestLog(
  store: Store,
  type: EntityType,
  { before, limit }: { before: Key | null; limit: number },
): Promise<LogEvent[]> {
  const range = { prefix: logPrefix(type), ...(before !== null && { end: before }) };
  const entries = await store.listAll<string>(range, { limit, reverse: true });
  return entries.map(eventOf).filter(({ kind }) => kind !== PRUNED);
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
