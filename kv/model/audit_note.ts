/**
 * An event of the audit log, and the note by which an act carries its event into its own commit.
 *
 * @module
 */

/** A row that a commit expects to be unchanged. */
interface Unchanged {
  key: readonly (string | number)[];
  versionstamp: string | null;
}

/** An event as it is stored and shown. */
export interface AuditEvent {
  /** Epoch seconds. */
  at: number;
  /** The event: `sign_in`, `sign_in_failed`, or the name of an action. */
  event: string;
  /** The user who did it, or tried to; null when no such user exists. */
  userId: string | null;
  /** The token that it is about. */
  tokenId: string | null;
  /** The client's address. */
  address: string;
  details: { method?: string; path?: string; reason?: string };
}

/**
 * An event that is still to be recorded, by the first commit that the act makes. Its row has one key, so that a commit
 * that is tried again records it once.
 */
export interface AuditNote {
  /** Milliseconds; part of the key. */
  readonly ms: number;
  /** Part of the key. */
  readonly id: string;
  readonly event: AuditEvent;
  /**
   * A condition under which no webhook receives the event, for the first commit that is tried; null if there is
   * none. Called once.
   */
  unheardAt?: (() => Unchanged | null) | undefined;
  /** Whether a commit has recorded it. */
  isRecorded: boolean;
  /** Called once a commit has recorded it. */
  readonly onRecorded?: (() => void) | undefined;
}
