/**
 * MIGRATE: changes the type of a field whose collection has documents. Every document gets its converted value
 * next to the current one, then the definition is replaced, and data derived from the old values is rebuilt.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import { walkDocuments } from "../../kv/documents/document_walk.ts";
import { zip } from "../../kv/model/primitives/zip.ts";
import type { LostValue } from "../../kv/schema/lost_values.ts";
import { requestCompaction } from "../../kv/index/segments/compaction_request.ts";
import { currentKey, schemaKey } from "../../kv/keys.ts";
import {
  findMigrationTarget,
  finishMigration,
  migrateDocument,
  type MigrationTarget,
} from "../../kv/schema/migrate_field.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { STATUSES } from "../../kv/model/entities/document.ts";
import type { Actor } from "../../kv/model/entities/entity.ts";
import { Refusal } from "../../kv/refusals.ts";
import { requestSiteRendering } from "../../kv/pages/rendering_requests.ts";
import { requestSearchRebuild } from "../../kv/search/delta/search_requests.ts";
import { makeUnique } from "../../kv/schema/make_unique.ts";
import type { CursorOf } from "../runner/job_cursors.ts";
import { LOST_NAMED_MAX } from "../limits.ts";
import {
  again,
  finish,
  type JobKind,
  jobKind,
  next,
  type OutcomeOf,
  type Work,
} from "../runner/job_kind.ts";

/** Documents of one step; an interrupted one finds what it has written and continues after it. */
const DOCUMENTS_PER_STEP = 2_000;
/** Documents that are written at a time: they share commits. */
const AT_ONCE = 8;

const OVER = { note: "The field is gone, or is not being migrated any more" };

type Cursor = CursorOf<"MIGRATE", "documents">;

/** The kind of job that migrates a field. */
export function migrateKind(content: Content): JobKind<"MIGRATE"> {
  return jobKind("MIGRATE", {
    documents: (work) => documents(content, work),
    definition: (work) => definition(content, work),
    unique: (work) => unique(content, work),
  });
}

async function documents(
  content: Content,
  work: Work<"MIGRATE", "documents">,
): Promise<OutcomeOf<"MIGRATE", "documents">> {
  const migrating = await findOf(content, work);
  if (migrating === null) return finish(OVER);
  const { after, ...counts } = work.cursor ?? START;
  const { collection } = migrating;
  const portion = await walkDocuments(content, collection, STATUSES, after, DOCUMENTS_PER_STEP);
  const some = portion.ids;
  const { store } = work.context;
  const atOnce = store.concurrency(AT_ONCE);
  for (let start = 0; start < some.length; start += atOnce) {
    work.signal.throwIfAborted();
    const group = some.slice(start, start + atOnce);
    const keys = group.map((id) => currentKey("document", id));
    // The schema, too, is read once for all of them; a commit fails when it is not as it was any more.
    const [schema, ...heads] = await store.getMany([schemaKey, ...keys]);
    const losses = await Promise.all(
      zip(group, heads).map(([id, head]) =>
        migrateDocument(content, actorOf(work), migrating, id, [schema, head])
      ),
    );
    for (const lost of losses) if (lost !== null) count(counts, lost);
  }
  counts.done += some.length;
  const progress = { done: counts.done, total: Math.max(portion.total, counts.done) };
  if (portion.next !== null) {
    return again({ ...counts, after: portion.next }, progress);
  }
  const { done, failed, lost } = counts;
  const { unique } = migrating.field.migrating.to;
  // The result names the first of them; the address lists them all.
  const more = failed === 0 ? {} : { lostUrl: `/api/admin/jobs/${work.jobId}/lost` };
  return next({ documents: done, failed, lost, ...more, unique }, progress);
}

const START: Cursor = { after: "start", done: 0, failed: 0, lost: [] };

function count(counts: Omit<Cursor, "after">, lost: LostValue): void {
  counts.failed += 1;
  if (counts.lost.length < LOST_NAMED_MAX) counts.lost = [...counts.lost, lost];
}

/** A step that was cut off behind the exchange finds it done. */
async function definition(
  content: Content,
  work: Work<"MIGRATE">,
): Promise<OutcomeOf<"MIGRATE", "definition">> {
  const migrating = await findOf(content, work);
  if (migrating !== null) await finishMigration(content, actorOf(work), migrating);
  const collection = (await content.schema.current()).byId.get(work.payload.collectionId);
  if (collection === undefined) return finish(OVER);
  stageRemaking(work, collection);
  return next();
}

/** Updates pages, search and lists that were derived from the old values. */
function stageRemaking(
  { operation, context }: Work<"MIGRATE">,
  collection: Collection,
): void {
  requestSiteRendering(operation, context);
  requestSearchRebuild(operation, context);
  requestCompaction(operation, context, collection);
}

async function unique(
  content: Content,
  work: Work<"MIGRATE">,
): Promise<OutcomeOf<"MIGRATE", "unique">> {
  const converted = work.results.documents;
  if (converted === undefined || "note" in converted || !converted.unique) return next();
  const collection = (await content.schema.current()).byId.get(work.payload.collectionId);
  const field = collection?.fields.find(({ id }) => id === work.payload.fieldId);
  if (collection === undefined || field === undefined) return next();
  try {
    await makeUnique(content, actorOf(work), collection.slug, field.name);
    return next({ unique: true });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "CONFLICT") throw error;
    return next({ unique: false, note: "Two documents have the same converted value" });
  }
}

function findOf(
  content: Content,
  { jobId, payload }: Work<"MIGRATE">,
): Promise<MigrationTarget | null> {
  return findMigrationTarget(content, jobId, payload.collectionId, payload.fieldId);
}

/** The user who requested the migration is the author of the versions. */
function actorOf({ payload }: Work<"MIGRATE">): Actor {
  return { userId: payload.userId };
}
