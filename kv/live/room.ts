/**
 * The room of a document under edit, in one process: its editors, the operations on their way into the
 * log, and when what was typed becomes a version. Rooms of other processes are heard by looking at the
 * store while somebody is here.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import type { OperationMessage } from "../model/live_message.ts";
import { Refusal } from "../refusals.ts";
import { Additions } from "./additions.ts";
import { pendingOf } from "./edit_log.ts";
import { type Editor, errorMessage, refuse } from "./editor.ts";
import { flushEdits } from "./flush.ts";
import { Alarm, type LiveClock } from "./live_clock.ts";
import { Attendance } from "./attendance.ts";
import { type News, Picture } from "./picture.ts";

/** Operations are flushed this long after the last of them, milliseconds. */
export const FLUSH_IDLE_MS = 2_000;
/** Or as soon as there are this many. */
export const FLUSH_OPERATIONS = 50;
/** How much longer a process waits when the last operation came from another, milliseconds. */
const FLUSH_FOREIGN_MS = 1_000;
/** When a failed flush is tried again, milliseconds. */
const FLUSH_RETRY_MS = 1_000;
/** How often the store is looked at while others edit too, and while nobody does, milliseconds. */
const LOOK_MS = 150;
const LOOK_IDLE_MS = 1_000;
/** How long after the last news others count as editing, milliseconds. */
const QUIET_MS = 15_000;
/** Operations of one process that wait for their turn; more are refused. */
const WAITING_MAX = 500;

/** A document and who edits it here. */
export class Room {
  readonly #content: Content;
  readonly #documentId: string;
  readonly #clock: LiveClock;
  readonly #picture: Picture;
  readonly #attendance: Attendance;
  readonly #additions: Additions;
  readonly #editors = new Map<string, Editor>();
  readonly #flushAlarm: Alarm;
  readonly #lookAlarm: Alarm;
  readonly #onEmpty: () => void;
  #turn: Promise<unknown> = Promise.resolve();
  #flushing: Promise<void> | null = null;
  #heardAt = -QUIET_MS;
  #adding = false;
  #joining = 0;
  #closed = false;

  constructor(
    content: Content,
    documentId: string,
    options: { clock: LiveClock; onEmpty: () => void },
  ) {
    this.#content = content;
    this.#documentId = documentId;
    this.#clock = options.clock;
    this.#onEmpty = options.onEmpty;
    this.#picture = new Picture(content, documentId);
    this.#attendance = new Attendance(content.context, documentId, this.#clock);
    this.#additions = new Additions(content, documentId, this.#picture);
    this.#flushAlarm = new Alarm(this.#clock);
    this.#lookAlarm = new Alarm(this.#clock);
  }

  /** How many edit here. */
  get size(): number {
    return this.#editors.size;
  }

  /** Lets somebody in, who may have seen everything up to operation `since` before. */
  async join(editor: Editor, since: number | null): Promise<void> {
    this.#joining += 1;
    await this.#inTurn(async () => {
      await this.#look();
      if (this.#picture.working.status === "trashed") throw new Refusal("NOT_FOUND");
      const missed = since === null ? null : this.#picture.since(since);
      await this.#attendance.add(editor);
      this.#editors.set(editor.id, editor);
      editor.send(this.#state(editor));
      for (const { seq, by, set, unset } of missed ?? []) {
        editor.send({ type: "op", seq, by, set, unset });
      }
      this.#tellPresence(editor);
      this.#lookLater();
    }).finally(() => {
      this.#joining -= 1;
      this.#leaveIfEmpty();
    });
  }

  /** Somebody leaves. */
  async leave(editor: Editor): Promise<void> {
    if (!this.#editors.delete(editor.id)) return;
    await this.#attempt("leaving", async () => {
      await this.#attendance.remove(editor.id);
      this.#tellPresence(null);
    });
    this.#leaveIfEmpty();
  }

  /** Somebody moves within the document. */
  move(editor: Editor, path: string | null): void {
    if (!this.#editors.has(editor.id) || editor.path === path) return;
    editor.path = path;
    this.#attendance.moved();
    this.#tellPresence(editor);
  }

  /** Somebody changes something; he is answered once it is durable, or refused. */
  submit(editor: Editor, message: OperationMessage): void {
    if (this.#additions.waiting >= WAITING_MAX) {
      return refuse(editor, message.clientSeq, "RATE_LIMITED");
    }
    this.#additions.put(editor, message);
    if (this.#adding) return;
    this.#adding = true;
    void this.#inTurn(() => this.#addAll());
  }

  /** Somebody wants what was typed to be a version now; he hears of it also when it is one already. */
  hurry(editor: Editor): void {
    void this.#inTurn(async () => {
      await this.#attempt("flushing", () => this.flush());
      const before = this.#picture.head.flushed;
      await this.#attempt("looking", () => this.#look());
      const { head } = this.#picture;
      if (head.flushed === before && pendingOf(head) === 0 && head.n > 0) {
        editor.send({ type: "flushed", seq: head.flushed, versionNumber: head.n });
      }
    });
  }

  /** Flushes what waits; throws when that fails. */
  async flush(): Promise<void> {
    this.#flushAlarm.clear();
    this.#flushing ??= this.#flush().finally(() => this.#flushing = null);
    await this.#flushing;
  }

  /** Ends everything here, after one last flush. */
  async close(): Promise<void> {
    await this.#turn;
    await this.#attempt("flushing", () => this.flush());
    this.#closed = true;
    this.#flushAlarm.clear();
    this.#lookAlarm.clear();
    for (const editor of [...this.#editors.values()]) {
      editor.end("stopping");
      await this.leave(editor);
    }
    await this.#turn;
  }

  /** One thing after the other: so everybody is told of everything in one order. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return await turn;
  }

  async #addAll(): Promise<void> {
    while (this.#additions.waiting > 0) {
      try {
        await this.#look();
        // Whoever has typed so much waits a moment; when flushing fails, typing goes on.
        if (pendingOf(this.#picture.head) >= FLUSH_OPERATIONS) {
          await this.#attempt("flushing", () => this.flush());
          await this.#look();
        }
        const room = FLUSH_OPERATIONS - pendingOf(this.#picture.head);
        const added = await this.#additions.addSome(Math.max(1, room));
        for (const { editor, one } of added) this.#accepted(editor, one);
        if (added.length > 0) this.#flushLater(FLUSH_IDLE_MS);
      } catch (error) {
        await this.#failed(error);
      }
    }
    this.#adding = false;
    this.#leaveIfEmpty();
  }

  async #failed(error: unknown): Promise<void> {
    this.#warn("adding", error);
    if (error instanceof Refusal) {
      this.#additions.refuseAll(error);
      if (error.code === "NOT_FOUND") this.#endAll("gone");
    } else if (!(await this.#additions.retry())) {
      // Whether they are in the log is unknown: those who come back will see.
      this.#additions.clear();
      this.#endAll("lost");
    }
  }

  #accepted(editor: Editor, { seq, clientSeq, by, set, unset }: News["operations"][number]): void {
    editor.send({ type: "ack", clientSeq, seq });
    this.#tell(editor, { type: "op", seq, by, set, unset });
  }

  /** Looks at the store, and tells everybody here what is new. */
  async #look(): Promise<void> {
    const news = await this.#picture.look();
    for (const one of news.operations) {
      const own = this.#additions.settle(one.id);
      if (own !== null) this.#accepted(own, one);
      else {
        const { seq, by, set, unset } = one;
        this.#tell(null, { type: "op", seq, by, set, unset });
        this.#heardAt = this.#clock.monotonic();
      }
    }
    const { head } = this.#picture;
    if (news.flushed) {
      this.#tell(null, { type: "flushed", seq: head.flushed, versionNumber: head.n });
      for (const { code, details } of this.#picture.held) {
        this.#tell(null, errorMessage(new Refusal(code, { details }), null));
      }
    }
    if (news.isReplaced) { for (const one of this.#editors.values()) one.send(this.#state(one)); }
    if (await this.#attendance.look(news.presence)) this.#tellPresence(null);
    const isUnminded = !this.#flushAlarm.isSet && this.#flushing === null;
    if (pendingOf(head) > 0 && (isUnminded || news.operations.length > 0)) {
      this.#flushLater(FLUSH_IDLE_MS + FLUSH_FOREIGN_MS);
    }
  }

  #state(editor: Editor) {
    const { wire, head } = this.#picture;
    const presence = this.#attendance.presentFor(editor);
    return { type: "state" as const, seq: head.seq, document: wire, presence };
  }

  #tellPresence(except: Editor | null): void {
    for (const editor of this.#editors.values()) {
      if (editor === except) continue;
      editor.send({ type: "presence", presence: this.#attendance.presentFor(editor) });
    }
  }

  #tell(except: Editor | null, message: Parameters<Editor["send"]>[0]): void {
    for (const editor of this.#editors.values()) if (editor !== except) editor.send(message);
  }

  #flushLater(ms: number): void {
    if (this.#closed) return;
    const isFull = pendingOf(this.#picture.head) >= FLUSH_OPERATIONS;
    this.#flushAlarm.set(isFull ? 0 : ms, () => {
      void this.flush().catch((error) => {
        this.#warn("flushing", error);
        this.#flushLater(FLUSH_RETRY_MS);
      });
    });
  }

  async #flush(): Promise<void> {
    await flushEdits(this.#content, this.#documentId);
    // Not waited for: whoever adds something may be waiting for this flush.
    void this.#inTurn(() => this.#attempt("looking", () => this.#look()))
      .finally(() => this.#leaveIfEmpty());
  }

  #lookLater(): void {
    if (this.#closed || this.#editors.size === 0) return;
    const isBusy = this.#clock.monotonic() - this.#heardAt < QUIET_MS;
    this.#lookAlarm.set(isBusy ? LOOK_MS : LOOK_IDLE_MS, () => {
      void this.#inTurn(() => this.#attempt("looking", () => this.#look()))
        .finally(() => this.#lookLater());
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

  /** A room without editors stays until what they typed is flushed. */
  #leaveIfEmpty(): void {
    if (this.#editors.size > 0 || this.#joining > 0 || this.#adding) return;
    this.#lookAlarm.clear();
    if (this.#flushAlarm.isSet || this.#flushing !== null) return;
    if (this.#closed) return;
    this.#closed = true;
    this.#onEmpty();
  }
}
