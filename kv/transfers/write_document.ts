/**
 * Writing rows of a source as documents. The document, the row's mark and the journal of the transfer are one commit, so
 * a row that is written again after a crash is found, and every change can be undone.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { type Body, decideCreate, decidePatch, documentHead } from "../documents/documents.ts";
import { refuseIncomplete } from "../documents/documents.ts";
import { freeSlug } from "../documents/free_slug.ts";
import { schemaOf, stageDocument } from "../documents/write.ts";
import { CREATE_DEADLINE_MS } from "../limits/store.ts";
import { slugKey } from "../keys.ts";
import { getCollection } from "../model/entities/collection.ts";
import { type DocumentState, published } from "../model/entities/document.ts";
import type { Actor } from "../model/entities/entity.ts";
import { Refusal } from "../refusals.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";
import {
  keyOfRow,
  type SourceRow,
  stageTransferChange,
  type TransferChange,
  type Transferred,
} from "./transfer_changes.ts";
import { transferChangeKey } from "./transfer_keys.ts";

const TYPE = "document";

/** The transfer that writes, and its present run. */
export interface TransferWriter {
  transferId: string;
  jobId: string;
  /** Recorded with each version. */
  summary: string;
}

/** A row that is to become a document. */
export interface DocumentRow {
  row: SourceRow;
  /** Slug of the collection. */
  collection: string;
  body: Body;
  /** The language that a new document is written in; null for the site's. */
  language: string | null;
  /** Digest of everything that is written. */
  hash: string;
  createdAt: number | null;
  publishedAt: number | null;
  /** The user whose document it becomes; null for the user who started the transfer. */
  createdBy: string | null;
  /** Whether it is to be published, scheduled or archived later. */
  waits: boolean;
  /** Whether a document that exists is left as it is. */
  createOnly: boolean;
  /** The document that the row matches, unless it was transferred before to one that still exists. */
  matched: string | null;
}

/** Why a row of a plan that only creates is skipped. */
export const DOCUMENT_EXISTS = "The document exists already";

/** What became of a row. */
export interface RowOutcome {
  did: "created" | "updated" | "unchanged" | "skipped";
  id: string;
  /** Why it was skipped. */
  reason?: string;
}

/** Entries that were read for a group of rows: the mark of a row, and the version key of the schema. */
export interface KnownOfRow {
  mark: Entry<Transferred>;
  schema: Entry;
  /** Whether the mark was not read: it is assumed to be absent until a commit has checked that. */
  isAssumed: boolean;
}

/** Writes a row. */
export async function writeDocumentRow(
  content: Content,
  actor: Actor,
  writer: TransferWriter,
  write: DocumentRow,
  { mark, schema, isAssumed }: KnownOfRow,
): Promise<RowOutcome> {
  const { context } = content;
  const options = {
    ...isAssumed ? { known: [schema], assumedAbsent: [mark] } : { known: [mark, schema] },
    deadlineMs: CREATE_DEADLINE_MS,
  };
  const attempt = (body: Body) =>
    versionedWrite(
      context,
      actor,
      (transaction) => decideRow(transaction, content, writer, { ...write, body }),
      options,
    );
  let outcome: RowOutcome;
  try {
    outcome = await attempt(write.body);
  } catch (error) {
    const { slug } = write.body;
    if (!isSlugTaken(error) || typeof slug !== "string") throw error;
    outcome = await attempt({ ...write.body, slug: await nearSlug(content, write, slug) });
  }
  // What is unchanged commits nothing, and its mark may be another.
  if (outcome.did === "unchanged" && mark.value?.hash !== write.hash) {
    const { jobId } = writer;
    const next: Transferred = { id: outcome.id, hash: write.hash, jobId: "", did: "updated" };
    await context.store.commit(
      new Operation().set(keyOfRow(write.row), {
        ...next,
        ...(mark.value ?? { jobId }),
        hash: write.hash,
      }),
    );
  }
  return outcome;
}

function isSlugTaken(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "SLUG_CONFLICT" ||
    error.facts.details?.some(({ field, code }) => field === "slug" && code === "NOT_UNIQUE") ===
      true);
}

/** The slug with a number that no other document has. */
async function nearSlug(
  { context: { store }, schema }: Content,
  { collection }: DocumentRow,
  wanted: string,
): Promise<string> {
  const { id } = getCollection(await schema.current(), collection);
  return await freeSlug({
    wanted,
    areTaken: async (slugs) => {
      const entries = await store.getMany(slugs.map((slug) => slugKey(id, slug)));
      return entries.map(({ value }) => value !== null);
    },
  });
}

async function decideRow(
  transaction: Transaction,
  content: Content,
  { transferId, jobId, summary }: TransferWriter,
  { row, collection, body, hash, createdAt, publishedAt, ...how }: DocumentRow,
): Promise<RowOutcome> {
  const { createOnly, createdBy, language, matched, waits } = how;
  const { value } = await transaction.get<Transferred>(keyOfRow(row));
  const waiting = waits ? { waits } as const : {};
  // Written by this run already, which was cut off before it could record that.
  if (value?.jobId === jobId && value.hash === hash) return { did: value.did, id: value.id };
  const existing = matched ?? value?.id ?? null;
  const head = existing === null ? null : await transaction.head(TYPE, existing);
  const options = { blocks: "accept", collection, summary, class: "bulk" } as const;
  if (existing !== null && head !== null && head.state !== null) {
    const { state, row: present } = head;
    if (createOnly) return { did: "skipped", id: existing, reason: DOCUMENT_EXISTS };
    if (state.status === "trashed") {
      return { did: "skipped", id: existing, reason: "The document is in the trash" };
    }
    const { n } = await decidePatch(transaction, content, existing, body, options);
    if (n === present.n) return { did: "unchanged", id: existing };
    await stageMark(transaction, transferId, row, {
      mark: { id: existing, hash, jobId, did: "updated", ...waiting },
      change: { before: present.n, n },
    });
    return { did: "updated", id: existing };
  }
  const own = language === null ? body : { ...body, _language: language };
  const { state, n } = await decideCreate(transaction, content, collection, own, {
    ...options,
    ...(createdAt !== null && { createdAt, idAtMs: createdAt * 1000 }),
    ...(publishedAt !== null && { publishedAt }),
    ...(createdBy !== null && { createdBy }),
  });
  const change = { before: null, n };
  await stageMark(transaction, transferId, row, {
    mark: { id: state.id, hash, jobId, did: "created", ...waiting },
    change,
  });
  return { did: "created", id: state.id };
}

/** Adds the mark of a row, and the journal of the transfer. */
async function stageMark(
  transaction: Transaction,
  transferId: string,
  row: SourceRow,
  { mark, change }: { mark: Transferred; change: Omit<TransferChange, "row"> },
): Promise<void> {
  const { operation } = transaction;
  const journal = change.before === null
    ? null
    : (await transaction.get<TransferChange>(transferChangeKey(transferId, TYPE, mark.id))).value;
  operation.set(keyOfRow(row), mark);
  stageTransferChange(
    operation,
    transferId,
    { type: TYPE, id: mark.id },
    { ...change, row },
    journal,
  );
}

/** The state that a transferred document is brought to, after all of them were written. */
export interface WantedState {
  status: "published" | "scheduled" | "archived";
  /** When it was or will be published, epoch seconds. */
  publishedAt: number | null;
}

/** Publishes, schedules or archives a transferred document; false if it is in that state already. */
export async function settleStatus(
  content: Content,
  actor: Actor,
  { transferId, summary }: Pick<TransferWriter, "transferId" | "summary">,
  id: string,
  wanted: WantedState,
): Promise<boolean> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, state, collection } = await documentHead(transaction, content, schema, id);
    const next = wantedState(state, wanted, Math.max(transaction.at, head.row.at), transaction.at);
    if (next === null) return false;
    if (next.status === "published") await refuseIncomplete(transaction, next, collection, schema);
    const journal = await transaction.get<TransferChange>(transferChangeKey(transferId, TYPE, id));
    const options = { summary, class: "bulk" } as const;
    const { n } = await stageDocument(transaction, content, {
      collection,
      head,
      after: next,
      options,
    });
    const { row } = journal.value ?? {};
    if (row !== undefined) await stageSettled(transaction, row);
    const change = { before: head.row.n, n, ...(row && { row }) };
    stageTransferChange(
      transaction.operation,
      transferId,
      { type: TYPE, id },
      change,
      journal.value,
    );
    return true;
  });
}

/** Adds that the document of a row has its state. */
async function stageSettled(transaction: Transaction, row: SourceRow): Promise<void> {
  const { key, value } = await transaction.get<Transferred>(keyOfRow(row));
  if (value === null) return;
  const { waits: _, ...mark } = value;
  transaction.operation.set(key, mark);
}

function wantedState(
  state: DocumentState,
  { status, publishedAt }: WantedState,
  at: number,
  now: number,
): DocumentState | null {
  // People decide about a document that is not a draft any more.
  if (state.status !== "draft") return null;
  const next = { ...state, updatedAt: at };
  if (status === "archived") return { ...next, status, publishAt: null };
  if (status === "scheduled" && publishedAt !== null && publishedAt > now) {
    return { ...next, status, publishAt: publishedAt };
  }
  return published({ ...next, publishedAt: state.publishedAt ?? publishedAt }, at);
}
