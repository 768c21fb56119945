/**
 * Somebody who types into a document, without a connection: what they type becomes a version at once.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import type { Content } from "../../../kv/documents/content.ts";
import { NO_EDITS, readEditHead, stageEdits } from "../../../kv/live/edit_log.ts";
import { flushEdits } from "../../../kv/live/flush.ts";
import { Operation } from "../../../kv/store/operation.ts";

/** Types a title. */
export async function typeTitle(
  { context, content }: { context: Context; content: Content },
  id: string,
  by: string,
  title: string,
): Promise<void> {
  const entry = await readEditHead(context.store, id);
  const { seq } = entry.value ?? NO_EDITS;
  const facts = { client: null, clientSeq: 0, unset: [], keys: {}, at: context.now(), by };
  const operation = new Operation();
  const one = { ...facts, id: context.newId(context.now()), seq: seq + 1, set: { title } };
  stageEdits(operation, context, id, entry, [one]);
  await context.store.commit(operation);
  await flushEdits(content, id);
}
