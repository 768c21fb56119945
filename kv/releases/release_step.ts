/**
 * Commits parts of a release: one document, or a ring that swaps names. The change and the record that it is
 * done are one commit.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { Content } from "../documents/content.ts";
import { refuseIncomplete } from "../documents/documents.ts";
import { afterDueTimes } from "../documents/due_times.ts";
import {
  type DocumentWrite,
  schemaOf,
  stageDocuments,
  type StageOptions,
} from "../documents/write.ts";
import {
  type CurrentRow,
  type Head,
  type LivingHead,
  readHead,
  type VersionRow,
  versionState,
} from "../versioning/entities.ts";
import type { JobClass } from "../jobs/job_contract.ts";
import { RELEASE_VERSIONS_READ_MAX } from "../tuning.ts";
import { currentKey, releasePartKey, versionKey } from "../keys.ts";
import { indexVersionKey } from "../index/index_keys.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import { type DocumentState, published, type Status } from "../model/entities/document.ts";
import type { Actor } from "../model/entities/entity.ts";
import type { ReleaseState } from "../model/entities/release.ts";
import { sameJson } from "../model/values/same_json.ts";
import { hasWorkingCopy, laidOver, withEdited } from "../model/entities/working_copy.ts";
import { type Entry, exists } from "../store/operation.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";
import { stateToPutBack } from "./begin_release.ts";
import type { PartOutcome, ReleasePart } from "./release_parts.ts";

/** A release that a job works on, and its actor. */
export interface ReleaseRun {
  content: Content;
  jobId: string;
  releaseId: string;
  actor: Actor;
  /**
   * The release's time in epoch seconds; null for now. Document times that have passed before it take effect
   * first.
   */
  time: number | null;
  /** The class of the jobs that make the changes public. */
  class: JobClass;
}

/** A document as the commit of its part sees it. */
interface CurrentDocument {
  head: LivingHead<"document">;
  state: DocumentState;
  collection: Collection;
  schema: Schema;
  /** When the release takes effect, epoch seconds. */
  time: number;
}

/**
 * Does what parts say, or undoes it, in one commit; nothing when the job has the release no more. Several are a
 * ring: they swap slugs or unique values.
 *
 * @throws {Refusal} if current data conflicts with what the check had allowed.
 */
export async function commitParts(
  run: ReleaseRun,
  { ids, collectionId }: PartsOfCommit,
  how: "do" | "undo",
): Promise<void> {
  const { content, jobId, releaseId } = run;
  const keys = ids.map((id) => releasePartKey(jobId, id));
  const isRing = ids.length > 1;
  await versionedWrite(content.context, run.actor, async (transaction) => {
    // Every write of a document touches this key: checking it covers all documents of the ring.
    if (isRing) await transaction.get(indexVersionKey(collectionId));
    const current = currentKey("release", releaseId);
    await transaction.peek(current, ...ids.map((id) => currentKey("document", id)), ...keys);
    const schema = await schemaOf(transaction, content);
    const release = await releaseOf(
      transaction,
      (await transaction.peek<CurrentRow>(current))[0],
      releaseId,
    );
    const rows = await transaction.peek<ReleasePart>(...keys);
    if (release?.jobId !== jobId || rows.some(({ value }) => value === null)) return;
    const open = rows.filter(exists).filter(({ value: part }) =>
      (how === "do" ? part.outcome : part.undone) === undefined
    );
    const decided = await Promise.all(open.map(async (row) => {
      const { value: part } = row;
      const head = await headOf(transaction, row.key[2] as string, isRing);
      const decision = how === "undo" && part.outcome === undefined
        ? unchanged(part.n)
        : await decidePart(transaction, run, release, { part, how, head, schema });
      return { row, part, decision };
    }));
    const changes = decided.flatMap(({ decision }) => "next" in decision ? [decision.next] : []);
    const written = (await stageDocuments(transaction, content, changes)).values();
    for (const { row, part, decision } of decided) {
      const outcome = "next" in decision
        ? { before: decision.before, after: written.next().value?.n ?? 0 }
        : decision.outcome;
      stageDone(transaction, row, part, how, outcome);
    }
  });
}

/** Documents whose parts share a commit; several are of one collection. */
export interface PartsOfCommit {
  ids: readonly string[];
  collectionId: string;
}

/** The next state of a document, or the reason to leave it. */
type Decision =
  | { next: DocumentWrite & { after: DocumentState }; before: number }
  | { outcome: PartOutcome };

function unchanged(n: number, left?: string): Decision {
  return { outcome: { before: n, after: n, ...(left !== undefined && { left }) } };
}

async function headOf(
  transaction: Transaction,
  id: string,
  isRing: boolean,
): Promise<Head<"document">> {
  if (!isRing) return await transaction.head("document", id);
  const key = currentKey("document", id);
  const [entry] = await transaction.peek<CurrentRow>(key);
  return await readHead(transaction.context, "document", id, key, entry);
}

/** Records the outcome of a part in the commit. */
function stageDone(
  { operation }: Transaction,
  row: Entry<ReleasePart>,
  part: ReleasePart,
  how: "do" | "undo",
  outcome: PartOutcome,
): void {
  // A process that wrongly believes it still has the job then finds the part done.
  const isLate = how === "undo" && part.outcome === undefined;
  const done = how === "do" ? { outcome } : { undone: outcome, ...(isLate && { outcome }) };
  operation.check(row).set(row.key, { ...part, ...done } satisfies ReleasePart);
  // A written document's own check reveals a process that comes too late.
  if (outcome.before !== outcome.after) operation.optionalCheck(row.key);
}

/** Records that parts cannot be undone, and why. */
export async function leaveParts(
  { content, jobId, actor }: ReleaseRun,
  documentIds: readonly string[],
  reason: string,
): Promise<void> {
  for (const documentId of documentIds) {
    const key = releasePartKey(jobId, documentId);
    await versionedWrite(content.context, actor, async (transaction) => {
      const { value: part } = await transaction.get<ReleasePart>(key);
      if (part === null || part.outcome === undefined || part.undone !== undefined) return;
      const { after } = part.outcome;
      const undone = { before: after, after, left: reason };
      transaction.operation.set(key, { ...part, undone } satisfies ReleasePart);
    });
  }
}

async function releaseOf(
  { context }: Transaction,
  entry: Head["entry"],
  id: string,
): Promise<ReleaseState | null> {
  const known = entry as { key: typeof entry.key; value: CurrentRow | null; versionstamp: string };
  return (await readHead(context, "release", id, entry.key, known)).state;
}

async function decidePart(
  transaction: Transaction,
  run: ReleaseRun,
  { name }: ReleaseState,
  { part, how, head, schema }: {
    part: ReleasePart;
    how: "do" | "undo";
    head: Head<"document">;
    schema: Schema;
  },
): Promise<Decision> {
  if (head.state === null) return unchanged(head.row?.n ?? 0, "it is not there any more");
  const state = head.state as DocumentState;
  const collection = schema.byId.get(state.collectionId);
  if (collection === undefined) return unchanged(head.row.n, "it is not there any more");
  const time = run.time ?? transaction.at;
  const present = { head, state: afterDueTimes(state, time).state, collection, schema, time };
  const options = { class: run.class };
  if (how === "undo" || part.action === "put back") {
    const [then, to] = how === "undo"
      ? [part.outcome!.after, part.outcome!.before]
      : [part.n, part.to!];
    const [forth, back] = part.action === "put back"
      ? ["was not reverted", "was reverted"]
      : ["was not published", ""];
    const summary = `The release "${name}" ${how === "undo" ? forth : back}`;
    return await putBack(transaction, present, { then, to }, { ...options, summary });
  }
  if (part.action === "unpublish") {
    return unpublish(transaction, present, {
      ...options,
      summary: `Unpublished with the release "${name}"`,
    });
  }
  const summary = `Published with the release "${name}"`;
  return await publish(transaction, present, part, { ...options, summary });
}

async function publish(
  transaction: Transaction,
  present: CurrentDocument,
  part: ReleasePart,
  options: StageOptions,
): Promise<Decision> {
  const { head, state, collection, schema } = present;
  const { n } = head.row;
  const wanted = n === part.n ? laidOver(state) : await mergedContent(transaction, present, part.n);
  if (typeof wanted === "string") return unchanged(n, wanted);
  const at = Math.max(transaction.at, head.row.at);
  const after = withEdited(published(wanted, at), laidOver(state));
  const { updatedAt } = state;
  if (sameJson({ ...after, updatedAt }, head.state)) return unchanged(n);
  await refuseIncomplete(transaction, after, collection, schema);
  return { before: n, next: { collection, head, after, options } };
}

/**
 * The content to publish of a document that was changed after the check: what was checked, merged with what
 * was published since. Unpublished later changes stay as its working copy. Returns a reason instead if its
 * status was changed since.
 */
async function mergedContent(
  { context }: Transaction,
  { head, state, time }: CurrentDocument,
  n: number,
): Promise<DocumentState | string> {
  const { id } = state;
  const then = await versionAt(context, id, n);
  const checked = then === null ? null : afterDueTimes(then, time).state;
  if (state.status === "archived" || state.status === "trashed") return `it is ${state.status}`;
  if (checked === null) return "its version was pruned";
  const was = checked.status === "published";
  const is = state.status === "published";
  if (was !== is) return is ? "it has been published since" : "it has been unpublished since";
  if (is && !hasWorkingCopy(state) && hasWorkingCopy(checked)) return "it has been published since";
  const between = await statusesBetween(context, id, n, head.row.n);
  if (between === null) return "it has changed too often since";
  if (between.some((status) => (status === "published") !== was)) {
    return was
      ? "it has been unpublished and published again since"
      : "it has been published and unpublished again since";
  }
  const content = contentOf(laidOver(checked));
  if (was) {
    const { workingCopy: _before, ...then } = checked;
    const { workingCopy: _now, ...now } = state;
    Object.assign(content, changesBetween(contentOf(then), contentOf(now)));
  }
  const { title, slug, blocks, ...data } = content;
  const { workingCopy: _edited, ...framing } = state;
  return { ...framing, title, slug, blocks, data: withoutEmpty(data) } as DocumentState;
}

async function versionAt(context: Context, id: string, n: number): Promise<DocumentState | null> {
  const { value } = await context.store.get<VersionRow>(versionKey("document", id, n));
  return value === null ? null : await versionState(context, "document", id, value);
}

/** The statuses of the versions between two; null if some are unknown, or there are too many to read. */
async function statusesBetween(
  context: Context,
  id: string,
  after: number,
  before: number,
): Promise<Status[] | null> {
  const statuses: Status[] = [];
  if (before - after - 1 > RELEASE_VERSIONS_READ_MAX) return null;
  for (let n = after + 1; n < before; n++) {
    const state = await versionAt(context, id, n);
    if (state === null) return null;
    statuses.push(state.status);
  }
  return statuses;
}

/** Title, slug, blocks and values on one level. */
function contentOf({ title, slug, blocks, data }: DocumentState): Record<string, unknown> {
  return { ...data, title, slug, blocks };
}

function changesBetween(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => !sameJson(before[key] ?? null, after[key] ?? null));
  return Object.fromEntries(changed.map((key) => [key, after[key] ?? null]));
}

function withoutEmpty(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}

function unpublish(
  transaction: Transaction,
  { head, state, collection }: CurrentDocument,
  options: StageOptions,
): Decision {
  const { n, at } = head.row;
  if (state.status !== "published") return unchanged(n);
  const after: DocumentState = {
    ...state,
    status: "draft",
    updatedAt: Math.max(transaction.at, at),
  };
  return { before: n, next: { collection, head, after, options } };
}

/** Puts a former version back, unless the document has changed since the release. */
async function putBack(
  transaction: Transaction,
  { head, state, collection, schema }: CurrentDocument,
  { then, to }: { then: number; to: number },
  options: StageOptions,
): Promise<Decision> {
  const { n } = head.row;
  if (n !== then) return unchanged(n, "it has changed since");
  if (then === to) return unchanged(n);
  const after = await stateToPutBack(transaction, schema, state, to);
  if (after === null) return unchanged(n, "its former version was pruned");
  if (after.status === "published") await refuseIncomplete(transaction, after, collection, schema);
  return { before: n, next: { collection, head, after, options: { ...options, restores: true } } };
}
