/**
 * The end of a document's discussion: in the commit that ends the document.
 *
 * @module
 */
import { stageMentionRows } from "./mention_rows.ts";
import type { Transaction } from "../versioning/transaction.ts";

/** Adds the end of a document's discussion to the commit that ends the document. */
export async function stageDiscussionRemoval(
  transaction: Transaction,
  documentId: string,
): Promise<void> {
  const head = await transaction.head("discussion", documentId);
  if (head.state === null) return;
  transaction.save("discussion", documentId, head, null);
  stageMentionRows(transaction.operation, documentId, head.state, null);
}
