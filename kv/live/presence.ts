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

/** A connection, with the name of the program behind it. */
export interface Attendee extends Present {
  client: string | null;
}

interface PresenceRow extends Omit<Attendee, "id"> {
  /** Milliseconds. */
  expiresAt: number;
}

/** Adds that somebody is there, or has moved. */
export async function announce(
  context: Context,
  documentId: string,
  present: readonly Attendee[],
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
export async function readPresence(context: Context, documentId: string): Promise<Attendee[]> {
  const rows = await context.store.listAll<PresenceRow>(
    { prefix: editPresencePrefix(documentId) },
    { limit: CONNECTIONS_PER_DOCUMENT_MAX },
  );
  return rows
    .filter(({ value }) => value!.expiresAt > context.now())
    .map(({ key, value }) => {
      const { userId, displayName, path, client = null } = value!;
      return { id: key[2] as string, userId, displayName, path, client };
    });
}

/**
 * The newest connection of each program: one that has come back is not there twice, though nobody has
 * told yet that its first connection is gone.
 */
export function newestOfEach(attendees: readonly Attendee[]): Attendee[] {
  const newest = new Map(attendees.map(({ client, id }) => [client, id]));
  return attendees.filter(({ client, id }) => client === null || newest.get(client) === id);
}
