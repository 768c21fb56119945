/**
 * Runs in the browser. The editor of a document: keeps what is typed, live where that can be, says in words
 * whether all is kept, and never lets go of what was typed.
 *
 * @module
 */
import { call, type Reply } from "../call.ts";
import { all, embedded, get } from "../elements.ts";
import { guard, letGo } from "../leave_guard.ts";
import { toast } from "../toast.ts";
import type { Value } from "./control_values.ts";
import { fillDates } from "./dates.ts";
import type { Saving } from "./saving.ts";
import { LiveSaving } from "./live/live_saving.ts";
import type { Unsent } from "./live/live_session.ts";
import { UnsentStore } from "./live/unsent_store.ts";
import { showCreated } from "./show_created.ts";
import { PatchSaving } from "./patch_saving.ts";
import { startPickers } from "./pickers.ts";
import { startPreview } from "./preview.ts";
import { startPublishing } from "./publishing.ts";
import { startRows } from "./rows.ts";
import { SaveStatus } from "./save_status.ts";
import { followTitle } from "./slug_follower.ts";

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
  userId: string;
  /** Set by this page when it has made the document. */
  savedAt?: Date;
}

/** Makes the form of a document save itself. */
export function startDocumentEditor(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  const facts = embedded<DocumentFacts>(form, "facts");
  fillDates(form);
  startPreview(form);
  for (const area of all<HTMLTextAreaElement>(form, "[data-one-line]")) keepOnOneLine(area);
  if (facts.readOnly) {
    startRows(form, { changed: () => {} });
    return;
  }
  new Editor(form, facts).start();
}

class Editor {
  readonly #form: HTMLFormElement;
  readonly #facts: DocumentFacts;
  readonly #words: SaveStatus;
  #saving: Saving;
  #store: UnsentStore | null = null;

  constructor(form: HTMLFormElement, facts: DocumentFacts) {
    this.#form = form;
    this.#facts = facts;
    this.#words = new SaveStatus(form);
    this.#saving = facts.id === null ? this.#byRequests() : this.#live(facts.id, null);
  }

  start(): void {
    const changed = (element: Element | null = null) => this.#changed(element);
    followTitle(this.#form, { open: this.#facts.slugIsOpen });
    startRows(this.#form, { changed });
    startPickers(this.#form, changed);
    this.#form.addEventListener("input", (event) => changed(event.target as Element));
    this.#form.addEventListener("change", () => this.#saving.left());
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#saving.save();
    });
    this.#form.addEventListener("real", () => startPreview(this.#form));
    this.#form.addEventListener("click", (event) => this.#keepFirst(event), { capture: true });
    document.addEventListener("keydown", (event) => this.#key(event));
    startPublishing(this.#form, this.#facts, {
      save: () => this.#saving.save(),
      id: () => this.#saving.id,
    });
  }

  /** Everybody's changes at once, theirs and one's own. */
  #live(id: string, unsent: Unsent | null): LiveSaving {
    const { userId } = this.#facts;
    const store = new UnsentStore(id, userId, () => this.#saving.unsent());
    this.#store = store;
    if (store.found !== null) toast("What you typed before is here again.");
    const saving = new LiveSaving({
      form: this.#form,
      id,
      facts: this.#facts,
      words: this.#words,
      client: store.client,
      unsent: unsent ?? store.found,
      changed: () => this.#settle(),
      blocked: (reply, saved) => void this.#fallBack(id, reply, saved),
    });
    this.#saving = saving;
    saving.start();
    return saving;
  }

  #byRequests(saved?: Record<string, Value>): PatchSaving {
    return new PatchSaving({
      form: this.#form,
      facts: this.#facts,
      words: this.#words,
      ...(saved && { saved }),
      changed: () => this.#settle(),
      created: (id) => this.#becomeReal(id),
    });
  }

  /** Where live editing does not come through, requests do. */
  async #fallBack(id: string, known: Reply | null, saved: Record<string, Value>): Promise<void> {
    const reply = known ?? await call("GET", `/api/admin/documents/${id}`);
    Object.assign(this.#facts, { id, etag: reply.headers.get("etag") ?? "" });
    const saving = this.#byRequests(saved);
    this.#saving = saving;
    if (saving.isSettled) this.#words.say("All changes saved");
    else this.#changed(null);
    toast("Editing together is not possible at the moment. What you type is saved all the same.");
  }

  /** A new document is there: from now on it is like any other. */
  #becomeReal(id: string): void {
    const title = get<HTMLTextAreaElement>(this.#form, "#c-title").value.trim();
    history.replaceState(null, "", `/admin/documents/${id}`);
    document.title = document.title.replace(/^New in [^·]+/, `${title} `);
    showCreated(this.#form, id);
    this.#facts.version = 1;
    this.#facts.savedAt = new Date();
    // The request that made it is still being answered.
    setTimeout(() => this.#live(id, this.#saving.unsent()), 0);
  }

  #changed(element: Element | null): void {
    this.#saving.touched(element);
    this.#settle();
  }

  #settle(): void {
    // The first look is taken before there is a saving.
    const isSettled = this.#saving?.isSettled ?? true;
    if (isSettled) letGo(this.#form);
    else guard(this.#form);
    this.#store?.changed(isSettled);
  }

  /** What is done to the document is done to what was typed. */
  #keepFirst(event: MouseEvent): void {
    const button = (event.target as Element).closest<HTMLElement>("[data-action]");
    if (button === null || this.#saving.isSettled) return;
    // Nobody has said yet that this may be public: it stays in this tab.
    if (this.#facts.status === "published") return letGo(this.#form);
    event.preventDefault();
    event.stopPropagation();
    void this.#saving.save().then((isKept) => isKept && button.click());
  }

  #key(event: KeyboardEvent): void {
    if (!event.metaKey && !event.ctrlKey) return;
    if (event.key === "s") {
      event.preventDefault();
      void this.#saving.save();
    }
    if (event.key === "Enter") {
      event.preventDefault();
      document.querySelector<HTMLElement>("[data-publish]")?.click();
    }
  }
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
