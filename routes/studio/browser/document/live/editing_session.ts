/**
 * The client's side of live editing, without page and network. It sends one operation at a time and treats a
 * change as saved once the server acknowledges it. Remote operations are merged; if both changes cannot be
 * merged, the local one is held back until the user chooses.
 *
 * @module
 */
import type {
  LiveError,
  Present,
  ServerMessage,
} from "../../../../../kv/model/input/live_message.ts";
import type { Value } from "../control_values.ts";
import { type Difference, type FieldConflict, FieldStates } from "./field_states.ts";
import type { LiveFields } from "./live_fields.ts";
import { applied, namesIn } from "./remote_change.ts";
import type { Outgoing } from "./transport.ts";
import { type Change, changeOf } from "./value_change.ts";

/** How soon something is tried again that the server had no time for, milliseconds. */
const AGAIN_MS = 1_000;

/** An operation that was sent, and is not answered. */
export interface Sent {
  clientSeq: number;
  name: string;
  /** The last operation that was known here. */
  base: number;
  change: Change;
}

/** Operations without an acknowledgement; they survive a reload of the page. */
export interface Unsent {
  sent: Sent | null;
  fields: Record<string, Difference>;
}

/** The listener of a session. */
export interface SessionListener {
  /** The save status has changed. */
  changed(): void;
  /** The server has acknowledged a change of this field. */
  kept(name: string): void;
  refused(name: string, error: LiveError): void;
  conflict(name: string, conflict: FieldConflict | null): void;
  present(present: Present[]): void;
  /** Others have changed something. */
  edited(): void;
  /** The whole document, as the server has it. */
  document(document: Record<string, Value>): void;
  flushed(version: number): void;
  /** Something was held back from the document. */
  heldBack(error: LiveError): void;
  /** A change is too large for a message. */
  tooLarge(name: string): void;
  /** A message is inconsistent with the session: reconnect. */
  confused(): void;
}

/** The dependencies of a session. */
export interface SessionOptions {
  fields: LiveFields;
  listener: SessionListener;
  /** Sends a message; false when it is too large. */
  transmit: (message: Outgoing) => boolean;
  /** Pause in typing before a field is sent, milliseconds. */
  pauseMs: (name: string) => number;
  later: (ms: number, run: () => void) => void;
  /** The number of the first operation; another one for each page of the same client. */
  firstSeq: number;
}

type StateMessage = Extract<ServerMessage, { type: "state" }>;
type Answer = Extract<ServerMessage, { type: "ack" | "error" }>;

/** A document under edit. */
export class EditingSession {
  readonly #options: SessionOptions;
  readonly #states: FieldStates;
  #sent: Sent | null = null;
  #clientSeq: number;
  /**
   * Numbers of the latest known operation, of the latest acknowledged local one, and of the latest one in a
   * version.
   */
  #seq = 0;
  #keptSeq = 0;
  #flushedSeq = 0;
  #isOpen = false;
  /** Whether there was a state. */
  #isKnown = false;
  /** Remote operations received before the outcome of a resent operation is known. */
  #early: ServerMessage[] | null = null;
  #paused: ServerMessage[] | null = null;
  /** The last turn of each field that is being typed into: it is sent when its pause is over. */
  readonly #typing = new Map<string, number>();
  #turn = 0;
  #isUrgent = false;
  #waitsForRemote = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#clientSeq = options.firstSeq;
    this.#states = new FieldStates(options.fields, (name, conflict) => {
      options.listener.conflict(name, conflict);
    });
  }

  /** Whether every change is saved. */
  get isSettled(): boolean {
    return this.#states.isClean && this.#sent === null;
  }

  /** Whether the server is there. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether nothing more can be sent as things are. */
  get isStuck(): boolean {
    return this.#sent === null && this.#states.sendable.length === 0;
  }

  /** Whether every saved change is part of a version. */
  get isFlushed(): boolean {
    return this.#flushedSeq >= this.#keptSeq;
  }

  /** Whether an operation waits for its answer. */
  get isWaiting(): boolean {
    return this.#sent !== null;
  }

  /** Whether any change has been saved since the page was opened. */
  get hasKept(): boolean {
    return this.#keptSeq > 0;
  }

  get refused(): string[] {
    return this.#states.refused;
  }

  get conflicting(): string[] {
    return this.#states.conflicting;
  }

  /** The last operation that is known here; null before the first state. */
  get seq(): number | null {
    return this.#isKnown ? this.#seq : null;
  }

  /** The server's value of a field. */
  confirmed(name: string): Value {
    return this.#states.confirmed(name);
  }

  /** Unacknowledged operations; null if there are none. */
  unsent(): Unsent | null {
    const fields = this.#states.differences();
    const isNothing = Object.keys(fields).length === 0 && this.#sent === null;
    return isNothing ? null : { sent: this.#sent, fields };
  }

  /** Restores operations that an earlier page could not send. Must be called before connecting. */
  restore({ sent, fields }: Unsent): void {
    for (const [name, difference] of Object.entries(fields)) this.#states.restore(name, difference);
    if (sent !== null && this.#states.names.includes(sent.name)) this.#sent = sent;
    this.#options.listener.changed();
  }

  /** Sends all changes now, until each is acknowledged or rejected. */
  hasten(): void {
    this.#isUrgent = true;
    this.#sendNext();
  }

  /** The connection is there; the state of the document comes next. */
  opened(): void {
    this.#early = null;
    this.#waitsForRemote = false;
    if (this.#sent === null) return;
    this.#early = [];
    this.#transmit(this.#sent);
  }

  /** Switches to another transport, which numbers operations differently. */
  switched(): void {
    this.#keptSeq = this.#flushedSeq = 0;
    this.closed();
  }

  /** The connection is gone. */
  closed(): void {
    this.#isOpen = false;
    this.#early = null;
    if (this.#paused !== null) this.#paused = [];
    this.#options.listener.changed();
  }

  /** An input method is composing a character: the text must not change until it is done. */
  pause(): void {
    this.#paused ??= [];
  }

  resume(): void {
    const waiting = this.#paused ?? [];
    this.#paused = null;
    this.touched();
    for (const message of waiting) this.receive(message);
  }

  /** Something was typed: into these fields, or into any. */
  touched(names: readonly string[] = this.#states.names): void {
    for (const name of names) this.#states.check(name);
    for (const name of names) if (this.#states.isDirty(name)) this.#rest(name);
    this.#options.listener.changed();
    this.#sendNext();
  }

  /** One of two versions of a field stays; answers the other one. */
  choose(name: string, which: "mine" | "theirs"): Value {
    const other = this.#states.choose(name, which);
    this.touched([name]);
    return other;
  }

  /** Requests a version of the saved changes. */
  flush(): void {
    if (this.#isOpen && !this.isFlushed) this.#options.transmit({ type: "flush" });
  }

  /** Something came from the server. */
  receive(message: ServerMessage): void {
    if (this.#paused !== null) return void this.#paused.push(message);
    const isAnswer = message.type === "ack" || message.type === "error";
    if (isAnswer && this.#sent !== null && message.clientSeq === this.#sent.clientSeq) {
      return this.#answered(this.#sent, message);
    }
    if (this.#early !== null) return void this.#early.push(message);
    const { listener } = this.#options;
    switch (message.type) {
      case "state":
        return this.#takeState(message, null);
      case "op":
        return this.#takeOperation(message);
      case "presence":
        return listener.present(message.presence);
      case "flushed":
        this.#flushedSeq = Math.max(this.#flushedSeq, message.seq);
        listener.flushed(message.versionNumber);
        return listener.changed();
      case "error":
        if (message.clientSeq === null) listener.heldBack(message);
    }
  }

  /** It is known what became of the operation that was sent. */
  #answered(sent: Sent, answer: Answer): void {
    const early = this.#early ?? [];
    this.#sent = null;
    this.#early = null;
    const keptSeq = answer.type === "ack" ? answer.seq : 0;
    if (keptSeq > 0) {
      const value = applied(sent.name, this.#states.confirmed(sent.name), sent.change);
      this.#states.keep(sent.name, value);
      this.#keptSeq = Math.max(this.#keptSeq, keptSeq);
    }
    for (const one of early) {
      // A state from before the operation is one without it.
      const isWithout = one.type === "state" && keptSeq > one.seq;
      if (one.type === "state") this.#takeState(one, isWithout ? sent : null);
      else if (one.type === "op" && one.seq === keptSeq) this.#seq = keptSeq;
      else this.receive(one);
    }
    this.#seq = Math.max(this.#seq, keptSeq);
    if (answer.type === "error") this.#failed(sent, answer);
    else this.#options.listener.kept(sent.name);
    this.#options.listener.changed();
    this.#sendNext();
  }

  #failed(sent: Sent, error: LiveError): void {
    if (["CONFLICT", "RATE_LIMITED", "UNAVAILABLE"].includes(error.code)) {
      // The conflicting operation has arrived already or is about to.
      this.#waitsForRemote = error.code !== "CONFLICT" || sent.base === this.#seq;
      this.#options.later(AGAIN_MS, () => {
        this.#waitsForRemote = false;
        this.#sendNext();
      });
      return;
    }
    this.#states.refuse(sent.name);
    this.#options.listener.refused(sent.name, error);
  }

  #takeState(message: StateMessage, own: Sent | null): void {
    const { listener } = this.#options;
    const document: Record<string, Value> = message.document;
    this.#seq = message.seq;
    this.#isOpen = this.#isKnown = true;
    for (const name of this.#states.names) {
      const value = document[name] ?? null;
      const theirs = own?.name === name ? applied(name, value, own.change) : value;
      this.#states.rebase(name, theirs, null);
    }
    listener.document(document);
    listener.present(message.presence);
    listener.changed();
    this.#sendNext();
  }

  #takeOperation(message: Extract<ServerMessage, { type: "op" }>): void {
    // Operations that the state already contains are announced again after a reconnect, for their author only.
    if (message.seq <= this.#seq) return this.#states.name(namesIn(message), message.by);
    if (message.seq !== this.#seq + 1) return this.#options.listener.confused();
    this.#seq = message.seq;
    const known = this.#states.names;
    const names = namesIn(message);
    for (const name of names) {
      if (!known.includes(name)) continue;
      const theirs = applied(name, this.#states.confirmed(name), message);
      this.#states.rebase(name, theirs, message.by);
    }
    // Of an edit of another language there is only the number.
    if (names.length > 0) this.#options.listener.edited();
    this.#options.listener.changed();
    this.#sendNext();
  }

  #rest(name: string): void {
    const ms = this.#options.pauseMs(name);
    if (ms === 0 || this.#isUrgent) return;
    const turn = ++this.#turn;
    this.#typing.set(name, turn);
    this.#options.later(ms, () => {
      if (this.#typing.get(name) !== turn) return;
      this.#typing.delete(name);
      this.#sendNext();
    });
  }

  /** Sends the next change, when there is one and its turn has come. */
  #sendNext(): void {
    if (!this.#isOpen || this.#sent !== null || this.#paused !== null) return;
    if (this.#waitsForRemote) return;
    const name = this.#states.sendable.find((one) => this.#isUrgent || !this.#typing.has(one));
    if (name === undefined) {
      this.#isUrgent = false;
      return;
    }
    const { base, mine } = this.#states.difference(name);
    const change = changeOf(name, base, mine);
    this.#sent = { clientSeq: this.#clientSeq++, name, base: this.#seq, change };
    if (!this.#transmit(this.#sent)) {
      this.#sent = null;
      this.#states.refuse(name);
      this.#options.listener.tooLarge(name);
    }
    this.#options.listener.changed();
  }

  #transmit({ clientSeq, base, change }: Sent): boolean {
    return this.#options.transmit({ type: "op", clientSeq, base, ...change } as Outgoing);
  }
}
