/**
 * Runs in the browser. Saves a document while the user types: an editing session on the form, over the
 * available transport, and its status in the page.
 *
 * @module
 */
import type { LiveError, Present } from "../../../../kv/model/input/live_message.ts";
import { documentPath } from "../../document_path.ts";
import { get } from "../page/elements.ts";
import { clearFailures, markFailed } from "../page/failures.ts";
import { revealAndFocus } from "../page/reveal.ts";
import { toast } from "../page/toast.ts";
import { controlAt, ControlFault, type Value } from "./control_values.ts";
import type { DocumentFacts } from "./editor.ts";
import { firstFieldConflict, showFieldConflict, wordsOf } from "./live/conflict_note.ts";
import { EditingSession, type Unsent } from "./live/editing_session.ts";
import type { FieldConflict } from "./live/field_states.ts";
import { FormFields, nameAt } from "./live/form_fields.ts";
import { LiveConnection } from "./live/live_connection.ts";
import { PatchConnection } from "./live/patch_connection.ts";
import { People } from "./live/people.ts";
import type { Disconnection, Transport } from "./live/transport.ts";
import { fieldLabel, type SaveStatus, wordsFor } from "./save_status.ts";
import { FreeSlug } from "./slug_follower.ts";

/** Time after which an unacknowledged change is shown as being saved, milliseconds. */
const SLOW_MS = 400;
/** Without an answer for this long a connection is given up, milliseconds. */
const ANSWER_TIMEOUT_MS = 6_000;
/** Pause in typing after which faults are shown, milliseconds. */
const FAULT_PAUSE_MS = 900;
/** How long connecting may take before the status shows it, milliseconds. */
const CONNECTING_MS = 1_500;
/** How long a manual save waits for acknowledgements, and then for a version, milliseconds. */
const SAVE_MS = 10_000;
const VERSION_MS = 4_000;
/** Pause in typing a title before its slug is sent, milliseconds. */
const SLUG_PAUSE_MS = 800;

/** The dependencies of saving. */
export interface SavingOptions {
  form: HTMLElement;
  id: string;
  facts: DocumentFacts;
  status: SaveStatus;
  /** Identifies this tab's operations. */
  client: string;
  /** Unsent changes from an earlier page or from before the document was created. */
  unsent: Unsent | null;
  /** The save status has changed. */
  changed: () => void;
}

/** Saves one document. */
export class Saving {
  readonly #options: SavingOptions;
  readonly #fields: FormFields;
  readonly #session: EditingSession;
  readonly #people: People;
  readonly #slug: FreeSlug;
  readonly #faults = new Map<string, LiveError>();
  /** The path of the document or translation in the admin API. */
  readonly #path: string;
  #transport: Transport;
  #disconnected: Disconnection = "connecting";
  #closedAt = performance.now();
  /** When the oldest unsaved change was typed. */
  #unsettledSince: number | null = null;
  #statusTimer: ReturnType<typeof setTimeout> | undefined;
  #faultTimer: ReturnType<typeof setTimeout> | undefined;
  #version: number;
  #savedAt: Date | null;
  #hasChanges: boolean;
  #waiters: (() => void)[] = [];

  constructor(options: SavingOptions) {
    const { form, facts, client, id } = options;
    this.#options = options;
    this.#version = facts.version;
    this.#savedAt = facts.savedAt ?? null;
    this.#hasChanges = facts.hasWorkingCopy;
    this.#fields = new FormFields(form);
    this.#people = new People(form, () => this.isSettled);
    this.#slug = new FreeSlug(form, facts.slugIsOpen);
    this.#session = new EditingSession({
      fields: this.#fields,
      listener: this.#sessionListener(),
      transmit: (message) => this.#transport.send(message),
      pauseMs: (name) => Math.max(this.#transport.pauseMs, name === "slug" ? SLUG_PAUSE_MS : 0),
      later: (ms, run) => void setTimeout(run, ms),
      firstSeq: (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) * 1_024,
    });
    this.#path = `/api/admin${documentPath(id, facts.language)}`;
    this.#transport = new LiveConnection(this.#path, client, {
      ...this.#transportListener(),
      since: () => this.#session.seq,
      blocked: () => this.#switchToRequests(),
    });
  }

  /** Whether every change is saved. */
  get isSettled(): boolean {
    return this.#session.isSettled;
  }

  /** Changes that would be lost if the page were closed. */
  get unsent(): Unsent | null {
    return this.#session.unsent();
  }

  start(): void {
    const { form, unsent } = this.#options;
    if (unsent !== null) this.#session.restore(unsent);
    form.addEventListener("compositionstart", () => this.#session.pause());
    form.addEventListener("compositionend", () => this.#session.resume());
    this.#people.follow((position) => {
      this.#transport.send({ type: "presence", ...position });
    });
    this.#transport.start();
    this.#showStatus();
  }

  /** Something was typed, in this element or anywhere. */
  touched(element: Element | null): void {
    const name = element === null ? null : nameAt(this.#options.form, element);
    // The address follows the title.
    if (name === null) this.#session.touched();
    else this.#session.touched(name === "title" ? ["title", "slug"] : [name]);
    this.#showFaultsLater();
  }

  /** Keeps everything, as a version; answers whether everything is. */
  async save(): Promise<boolean> {
    this.#session.touched();
    this.#session.hasten();
    // A manual save always shows "Saving …", even if it is fast.
    const isWanted = !this.#session.isSettled || !this.#session.isFlushed;
    if (isWanted && this.#session.isOpen) this.#options.status.say("Saving …");
    const isLost = () => !this.#session.isOpen && this.#disconnected !== "connecting";
    await this.#until(
      () => this.#session.isSettled || this.#session.isStuck || isLost(),
      SAVE_MS,
    );
    this.#session.flush();
    await this.#until(() => this.#session.isFlushed || !this.#session.isOpen, VERSION_MS);
    this.#showFaults();
    if (this.#session.isSettled) return true;
    const { form } = this.#options;
    const first = firstFieldConflict(form) ?? form.querySelector<HTMLElement>("[aria-invalid]");
    if (first !== null) revealAndFocus(first);
    return false;
  }

  #sessionListener() {
    return {
      changed: () => this.#changed(),
      kept: (name: string) => {
        this.#faults.delete(name);
        if (name === "slug") this.#slug.found();
        this.#edited();
      },
      edited: () => this.#edited(),
      refused: (name: string, error: LiveError) => this.#refused(name, error),
      conflict: (name: string, conflict: FieldConflict | null) => this.#conflict(name, conflict),
      present: (present: Present[]) => this.#people.show(present),
      document: (document: Record<string, Value>) => {
        this.#statusIs(String(document.status));
        this.#showChanges(document.hasWorkingCopy === true);
      },
      flushed: (version: number) => {
        this.#version = version;
        this.#savedAt = new Date();
        this.#options.status.showVersion(version);
        this.#options.form.dispatchEvent(new Event("saved"));
      },
      heldBack: ({ message }: LiveError) => toast(message, { bad: true }),
      tooLarge: () => this.#switchToRequests(),
      confused: () => this.#transport.restart(),
    };
  }

  #transportListener() {
    return {
      opened: () => this.#session.opened(),
      message: (message: Parameters<EditingSession["receive"]>[0]) => {
        if (message.type === "comments") this.#options.form.dispatchEvent(new Event("comments"));
        else this.#session.receive(message);
      },
      closed: (why: Disconnection) => {
        this.#disconnected = why;
        this.#closedAt = performance.now();
        this.#people.show([]);
        this.#session.closed();
      },
    };
  }

  #patchConnection(): PatchConnection {
    return new PatchConnection(this.#path, this.#transportListener());
  }

  #switchToRequests(): void {
    if (this.#transport instanceof PatchConnection) return;
    this.#transport.stop();
    this.#people.show([]);
    this.#session.switched();
    this.#transport = this.#patchConnection();
    this.#transport.start();
    toast("Live collaboration is not available right now. Your changes are still saved.");
  }

  #changed(): void {
    const { isSettled } = this.#session;
    this.#unsettledSince = isSettled ? null : this.#unsettledSince ?? performance.now();
    this.#showStatus();
    this.#options.changed();
    for (const waiter of this.#waiters.splice(0)) waiter();
  }

  async #until(test: () => boolean, ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (!test()) {
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

  /** Text typed into a published document is not public yet. */
  #edited(): void {
    if (this.#options.facts.status === "published") this.#showChanges(true);
  }

  #showChanges(hasChanges: boolean): void {
    if (hasChanges !== this.#hasChanges) this.#options.status.showChanges(hasChanges);
    this.#hasChanges = hasChanges;
  }

  /** The status has changed, which determines whether typing changes the public document: reload. */
  #statusIs(status: string): void {
    const { facts } = this.#options;
    if (status === facts.status) return;
    facts.status = status;
    const action = { label: "Reload", run: () => location.reload() };
    toast(`Another user changed the status to ${status}.`, { action });
  }

  #refused(name: string, error: LiveError): void {
    if (error.code === "SLUG_CONFLICT" && this.#slug.tryNext()) {
      return void setTimeout(() => this.#session.touched(["slug"]), 0);
    }
    this.#faults.set(name, error);
    this.#showFaultsLater();
  }

  /** Faults come in a pause: a message that moves the page must not come between press and click. */
  #showFaultsLater(): void {
    clearTimeout(this.#faultTimer);
    this.#faultTimer = setTimeout(() => this.#showFaults(), FAULT_PAUSE_MS);
  }

  #showFaults(): void {
    const { form } = this.#options;
    clearTimeout(this.#faultTimer);
    clearFailures(form);
    for (const name of this.#session.refused) {
      const fault = this.#faultOf(name);
      if (fault !== null) {
        markFailed(fault.control, fault.message);
        continue;
      }
      const error = this.#faults.get(name);
      const details = error?.details ?? [{ field: name, message: error?.message ?? "" }];
      for (const { field, message } of details) {
        const control = controlAt(form, field);
        if (control !== null) markFailed(control, message);
      }
    }
    this.#showStatus();
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

  #conflict(name: string, conflict: FieldConflict | null): void {
    const field = this.#fields.element(name);
    if (field === undefined) return;
    if (conflict === null) return showFieldConflict(field, null);
    showFieldConflict(field, {
      who: this.#people.nameOf(conflict.by),
      theirs: conflict.theirs,
      choose: (which) => {
        const other = this.#session.choose(name, which);
        get<HTMLElement>(field, "input:not([type=hidden]), textarea, select, button").focus();
        if (which === "mine") return;
        const undo = () => {
          this.#fields.write(name, other);
          this.#session.touched([name]);
        };
        toast(`Your version: ${wordsOf(other).slice(0, 80)}`, {
          action: { label: "Use mine", run: undo },
        });
      },
    });
  }

  #showStatus(): void {
    clearTimeout(this.#statusTimer);
    const { status } = this.#options;
    const { isOpen, isSettled, refused } = this.#session;
    status.showBusy(!isSettled);
    const waited = performance.now() - this.#closedAt;
    if (!isOpen && this.#disconnected === "connecting" && waited < CONNECTING_MS) {
      return this.#showStatusLater(CONNECTING_MS - waited + 10);
    }
    const unreadable = refused.filter((name) => this.#faultOf(name) !== null);
    const words = wordsFor({
      disconnected: isOpen ? null : this.#disconnected,
      isSettled,
      isFlushed: this.#session.isFlushed,
      hasKept: this.#session.hasKept,
      isConflicting: this.#session.conflicting.length > 0,
      unreadable: unreadable.map((name) => this.#labelOf(name)),
      refused: refused.map((name) => this.#labelOf(name)),
      isSlugTaken: refused.length === 1 && this.#faults.get("slug")?.code === "SLUG_CONFLICT",
      savedAt: this.#savedAt,
      version: this.#options.facts.language === undefined ? this.#version : null,
    });
    if (words !== null) return status.say(...words);
    this.#showPending();
  }

  /** Something is on its way: that is said when it takes long, and after longer the connection is renewed. */
  #showPending(): void {
    const waited = performance.now() - (this.#unsettledSince ?? 0) - this.#transport.pauseMs;
    if (waited > SLOW_MS) this.#options.status.say("Saving …");
    else if (this.#transport.pauseMs > 0) this.#options.status.say("Unsaved changes");
    if (waited > ANSWER_TIMEOUT_MS && this.#session.isWaiting) {
      this.#unsettledSince = performance.now();
      this.#transport.restart();
    } else this.#showStatusLater(waited > SLOW_MS ? SLOW_MS : SLOW_MS - waited + 10);
  }

  #labelOf(name: string): string {
    return fieldLabel(this.#options.facts.fields, name);
  }

  #showStatusLater(ms: number): void {
    this.#statusTimer = setTimeout(() => this.#showStatus(), ms);
  }
}
