/**
 * Reading the large documents of a page: in order, several at once, and never more of them in memory than
 * a bound allows. A remote store then costs one wait for a few documents instead of one for each.
 *
 * @module
 */
import { ObjectStoreUnavailable } from "../unavailable.ts";
import { READ_AHEAD_BYTES_MAX, READ_AHEAD_MAX } from "../tuning.ts";
import type { StoredDocument } from "./write.ts";

/** A document that is read when its turn comes. */
export interface LargeDocument {
  id: string;
  /** Of its state, as far as its row says. */
  bytes: number;
  /** Answers null when it is gone; throws {@linkcode ObjectStoreUnavailable} when its object is missing. */
  read(): Promise<StoredDocument | null>;
}

/** A document of a list page: in memory already, or to be read. */
export type ListedOrLarge = StoredDocument | LargeDocument;

/** Whether a listed document has still to be read. */
export function isLarge(listed: ListedOrLarge): listed is LargeDocument {
  return "read" in listed;
}

/** The result of reading a listed document: its state, or its ID if its object is missing. */
export type ReadOutcome = { stored: StoredDocument } | { unavailable: string };

/** A read that has begun; its failure is reported when the read is taken. */
type Reading = { bytes: number; taken: Promise<ReadOutcome | null> };

/** The documents in their order; those that are gone are left out. */
export async function* readAhead(listed: readonly ListedOrLarge[]): AsyncGenerator<ReadOutcome> {
  const readings = new Map<number, Reading>();
  let next = 0;
  let bytes = 0;
  const begin = () => {
    for (; next < listed.length && readings.size < READ_AHEAD_MAX; next++) {
      const one = listed[next];
      if (one === undefined || !isLarge(one)) continue;
      if (readings.size > 0 && bytes + one.bytes > READ_AHEAD_BYTES_MAX) return;
      const taken = take(one);
      // A reader that stops early, or fails at an earlier one, never looks at this failure.
      taken.catch(() => {});
      readings.set(next, { bytes: one.bytes, taken });
      bytes += one.bytes;
    }
  };
  for (const [position, one] of listed.entries()) {
    if (!isLarge(one)) {
      yield { stored: one };
      continue;
    }
    begin();
    const reading = readings.get(position)!;
    const taken = await reading.taken;
    if (taken !== null) yield taken;
    readings.delete(position);
    bytes -= reading.bytes;
  }
}

async function take(one: LargeDocument): Promise<ReadOutcome | null> {
  try {
    const stored = await one.read();
    return stored === null ? null : { stored };
  } catch (error) {
    if (error instanceof ObjectStoreUnavailable) return { unavailable: one.id };
    throw error;
  }
}
