/**
 * Who is in a room: those of this process, and those that other processes have announced.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { Present } from "../model/live_message.ts";
import { Refusal } from "../refusals.ts";
import type { Editor } from "./editor.ts";
import { Alarm, type LiveClock } from "./live_clock.ts";
import {
  announce,
  type Attendee,
  CONNECTIONS_PER_DOCUMENT_MAX,
  newestOfEach,
  PRESENCE_BEAT_MS,
  readPresence,
  takeLeave,
} from "./presence.ts";

/** Moves are told to other processes at most this often, milliseconds. */
const MOVE_GAP_MS = 1_000;

/** The people in a room. */
export class Attendance {
  readonly #context: Context;
  readonly #documentId: string;
  readonly #clock: LiveClock;
  readonly #own = new Map<string, Editor>();
  readonly #moves: Alarm;
  #others: Attendee[] = [];
  #beatAt: number;

  constructor(context: Context, documentId: string, clock: LiveClock) {
    this.#context = context;
    this.#documentId = documentId;
    this.#clock = clock;
    this.#moves = new Alarm(clock);
    this.#beatAt = clock.monotonic();
  }

  /** Everybody, in the order of connecting. */
  get #present(): Attendee[] {
    const all = [...this.#others, ...this.#ownPresent()].sort((a, b) => a.id < b.id ? -1 : 1);
    return newestOfEach(all);
  }

  /** Everybody, as one of them sees it. */
  presentFor(editor: Editor): Present[] {
    return this.#present.map(({ client: _client, ...one }) =>
      one.id === editor.id ? { ...one, you: true } : one
    );
  }

  /** Refuses with RATE_LIMITED when the room is full. */
  async add(editor: Editor): Promise<void> {
    await this.#read();
    if (this.#others.length + this.#own.size >= CONNECTIONS_PER_DOCUMENT_MAX) {
      throw new Refusal("RATE_LIMITED", { about: "too many have this document open" });
    }
    this.#own.set(editor.id, editor);
    await announce(this.#context, this.#documentId, [presentOf(editor)]);
  }

  async remove(id: string): Promise<void> {
    this.#own.delete(id);
    if (this.#own.size === 0) this.#moves.clear();
    await takeLeave(this.#context, this.#documentId, id);
  }

  /** Somebody here is somewhere else now. */
  moved(): void {
    if (this.#moves.isSet) return;
    this.#moves.set(MOVE_GAP_MS, () => {
      const { log } = this.#context;
      announce(this.#context, this.#documentId, this.#ownPresent()).catch((error) =>
        log.debug("presence not told", { documentId: this.#documentId, error: `${error}` })
      );
    });
  }

  /** Renews what others know of those here, and reads who else is there; true when that has changed. */
  async look(hasNews: boolean): Promise<boolean> {
    const isDue = this.#clock.monotonic() - this.#beatAt >= PRESENCE_BEAT_MS;
    if (!isDue && !hasNews) return false;
    if (isDue) {
      this.#beatAt = this.#clock.monotonic();
      await announce(this.#context, this.#documentId, this.#ownPresent());
    }
    const before = JSON.stringify(this.#others);
    await this.#read();
    return JSON.stringify(this.#others) !== before;
  }

  async #read(): Promise<void> {
    const all = await readPresence(this.#context, this.#documentId);
    this.#others = all.filter(({ id }) => !this.#own.has(id));
  }

  #ownPresent(): Attendee[] {
    return [...this.#own.values()].map(presentOf);
  }
}

function presentOf({ id, userId, displayName, path, client }: Editor): Attendee {
  return { id, userId, displayName, path, client };
}
