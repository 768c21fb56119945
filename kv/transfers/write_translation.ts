/**
 * Writing the other languages of a row: each is a translation of its document, in a commit with the journal of the
 * transfer.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import type { Body } from "../documents/documents.ts";
import { publishLanguages } from "../documents/translations/translation_status.ts";
import { patchWorkingCopy } from "../documents/working_copy.ts";
import { decideTranslation } from "../documents/translations/translations.ts";
import type { Actor } from "../model/entities/entity.ts";
import { Operation } from "../store/operation.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";
import {
  keyOfRow,
  type SourceRow,
  stageTransferChange,
  type TransferChange,
  type Transferred,
} from "./transfer_changes.ts";
import { transferChangeKey } from "./transfer_keys.ts";
import type { TransferWriter } from "./write_document.ts";

/** A translation of a document. */
export interface TranslationRow {
  /** The document. */
  id: string;
  code: string;
  body: Body;
  /** The row that it is made from, if that is another than the document's, with the digest of what is written. */
  own?: { row: SourceRow; hash: string };
}

/** Writes a translation; one that is as it is writes nothing. Answers whether it has changed. */
export async function writeTranslationRow(
  content: Content,
  actor: Actor,
  { transferId, jobId, summary }: TransferWriter,
  { id, code, body, own }: TranslationRow,
): Promise<boolean> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const journal = await transaction.get<TransferChange>(
      transferChangeKey(transferId, "document", id),
    );
    const before = (await transaction.head("document", id)).row?.n ?? 0;
    const options = { blocks: "ignore", summary, class: "bulk" } as const;
    const { n } = await decideTranslation(transaction, content, id, code, body, options);
    if (own !== undefined) {
      const { value } = await transaction.get<Transferred>(keyOfRow(own.row));
      const did = value?.id === id ? "updated" : "created";
      transaction.operation.set(keyOfRow(own.row), { id, hash: own.hash, jobId, did });
    }
    if (n === before) return false;
    const { row } = journal.value ?? {};
    const change = { before, n, ...(row && { row }) };
    stageTransferChange(
      transaction.operation,
      transferId,
      { type: "document", id },
      change,
      journal.value,
    );
    return true;
  });
}

/** Publishes languages of a document together, as of the time that their source has; null for now. */
export async function publishRowLanguages(
  content: Content,
  actor: Actor,
  { transferId }: Pick<TransferWriter, "transferId">,
  id: string,
  languages: readonly string[],
  publishedAt: number | null,
): Promise<void> {
  const options = publishedAt === null ? {} : { publishedAt };
  const { n } = await publishLanguages(content, actor, id, languages, options);
  await noteLastChange(content, transferId, id, n);
}

/** Writes the unpublished changes of a published document. */
export async function writeWorkingCopyRow(
  content: Content,
  actor: Actor,
  { transferId, summary }: Pick<TransferWriter, "transferId" | "summary">,
  id: string,
  body: Body,
): Promise<void> {
  const { n } = await patchWorkingCopy(content, actor, id, body, { summary });
  await noteLastChange(content, transferId, id, n);
}

/** Adds to the journal that the last version of a document is the transfer's; another row may add a later one in between. */
async function noteLastChange(
  { context: { store } }: Content,
  transferId: string,
  id: string,
  n: number,
): Promise<void> {
  for (;;) {
    const entry = await store.get<TransferChange>(transferChangeKey(transferId, "document", id));
    const { key, value } = entry;
    if (value === null || value.n >= n) return;
    const operation = new Operation().check(entry).set(key, { ...value, n });
    if ((await store.commit(operation)).ok) return;
  }
}
