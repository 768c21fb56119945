/**
 * Presence: the editors connected to this process, and those of other processes, read from the store.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { CONNECTIONS_PER_DOCUMENT_MAX } from "../limits/content.ts";
import type { Present } from "../model/input/live_message.ts";
import { Refusal } from "../refusals.ts";
import type { Editor } from "./editor.ts";
import { type LiveClock, Timer } from "./live_clock.ts";
import {
  newestPerClient,
  type Participant,
  participantOf,
  PRESENCE_RENEW_MS,
  readPresence,
  removePresence,
  writePresence,
} from "./presence_rows.ts";

/** The shortest interval between writes of moves, milliseconds. */
const MOVE_INTERVAL_MS = 1_000;

/** The editors of one document. */
export class Presence {
  readonly #context: Context;
  readonly #documentId: string;
  readonly #clock: LiveClock;
  readonly #own = new Map<string, Editor>();
  readonly #moves: Timer;
  #others: Participant[] = [];
  #renewedAt: number;

  constructor(context: Context, documentId: string, clock: LiveClock) {
    this.#context = context;
    this.#documentId = documentId;
    this.#clock = clock;
    this.#moves = new Timer(clock);
    this.#renewedAt = clock.monotonic();
  }

  /** All editors, in the order of connecting. */
  get #present(): Participant[] {
    const all = [...this.#others, ...this.#ownPresent()].sort((a, b) => a.id < b.id ? -1 : 1);
    return newestPerClient(all);
  }

  /** All editors, as one of them sees them: fields of other languages are not on their screen. */
  presentFor(editor: Editor): Present[] {
    return this.#present.map(({ client: _client, path, selection, ...one }) => {
      const isShown = one.language === editor.language;
      return {
        ...one,
        path: isShown ? path : null,
        ...(isShown && selection !== undefined && { selection }),
        ...(one.id === editor.id && { you: true }),
      };
    });
  }

  /** Refuses with RATE_LIMITED when the document has its maximum of connections. */
  async add(editor: Editor): Promise<void> {
    await this.#read();
    if (this.#others.length + this.#own.size >= CONNECTIONS_PER_DOCUMENT_MAX) {
      throw new Refusal("RATE_LIMITED", { about: "too many editors have this document open" });
    }
    this.#own.set(editor.id, editor);
    await writePresence(this.#context, this.#documentId, [participantOf(editor)]);
  }

  async remove(id: string): Promise<void> {
    this.#own.delete(id);
    if (this.#own.size === 0) this.#moves.clear();
    await removePresence(this.#context, this.#documentId, id);
  }

  /** Records a move of an editor of this process. */
  moved(): void {
    if (this.#moves.isSet) return;
    this.#moves.set(MOVE_INTERVAL_MS, () => {
      const { log } = this.#context;
      writePresence(this.#context, this.#documentId, this.#ownPresent()).catch((error) =>
        log.debug("presence not announced", { documentId: this.#documentId, error: `${error}` })
      );
    });
  }

  /** Renews the rows of this process and reads the others; true if they have changed. */
  async refresh(isStale: boolean): Promise<boolean> {
    const isDue = this.#clock.monotonic() - this.#renewedAt >= PRESENCE_RENEW_MS;
    if (!isDue && !isStale) return false;
    if (isDue) {
      this.#renewedAt = this.#clock.monotonic();
      await writePresence(this.#context, this.#documentId, this.#ownPresent());
    }
    const before = JSON.stringify(this.#others);
    await this.#read();
    return JSON.stringify(this.#others) !== before;
  }

  async #read(): Promise<void> {
    const all = await readPresence(this.#context, this.#documentId);
    this.#others = all.filter(({ id }) => !this.#own.has(id));
  }

  #ownPresent(): Participant[] {
    return [...this.#own.values()].map(participantOf);
  }
}
