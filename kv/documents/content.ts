/**
 * The dependencies of every operation on content: context, schema and list index.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { WebhookSource } from "../sources/webhook_source.ts";
import type { Transaction } from "../versioning/transaction.ts";
import type { ChangeSignal } from "../changes/change_signal.ts";
import type { ListIndex } from "../index/list_index.ts";
import type { PendingSlugs } from "./pending_slugs.ts";
import type { SchemaSource } from "../sources/schema_source.ts";

/** The content of a site. */
export interface Content {
  context: Context;
  schema: SchemaSource;
  index: ListIndex;
  slugs: PendingSlugs;
  /**
   * Writes pending live edits of a document before a write decides, so that none of them is applied to its result.
   * Passed in, because live editing stands above documents.
   */
  settleEdits: (transaction: Transaction, content: Content, documentId: string) => Promise<void>;
  /** Notified of every change of a document in this process. */
  changes?: ChangeSignal;
  /** Receivers of events outside the process. */
  webhooks?: WebhookSource;
}
