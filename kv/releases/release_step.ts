/**
 * One document of a release that is under way: what is to be done with it is committed together with the
 * note that it is done.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { refuseIncomplete } from "../documents/documents.ts";
import { published } from "../documents/status.ts";
import { schemaOf, stageDocument, type StageOptions } from "../documents/write.ts";
import { type Head, type LiveRow, readHead, type VersionRow, versionState } from "../entities.ts";
import type { JobClass } from "../jobs/job_contract.ts";
import { KV_CHECKS_MAX } from "../limits.ts";
import { liveKey, releasePartKey, versionKey } from "../keys.ts";
import type { Collection, Schema } from "../model/collection.ts";
import type { DocumentState } from "../model/document.ts";
import type { Actor } from "../model/entity.ts";
import type { ReleaseState } from "../model/release.ts";
import { sameJson } from "../model/same_json.ts";
import { hasWorkingCopy, laidOver, withEdited } from "../model/working_copy.ts";
import { type Transaction, versionedWrite } from "../versioned_write.ts";
import { stateToPutBack } from "./begin_release.ts";
import type { PartOutcome, ReleasePart } from "./release_parts.ts";

/** A release that a job works on, and for whom. */
export interface ReleaseRun {
  content: Content;
  jobId: string;
  releaseId: string;
  actor: Actor;
  /** How urgent it is that what is done shows in public. */
  class: JobClass;
}

/** A document as the commit of its part sees it. */
interface Present {
  head: Head;
  state: DocumentState;
  collection: Collection;
  schema: Schema;
}

/**
 * Does what a part says, or undoes it; null when the job has the release no more.
 *
 * @throws {Refusal} when the present does not bear what the check had allowed.
 */
export async function commitPart(
  run: ReleaseRun,
  documentId: string,
  how: "do" | "undo",
): Promise<PartOutcome | null> {
  const { content, jobId, releaseId } = run;
  const key = releasePartKey(jobId, documentId);
  return await versionedWrite(content.context, run.actor, async (transaction) => {
    const [, live] = await transaction.peek(
      key,
      liveKey("release", releaseId),
      liveKey("document", documentId),
    );
    const schema = await schemaOf(transaction, content);
    const release = await releaseOf(transaction, live as Head["entry"], releaseId);
    const [row] = await transaction.peek<ReleasePart>(key);
    const part = row!.value;
    if (release?.jobId !== jobId || part === null) return null;
    const known = how === "do" ? part.outcome : part.undone;
    if (known !== undefined) return known;
    const untouched = { before: part.n, after: part.n };
    if (how === "undo" && part.outcome === undefined) {
      // Who still believes that the job is theirs finds it done.
      const done = { ...part, outcome: untouched, undone: untouched };
      transaction.operation.check(row!).set(key, done satisfies ReleasePart);
      return untouched;
    }
    const head = await transaction.head("document", documentId);
    const outcome = await stagePart(transaction, run, release, { part, how, head, schema });
    const done = how === "do" ? { outcome } : { undone: outcome };
    const { operation } = transaction;
    operation.set(key, { ...part, ...done } satisfies ReleasePart);
    // A document that moves its slug and every unique value leaves no check over: its head is checked then.
    if (operation.checks.length < KV_CHECKS_MAX) operation.check(row!);
    return outcome;
  });
}

/** Notes of a part that it cannot be undone, and why. */
export async function leavePart(
  { content, jobId, actor }: ReleaseRun,
  documentId: string,
  reason: string,
): Promise<void> {
  const key = releasePartKey(jobId, documentId);
  await versionedWrite(content.context, actor, async (transaction) => {
    const { value: part } = await transaction.get<ReleasePart>(key);
    if (part === null || part.outcome === undefined || part.undone !== undefined) return;
    const { after } = part.outcome;
    const undone = { before: after, after, left: reason };
    transaction.operation.set(key, { ...part, undone } satisfies ReleasePart);
  });
}

async function releaseOf(
  { context }: Transaction,
  entry: Head["entry"],
  id: string,
): Promise<ReleaseState | null> {
  const known = entry as { key: typeof entry.key; value: LiveRow | null; versionstamp: string };
  return (await readHead(context, "release", id, entry.key, known)).state;
}

async function stagePart(
  transaction: Transaction,
  run: ReleaseRun,
  { name }: ReleaseState,
  { part, how, head, schema }: {
    part: ReleasePart;
    how: "do" | "undo";
    head: Head;
    schema: Schema;
  },
): Promise<PartOutcome> {
  const state = head.state as DocumentState | null;
  const collection = schema.byId.get(state?.collectionId ?? "");
  const n = head.row?.n ?? 0;
  if (state === null || collection === undefined) {
    return { before: n, after: n, left: "it is not there any more" };
  }
  const present = { head, state, collection, schema };
  const options = { class: run.class };
  if (how === "undo" || part.action === "put back") {
    const [then, to] = how === "undo"
      ? [part.outcome!.after, part.outcome!.before]
      : [part.n, part.to!];
    const [forth, back] = part.action === "put back"
      ? ["was not reverted", "was reverted"]
      : ["was not published", ""];
    const summary = `The release "${name}" ${how === "undo" ? forth : back}`;
    return await putBack(transaction, run, present, { then, to }, { ...options, summary });
  }
  if (part.action === "unpublish") {
    const summary = `Unpublished with the release "${name}"`;
    return await unpublish(transaction, run, present, { ...options, summary });
  }
  const summary = `Published with the release "${name}"`;
  return await publish(transaction, run, present, part, { ...options, summary });
}

async function publish(
  transaction: Transaction,
  { content }: ReleaseRun,
  present: Present,
  part: ReleasePart,
  options: StageOptions,
): Promise<PartOutcome> {
  const { head, state, collection, schema } = present;
  const { n } = head.row!;
  const wanted = n === part.n ? laidOver(state) : await mergedContent(transaction, present, part.n);
  if (typeof wanted === "string") return { before: n, after: n, left: wanted };
  const at = Math.max(transaction.at, head.row!.at);
  const next = withEdited(published(wanted, at), laidOver(state));
  if (sameJson({ ...next, updatedAt: state.updatedAt }, state)) return { before: n, after: n };
  await refuseIncomplete(transaction, next, collection, schema);
  const written = await stageDocument(transaction, content, collection, head, next, options);
  return { before: n, after: written!.n };
}

/**
 * The content that goes out of a document that was changed after the check: what was checked, and what
 * others have published of it since. Their further changes stay as its working copy. In words why it is
 * left alone: what somebody has decided about its status since holds.
 */
async function mergedContent(
  { context }: Transaction,
  { state }: Present,
  n: number,
): Promise<DocumentState | string> {
  const { value } = await context.store.get<VersionRow>(versionKey("document", state.id, n));
  const checked = value === null ? null : await versionState(context, "document", state.id, value);
  if (state.status === "archived" || state.status === "trashed") return `it is ${state.status}`;
  if (checked === null) return "its version was pruned";
  const was = checked.status === "published";
  const is = state.status === "published";
  if (was !== is) return is ? "it was published meanwhile" : "it was unpublished meanwhile";
  if (is && !hasWorkingCopy(state) && hasWorkingCopy(checked)) return "it was published meanwhile";
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

async function unpublish(
  transaction: Transaction,
  { content }: ReleaseRun,
  { head, state, collection }: Present,
  options: StageOptions,
): Promise<PartOutcome> {
  const { n, at } = head.row!;
  if (state.status !== "published") return { before: n, after: n };
  const next: DocumentState = {
    ...state,
    status: "draft",
    updatedAt: Math.max(transaction.at, at),
  };
  const written = await stageDocument(transaction, content, collection, head, next, options);
  return { before: n, after: written!.n };
}

/** Puts a former version back, as long as the document is what the release has made of it. */
async function putBack(
  transaction: Transaction,
  { content }: ReleaseRun,
  { head, state, collection, schema }: Present,
  { then, to }: { then: number; to: number },
  options: StageOptions,
): Promise<PartOutcome> {
  const { n } = head.row!;
  if (n !== then) return { before: n, after: n, left: "it has changed since" };
  if (then === to) return { before: n, after: n };
  const next = await stateToPutBack(transaction, schema, state, to);
  if (next === null) return { before: n, after: n, left: "its former version was pruned" };
  if (next.status === "published") await refuseIncomplete(transaction, next, collection, schema);
  const restored = { ...options, restores: true };
  const written = await stageDocument(transaction, content, collection, head, next, restored);
  return { before: n, after: written!.n };
}
