/**
 * Presence rows: one per connection to a document, in all processes, renewed while it lasts, and a stamp that
 * changes with any of them.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { CONNECTIONS_PER_DOCUMENT_MAX } from "../limits/content.ts";
import { editPresenceKey, editPresencePrefix, editPresenceStampKey } from "./live_keys.ts";
import type { Present } from "../model/input/live_message.ts";
import { Operation } from "../store/operation.ts";

/** How long a row is valid after its last renewal, milliseconds. */
const PRESENT_MS = 60_000;
/** The interval of renewals and reads, milliseconds. */
export const PRESENCE_RENEW_MS = 20_000;

/** A connection, with the name of its client program. */
export interface Participant extends Present {
  client: string | null;
}

interface PresenceRow extends Omit<Participant, "id"> {
  /** Milliseconds. */
  expiresAt: number;
}

/** Writes connections and moves of editors. */
export async function writePresence(
  context: Context,
  documentId: string,
  present: readonly Participant[],
): Promise<void> {
  const operation = new Operation().touch(editPresenceStampKey(documentId));
  for (const { id, ...who } of present) {
    const row: PresenceRow = { ...who, expiresAt: context.now() + PRESENT_MS };
    operation.set(editPresenceKey(documentId, id), row, { expireIn: PRESENT_MS });
  }
  await context.store.commit(operation);
}

/** Removes the row of a connection that has ended. */
export async function removePresence(
  context: Context,
  documentId: string,
  id: string,
): Promise<void> {
  const operation = new Operation().touch(editPresenceStampKey(documentId))
    .delete(editPresenceKey(documentId, id));
  await context.store.commit(operation);
}

/** Users who have a document open, in the order of connecting. */
export async function readPresence(context: Context, documentId: string): Promise<Participant[]> {
  const rows = await context.store.listAll<PresenceRow>(
    { prefix: editPresencePrefix(documentId) },
    { limit: CONNECTIONS_PER_DOCUMENT_MAX },
  );
  return rows
    .filter(({ value }) => value.expiresAt > context.now())
    .map(({ key, value }) =>
      participantOf({ ...value, id: key[2] as string, client: value.client ?? null })
    );
}

/** What others learn of a connection, from what is known of it. */
export function participantOf(
  { id, userId, displayName, path, selection, client, language }: Participant,
): Participant {
  return {
    id,
    userId,
    displayName,
    path,
    client,
    ...(selection !== undefined && { selection }),
    ...(language !== undefined && { language }),
  };
}

/**
 * The newest connection of each client: a client that has reconnected is listed once, even if its first
 * connection is not removed yet.
 */
export function newestPerClient(participants: readonly Participant[]): Participant[] {
  const newest = new Map(participants.map(({ client, id }) => [client, id]));
  return participants.filter(({ client, id }) => client === null || newest.get(client) === id);
}
