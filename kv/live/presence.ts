/**
 * Who has a document open, in all processes: a row per connection that is renewed while it lasts, and a
 * stamp that tells the others to look.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { editPresenceKey, editPresencePrefix, editPresenceStampKey } from "../keys.ts";
import type { Present } from "../model/live_message.ts";
import { Operation } from "../store/operation.ts";

/** How long a row counts after it was last renewed, milliseconds. */
const PRESENT_MS = 60_000;
/** How often rows are renewed and read, milliseconds. */
export const PRESENCE_BEAT_MS = 20_000;
/** Connections of one document, in all processes. */
export const CONNECTIONS_PER_DOCUMENT_MAX = 100;

interface PresenceRow extends Omit<Present, "id"> {
  /** Milliseconds. */
  expiresAt: number;
}

/** Adds that somebody is there, or has moved. */
export async function announce(
  context: Context,
  documentId: string,
  present: readonly Present[],
): Promise<void> {
  const operation = new Operation().touch(editPresenceStampKey(documentId));
  for (const { id, ...who } of present) {
    const row: PresenceRow = { ...who, expiresAt: context.now() + PRESENT_MS };
    operation.set(editPresenceKey(documentId, id), row, { expireIn: PRESENT_MS });
  }
  await context.store.commit(operation);
}

/** Tells that somebody has left. */
export async function takeLeave(context: Context, documentId: string, id: string): Promise<void> {
  const operation = new Operation().touch(editPresenceStampKey(documentId))
    .delete(editPresenceKey(documentId, id));
  await context.store.commit(operation);
}

/** Who has a document open, in the order of connecting. */
export async function readPresence(context: Context, documentId: string): Promise<Present[]> {
  const rows = await context.store.listAll<PresenceRow>(
    { prefix: editPresencePrefix(documentId) },
    { limit: CONNECTIONS_PER_DOCUMENT_MAX },
  );
  return rows
    .filter(({ value }) => value!.expiresAt > context.now())
    .map(({ key, value }) => {
      const { userId, displayName, path } = value!;
      return { id: key[2] as string, userId, displayName, path };
    });
}
