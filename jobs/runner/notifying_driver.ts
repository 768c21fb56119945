/**
 * A driver that notifies the runner of everything that a commit makes due, so that callers need not.
 *
 * @module
 */
import { type Lane, readDueKey } from "../../kv/jobs/due.ts";
import { isDueKey } from "../../kv/jobs/job_keys.ts";
import { type Key } from "../../kv/keys.ts";
import type { CommitResult, Driver, ListOptions, Range } from "../../kv/store/driver.ts";
import type { Entry, Operation } from "../../kv/store/operation.ts";
import type { DueNotifier } from "./due_notifier.ts";

/** Passes calls to another driver and notifies after each commit with due entries. */
export class NotifyingDriver implements Driver {
  readonly inner: Driver;
  readonly groupChecksMax: number;
  readonly inFlightMax: number;
  readonly #dueNotifier: DueNotifier;

  constructor(inner: Driver, dueNotifier: DueNotifier) {
    this.inner = inner;
    this.groupChecksMax = inner.groupChecksMax;
    this.inFlightMax = inner.inFlightMax;
    this.#dueNotifier = dueNotifier;
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    return this.inner.getMany(keys);
  }

  list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    return this.inner.list(range, options);
  }

  async commit(operation: Operation): Promise<CommitResult> {
    try {
      return await this.inner.commit(operation);
    } finally {
      // Also after a failure: the outcome may be unknown, and an unneeded poll is cheap.
      for (const [lane, dueAt] of earliestDue(operation)) this.#dueNotifier.notify(dueAt, lane);
    }
  }

  close(): void {
    this.inner.close();
  }
}

/** The earliest due time of each lane. */
function earliestDue(operation: Operation): Map<Lane, number> {
  const earliest = new Map<Lane, number>();
  for (const { key } of operation.sets) {
    if (!isDueKey(key)) continue;
    const { lane, at } = readDueKey(key);
    earliest.set(lane, Math.min(earliest.get(lane) ?? Infinity, at));
  }
  return earliest;
}
