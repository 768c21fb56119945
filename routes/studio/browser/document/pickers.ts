/**
 * Runs in the browser. Choosing media and documents: the server searches, the form gets an id.
 *
 * @module
 */
import { openDialog } from "../actions.ts";
import { call } from "../call.ts";
import { all, get, make } from "../elements.ts";
import { toast } from "../toast.ts";
import { ownRows } from "./control_values.ts";
import { nameOf, offerToCreate } from "./create_in_place.ts";
import { newRow } from "./rows.ts";

/** A thing that can be chosen. */
export interface Choice {
  id: string;
  title: string;
  note: string;
  image?: string;
}

/** How a dialog is used. */
interface Picking {
  /** What a reference of this field says of itself. */
  asked: DOMStringMap;
  pick: (choice: Choice) => void;
  /** Ids in a list that takes several: the dialog stays open, and a second click takes one out again. */
  listed?: () => string[];
}

const PAUSE_MS = 150;

/** Makes all references of a form work, also those of rows to come. */
export function startPickers(form: HTMLElement, changed: () => void): void {
  form.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>(
      "[data-choose], [data-clear], [data-add-chosen]",
    );
    if (button === null) return;
    if (button.dataset.addChosen !== undefined) return openForList(button, changed);
    const reference = button.closest<HTMLElement>("[data-reference]")!;
    const choose = (choice: Choice | null) => {
      fillReference(reference, choice);
      changed();
    };
    if (button.dataset.clear !== undefined) return choose(null);
    const pick = (choice: Choice) => {
      choose(choice);
      get(reference, "[data-choose]").focus();
    };
    openPicker({ asked: reference.dataset, pick });
  });
}

/** Chooses what the rows of a list point to. */
function openForList(button: HTMLElement, changed: () => void): void {
  const field = button.closest<HTMLElement>("[data-name]")!;
  const inputOf = (row: HTMLElement) => get<HTMLInputElement>(row, "input[type=hidden]");
  const asked = get(newRow(field), "[data-reference]").dataset;
  const most = Number(get(field, ":scope > [data-rows]").dataset.max ?? Infinity);
  const pick = (choice: Choice) => {
    const known = ownRows(field).filter((row) => inputOf(row).value === choice.id);
    if (known.length === 0 && ownRows(field).length >= most) {
      return toast(`At most ${most}`, { bad: true });
    }
    for (const row of known) row.remove();
    if (known.length === 0) {
      const row = newRow(field);
      fillReference(get(row, "[data-reference]"), choice);
      get(field, "[data-row-list]").append(row);
    }
    changed();
  };
  openPicker({ asked, pick, listed: () => ownRows(field).map((row) => inputOf(row).value) });
}

/** Sets a reference to something that somebody else has chosen. */
export function setReference(reference: HTMLElement, id: string | null): void {
  fillReference(reference, id === null ? null : { id, title: "…", note: "" });
  if (id === null || !reference.isConnected) return;
  void find(reference.dataset.reference!, id).then((choice) => {
    const isStill = get<HTMLInputElement>(reference, "input[type=hidden]").value === id;
    if (isStill) fillReference(reference, choice);
  });
}

async function find(kind: string, id: string): Promise<Choice> {
  const [path, choiceOf] = kind === "media"
    ? ["media", mediumChoice] as const
    : ["documents", documentChoice] as const;
  const reply = await call("GET", `/api/admin/${path}/${id}`);
  return reply.ok ? choiceOf(reply.body) : { id, title: id, note: "It cannot be shown." };
}

/** Shows in a reference what it leads to. */
function fillReference(reference: HTMLElement, choice: Choice | null): void {
  get<HTMLInputElement>(reference, "input[type=hidden]").value = choice?.id ?? "";
  get(reference, "[data-shown]").hidden = choice === null;
  get(reference, "[data-title]").replaceChildren(titleOf(reference, choice));
  get(reference, "[data-note]").textContent = choice?.note ?? "";
  const image = reference.querySelector("img");
  if (image !== null) {
    image.hidden = choice?.image === undefined;
    if (choice?.image !== undefined) image.src = choice.image;
  }
  get(reference, "[data-clear]").hidden = choice === null;
  get(reference, "[data-choose]").textContent = choice === null ? "Choose" : "Change";
}

/** The title of what was chosen; that of a document leads to it. */
function titleOf({ dataset }: HTMLElement, choice: Choice | null): Node | string {
  if (choice === null || dataset.reference === "media") return choice?.title ?? "";
  return make("a", { href: `/admin/documents/${choice.id}` }, choice.title);
}

function openPicker({ asked, pick, listed }: Picking): void {
  const { reference: kind, collection, mimes } = asked;
  const dialog = get<HTMLDialogElement>(document, `#pick-${kind}`);
  const search = get<HTMLInputElement>(dialog, "input[type=search]");
  const find = kind === "media"
    ? () => findMedia(search.value, mimes?.split(",") ?? [])
    : () => findDocuments(search.value, collection);
  const picked = (choice: Choice) => {
    if (listed === undefined) dialog.close();
    pick(choice);
    markListed(dialog, listed);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = async () => {
    showChoices(dialog, await find(), picked);
    markListed(dialog, listed);
  };
  search.oninput = () => {
    offerToCreate(dialog, collection, picked);
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), PAUSE_MS);
  };
  dialog.onkeydown = (event) => moveChoice(event, dialog);
  const upload = dialog.querySelector<HTMLInputElement>("[data-upload]");
  if (upload !== null && mimes) upload.accept = mimes;
  if (upload !== null) upload.onchange = () => void uploadInto(upload, picked);
  get(dialog, "[data-picker-done]").hidden = listed === undefined;
  search.value = "";
  offerToCreate(dialog, collection, picked);
  openDialog(dialog.id);
  search.focus();
  void refresh();
}

/** Says of what was found whether it stands in the list already. */
function markListed(dialog: HTMLElement, listed: Picking["listed"]): void {
  const ids = listed?.();
  for (const button of all(dialog, ".choice")) {
    if (ids === undefined) button.removeAttribute("aria-pressed");
    else button.setAttribute("aria-pressed", String(ids.includes(button.dataset.id!)));
  }
}

/** Arrows move through what was found; Enter in the search field takes the first of it. */
function moveChoice(event: KeyboardEvent, dialog: HTMLElement): void {
  const choices = [...dialog.querySelectorAll<HTMLElement>(".choice")];
  const at = choices.indexOf(document.activeElement as HTMLElement);
  const inSearch = event.target instanceof HTMLInputElement;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Enter" && inSearch) {
    event.preventDefault();
    choices[0]?.click();
  } else if (step !== undefined && choices.length > 0) {
    event.preventDefault();
    if (at + step < 0) get(dialog, "input[type=search]").focus();
    else choices[Math.min(at + step, choices.length - 1)]!.focus();
  }
}

async function findDocuments(text: string, collection: string | undefined): Promise<Choice[]> {
  const query = new URLSearchParams({ q: text.trim(), sort: "-updatedAt", perPage: "20" });
  if (collection) query.set("collection", collection);
  const reply = await call("GET", `/api/admin/documents?${query}`);
  const documents: Record<string, string>[] = reply.body?.data ?? [];
  return documents.map(documentChoice);
}

/** A document of the API as what can be chosen. */
function documentChoice({ id, title, collection, status }: Record<string, string>): Choice {
  const name = nameOf(collection!) ?? collection;
  return { id: id!, title: title || "Untitled", note: `${name} · ${status}` };
}

async function findMedia(text: string, mimes: string[]): Promise<Choice[]> {
  const query = new URLSearchParams({ q: text.trim(), perPage: "60" });
  if (mimes.length === 1) query.set("mime", mimes[0]!);
  const reply = await call("GET", `/api/admin/media?${query}`);
  const media: Record<string, string>[] = reply.body?.data ?? [];
  const fits = ({ mime = "" }) => mimes.length === 0 ? isImage(mime) : mimes.includes(mime);
  return media.filter(fits).map(mediumChoice);
}

/** A medium of the API as what can be chosen. */
function mediumChoice(medium: Record<string, string>): Choice {
  const { id = "", filename = "", mime = "", alt = "", url = "" } = medium;
  const choice: Choice = { id, title: filename, note: alt || "No alternative text yet" };
  return isImage(mime) ? { ...choice, image: url } : { ...choice, note: alt || mime };
}

/** Whether it can be shown in an `img` element. */
function isImage(mime: string): boolean {
  return mime.startsWith("image/");
}

function showChoices(dialog: HTMLElement, choices: Choice[], pick: (choice: Choice) => void): void {
  const buttons = choices.map((choice) => {
    const text = make("span", {}, choice.title);
    const note = make("span", { class: "muted small" }, choice.note);
    const button = make("button", { type: "button", class: "choice", onclick: () => pick(choice) });
    button.dataset.id = choice.id;
    if (choice.image !== undefined) {
      button.append(make("img", { src: choice.image, alt: "", loading: "lazy" }));
    }
    button.append(text, note);
    return button;
  });
  get(dialog, "[data-picker-results]").replaceChildren(...buttons);
  const message = choices.length === 0 ? "Nothing found." : "";
  get(dialog, "[data-picker-message]").textContent = message;
}

async function uploadInto(input: HTMLInputElement, pick: (choice: Choice) => void): Promise<void> {
  const file = input.files?.[0];
  if (file === undefined) return;
  const body = new FormData();
  body.append("file", file);
  const message = get(input.closest("dialog")!, "[data-picker-message]");
  message.textContent = `Uploading ${file.name} …`;
  const reply = await call("POST", "/api/admin/media?ifNew=true", { body });
  message.textContent = "";
  input.value = "";
  if (!reply.ok) return toast(`${file.name}: ${reply.message}`, { bad: true });
  if (reply.status === 200) toast(`${reply.body.filename} was in the library already`);
  pick(mediumChoice(reply.body));
}
