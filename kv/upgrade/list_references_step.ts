/**
 * Brings a store to format 2: lists what documents reference, and their marks. Releases before the format had a
 * number listed them under other keys, so a picture that was used everywhere showed no use.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { type CurrentRow, readHead } from "../versioning/entities.ts";
import { KV_CHECKS_MAX, KV_MUTATIONS_MAX } from "../limits/store.ts";
import { currentPrefix } from "../keys.ts";
import type { Json } from "../model/entities/entity.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import type { FormatStep } from "./stored_format.ts";
import { stageReferences } from "../documents/reference_rows.ts";

/** Documents that one portion looks at. */
const DOCUMENTS_PER_PORTION = 200;
/** Documents whose rows one portion writes: each takes a check, and the format another. */
const LISTED_PER_PORTION = KV_CHECKS_MAX - 2;

/** The step, whose cursor is the id of the last document that was looked at. */
export const listReferencesStep: FormatStep = {
  to: 2,
  name: "list references",
  inBackground: true,
  async portion(context, cursor) {
    const prefix = currentPrefix("document");
    const range = cursor === null
      ? { prefix }
      : { prefix, start: [...prefix, `${cursor as string}\0`] };
    const entries = await context.store.listAll<CurrentRow>(range, {
      limit: DOCUMENTS_PER_PORTION,
    });
    const operation = new Operation();
    let listed = 0;
    let last: Json = null;
    for (const entry of entries) {
      const missing = await missingRows(context, entry);
      const isFull = listed === LISTED_PER_PORTION ||
        operation.mutations + (missing?.mutations ?? 0) >= KV_MUTATIONS_MAX - 1;
      if (missing !== null && listed > 0 && isFull) return { operation, cursor: last };
      if (missing !== null) {
        operation.check(entry);
        for (const { key, value } of missing.sets) operation.set(key, value);
        for (const key of missing.touches) operation.touch(key);
        listed += 1;
      }
      last = entry.key[2] as string;
    }
    return { operation, cursor: entries.length < DOCUMENTS_PER_PORTION ? null : last };
  },
};

/** The rows that a document lacks; null when it lacks none. */
async function missingRows(context: Context, entry: Entry<CurrentRow>): Promise<Operation | null> {
  const id = entry.key[2] as string;
  // A state whose bytes are missing is the doctor's to report.
  const head = await readHead(context, "document", id, entry.key, entry).catch(() => null);
  if (head === null || head.state === null) return null;
  if (head.entry.versionstamp !== entry.versionstamp) return null;
  const operation = new Operation();
  stageReferences(operation, id, null, head.state);
  return await isListed(context.store, operation) ? null : operation;
}

async function isListed(store: Store, { sets }: Operation): Promise<boolean> {
  const rows = await store.getMany(sets.map(({ key }) => key));
  return rows.every(({ value }) => value !== null);
}
