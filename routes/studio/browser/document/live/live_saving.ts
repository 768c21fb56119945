/**
 * Runs in the browser. Keeps a document while one types, together with everybody else who has it open.
 *
 * @module
 */
import type { LiveError, Present } from "../../../../../kv/model/live_message.ts";
import type { Reply } from "../../call.ts";
import { get } from "../../elements.ts";
import { clearFailures, markFailed } from "../../failures.ts";
import { toast } from "../../toast.ts";
import { controlAt, ControlFault, type Value } from "../control_values.ts";
import { clockText } from "../dates.ts";
import type { DocumentFacts } from "../editor.ts";
import { FreeSlug, type Saving } from "../saving.ts";
import type { SaveStatus } from "../save_status.ts";
import { firstFieldConflict, showFieldConflict, wordsOf } from "./conflict_note.ts";
import type { FieldConflict } from "./field_states.ts";
import { FormFields, nameAt } from "./form_fields.ts";
import { type Absence, LiveConnection } from "./live_connection.ts";
import { LiveSession, type Unsent } from "./live_session.ts";
import { People } from "./people.ts";

/** What is not kept by then is said to be on its way, milliseconds. */
const SLOW_MS = 400;
/** Without an answer for this long a connection is no good, milliseconds. */
const DEAF_MS = 6_000;
/** Pause in typing after which faults are shown, milliseconds. */
const FAULT_PAUSE_MS = 900;
/** How long a connection may take before that is said, milliseconds. */
const CONNECTING_MS = 1_500;
/** How long saving by hand waits for everything to be kept, and then for a version, milliseconds. */
const SAVE_MS = 10_000;
const VERSION_MS = 4_000;

/** What it needs. */
export interface LiveOptions {
  form: HTMLElement;
  id: string;
  facts: DocumentFacts;
  words: SaveStatus;
  /** The name of this tab's operations. */
  client: string;
  /** What an earlier page, or the time before the document was there, has left. */
  unsent: Unsent | null;
  /** Something about what is kept and what is not. */
  changed: () => void;
  /** Live editing does not come through: requests may. */
  blocked: (reply: Reply | null, saved: Record<string, Value>) => void;
}

/** Keeps a document live. */
export class LiveSaving implements Saving {
  readonly #options: LiveOptions;
  readonly #fields: FormFields;
  readonly #session: LiveSession;
  readonly #connection: LiveConnection;
  readonly #people: People;
  readonly #slug: FreeSlug;
  readonly #faults = new Map<string, LiveError>();
  #absence: Absence = "connecting";
  #startedAt = performance.now();
  /** When the oldest of what is not kept was typed. */
  #unsettledSince: number | null = null;
  #sayTimer: ReturnType<typeof setTimeout> | undefined;
  #faultTimer: ReturnType<typeof setTimeout> | undefined;
  #version: number;
  #savedAt: Date | null;
  #waiters: (() => void)[] = [];
  #isStopped = false;

  constructor(options: LiveOptions) {
    const { form, facts, id, client } = options;
    this.#options = options;
    this.#version = facts.version;
    this.#savedAt = facts.savedAt ?? null;
    this.#fields = new FormFields(form);
    this.#people = new People(form);
    this.#slug = new FreeSlug(form, facts.slugIsOpen);
    this.#session = new LiveSession({
      fields: this.#fields,
      listener: this.#listener(),
      transmit: (text) => this.#connection.send(text),
      later: (ms, run) => void setTimeout(() => this.#isStopped || run(), ms),
      firstSeq: crypto.getRandomValues(new Uint32Array(1))[0]! * 1_024,
    });
    this.#session.hold(facts.status === "published");
    this.#connection = new LiveConnection(id, client, {
      opened: () => this.#session.opened(),
      message: (message) => this.#session.receive(message),
      since: () => this.#session.seq,
      closed: (absence) => {
        this.#absence = absence;
        this.#startedAt = performance.now();
        this.#people.show([]);
        this.#session.closed();
      },
      blocked: (reply) => this.#giveUp(reply),
    });
  }

  get id(): string {
    return this.#options.id;
  }

  get isSettled(): boolean {
    return this.#session.isSettled;
  }

  start(): void {
    const { form, unsent } = this.#options;
    if (unsent !== null) this.#session.restore(unsent);
    form.addEventListener("compositionstart", () => this.#session.pause());
    form.addEventListener("compositionend", () => this.#session.resume());
    this.#people.follow((path) => {
      this.#connection.send(JSON.stringify({ type: "presence", path }));
    });
    this.#connection.start();
    this.#say();
  }

  unsent(): Unsent | null {
    return this.#session.unsent();
  }

  touched(element: Element | null): void {
    const name = element === null ? null : nameAt(this.#options.form, element);
    // The address follows the title.
    if (name === null) this.#session.touched();
    else this.#session.touched(name === "title" ? ["title", "slug"] : [name]);
    clearTimeout(this.#faultTimer);
    this.#faultTimer = setTimeout(() => this.#showFaults(), FAULT_PAUSE_MS);
  }

  left(): void {
    // Faults come in a pause: a message that moves the page must not come between press and click.
  }

  async save(): Promise<boolean> {
    this.#session.touched();
    this.#session.release();
    // Who asks for it sees it happen, however quick it is.
    const isWanted = !this.#session.isSettled || !this.#session.isFlushed;
    if (isWanted && this.#session.isOpen) this.#options.words.say("Saving …");
    const isDone = () => this.#session.isSettled || this.#session.isStuck || this.#isLost;
    await this.#until(isDone, SAVE_MS);
    this.#session.flush();
    await this.#until(() => this.#session.isFlushed || !this.#session.isOpen, VERSION_MS);
    this.#showFaults();
    if (this.#session.isSettled) return true;
    const { form } = this.#options;
    const first = firstFieldConflict(form) ?? form.querySelector<HTMLElement>("[aria-invalid]");
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: "center" });
    return false;
  }

  /** Whether waiting for the connection is no use. */
  get #isLost(): boolean {
    return !this.#session.isOpen && this.#absence !== "connecting";
  }

  #listener() {
    return {
      changed: () => this.#changed(),
      kept: (name: string) => {
        this.#faults.delete(name);
        if (name === "slug") this.#slug.found();
      },
      refused: (name: string, error: LiveError) => this.#refused(name, error),
      clash: (name: string, clash: FieldConflict | null) => this.#clash(name, clash),
      present: (present: Present[]) => this.#people.show(present),
      document: (document: Record<string, Value>) => this.#statusIs(String(document.status)),
      flushed: (version: number) => this.#flushed(version),
      heldBack: ({ message }: LiveError) => toast(message, { bad: true }),
      tooLarge: () => this.#giveUp(null),
      confused: () => this.#connection.restart(),
    };
  }

  #changed(): void {
    const { isSettled } = this.#session;
    this.#unsettledSince = isSettled ? null : this.#unsettledSince ?? performance.now();
    this.#say();
    this.#options.changed();
    for (const waiter of this.#waiters.splice(0)) waiter();
  }

  async #until(test: () => boolean, ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (!test() && !this.#isStopped) {
      const left = end - performance.now();
      if (left <= 0) return;
      await new Promise<void>((done) => {
        const timer = setTimeout(done, left);
        this.#waiters.push(() => {
          clearTimeout(timer);
          done();
        });
      });
    }
  }

  #flushed(version: number): void {
    this.#version = version;
    this.#savedAt = new Date();
    this.#options.words.showVersion(version);
    this.#options.form.dispatchEvent(new Event("saved"));
  }

  /** Somebody has published it, or taken it back: whether typing is public hangs on that. */
  #statusIs(status: string): void {
    const { facts } = this.#options;
    if (status === facts.status) return;
    facts.status = status;
    this.#session.hold(status === "published");
    const action = { label: "Reload", run: () => location.reload() };
    toast(`Somebody else has changed the status: it is ${status} now.`, { action });
  }

  #refused(name: string, error: LiveError): void {
    if (error.code === "SLUG_CONFLICT" && this.#slug.tryNext()) {
      return void setTimeout(() => this.#session.touched(["slug"]), 0);
    }
    this.#faults.set(name, error);
    clearTimeout(this.#faultTimer);
    this.#faultTimer = setTimeout(() => this.#showFaults(), FAULT_PAUSE_MS);
  }

  #showFaults(): void {
    if (this.#isStopped) return;
    const { form } = this.#options;
    clearTimeout(this.#faultTimer);
    clearFailures(form);
    for (const name of this.#session.refused) {
      const error = this.#faults.get(name);
      const details = error?.details ?? [{ field: name, message: error?.message ?? "" }];
      const fault = this.#faultOf(name);
      if (fault !== null) markFailed(fault.control, fault.message);
      else {
        for (const { field, message } of details) {
          const control = controlAt(form, field);
          if (control !== null) markFailed(control, message);
        }
      }
    }
    this.#say();
  }

  #faultOf(name: string): ControlFault | null {
    try {
      this.#fields.read(name);
      return null;
    } catch (error) {
      if (error instanceof ControlFault) return error;
      throw error;
    }
  }

  #clash(name: string, clash: FieldConflict | null): void {
    const field = this.#fields.element(name)!;
    if (clash === null) return showFieldConflict(field, null);
    showFieldConflict(field, {
      who: this.#people.nameOf(clash.by),
      theirs: clash.theirs,
      choose: (which) => {
        const other = this.#session.choose(name, which);
        get<HTMLElement>(field, "input:not([type=hidden]), textarea, select, button").focus();
        if (which === "mine") return;
        const undo = () => {
          this.#fields.write(name, other);
          this.#session.touched([name]);
        };
        toast(`What you wrote was: ${wordsOf(other).slice(0, 80)}`, {
          action: { label: "Put it back", run: undo },
        });
      },
    });
  }

  #giveUp(reply: Reply | null): void {
    const saved = Object.fromEntries(
      this.#fields.names().map((name) => [name, this.#session.confirmed(name)]),
    );
    this.#isStopped = true;
    this.#connection.stop();
    clearTimeout(this.#sayTimer);
    clearTimeout(this.#faultTimer);
    this.#people.show([]);
    this.#options.blocked(reply, saved);
    for (const waiter of this.#waiters.splice(0)) waiter();
  }

  #say(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#sayTimer);
    const { words } = this.#options;
    if (!this.#session.isOpen) return this.#sayAbsence();
    const { clashing, refused } = this.#session;
    if (clashing.length > 0) {
      return words.say("Not saved: two versions of a field, choose one", "bad");
    }
    if (refused.some((name) => this.#faultOf(name) !== null)) {
      return words.say("Not saved: a field cannot be read", "bad");
    }
    if (refused.length > 0) {
      const isSlug = refused.length === 1 && this.#faults.get("slug")?.code === "SLUG_CONFLICT";
      return words.say(
        isSlug
          ? "Not saved: the address is taken"
          : refused.length === 1
          ? "Not saved: a field needs another look"
          : `Not saved: ${refused.length} fields need another look`,
        "bad",
      );
    }
    if (this.#session.isSettled) return this.#sayKept();
    if (this.#session.isHolding) return words.say("Changes are not public yet");
    const waited = performance.now() - this.#unsettledSince!;
    if (waited > SLOW_MS) words.say("Saving …");
    else this.#sayLater(SLOW_MS - waited + 10);
    if (waited > DEAF_MS && this.#session.isWaiting) {
      this.#unsettledSince = performance.now();
      this.#connection.restart();
    } else if (waited > SLOW_MS) this.#sayLater(SLOW_MS);
  }

  #sayKept(): void {
    if (this.#savedAt !== null && this.#session.isFlushed) {
      const at = clockText(this.#savedAt);
      return this.#options.words.say(`Saved ${at} · version ${this.#version}`, "good");
    }
    if (this.#session.hasKept) this.#options.words.say("Saved", "good");
    else this.#options.words.say("All changes saved");
  }

  #sayAbsence(): void {
    const { words } = this.#options;
    const isKept = this.#session.isSettled;
    const here = isKept ? "" : " What you typed is kept here.";
    switch (this.#absence) {
      case "gone":
        return words.say(`This document was moved to the trash.${here}`, "bad");
      case "forbidden":
        return words.say(`Your role no longer allows changes.${here}`, "bad");
      case "signed out":
        return words.say(`Your session has ended. Sign in again in another tab.${here}`, "bad");
      case "offline":
        return words.say(
          isKept ? "Offline: the server cannot be reached" : "Offline: your text is kept here",
          "bad",
        );
      case "connecting": {
        const waited = performance.now() - this.#startedAt;
        if (waited < CONNECTING_MS) return this.#sayLater(CONNECTING_MS - waited + 10);
        words.say(isKept ? "Connecting …" : "Connecting … your text is kept here");
      }
    }
  }

  #sayLater(ms: number): void {
    this.#sayTimer = setTimeout(() => this.#say(), ms);
  }
}
