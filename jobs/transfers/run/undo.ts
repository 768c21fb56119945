/**
 * Undoing a transfer, all its runs together: what it created goes to the trash, what it changed goes back to the version
 * before, unless a person has changed it since. What stays is named.
 *
 * @module
 */
import type { Content } from "../../../kv/documents/content.ts";
import { documentHead } from "../../../kv/documents/documents.ts";
import { schemaOf, stageDocument } from "../../../kv/documents/write.ts";
import { stageDocumentRestore } from "../../../kv/history/restore/document_restore.ts";
import { stageSettingRestore } from "../../../kv/history/restore/setting_restore.ts";
import type { RestoreContext } from "../../../kv/history/restore/restoring.ts";
import type { Undone } from "../../../kv/jobs/results.ts";
import { currentKey, versionKey } from "../../../kv/keys.ts";
import { deleteMedia, findMedia as findMedium } from "../../../kv/media/media.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { EntityType } from "../../../kv/model/entities/entity_kinds.ts";
import type { Actor } from "../../../kv/model/entities/entity.ts";
import {
  listFormerAddresses,
  stageAddressRemoval,
} from "../../../kv/redirects/former_addresses.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { removeBlock } from "../../../kv/schema/blocks.ts";
import { removeCollection } from "../../../kv/schema/collections.ts";
import { removeField } from "../../../kv/schema/fields.ts";
import { AccessSource } from "../../../kv/people/access.ts";
import type { Operation } from "../../../kv/store/operation.ts";
import { type DocumentState, STATUSES } from "../../../kv/model/entities/document.ts";
import { holdsBlock } from "../../../kv/model/fields/kept_blocks.ts";
import { hasNestedValues } from "../../../kv/model/fields/types/registry.ts";
import {
  keyOfRow,
  listTransferChanges,
  type TransferChange,
  type Transferred,
} from "../../../kv/transfers/transfer_changes.ts";
import { transferChangeKey } from "../../../kv/transfers/transfer_keys.ts";
import type { CurrentRow, VersionRow } from "../../../kv/versioning/entities.ts";
import { versionedWrite } from "../../../kv/versioning/versioned_write.ts";
import { getKeptState } from "../../../kv/versioning/versions.ts";
import { TRANSFER_EXAMINED_MAX, TRANSFER_LEFT_NAMED_MAX } from "../../limits.ts";
import { again, next, type OutcomeOf, type Work } from "../../runner/job_kind.ts";
import type { TransferDeps } from "./transfer_deps.ts";

/** Entities of one step. */
const PER_STEP = 200;
const PER_COMMIT = 200;

const NOTHING: Undone = {
  documents: 0,
  media: 0,
  redirects: 0,
  fields: 0,
  collections: 0,
  blocks: 0,
  settings: 0,
  left: [],
};

type Stage = (
  undo: Undo,
  id: string,
  change: TransferChange,
) => Promise<void>;

/** What is taken back, in this order. */
const STAGES: readonly {
  type: EntityType;
  counted: Exclude<keyof Undone, "left">;
  stage: Stage;
}[] = [
  { type: "document", counted: "documents", stage: undoDocument },
  { type: "media_metadata", counted: "media", stage: undoMedium },
  { type: "field_definition", counted: "fields", stage: undoField },
  { type: "block_definition", counted: "blocks", stage: undoBlock },
  { type: "collection", counted: "collections", stage: undoCollection },
  { type: "setting", counted: "settings", stage: undoSetting },
];

/** What an undo is run with. */
interface Undo {
  content: Content;
  actor: Actor;
  summary: string;
}

/** A step of an undo. */
type UndoWork = Work<"TRANSFER", "undo"> & {
  /** Called with the number of changes that were looked at before the step ends. */
  onProgress: (done: number) => void;
};

/** Takes back some of what a transfer has done. */
export async function undoSome(
  { content }: TransferDeps,
  { name, createdBy, id: transferId }: { name: string; createdBy: string; id: string },
  { cursor, context, operation, signal, onProgress }: UndoWork,
): Promise<OutcomeOf<"TRANSFER", "undo">> {
  const position = cursor ?? { stage: 0, after: "", undone: NOTHING };
  const undone: Undone = { ...position.undone, left: [...position.undone.left] };
  const stage = STAGES[position.stage];
  if (stage === undefined) {
    const { after } = position;
    const { removed, last } = await removeAddresses(content, operation, transferId, after);
    undone.redirects += removed;
    return last === null ? next(undone) : again({ ...position, after: last, undone });
  }
  const undo = { content, actor: { userId: createdBy }, summary: `transfer ${name} undone` };
  let count = 0;
  let after = position.after;
  for await (const { id, change } of listTransferChanges(context.store, transferId, stage.type)) {
    if (id <= position.after) continue;
    signal.throwIfAborted();
    if (count >= PER_STEP) {
      onProgress(countOf(undone));
      return again({ ...position, after, undone });
    }
    count += 1;
    after = id;
    try {
      await stage.stage(undo, id, change);
      undone[stage.counted] += 1;
      await forgetRow(content, operation, { transferId, type: stage.type, id, change });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === "UNAVAILABLE") throw error;
      const reason = error.code === "PRECONDITION_FAILED" ? "Changed since" : error.message;
      if (undone.left.length < TRANSFER_LEFT_NAMED_MAX) {
        undone.left.push({ id, title: await titleOf(content, stage.type, id), reason });
      }
    }
  }
  onProgress(countOf(undone));
  return again({ stage: position.stage + 1, after: "", undone });
}

/** How many changes were looked at. */
function countOf({ left, ...undone }: Undone): number {
  return Object.values(undone).reduce((sum, count) => sum + count, left.length);
}

/** Adds to a commit that what a row has become is forgotten, so that another run makes it again. */
async function forgetRow(
  { context: { store } }: Content,
  operation: Operation,
  { transferId, type, id, change: { row } }: {
    transferId: string;
    type: EntityType;
    id: string;
    change: TransferChange;
  },
): Promise<void> {
  operation.delete(transferChangeKey(transferId, type, id));
  if (row === undefined) return;
  const mark = await store.get<Transferred>(keyOfRow(row));
  if (mark.value?.id === id) operation.delete(mark.key);
}

async function titleOf({ context }: Content, type: EntityType, id: string): Promise<string> {
  const { value } = await context.store.get<CurrentRow>(currentKey(type, id));
  if (value === null || value.gone) return "";
  const state = await getKeptStateOf(context, type, id, value.n).catch(() => null);
  const { title, name, filename } = (state ?? {}) as Record<string, unknown>;
  return String(title ?? filename ?? name ?? "");
}

async function getKeptStateOf<T extends EntityType>(
  context: Content["context"],
  type: T,
  id: string,
  n: number,
) {
  const { value } = await context.store.get<VersionRow>(versionKey(type, id, n));
  if (value === null) throw new Refusal("VERSION_PRUNED");
  return await getKeptState(context, type, id, value);
}

async function undoDocument(
  { content, actor, summary }: Undo,
  id: string,
  { before, n: written }: TransferChange,
): Promise<void> {
  const { context } = content;
  if (before === null) {
    await versionedWrite(context, actor, async (transaction) => {
      const schema = await schemaOf(transaction, content);
      const { head, state, collection } = await documentHead(transaction, content, schema, id);
      if (state.status === "trashed") return;
      if (head.row.n !== written) throw new Refusal("PRECONDITION_FAILED");
      const updatedAt = Math.max(transaction.at, head.row.at);
      const after = { ...state, status: "trashed", publishAt: null, updatedAt } as const;
      const options = { summary, class: "bulk" } as const;
      await stageDocument(transaction, content, { collection, head, after, options });
    });
    return;
  }
  const state = await getKeptStateOf(context, "document", id, before);
  const restoring: RestoreContext = { content, access: new AccessSource(context) };
  await versionedWrite(context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head } = await documentHead(transaction, content, schema, id);
    if (head.row.n !== written) {
      return await refuseUnlessUndone(context, { type: "document", id }, head.row.n, summary);
    }
    await stageDocumentRestore(transaction, restoring, { id, state }, { summary });
  });
}

/** Refuses what was changed since the transfer, unless by this undo, which was cut off before it could record that. */
async function refuseUnlessUndone(
  { store }: Content["context"],
  { type, id }: { type: EntityType; id: string },
  n: number,
  summary: string,
): Promise<void> {
  const { value } = await store.get<VersionRow>(versionKey(type, id, n));
  if (value?.summary !== summary) throw new Refusal("PRECONDITION_FAILED");
}

async function undoMedium(
  { content: { context }, actor }: Undo,
  id: string,
  { n: written }: TransferChange,
): Promise<void> {
  const { value } = await context.store.get<CurrentRow>(currentKey("media_metadata", id));
  if (value === null || value.gone) return;
  if (value.n !== written) {
    // It is gone already, as this undo may have left it when it was cut off.
    if ((await findMedium(context, id))?.deletedAt !== null) return;
    throw new Refusal("PRECONDITION_FAILED");
  }
  await deleteMedia(context, actor, id);
}

async function undoField({ content, actor }: Undo, id: string): Promise<void> {
  const schema = await content.schema.current();
  const collection = schema.collections.find(({ fields }) => fields.some((one) => one.id === id));
  const field = collection?.fields.find((one) => one.id === id);
  if (collection === undefined || field === undefined) return;
  if (await isUsed(content, collection, field.key)) {
    throw new Refusal("CONFLICT", { about: "documents still have values of the field" });
  }
  await removeField(content, actor, collection.slug, field.name);
}

/** Whether a document outside of the trash has a value of a field. */
async function isUsed(content: Content, collection: Collection, key: string): Promise<boolean> {
  return await someState(content, collection, (state) => (state?.data[key] ?? null) !== null);
}

/** Whether a document outside of the trash meets a condition, or there are too many to look at. */
async function someState(
  content: Content,
  collection: Collection,
  meets: (state: DocumentState | null) => boolean,
): Promise<boolean> {
  const { rows, total } = await content.index.list({
    collections: [collection],
    statuses: STATUSES.filter((status) => status !== "trashed"),
    sort: [{ by: "createdAt", descending: false }],
    offset: 0,
    limit: TRANSFER_EXAMINED_MAX,
  });
  if (total > rows.length) return true;
  for (const { id, n } of rows) {
    if (meets(await getKeptStateOf(content.context, "document", id, n))) return true;
  }
  return false;
}

/** Removes a block definition that no document of another origin uses. */
async function undoBlock({ content, actor }: Undo, id: string): Promise<void> {
  const { blocks, collections } = await content.schema.current();
  const block = [...blocks.values()].find((one) => one.id === id);
  if (block === undefined) return;
  for (const collection of collections) {
    const isHeld = collection.fields.some(({ type }) => hasNestedValues(type));
    if (isHeld && await someState(content, collection, (state) => holdsBlock(state, block.name))) {
      throw new Refusal("CONFLICT", { about: "documents still have blocks of this kind" });
    }
  }
  await removeBlock(content, actor, block.name);
}

/** Gives a setting the value that it had; one that was never set before is unset. */
async function undoSetting(
  { content, actor, summary }: Undo,
  id: string,
  { before, n: written }: TransferChange,
): Promise<void> {
  const { context } = content;
  const state = before === null ? null : await getKeptStateOf(context, "setting", id, before);
  const restoring: RestoreContext = { content, access: new AccessSource(context) };
  await versionedWrite(context, actor, async (transaction) => {
    const { row } = await transaction.head("setting", id);
    if (row?.n !== written) {
      return await refuseUnlessUndone(context, { type: "setting", id }, row?.n ?? 0, summary);
    }
    await stageSettingRestore(transaction, restoring, { id, state }, { summary });
  });
}

async function undoCollection({ content, actor }: Undo, id: string): Promise<void> {
  const collection = (await content.schema.current()).byId.get(id);
  if (collection !== undefined) await removeCollection(content, actor, collection.slug);
}

/** Adds the removal of former addresses behind one to a commit; answers the last of them, null if there are no more. */
async function removeAddresses(
  { context }: Content,
  operation: Operation,
  transferId: string,
  after: string,
): Promise<{ removed: number; last: string | null }> {
  let removed = 0;
  for await (const { address, row } of listFormerAddresses(context, after)) {
    if (row.transfer !== transferId) continue;
    stageAddressRemoval(operation, address);
    removed += 1;
    if (removed >= PER_COMMIT) return { removed, last: address };
  }
  return { removed, last: null };
}
