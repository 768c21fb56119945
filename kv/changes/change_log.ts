/**
 * The log of document changes in commit order. A writer cannot know its versionstamp, so it leaves its
 * entry in the open part, under the document; COMPACT_CHANGES moves entries to the ordered part, whose
 * keys begin with the versionstamps that they had.
 *
 * The order needs no clock. A touch of the stamp key goes with every entry: whatever was committed up to
 * a stamp that was read is visible to every later read, so up to there nothing can appear any more.
 *
 * @module
 */
import { type Key } from "../keys.ts";
import {
  changeLogKey,
  changeLogPrefix,
  changeOpenKey,
  changeOpenPrefix,
  changeStampKey,
} from "./change_keys.ts";
import type { WebhookEvent } from "../model/webhook.ts";
import type { Status } from "../model/document.ts";
import type { Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** What is kept of a change: enough to know who saw the document before and after. */
export interface ChangeRecord {
  collectionId: string;
  /** The statuses before and after; null where there was, or is, no document. */
  before: Status | null;
  after: Status | null;
  /** Epoch seconds of the version. */
  at: number;
  /** What webhooks are told, of a version that is no document's. */
  event?: WebhookEvent;
}

/** A position in the log: behind version `n` of a document in the commit with this versionstamp. */
export interface ChangePosition {
  stamp: string;
  id: string;
  n: number;
}

/** A change and where it stands. */
export interface Change extends ChangeRecord, ChangePosition {}

/** Below every versionstamp. */
export const FIRST_STAMP = "0".repeat(20);
/** Stands for a document in a position behind everything of its commit. */
export const BEHIND_ALL = "~";

/** The position behind everything up to a stamp. */
export function behind(stamp: string): ChangePosition {
  return { stamp, id: BEHIND_ALL, n: 0 };
}

/** Adds a change to the commit of its version. */
export function recordChange(
  operation: Operation,
  { id, n, ...record }: ChangeRecord & { id: string; n: number },
): void {
  operation.set(changeOpenKey(id, n), record).touch(changeStampKey);
}

/** The order of positions. */
export function comparePositions(a: ChangePosition, b: ChangePosition): number {
  if (a.stamp !== b.stamp) return a.stamp < b.stamp ? -1 : 1;
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  return a.n - b.n;
}

/**
 * The first `limit` changes behind a position, up to a stamp that was read before this call, and how many
 * entries are open.
 */
export async function readChanges(
  store: Store,
  { after, upTo, limit }: { after: ChangePosition; upTo: string; limit: number },
): Promise<{ changes: Change[]; open: number }> {
  // Nothing is between, and the store refuses a range that ends before it begins.
  if (comparePositions(after, behind(upTo)) >= 0) return { changes: [], open: 0 };
  // The open part first: what is moved meanwhile is found in the ordered part.
  const open = await readOpenChanges(store, upTo);
  const found = new Map<string, Change>();
  for (const change of open.changes) {
    if (comparePositions(change, after) > 0) found.set(nameOf(change), change);
  }
  const range = {
    start: changeLogKey(after.stamp, after.id, after.n),
    end: [...changeLogPrefix, upTo, "~"],
  };
  for await (const { key, value } of store.list<ChangeRecord>(range, { limit: limit + 1 })) {
    const change = { ...positionOf(key), ...value! };
    if (comparePositions(change, after) > 0) found.set(nameOf(change), change);
  }
  const changes = [...found.values()].sort(comparePositions).slice(0, limit);
  return { changes, open: open.entries };
}

/** The open changes up to a stamp, in no order, and how many entries there are in all. */
async function readOpenChanges(
  store: Store,
  upTo: string,
): Promise<{ changes: Change[]; entries: number }> {
  const changes: Change[] = [];
  let entries = 0;
  const range = { prefix: changeOpenPrefix };
  for await (const { key, value, versionstamp } of store.list<ChangeRecord>(range)) {
    entries += 1;
    if (versionstamp! > upTo) continue;
    changes.push({ stamp: versionstamp!, ...openPositionOf(key), ...value! });
  }
  return { changes, entries };
}

/** The document and version that a key of the open part spells. */
export function openPositionOf(key: Key): Omit<ChangePosition, "stamp"> {
  const [id, n] = key.slice(changeOpenPrefix.length) as [string, number];
  return { id, n };
}

/** The position that a key of the ordered part spells. */
export function positionOf(key: Key): ChangePosition {
  const [stamp, id, n] = key.slice(changeLogPrefix.length) as [string, string, number];
  return { stamp, id, n };
}

function nameOf({ id, n }: ChangePosition): string {
  return `${id} ${n}`;
}
