/**
 * Commits parts of a release: one document, or a ring that swaps names. The change and the record that it is
 * done are one commit.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { Content } from "../documents/content.ts";
import { afterDueTimes } from "../documents/due_times.ts";
import {
  type DocumentWrite,
  schemaOf,
  stageDocuments,
  type StageOptions,
} from "../documents/write.ts";
import { type CurrentRow, type Head, type LivingHead, readHead } from "../versioning/entities.ts";
import type { JobClass } from "../jobs/job_contract.ts";
import { RELEASE_VERSIONS_READ_MAX } from "../tuning.ts";
import { currentKey, releasePartKey } from "../keys.ts";
import { indexVersionKey } from "../index/index_keys.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import type { DocumentState, Status } from "../model/entities/document.ts";
import type { Actor } from "../model/entities/entity.ts";
import type { ReleaseState } from "../model/entities/release.ts";
import { sameJson } from "../model/values/same_json.ts";
import { translationOf } from "../model/languages/translation.ts";
import { Refusal } from "../refusals.ts";
import { type Entry, exists } from "../store/operation.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";
import { type PutBack, stateToPutBack, versionAt } from "./put_back.ts";
import { incompleteSide } from "./release_check.ts";
import {
  languagesOfPlan,
  type Side,
  sideAt,
  sideLaidOver,
  sidePublished,
  withDueTimes,
  withSide,
  withUnpublished,
} from "./release_languages.ts";
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
  const done = how === "do" ? { outcome } : { outcome: part.outcome ?? outcome, undone: outcome };
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
    return await putBack(transaction, present, part, { then, to }, { ...options, summary });
  }
  if (part.action === "unpublish") {
    return unpublish(transaction, present, part, {
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
  const { head, collection, schema } = present;
  const { n } = head.row;
  const languages = languagesOfPlan(head.state, collection, part);
  let after: DocumentState = head.state;
  for (const language of languages) {
    const side = await publishedSide(transaction, present, part, language);
    if (typeof side === "string") return unchanged(n, side);
    after = withSide(after, language, side);
  }
  const { updatedAt } = head.state;
  if (sameJson({ ...after, updatedAt }, head.state)) return unchanged(n);
  await refuseIncompleteSides(transaction, schema, collection, after, languages);
  return { before: n, next: { collection, head, after, options } };
}

/** A side of a document as the release publishes it; the same if it is public already. A reason to leave it instead. */
async function publishedSide(
  transaction: Transaction,
  present: CurrentDocument,
  part: ReleasePart,
  language: string,
): Promise<Side | string> {
  const { head, time } = present;
  const side = sideAt(head.state, language, time);
  if (side === undefined) return `it has no translation in ${language} any more`;
  const wanted = head.row.n === part.n
    ? sideLaidOver(side)
    : await mergedContent(transaction, present, { side, language, n: part.n });
  if (typeof wanted === "string") return wanted;
  const at = Math.max(transaction.at, head.row.at);
  const next = sidePublished(wanted, sideLaidOver(side), at);
  return sameJson({ ...next, updatedAt: side.updatedAt }, side) ? side : next;
}

async function refuseIncompleteSides(
  transaction: Transaction,
  schema: Schema,
  collection: Collection,
  state: DocumentState,
  languages: readonly string[],
): Promise<void> {
  for (const language of languages) {
    const details = await incompleteSide(transaction, schema, collection, state, language);
    if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  }
}

/**
 * The content to publish of a document that was changed after the check: what was checked, merged with what
 * was published since. Unpublished later changes stay as its working copy. Returns a reason instead if its
 * status was changed since.
 */
async function mergedContent(
  { context }: Transaction,
  { head, time }: CurrentDocument,
  { side, language, n }: { side: Side; language: string; n: number },
): Promise<Side | string> {
  const { id, status } = head.state;
  const then = await versionAt(context, id, n);
  const checked = then === null ? undefined : sideAt(then, language, time);
  if (status === "archived" || status === "trashed") return `it is ${status}`;
  if (checked === undefined) return "its version was pruned";
  const was = checked.status === "published";
  const is = side.status === "published";
  if (was !== is) return is ? "it has been published since" : "it has been unpublished since";
  if (is && !side.workingCopy && checked.workingCopy) return "it has been published since";
  const between = await statusesBetween(context, id, language, n, head.row.n);
  if (between === null) return "it has changed too often since";
  if (between.some((status) => (status === "published") !== was)) {
    return was
      ? "it has been unpublished and published again since"
      : "it has been published and unpublished again since";
  }
  const content = contentOf(sideLaidOver(checked));
  if (was) {
    const { workingCopy: _before, ...then } = checked;
    const { workingCopy: _now, ...now } = side;
    Object.assign(content, changesBetween(contentOf(then), contentOf(now)));
  }
  const { title, slug, blocks, ...data } = content;
  const { workingCopy: _edited, blocks: _blocks, ...framing } = side;
  const own = {
    title,
    slug,
    data: withoutEmpty(data),
    ...withoutEmpty({ blocks: blocks ?? null }),
  };
  return { ...framing, ...own } as Side;
}

/** The statuses that a language has in the versions between two; null if some are unknown, or there are too many to read. */
async function statusesBetween(
  context: Context,
  id: string,
  language: string,
  after: number,
  before: number,
): Promise<(Status | undefined)[] | null> {
  const statuses: (Status | undefined)[] = [];
  if (before - after - 1 > RELEASE_VERSIONS_READ_MAX) return null;
  for (let n = after + 1; n < before; n++) {
    const state = await versionAt(context, id, n);
    if (state === null) return null;
    statuses.push((language === "" ? state : translationOf(state, language))?.status);
  }
  return statuses;
}

/** Title, slug, blocks and values on one level. */
function contentOf(
  { title, slug, blocks, data }: Pick<Side, "title" | "slug" | "blocks" | "data">,
): Record<string, unknown> {
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
  { head, collection, time }: CurrentDocument,
  part: ReleasePart,
  options: StageOptions,
): Decision {
  const { n, at } = head.row;
  const languages = languagesOfPlan(head.state, collection, part);
  const due = withDueTimes(head.state, languages, time);
  const after = withUnpublished(due, languages, Math.max(transaction.at, at));
  return after === due ? unchanged(n) : { before: n, next: { collection, head, after, options } };
}

/** Puts a former version back, unless the document has changed since the release. */
async function putBack(
  transaction: Transaction,
  { head, state, collection, schema }: CurrentDocument,
  part: ReleasePart,
  change: PutBack,
  options: StageOptions,
): Promise<Decision> {
  const { n } = head.row;
  if (n === change.then && change.then === change.to) return unchanged(n);
  const present = { state, n, collection };
  const after = await stateToPutBack(transaction, schema, present, part, change);
  if (typeof after === "string") return unchanged(n, after);
  const languages = languagesOfPlan(after, collection, part);
  await refuseIncompleteSides(transaction, schema, collection, after, languages);
  return { before: n, next: { collection, head, after, options } };
}
