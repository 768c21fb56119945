/**
 * Runs in the browser. Choosing media and documents: the server searches, the form gets an id.
 *
 * @module
 */
import { confirmed, openDialog } from "../forms/actions.ts";
import { call } from "../page/call.ts";
import { dataOf, embedded, enclosing, get, icon, make } from "../page/elements.ts";
import { pauseImagesDuring } from "../media/image_loading.ts";
import { toast } from "../page/toast.ts";
import { ownRows } from "./control_values.ts";
import {
  type Choice,
  documentsWith,
  findDocument,
  findMediumChoice,
  mediaWith,
  mediumChoice,
} from "./found_choices.ts";
import { PickerResults } from "./picker_results.ts";
import { newRow } from "./rows.ts";
import type { MediaView } from "../../../../kv/model/entities/media.ts";

/** How a dialog is used. */
interface Picking {
  /** The facts of a reference field. */
  asked: DOMStringMap;
  /** The field that is filled. */
  label: string;
  pick: (choice: Choice) => void;
  /** Ids in a list that takes several: the dialog stays open, and a second click takes one out again. */
  listed?: () => string[];
}

const PAUSE_MS = 150;

/** The singular and the plural noun for the choices. */
const NOUNS = {
  document: ["document", "documents"],
  image: ["image", "images"],
  file: ["file", "files"],
} as const;

/** Makes all references of a form work, also those of rows to come. */
export function startPickers(form: HTMLElement, changed: () => void): void {
  form.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>(
      "[data-choose], [data-clear], [data-add-chosen]",
    );
    if (button === null) return;
    if (button.dataset.addChosen !== undefined) return openForList(button, changed);
    const reference = enclosing(button, "[data-reference]");
    const choose = (choice: Choice | null) => {
      fillReference(reference, choice);
      changed();
    };
    if (button.dataset.clear !== undefined) return choose(null);
    const pick = (choice: Choice) => {
      choose(choice);
      get(reference, "[data-choose]").focus();
    };
    openPicker({ asked: reference.dataset, label: labelOf(button), pick });
  });
}

/** Chooses the references of a list's rows. */
function openForList(button: HTMLElement, changed: () => void): void {
  const field = enclosing(button, "[data-name]");
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
  const listed = () => ownRows(field).map((row) => inputOf(row).value);
  openPicker({ asked, label: labelOf(button), pick, listed });
}

/** Sets a reference that another user has chosen. */
export function setReference(reference: HTMLElement, id: string | null): void {
  fillReference(reference, id === null ? null : { id, title: "…", note: "" });
  if (id === null || !reference.isConnected) return;
  void find(dataOf(reference, "reference"), id).then((choice) => {
    const isStill = get<HTMLInputElement>(reference, "input[type=hidden]").value === id;
    if (isStill) fillReference(reference, choice);
  });
}

async function find(kind: string, id: string): Promise<Choice> {
  const found = kind === "media" ? await findMediumChoice(id) : await findDocument(id);
  return found ?? { id, title: id, note: "Preview not available." };
}

/** Shows the target of a reference. */
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

/** The title of the chosen item, as a link if it is a document. */
function titleOf({ dataset }: HTMLElement, choice: Choice | null): Node | string {
  if (choice === null || dataset.reference === "media") return choice?.title ?? "";
  return make("a", { href: `/admin/documents/${choice.id}` }, choice.title);
}

/** The label of the field that a button belongs to. */
function labelOf(button: HTMLElement): string {
  const label = button.closest("[data-name]")?.querySelector("label, legend, .label");
  return label?.firstChild?.textContent?.trim() ?? "";
}

function openPicker({ asked, label, pick, listed }: Picking): void {
  const { reference: kind, collection, mimes = "" } = asked;
  const dialog = get<HTMLDialogElement>(document, `#pick-${kind}`);
  const search = get<HTMLInputElement>(dialog, "input[type=search]");
  const picked = (choice: Choice) => {
    if (listed === undefined) dialog.close();
    pick(choice);
    results.markListed();
  };
  const nouns = NOUNS[kind === "media" ? mediaKind(mimes) : "document"];
  if (kind === "media") {
    const wanted = `Choose ${nouns[0] === "image" ? "an image" : "a file"}`;
    const isNamed = label !== "" && label.toLowerCase() !== nouns[0];
    get(dialog, "h2").textContent = isNamed ? `${wanted} for ${label}` : wanted;
  }
  const results = new PickerResults(dialog, { pick: picked, listed, nouns });
  const refresh = () =>
    void results.show(
      kind === "media"
        ? mediaWith(search.value, mimes.split(","))
        : documentsWith(search.value, collection),
    );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const offer = async () => {
    if (kind === "media") return;
    const { offerToCreate } = await import("./sheet/create_in_place.ts");
    const tools = { confirmed, embedded, findDocument, get, icon, make, toast };
    offerToCreate(tools, { dialog, slugs: collection, pick: picked });
  };
  search.oninput = () => {
    void offer();
    clearTimeout(timer);
    timer = setTimeout(refresh, PAUSE_MS);
  };
  dialog.onkeydown = (event) => void moveChoice(event, dialog, results);
  const upload = dialog.querySelector<HTMLInputElement>("[data-upload]");
  if (upload !== null) {
    upload.accept = mimes;
    upload.onchange = async () => {
      const { uploadInPlace } = await import("../media/upload_in_place.ts");
      const tools = { call, get, make, pauseImagesDuring, toast };
      const pick = (medium: MediaView) => {
        picked(mediumChoice(medium));
        if (dialog.open) refresh();
      };
      void uploadInPlace(tools, { dialog, input: upload, pick, left: refresh });
    };
  }
  get(dialog, "[data-picker-done]").hidden = listed === undefined;
  search.value = "";
  void offer();
  openDialog(dialog.id);
  search.focus();
  refresh();
}

/** The noun for files of some types. */
function mediaKind(mimes: string): "image" | "file" {
  return mimes.split(",").every((mime) => mime.startsWith("image/")) ? "image" : "file";
}

/** Arrow keys move through the results and load more; Enter in the search field chooses the first. */
async function moveChoice(
  event: KeyboardEvent,
  dialog: HTMLElement,
  results: PickerResults,
): Promise<void> {
  const { choices } = results;
  const at = choices.indexOf(document.activeElement as HTMLElement);
  const inSearch = event.target instanceof HTMLInputElement;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Enter" && inSearch) {
    event.preventDefault();
    choices[0]?.click();
  } else if (step !== undefined && choices.length > 0) {
    event.preventDefault();
    if (at + step < 0) get(dialog, "input[type=search]").focus();
    else if (at + step < choices.length) choices[at + step]?.focus();
    else await results.showMore({ leads: true });
  }
}
