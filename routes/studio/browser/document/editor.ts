/**
 * Runs in the browser. The editor of a document: saves while one types, says in words whether all is
 * saved, and never lets go of what was typed.
 *
 * @module
 */
import { openDialog } from "../actions.ts";
import type { Reply } from "../call.ts";
import { all, embedded, get } from "../elements.ts";
import { clearFailures, markFailed, showFailures } from "../failures.ts";
import { guard, letGo } from "../leave_guard.ts";
import { startRichTexts } from "../rich_text.ts";
import { toast } from "../toast.ts";
import { showConflict } from "./conflict.ts";
import { controlAt, ControlFault, readFields } from "./control_values.ts";
import { clockText, fillDates } from "./dates.ts";
import { startPickers } from "./pickers.ts";
import { startPreview } from "./preview.ts";
import { startPublishing } from "./publishing.ts";
import { startRows } from "./rows.ts";
import { Saver, type SaveState } from "./saver.ts";
import { followTitle, nextSlug } from "./slug_follower.ts";

/** What the page says of the document. */
export interface DocumentFacts {
  id: string | null;
  collection: string;
  status: string;
  etag: string;
  version: number;
  readOnly: boolean;
  canPublish: boolean;
  slugIsOpen: boolean;
  fields: [name: string, label: string][];
  jobId: string | null;
}

/** Pause after the last key before a draft is saved, milliseconds. */
const PAUSE_MS = 1_200;
/** How soon a save that got no answer is tried again, milliseconds. */
const AGAIN_MS = 5_000;
/** How often another address is tried when the one made from the title is taken. */
const SLUG_TRIES = 20;

/** Makes the form of a document save itself. */
export function startDocumentEditor(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  const facts = embedded<DocumentFacts>(form, "facts");
  fillDates(form);
  startPreview(form);
  for (const area of all<HTMLTextAreaElement>(form, "[data-one-line]")) keepOnOneLine(area);
  if (facts.readOnly) {
    startRows(form, { changed: () => {}, added: () => {} });
    return;
  }
  new Editor(form, facts).start();
}

class Editor {
  readonly #form: HTMLFormElement;
  readonly #facts: DocumentFacts;
  readonly #words: HTMLElement;
  readonly #saver: Saver;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #slugTries = 0;
  /** Whether the present save was asked for by hand, so that failures may move the focus. */
  #byHand = false;

  constructor(form: HTMLFormElement, facts: DocumentFacts) {
    this.#form = form;
    this.#facts = facts;
    this.#words = get(form, "[data-save-state]");
    this.#saver = new Saver({
      id: facts.id,
      etag: facts.etag,
      collection: facts.collection,
      read: () => readFields(form),
      tell: (state) => this.#show(state),
      created: (id) => this.#becomeReal(id),
    });
  }

  start(): void {
    const changed = () => this.#changed();
    followTitle(this.#form, { open: this.#facts.slugIsOpen });
    startRows(this.#form, { changed, added: startRow });
    startPickers(this.#form, changed);
    this.#form.addEventListener("input", changed);
    this.#form.addEventListener("change", () => {
      // A document that is not there yet begins with the first field that is left.
      if (this.#saver.id === null) void this.#save();
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.save();
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    startPublishing(this.#form, this.#facts, { save: () => this.save(), id: () => this.#saver.id });
  }

  /** Saves because somebody asked. */
  async save(): Promise<boolean> {
    this.#byHand = true;
    try {
      return await this.#save();
    } finally {
      this.#byHand = false;
    }
  }

  async #save(): Promise<boolean> {
    clearTimeout(this.#timer);
    try {
      if (this.#saver.id === null && !this.#byHand && this.#title() === "") return false;
      return await this.#saver.save();
    } catch (error) {
      if (!(error instanceof ControlFault)) throw error;
      clearFailures(this.#form);
      markFailed(error.control, error.message);
      if (this.#byHand) error.control.focus();
      this.#say("Not saved: a field cannot be read", "bad");
      return false;
    }
  }

  #title(): string {
    return get<HTMLTextAreaElement>(this.#form, "#c-title").value.trim();
  }

  #changed(): void {
    guard(this.#form);
    this.#say(
      this.#facts.status === "published" ? "Changes are not public yet" : "Unsaved changes",
    );
    clearTimeout(this.#timer);
    // What is public changes only when somebody says so.
    if (this.#facts.status === "published" || this.#saver.id === null) return;
    this.#timer = setTimeout(() => void this.#save(), PAUSE_MS);
  }

  #show(state: SaveState): void {
    switch (state.kind) {
      case "saving":
        return this.#say("Saving …");
      case "saved":
        return this.#saved(state);
      case "refused":
        return this.#refused(state.reply);
      case "lost":
        this.#say(`Not saved. ${state.reply.message}`, "bad");
        this.#timer = setTimeout(() => void this.#save(), AGAIN_MS);
        return;
      case "conflict":
        this.#say("Not saved: somebody else changed the same fields", "bad");
        showConflict(state.conflict, this.#facts.fields, async (mine) => {
          if (await this.#saver.settle(state.conflict, mine)) {
            letGo(this.#form);
            location.reload();
          }
        });
        openDialog("conflict");
    }
  }

  #saved({ version, at, theirs }: { version: number; at: Date; theirs: string[] }): void {
    clearFailures(this.#form);
    this.#form.dispatchEvent(new Event("saved"));
    this.#slugTries = 0;
    if (!this.#isDirty()) letGo(this.#form);
    this.#say(`Saved ${clockText(at)} · version ${version}`, "good");
    const shown = document.querySelector("[data-version]");
    if (shown !== null) shown.textContent = String(version);
    const labels = theirs.filter((name) => !["updatedAt"].includes(name))
      .map((name) => this.#labelOf(name));
    if (labels.length === 0) return;
    const action = { label: "Show them", run: () => location.reload() };
    toast(`Somebody else changed ${labels.join(", ")} meanwhile. Both are kept.`, { action });
  }

  #refused(reply: Reply): void {
    if (reply.body?.error?.code === "SLUG_CONFLICT") return this.#takenSlug(reply);
    const count = reply.details.length;
    const what = count === 0 ? reply.message : count === 1 ? "a field" : `${count} fields`;
    this.#say(count === 0 ? `Not saved. ${what}` : `Not saved: ${what} need another look`, "bad");
    if (this.#byHand) showFailures(this.#form, reply, (path) => controlAt(this.#form, path));
    else {
      clearFailures(this.#form);
      for (const { field, message } of reply.details) {
        const control = controlAt(this.#form, field);
        if (control !== null) markFailed(control, message);
      }
    }
  }

  /** An address made from the title gets a number; one that was typed is for its author to change. */
  #takenSlug(reply: Reply): void {
    const slug = get<HTMLInputElement>(this.#form, "#c-slug");
    if (this.#facts.slugIsOpen && document.activeElement !== slug && this.#slugTries < SLUG_TRIES) {
      this.#slugTries += 1;
      slug.value = nextSlug(slug.value);
      this.#timer = setTimeout(() => void this.#save(), 0);
      return;
    }
    this.#say("Not saved: the address is taken", "bad");
    clearFailures(this.#form);
    markFailed(slug, reply.message);
  }

  #becomeReal(id: string): void {
    history.replaceState(null, "", `/admin/documents/${id}`);
    document.title = document.title.replace(/^New in [^·]+/, `${this.#title()} `);
  }

  #isDirty(): boolean {
    try {
      return this.#saver.isDirty();
    } catch (error) {
      if (error instanceof ControlFault) return true;
      throw error;
    }
  }

  #labelOf(name: string): string {
    return this.#facts.fields.find(([field]) => field === name)?.[1] ?? name;
  }

  #say(words: string, mood: "good" | "bad" | "" = ""): void {
    this.#words.textContent = words;
    this.#words.dataset.mood = mood;
  }

  #key(event: KeyboardEvent): void {
    if (!event.metaKey && !event.ctrlKey) return;
    if (event.key === "s") {
      event.preventDefault();
      void this.save();
    }
    if (event.key === "Enter") {
      event.preventDefault();
      document.querySelector<HTMLElement>("[data-publish]")?.click();
    }
  }
}

/** Makes the controls of a new row work. */
function startRow(row: HTMLElement): void {
  fillDates(row);
  startRichTexts(row);
}

/** A title is one line, however long; the area grows with it. */
function keepOnOneLine(area: HTMLTextAreaElement): void {
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.metaKey && !event.ctrlKey) event.preventDefault();
  });
  area.addEventListener("input", () => {
    if (area.value.includes("\n")) area.value = area.value.replace(/\s*\n\s*/g, " ");
  });
}
