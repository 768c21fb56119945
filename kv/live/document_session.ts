/**
 * A live editing session: the editors of one document that are connected to this process. Other processes have
 * sessions of their own; they meet in the store.
 *
 * - **Edit.** What one message changes: values to set and paths to unset. Edits of a document are numbered (`seq`) by the
 *   commits that append them to its log.
 * - **Edit log.** The edits that are not yet part of a version. Its head counts the accepted and the flushed ones.
 * - **Language.** All languages of a document share its log. Editors of another one receive only the number of an edit.
 * - **Snapshot.** The document with the edits of its log applied; it is what editors see. A poll brings it up to date
 *   with the edits of other processes.
 * - **Queue.** Validates incoming edits against the snapshot and appends them. A client may name the last edit that it
 *   has seen: its edit is refused if it overlaps one of another client that it has not seen.
 * - **Flush.** Turns the edits of a log into one version: after a pause, after a number of them, on request, at
 *   shutdown, and by a job if this process dies.
 * - **Held.** A value that does not fit the document when it is flushed stays in the log with the reason.
 * - **Set aside.** An edit that is too large for one commit becomes a version of its own, which can be restored.
 * - **Presence.** Who has the document open and at which field; rows that expire.
 *
 * Invariants: an edit that was acknowledged is in the log; edits reach all editors in the order of their numbers;
 * work on one session runs one piece at a time.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { WAITING_EDITS_MAX } from "../tuning.ts";
import type { EditMessage, PresenceMessage, ServerMessage } from "../model/input/live_message.ts";
import { sameJson } from "../model/values/same_json.ts";
import { Refusal } from "../refusals.ts";
import type { ReleaseSource } from "../versioning/open_releases.ts";
import { EditQueue } from "./edit_queue.ts";
import { type EditOperation, pendingOf } from "./edit_log.ts";
import { partsOfRoot } from "./edited_root.ts";
import { type Editor, errorMessage, operationFor, refuse, setAsideMessage } from "./editor.ts";
import { flushEdits } from "./flush.ts";
import { type LiveClock, Timer } from "./live_clock.ts";
import { Presence } from "./presence.ts";
import { DocumentSnapshot } from "./document_snapshot.ts";

/** Edits are flushed this long after the last one, milliseconds. */
const FLUSH_IDLE_MS = 2_000;
/** Edits that are flushed without waiting for a pause. */
const FLUSH_EDITS = 50;
/** Additional wait if the last edit came from another process, which flushes first, milliseconds. */
const FLUSH_FOREIGN_MS = 1_000;
/** Delay before a failed flush is retried, milliseconds. */
const FLUSH_RETRY_MS = 1_000;
/** Interval of polls while other processes edit, and while none does, milliseconds. */
const POLL_MS = 150;
const POLL_IDLE_MS = 1_000;
/** How long after its last edit another process counts as editing, milliseconds. */
const QUIET_MS = 15_000;

/** A document and its editors in this process. */
export class DocumentSession {
  readonly #content: Content;
  readonly #documentId: string;
  readonly #clock: LiveClock;
  readonly #snapshot: DocumentSnapshot;
  readonly #presence: Presence;
  readonly #queue: EditQueue;
  readonly #editors = new Map<string, Editor>();
  readonly #flushTimer: Timer;
  readonly #pollTimer: Timer;
  readonly #onEmpty: () => void;
  #tail: Promise<unknown> = Promise.resolve();
  #flushing: Promise<void> | null = null;
  #lastRemoteAt = -QUIET_MS;
  #adding = false;
  #joining = 0;
  #closed = false;

  constructor(
    content: Content,
    documentId: string,
    options: { clock: LiveClock; releases: ReleaseSource; onEmpty: () => void },
  ) {
    this.#content = content;
    this.#documentId = documentId;
    this.#clock = options.clock;
    this.#onEmpty = options.onEmpty;
    this.#snapshot = new DocumentSnapshot(content, documentId);
    this.#presence = new Presence(content.context, documentId, this.#clock);
    this.#queue = new EditQueue(content, documentId, {
      snapshot: this.#snapshot,
      releases: options.releases,
    });
    this.#flushTimer = new Timer(this.#clock);
    this.#pollTimer = new Timer(this.#clock);
  }

  /** The number of editors. */
  get size(): number {
    return this.#editors.size;
  }

  /** Adds a connection; it may already have seen everything up to edit `since`. */
  async join(editor: Editor, since: number | null): Promise<void> {
    this.#joining += 1;
    await this.#serialize(async () => {
      await this.#refresh();
      const isThere = this.#snapshot.isEdited(editor.translation);
      if (this.#snapshot.working.status === "trashed" || !isThere) throw new Refusal("NOT_FOUND");
      const missed = since === null ? null : this.#snapshot.since(since);
      await this.#presence.add(editor);
      this.#editors.set(editor.id, editor);
      // The client looks up the authors of edits in the presence list.
      if (missed !== null && missed.length > 0) this.#sendPresence(editor);
      // In the order of their numbers, so that a client which applies them never steps back.
      for (const one of missed ?? []) editor.send(operationFor(editor, one));
      editor.send(this.#state(editor));
      this.#broadcastPresence(editor);
      this.#schedulePoll();
    }).finally(() => {
      this.#joining -= 1;
      this.#closeIfEmpty();
    });
  }

  /** Removes a connection. */
  async leave(editor: Editor): Promise<void> {
    if (!this.#editors.delete(editor.id)) return;
    await this.#attempt("leaving", async () => {
      await this.#presence.remove(editor.id);
      this.#broadcastPresence(null);
    });
    this.#closeIfEmpty();
  }

  /** Ends the connections of a user. */
  endUser(userId: string): void {
    for (const editor of this.#editors.values()) {
      if (editor.userId === userId) editor.end("signed out");
    }
  }

  /** An editor has moved within the document. */
  move(editor: Editor, { path, selection }: PresenceMessage): void {
    const isSame = editor.path === path && sameJson(editor.selection ?? null, selection);
    if (!this.#editors.has(editor.id) || isSame) return;
    editor.path = path;
    if (selection === null) delete editor.selection;
    else editor.selection = selection;
    this.#presence.moved();
    this.#broadcastPresence(editor);
  }

  /** Accepts an edit: acknowledges it once it is durable, or refuses it. */
  submit(editor: Editor, message: EditMessage): void {
    if (this.#queue.waiting >= WAITING_EDITS_MAX) {
      return refuse(editor, message.clientSeq, "RATE_LIMITED");
    }
    this.#queue.put(editor, message);
    if (this.#adding) return;
    this.#adding = true;
    void this.#serialize(() => this.#addAll());
  }

  /** Flushes on request; the editor gets an answer even if everything is flushed already. */
  flushNow(editor: Editor): void {
    void this.#serialize(async () => {
      await this.#attempt("flushing", () => this.flush());
      const before = this.#snapshot.head.flushed;
      await this.#attempt("refreshing", () => this.#refresh());
      const { head } = this.#snapshot;
      if (head.flushed === before && pendingOf(head) === 0 && head.n > 0) {
        editor.send({ type: "flushed", seq: head.flushed, versionNumber: head.n });
      }
    });
  }

  /** Flushes the pending edits; throws if that fails. */
  async flush(): Promise<void> {
    this.#flushTimer.clear();
    this.#flushing ??= this.#flush().finally(() => this.#flushing = null);
    await this.#flushing;
  }

  /** Ends the session after a last flush. */
  async close(): Promise<void> {
    await this.#tail;
    await this.#attempt("flushing", () => this.flush());
    this.#closed = true;
    this.#flushTimer.clear();
    this.#pollTimer.clear();
    for (const editor of [...this.#editors.values()]) {
      editor.end("stopping");
      await this.leave(editor);
    }
    await this.#tail;
  }

  /** Runs tasks one after another, so that all connections receive messages in the same order. */
  async #serialize<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(work);
    this.#tail = done.catch(() => {});
    return await done;
  }

  async #addAll(): Promise<void> {
    while (this.#queue.waiting > 0) {
      try {
        await this.#refresh();
        // Back-pressure: a full log is flushed first. If that fails, edits are still accepted.
        if (pendingOf(this.#snapshot.head) >= FLUSH_EDITS) {
          await this.#attempt("flushing", () => this.flush());
          await this.#refresh();
        }
        const free = FLUSH_EDITS - pendingOf(this.#snapshot.head);
        const added = await this.#queue.addSome(Math.max(1, free));
        for (const { editor, one } of added) this.#accepted(editor, one);
        if (added.length > 0) this.#scheduleFlush(FLUSH_IDLE_MS);
      } catch (error) {
        await this.#failed(error);
      }
    }
    this.#adding = false;
    this.#closeIfEmpty();
  }

  async #failed(error: unknown): Promise<void> {
    this.#warn("adding", error);
    if (error instanceof Refusal) {
      this.#queue.refuseAll(error);
      if (error.code === "NOT_FOUND") this.#endAll("gone");
    } else if (!(await this.#queue.retry())) {
      // Whether they are in the log is unknown; clients that reconnect find out.
      this.#queue.clear();
      this.#endAll("lost");
    }
  }

  #accepted(editor: Editor, one: EditOperation): void {
    editor.send({ type: "ack", clientSeq: one.clientSeq, seq: one.seq });
    this.#broadcastOperation(editor, one);
  }

  /** Reads changes from the store and sends them to all connections. */
  async #refresh(): Promise<void> {
    const news = await this.#snapshot.refresh();
    for (const one of news.operations) {
      const own = this.#queue.take(one.id);
      if (own !== null) this.#accepted(own, one);
      else {
        this.#broadcastOperation(null, one);
        this.#lastRemoteAt = this.#clock.monotonic();
      }
    }
    const { head } = this.#snapshot;
    if (news.flushed) {
      this.#broadcast({ type: "flushed", seq: head.flushed, versionNumber: head.n });
      for (const { code, details, steps: [root = ""] } of this.#snapshot.held) {
        const { language } = partsOfRoot(root);
        const message = errorMessage(new Refusal(code, { details }), null);
        this.#broadcast(message, ({ translation }) => translation === language);
      }
      if (news.setAside !== null) this.#broadcast(setAsideMessage(news.setAside));
    }
    for (const editor of [...this.#editors.values()]) {
      if (!this.#snapshot.isEdited(editor.translation)) editor.end("gone");
      else if (news.isReplaced(editor.translation)) editor.send(this.#state(editor));
    }
    if (await this.#presence.refresh(news.presence)) this.#broadcastPresence(null);
    if (news.discussion) this.#broadcast({ type: "comments" });
    const isUnscheduled = !this.#flushTimer.isSet && this.#flushing === null;
    if (pendingOf(head) > 0 && (isUnscheduled || news.operations.length > 0)) {
      this.#scheduleFlush(FLUSH_IDLE_MS + FLUSH_FOREIGN_MS);
    }
  }

  #state(editor: Editor) {
    const document = this.#snapshot.wireIn(editor.translation);
    const presence = this.#presence.presentFor(editor);
    return { type: "state" as const, seq: this.#snapshot.head.seq, document, presence };
  }

  #broadcastPresence(except: Editor | null): void {
    for (const editor of this.#editors.values()) {
      if (editor !== except) this.#sendPresence(editor);
    }
  }

  #sendPresence(editor: Editor): void {
    editor.send({ type: "presence", presence: this.#presence.presentFor(editor) });
  }

  #broadcastOperation(except: Editor | null, one: EditOperation): void {
    for (const editor of this.#editors.values()) {
      if (editor !== except) editor.send(operationFor(editor, one));
    }
  }

  #broadcast(message: ServerMessage, isFor: (editor: Editor) => boolean = () => true): void {
    for (const editor of this.#editors.values()) if (isFor(editor)) editor.send(message);
  }

  #scheduleFlush(ms: number): void {
    if (this.#closed) return;
    const isFull = pendingOf(this.#snapshot.head) >= FLUSH_EDITS;
    this.#flushTimer.set(isFull ? 0 : ms, () => {
      void this.flush().catch((error) => {
        this.#warn("flushing", error);
        this.#scheduleFlush(FLUSH_RETRY_MS);
      });
    });
  }

  async #flush(): Promise<void> {
    await flushEdits(this.#content, this.#documentId);
    // Not awaited: a task in the chain may itself be waiting for this flush.
    void this.#serialize(() => this.#attempt("refreshing", () => this.#refresh()))
      .finally(() => this.#closeIfEmpty());
  }

  #schedulePoll(): void {
    if (this.#closed || this.#editors.size === 0) return;
    const isBusy = this.#clock.monotonic() - this.#lastRemoteAt < QUIET_MS;
    this.#pollTimer.set(isBusy ? POLL_MS : POLL_IDLE_MS, () => {
      void this.#serialize(() => this.#attempt("refreshing", () => this.#refresh()))
        .finally(() => this.#schedulePoll());
    });
  }

  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#warn(what, error);
      if (error instanceof Refusal && error.code === "NOT_FOUND") this.#endAll("gone");
    }
  }

  #warn(what: string, error: unknown): void {
    const { log } = this.#content.context;
    log.warn("live editing", { documentId: this.#documentId, what, error: `${error}` });
  }

  #endAll(reason: "gone" | "lost"): void {
    for (const editor of [...this.#editors.values()]) editor.end(reason);
  }

  /** A session without editors stays open until its edits are flushed. */
  #closeIfEmpty(): void {
    if (this.#editors.size > 0 || this.#joining > 0 || this.#adding) return;
    this.#pollTimer.clear();
    if (this.#flushTimer.isSet || this.#flushing !== null) return;
    if (this.#closed) return;
    this.#closed = true;
    this.#onEmpty();
  }
}
