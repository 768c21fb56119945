/**
 * Runs in the browser. The editor of a document: creates it at the first keystroke, saves text as it is typed,
 * shows the save status, and never loses unsaved text.
 *
 * @module
 */
import { call, type Reply } from "../page/call.ts";
import { all, embedded, get, make } from "../page/elements.ts";
import { pageAt } from "../page/fresh_page.ts";
import { openModal } from "../page/modal.ts";
import { clearFailures, markFailed } from "../page/failures.ts";
import { revealAndFocus } from "../page/reveal.ts";
import { allowLeaving, guard } from "../forms/leave_guard.ts";
import { BLOCK_PARAMETER, TEXT_EVENTS } from "../forms/rich_text.ts";
import { toast } from "../page/toast.ts";
import { controlAt } from "./control_values.ts";
import { createDocument, unsentAfter } from "./create_document.ts";
import { fillDates } from "./dates.ts";
import type { Unsent } from "./live/editing_session.ts";
import { UnsentStore } from "./live/unsent_store.ts";
import { startDuplicating } from "./duplicate.ts";
import { startFieldTabs } from "./field_tabs.ts";
import { startPickers } from "./pickers.ts";
import { startConditions } from "./conditions.ts";
import { startComments } from "./comments/comments_start.ts";
import { startPreview } from "./preview.ts";
import { startPublishing } from "./publishing/publishing.ts";
import { startRows } from "./rows.ts";
import { fieldLabel, SaveStatus, uncreatedWords } from "./save_status.ts";
import { Saving } from "./saving.ts";
import { startShare } from "./share.ts";
import { showCreated } from "./show_created.ts";
import { followTitle } from "./slug_follower.ts";
import { startTranslationNotes } from "./translation_notes.ts";

/** How soon a document that could not be created is tried again, milliseconds. */
const CREATE_AGAIN_MS = 5_000;

/** The document, as embedded in the page. */
export interface DocumentFacts {
  id: string | null;
  /** The language of a translation; absent for the document itself. */
  language?: string;
  collection: string;
  status: string;
  hasWorkingCopy: boolean;
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
  startShare();
  let save = () => Promise.resolve(true);
  startComments(form, () => save());
  startSearchPanel(form);
  void startLinkedBlock(form);
  for (const area of all<HTMLTextAreaElement>(form, "[data-one-line]")) keepOnOneLine(area);
  if (facts.readOnly) {
    startRows(form, { changed: () => {} });
    startDuplicating(form, () => Promise.resolve(true));
    return;
  }
  const editor = new Editor(form, facts);
  save = () => editor.save();
  editor.start();
}

/** Shows the block that the address names. */
async function startLinkedBlock(form: HTMLElement): Promise<void> {
  const key = new URLSearchParams(location.search).get(BLOCK_PARAMETER);
  if (key === null) return;
  const { showLinkedBlock } = await import("./linked_block.ts");
  showLinkedBlock({ all, textEvents: TEXT_EVENTS, toast }, form, key);
}

/** Draws the panel with the search result when it is first opened. It may come with the document's first save. */
function startSearchPanel(form: HTMLElement): void {
  const opened = async ({ target }: Event) => {
    const panel = target as HTMLElement;
    if (panel.dataset.searchPanel === undefined) return;
    form.removeEventListener("toggle", opened, true);
    const edit = (path: string) => {
      const control = controlAt(form, path);
      if (control !== null) revealAndFocus(control);
    };
    const { showSearchPanel } = await import("./search_panel.ts");
    showSearchPanel({ call, make, pageAt, toast, edit }, form, panel);
  };
  // The event does not bubble.
  form.addEventListener("toggle", opened, true);
}

class Editor {
  readonly #form: HTMLFormElement;
  readonly #facts: DocumentFacts;
  readonly #status: SaveStatus;
  /** Null until there is a document. */
  #saving: Saving | null = null;
  #creating: Promise<void> | null = null;
  #createTimer: ReturnType<typeof setTimeout> | undefined;
  #store: UnsentStore | null = null;
  #showFields: () => void = () => {};

  constructor(form: HTMLFormElement, facts: DocumentFacts) {
    this.#form = form;
    this.#facts = facts;
    this.#status = new SaveStatus(form);
    if (facts.id !== null) this.#open(facts.id, null);
  }

  start(): void {
    const changed = (element: Element | null = null) => this.#changed(element);
    followTitle(this.#form, { open: this.#facts.slugIsOpen });
    startRows(this.#form, { changed });
    startPickers(this.#form, changed);
    startFieldTabs(this.#form);
    this.#showFields = startConditions(this.#form);
    this.#form.addEventListener("input", (event) => changed(event.target as Element));
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.save();
    });
    this.#form.addEventListener("real", () => {
      startPreview(this.#form);
      startShare();
      startComments(this.#form, () => this.save());
    });
    this.#form.addEventListener("click", (event) => this.#saveFirst(event), { capture: true });
    document.addEventListener("keydown", (event) => this.#key(event));
    startDuplicating(this.#form, () => this.save());
    startTranslationNotes(this.#form);
    startPublishing(this.#form, this.#facts, {
      save: () => this.save(),
      id: () => this.#facts.id,
    });
  }

  #open(id: string, unsent: Unsent | null): void {
    const { userId, language } = this.#facts;
    const key = language === undefined ? id : `${id}-${language}`;
    const store = new UnsentStore(key, userId, () => this.#saving?.unsent ?? null);
    this.#store = store;
    if (store.found !== null) toast("Your unsaved changes are restored.");
    const saving = new Saving({
      form: this.#form,
      id,
      facts: this.#facts,
      status: this.#status,
      client: store.client,
      unsent: unsent ?? store.found,
      changed: () => this.#settle(saving.isSettled),
    });
    this.#saving = saving;
    saving.start();
  }

  #changed(element: Element | null): void {
    if (this.#saving === null) return void this.#create();
    this.#saving.touched(element);
    this.#settle(this.#saving.isSettled);
  }

  #settle(isSettled: boolean): void {
    this.#showFields();
    if (isSettled) allowLeaving(this.#form);
    else guard(this.#form);
    this.#store?.changed(isSettled);
  }

  /** Saves everything, as a version; answers whether everything is. */
  async save(): Promise<boolean> {
    if (this.#saving === null) await this.#create();
    return await this.#saving?.save() ?? false;
  }

  /** Creates the document, including text that is typed during the request. */
  async #create(): Promise<void> {
    guard(this.#form);
    this.#creating ??= this.#tryToCreate().finally(() => this.#creating = null);
    await this.#creating;
  }

  async #tryToCreate(): Promise<void> {
    clearTimeout(this.#createTimer);
    this.#status.say("Saving …");
    const reply = await createDocument(this.#form, this.#facts.collection);
    clearFailures(this.#form);
    if (!reply.ok) {
      this.#showUncreated(reply);
      this.#createTimer = setTimeout(() => void this.#create(), CREATE_AGAIN_MS);
      return;
    }
    const { id } = reply.body;
    const unsent = unsentAfter(this.#form, reply.body);
    const title = get<HTMLTextAreaElement>(this.#form, "#c-title").value.trim();
    history.replaceState(null, "", `/admin/documents/${id}`);
    if (title !== "") document.title = document.title.replace(/^New [^·]+/, `${title} `);
    showCreated(this.#form, id);
    Object.assign(this.#facts, { id, version: 1, savedAt: new Date() });
    this.#open(id, unsent);
  }

  #showUncreated(reply: Reply): void {
    const { fields } = this.#facts;
    this.#status.say(uncreatedWords(reply, (name) => fieldLabel(fields, name)), "bad");
    for (const { field, message } of reply.details) {
      const control = controlAt(this.#form, field);
      if (control !== null) markFailed(control, message);
    }
  }

  /** Actions wait until all text is saved, because they apply to the stored document. */
  #saveFirst(event: MouseEvent): void {
    const button = (event.target as Element).closest<HTMLElement>("[data-action]");
    if (button === null || (this.#saving?.isSettled ?? true)) return;
    event.preventDefault();
    event.stopPropagation();
    void this.save().then((isKept) => isKept && button.click());
  }

  #key(event: KeyboardEvent): void {
    if (!event.metaKey && !event.ctrlKey) return;
    if (event.key !== "s" && event.key !== "Enter") return;
    event.preventDefault();
    if (openModal() !== null) return;
    if (event.key === "s") void this.save();
    else {
      document.querySelector<HTMLElement>("[data-publish]:not([hidden])")?.click();
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
