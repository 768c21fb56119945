/**
 * Live editing in one process: an editing session per open document.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { ClientMessage } from "../model/input/live_message.ts";
import { findRounded } from "../model/values/exact_numbers.ts";
import { LIVE_CONNECTIONS_MAX, LIVE_MESSAGE_BYTES_MAX } from "../limits/content.ts";
import { BODY_DEPTH_MAX } from "../limits/requests.ts";
import { jsonFault } from "../model/values/json_check.ts";
import { Refusal } from "../refusals.ts";
import type { ReleaseSource } from "../versioning/open_releases.ts";
import { type Editor, refuse } from "./editor.ts";
import { flushEdits } from "./flush.ts";
import type { LiveClock } from "./live_clock.ts";
import { DocumentSession } from "./document_session.ts";

/** Messages of one connection per second, and the burst. */
const MESSAGES_PER_SECOND = 60;
const MESSAGES_AT_ONCE = 240;

/** A connection to an editing session, driven by its transport. */
export interface LiveConnection {
  /** A message as text. */
  receive(text: string): void;
  leave(): Promise<void>;
}

/** The editing sessions of a process. */
export class LiveHub {
  readonly #content: Content;
  readonly #clock: LiveClock;
  readonly #releases: ReleaseSource;
  readonly #sessions = new Map<string, DocumentSession>();
  #stopping = false;

  constructor(content: Content, options: { clock: LiveClock; releases: ReleaseSource }) {
    this.#content = content;
    this.#clock = options.clock;
    this.#releases = options.releases;
  }

  /** Refuses with RATE_LIMITED when this process has its maximum of connections. */
  refuseFull(): void {
    let connections = 0;
    for (const session of this.#sessions.values()) connections += session.size;
    if (connections >= LIVE_CONNECTIONS_MAX || this.#stopping) {
      throw new Refusal("RATE_LIMITED", { about: "too many connections", retryAfterSeconds: 5 });
    }
  }

  /**
   * Connects an editor and sends the state of the document and the edits after `since`. Refuses with NOT_FOUND
   * when the document does not exist.
   */
  async join(
    documentId: string,
    editor: Editor,
    since: number | null = null,
  ): Promise<LiveConnection> {
    this.refuseFull();
    const session = this.#sessionOf(documentId);
    await session.join(editor, since);
    const allow = this.#allowance();
    return {
      receive: (text) => receive(session, editor, allow, text),
      leave: () => session.leave(editor),
    };
  }

  /** Ends all connections of a user. */
  endUser(userId: string): void {
    for (const session of this.#sessions.values()) session.endUser(userId);
  }

  /** Flushes the edits of a document before another write. */
  async flush(documentId: string): Promise<void> {
    const session = this.#sessions.get(documentId);
    if (session === undefined) await flushEdits(this.#content, documentId);
    else await session.flush();
  }

  /** Flushes everything and ends all connections. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
    this.#sessions.clear();
  }

  #sessionOf(documentId: string): DocumentSession {
    const known = this.#sessions.get(documentId);
    if (known !== undefined) return known;
    const session: DocumentSession = new DocumentSession(this.#content, documentId, {
      clock: this.#clock,
      releases: this.#releases,
      onEmpty: () => {
        if (this.#sessions.get(documentId) === session) this.#sessions.delete(documentId);
      },
    });
    this.#sessions.set(documentId, session);
    return session;
  }

  /** A token bucket. */
  #allowance(): () => boolean {
    let left = MESSAGES_AT_ONCE;
    let at = this.#clock.monotonic();
    return () => {
      const now = this.#clock.monotonic();
      left = Math.min(MESSAGES_AT_ONCE, left + (now - at) * MESSAGES_PER_SECOND / 1000);
      at = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    };
  }
}

function receive(
  session: DocumentSession,
  editor: Editor,
  allow: () => boolean,
  text: string,
): void {
  if (new TextEncoder().encode(text).length > LIVE_MESSAGE_BYTES_MAX) {
    return refuse(editor, null, "PAYLOAD_TOO_LARGE");
  }
  const given = parsed(text);
  const clientSeq = clientSeqOf(given);
  if (!allow()) return refuse(editor, clientSeq, "RATE_LIMITED");
  const message = jsonFault(given as never, BODY_DEPTH_MAX) === null
    ? ClientMessage.safeParse(given)
    : null;
  if (!message?.success) return refuse(editor, clientSeq, "BODY_INVALID");
  if (message.data.type === "presence") session.move(editor, message.data);
  else if (message.data.type === "flush") session.flushNow(editor);
  else session.submit(editor, message.data);
}

function parsed(text: string): unknown {
  try {
    // A number that would be rounded is refused with the rest of the message.
    return findRounded(text) === null ? JSON.parse(text) : null;
  } catch {
    // The message schema refuses it.
    return null;
  }
}

function clientSeqOf(given: unknown): number | null {
  if (typeof given !== "object" || given === null || !("clientSeq" in given)) return null;
  return Number.isSafeInteger(given.clientSeq) ? given.clientSeq as number : null;
}
