/**
 * The list index against the documents.
 *
 * @module
 */
import { type CurrentRow, readHead } from "../versioning/entities.ts";
import { recordDelta } from "../index/segments/delta.ts";
import { indexRow } from "../index/index_row.ts";
import { currentKey } from "../keys.ts";
import { type Collection } from "../model/entities/collection.ts";
import { STATUSES } from "../model/entities/document.ts";
import { Operation } from "../store/operation.ts";
import type { SeenDocument } from "./documents_check.ts";
import type { DoctorOptions, Finding } from "./finding.ts";

/** Rows of the index read at a time. */
const PAGE = 5_000;

/** Examines the list index of every collection. */
export async function* checkLists(
  { content }: DoctorOptions,
  seen: ReadonlyMap<string, SeenDocument>,
): AsyncGenerator<Finding> {
  const { collections } = await content.schema.current();
  for (const collection of collections) {
    const listed = await listedVersions(content, collection);
    const own = [...seen].filter(([, { collectionId }]) => collectionId === collection.id);
    const doubtful = new Set(
      own.filter(([id, { n }]) => listed.get(id) !== n).map(([id]) => id),
    );
    for (const id of listed.keys()) if (!seen.has(id)) doubtful.add(id);
    if (doubtful.size === 0) continue;
    // Writes continue during the check: only what differs twice differs.
    const again = await listedVersions(content, collection);
    for (const id of doubtful) {
      const current = await content.context.store.get<CurrentRow>(currentKey("document", id));
      const n = current.value === null || current.value.gone ? undefined : current.value.n;
      if (again.get(id) === n) continue;
      yield {
        check: "lists",
        subject: `document ${id}`,
        problem: n === undefined
          ? "is listed and does not exist"
          : `is listed at version ${again.get(id) ?? "none"} instead of ${n}`,
        repair: () => rewriteRow(content, collection, id),
      };
    }
  }
}

async function listedVersions(
  { index }: DoctorOptions["content"],
  collection: Collection,
): Promise<Map<string, number>> {
  const listed = new Map<string, number>();
  for (let offset = 0;; offset += PAGE) {
    const { rows } = await index.list({
      collections: [collection],
      statuses: STATUSES,
      sort: [{ by: "createdAt", descending: false }],
      offset,
      limit: PAGE,
    });
    for (const { id, n } of rows) listed.set(id, n);
    if (rows.length < PAGE) return listed;
  }
}

/** Puts the document's row, or that it is gone, into the delta again. */
async function rewriteRow(
  { context, index }: DoctorOptions["content"],
  collection: Collection,
  id: string,
): Promise<boolean> {
  const key = currentKey("document", id);
  const { entry, row, state } = await readHead(context, "document", id, key);
  const operation = new Operation().check(entry);
  const epoch = await index.readEpoch(collection.id);
  const isOwn = state !== null && state.collectionId === collection.id;
  const next = isOwn ? indexRow(collection, state, row.n) : { id, gone: true as const };
  recordDelta(operation, collection.id, epoch, next);
  return (await context.store.commit(operation)).ok;
}
