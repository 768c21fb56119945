/**
 * The log of document changes in commit order. A writer cannot know its versionstamp, so it leaves its
 * entry in the open part; writers that share a commit share a row. COMPACT_CHANGES moves rows to the ordered
 * part, whose keys begin with the versionstamps that they had.
 *
 * The order needs no clock. A touch of the stamp key goes with every entry: whatever was committed up to
 * a stamp that was read is visible to every later read, so up to there nothing can appear any more.
 *
 * @module
 */
import { type Key } from "../keys.ts";
import {
  changeLogOf,
  changeLogPrefix,
  changeOpenKey,
  changeOpenPrefix,
  changeStampKey,
} from "./change_keys.ts";
import type { WebhookEvent } from "../model/entities/webhook.ts";
import type { Status } from "../model/entities/document.ts";
import type { Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** A stored change: enough to decide which tokens saw the document before and after it. */
export interface ChangeRecord {
  collectionId: string;
  /** The statuses before and after; null where there was, or is, no document. */
  before: Status | null;
  after: Status | null;
  /** Epoch seconds of the version. */
  at: number;
  /** The webhook event of a version that is not a document's. */
  event?: WebhookEvent;
  /** What it changed of a document that has, or had, translations; absent for any other. */
  languages?: ChangedLanguages;
}

/** The languages of a change. */
export interface ChangedLanguages {
  /** The language that the document is written in, if it is not the site's. */
  original?: string;
  /** The languages that it changed; `""` is that of the original, `"*"` what all languages share. */
  changed: string[];
  /** By the code of a translation, its statuses before and after. */
  statuses: { [code: string]: [Status | null, Status | null] };
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
/** Sorts after every document of its commit in a position. */
export const AFTER_ALL = "~";

/** The position behind everything up to a stamp. */
export function afterStamp(stamp: string): ChangePosition {
  return { stamp, id: AFTER_ALL, n: 0 };
}

/** A change as the row of its commit has it. */
type StoredChange = [
  id: string,
  n: number,
  collectionId: string,
  before: Status | null,
  after: Status | null,
  at: number,
  event?: WebhookEvent | null,
  languages?: ChangedLanguages,
];

/** Adds a change to the commit of its version. */
export function recordChange(
  operation: Operation,
  { id, n, collectionId, before, after, at, event, languages }:
    & ChangeRecord
    & { id: string; n: number },
): void {
  const stored: StoredChange = [id, n, collectionId, before, after, at];
  if (event !== undefined || languages !== undefined) stored.push(event ?? null);
  if (languages !== undefined) stored.push(languages);
  operation.append("changes", changeOpenKey(id, n), stored).touch(changeStampKey);
}

/** The changes of a row of the log's open or ordered part. */
export function changesOf(stamp: string, { key, value }: Entry): Change[] {
  // Each had a row of its own once, named after it.
  if (!Array.isArray(value)) {
    const [id, n] = key.slice(-2) as [string, number];
    return [{ stamp, id, n, ...value as ChangeRecord }];
  }
  return (value as StoredChange[]).map((stored) => {
    const [id, n, collectionId, before, after, at, event, languages] = stored;
    return {
      ...{ stamp, id, n, collectionId, before, after, at },
      ...(event != null && { event }),
      ...(languages !== undefined && { languages }),
    };
  });
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
  if (comparePositions(after, afterStamp(upTo)) >= 0) return { changes: [], open: 0 };
  // The open part first: what moves in between is found in the ordered part.
  const open = await readOpenChanges(store, upTo);
  const found = new Map<string, Change>();
  for (const change of open.changes) {
    if (comparePositions(change, after) > 0) found.set(nameOf(change), change);
  }
  const range = { start: changeLogOf(after.stamp), end: changeLogOf(`${upTo}~`) };
  let behindPosition = 0;
  let last = "";
  for await (const entry of store.list(range, { batchSize: limit + 1 })) {
    const stamp = stampOf(entry.key);
    // The rows of one commit lie in no order of their changes.
    if (behindPosition > limit && stamp !== last) break;
    last = stamp;
    for (const change of changesOf(stamp, entry)) {
      if (comparePositions(change, after) <= 0) continue;
      behindPosition += 1;
      found.set(nameOf(change), change);
    }
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
  for await (const entry of store.list({ prefix: changeOpenPrefix })) {
    entries += 1;
    if (entry.versionstamp <= upTo) changes.push(...changesOf(entry.versionstamp, entry));
  }
  return { changes, entries };
}

/** The changes of single versions, found by their documents. */
export class ChangesByVersion {
  readonly #store: Store;
  /** The stamps of those that were open up to `#upTo`. */
  #open = new Map<string, string>();
  #upTo = "";

  constructor(store: Store) {
    this.#store = store;
  }

  /** Whether version `n` of a document, whose row was read with `stamp`, has a change behind a position. */
  async has(
    { id, n, stamp }: ChangePosition,
    position: ChangePosition,
  ): Promise<boolean> {
    const isBehind = (stamp: string) => comparePositions({ stamp, id, n }, position) > 0;
    if (!isBehind(stamp)) return false;
    // The open part first: what moves in between is found in the ordered part.
    if (stamp > this.#upTo) await this.#readOpen(stamp);
    const open = this.#open.get(nameOf({ id, n }));
    if (open !== undefined) return isBehind(open);
    for await (const entry of this.#store.list({ prefix: changeLogOf(stamp) })) {
      if (changesOf(stamp, entry).some((one) => one.id === id && one.n === n)) return true;
    }
    return false;
  }

  /** Reads the open part. Everything committed up to `upTo` is visible, because that stamp has been read. */
  async #readOpen(upTo: string): Promise<void> {
    const { changes } = await readOpenChanges(this.#store, upTo);
    this.#open = new Map(changes.map((change) => [nameOf(change), change.stamp]));
    this.#upTo = upTo;
  }
}

/** The stamp that a key of the ordered part spells. */
export function stampOf(key: Key): string {
  return key[changeLogPrefix.length] as string;
}

function nameOf({ id, n }: Pick<ChangePosition, "id" | "n">): string {
  return `${id} ${n}`;
}
