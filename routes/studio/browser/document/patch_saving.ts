/**
 * Runs in the browser. Keeps a document by requests: a new one until it is there, and any other where
 * live editing does not come through. Saves in the pauses of typing, or when asked to.
 *
 * @module
 */
import { openDialog } from "../actions.ts";
import type { Reply } from "../call.ts";
import { get } from "../elements.ts";
import { clearFailures, markFailed, showFailures } from "../failures.ts";
import { letGo } from "../leave_guard.ts";
import { toast } from "../toast.ts";
import { showConflict } from "./conflict.ts";
import { controlAt, ControlFault, readFields, type Value } from "./control_values.ts";
import { clockText } from "./dates.ts";
import type { DocumentFacts } from "./editor.ts";
import { FreeSlug, type Saving } from "./saving.ts";
import type { Unsent } from "./live/live_session.ts";
import { Saver, type SaveState } from "./saver.ts";
import type { SaveStatus } from "./save_status.ts";

/** Pause after the last key before a draft is saved, milliseconds. */
const PAUSE_MS = 1_200;
/** How soon a save that got no answer is tried again, milliseconds. */
const AGAIN_MS = 5_000;

/** What it needs. */
export interface PatchOptions {
  form: HTMLElement;
  facts: DocumentFacts;
  words: SaveStatus;
  /** The values that the server has, where the form shows others already. */
  saved?: Record<string, Value>;
  /** Something about what is kept and what is not. */
  changed: () => void;
  /** The document was created. */
  created: (id: string) => void;
}

/** Keeps a document by requests. */
export class PatchSaving implements Saving {
  readonly #options: PatchOptions;
  readonly #saver: Saver;
  readonly #slug: FreeSlug;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the present save was asked for by hand, so that failures may move the focus. */
  #byHand = false;

  constructor(options: PatchOptions) {
    const { form, facts, saved } = options;
    this.#options = options;
    this.#slug = new FreeSlug(form, facts.slugIsOpen);
    this.#saver = new Saver({
      id: facts.id,
      etag: facts.etag,
      collection: facts.collection,
      read: () => readFields(form),
      ...(saved && { saved }),
      tell: (state) => this.#show(state),
      created: options.created,
    });
  }

  get id(): string | null {
    return this.#saver.id;
  }

  get isSettled(): boolean {
    try {
      return !this.#saver.isDirty();
    } catch (error) {
      if (error instanceof ControlFault) return false;
      throw error;
    }
  }

  unsent(): Unsent | null {
    if (this.isSettled) return null;
    try {
      const changes = Object.entries(this.#saver.changes());
      const fields = changes.map(([name, mine]) =>
        [name, { base: this.#saver.saved[name], mine }] as const
      );
      return { sent: null, fields: Object.fromEntries(fields) };
    } catch (error) {
      if (error instanceof ControlFault) return null;
      throw error;
    }
  }

  touched(): void {
    const { facts, words } = this.#options;
    const isPublic = facts.status === "published";
    words.say(isPublic ? "Changes are not public yet" : "Unsaved changes");
    clearTimeout(this.#timer);
    // What is public changes only when somebody says so.
    if (isPublic || this.#saver.id === null) return;
    this.#timer = setTimeout(() => void this.#save(), PAUSE_MS);
  }

  left(): void {
    // A document that is not there yet begins with the first field that is left.
    if (this.#saver.id === null) void this.#save();
  }

  async save(): Promise<boolean> {
    this.#byHand = true;
    try {
      return await this.#save();
    } finally {
      this.#byHand = false;
    }
  }

  async #save(): Promise<boolean> {
    const { form, words } = this.#options;
    clearTimeout(this.#timer);
    try {
      const title = get<HTMLTextAreaElement>(form, "#c-title").value.trim();
      if (this.#saver.id === null && !this.#byHand && title === "") return false;
      return await this.#saver.save();
    } catch (error) {
      if (!(error instanceof ControlFault)) throw error;
      clearFailures(form);
      markFailed(error.control, error.message);
      if (this.#byHand) error.control.focus();
      words.say("Not saved: a field cannot be read", "bad");
      return false;
    } finally {
      this.#options.changed();
    }
  }

  #show(state: SaveState): void {
    const { form, facts, words } = this.#options;
    switch (state.kind) {
      case "saving":
        return words.say("Saving …");
      case "saved":
        return this.#saved(state);
      case "refused":
        return this.#refused(state.reply);
      case "lost":
        words.say(`Not saved. ${state.reply.message}`, "bad");
        this.#timer = setTimeout(() => void this.#save(), AGAIN_MS);
        return;
      case "conflict":
        words.say("Not saved: somebody else changed the same fields", "bad");
        showConflict(state.conflict, facts.fields, async (mine) => {
          if (await this.#saver.settle(state.conflict, mine)) {
            letGo(form);
            location.reload();
          }
        });
        openDialog("conflict");
    }
  }

  #saved({ version, at, theirs }: { version: number; at: Date; theirs: string[] }): void {
    const { form, facts, words } = this.#options;
    clearFailures(form);
    form.dispatchEvent(new Event("saved"));
    this.#slug.found();
    words.say(`Saved ${clockText(at)} · version ${version}`, "good");
    words.showVersion(version);
    const labels = theirs.filter((name) => !["updatedAt"].includes(name))
      .map((name) => facts.fields.find(([field]) => field === name)?.[1] ?? name);
    if (labels.length === 0) return;
    const action = { label: "Show them", run: () => location.reload() };
    toast(`Somebody else changed ${labels.join(", ")} meanwhile. Both are kept.`, { action });
  }

  #refused(reply: Reply): void {
    const { form, words } = this.#options;
    if (reply.body?.error?.code === "SLUG_CONFLICT") return this.#takenSlug(reply);
    const count = reply.details.length;
    const what = count === 0 ? reply.message : count === 1 ? "a field" : `${count} fields`;
    words.say(
      count === 0
        ? `Not saved. ${what}`
        : `Not saved: ${what} ${count === 1 ? "needs" : "need"} another look`,
      "bad",
    );
    if (this.#byHand) showFailures(form, reply, (path) => controlAt(form, path));
    else {
      clearFailures(form);
      for (const { field, message } of reply.details) {
        const control = controlAt(form, field);
        if (control !== null) markFailed(control, message);
      }
    }
  }

  /** An address made from the title gets a number; one that was typed is for its author to change. */
  #takenSlug(reply: Reply): void {
    const { form, words } = this.#options;
    if (this.#slug.tryNext()) {
      this.#timer = setTimeout(() => void this.#save(), 0);
      return;
    }
    words.say("Not saved: the address is taken", "bad");
    clearFailures(form);
    markFailed(this.#slug.input, reply.message);
  }
}
