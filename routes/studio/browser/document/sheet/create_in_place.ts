/**
 * Runs in the browser. The heading of the reference picker, and its foot: a new document in each collection that the
 * field refers to, written in a sheet over the form.
 *
 * @module
 */
import type { embedded } from "../../page/elements.ts";
import { openDocumentSheet, type SheetTools } from "./document_sheet.ts";
import type { NewDocumentWords } from "../../../wording/new_document.ts";
import type { Choice } from "../found_choices.ts";

/** A collection, as embedded in the page. */
interface PickedCollection {
  name: string;
  words: NewDocumentWords;
  /** Whether the one who is here may create documents in it. */
  creates: boolean;
}

/** A collection by its slug. */
type Target = [slug: string, collection: PickedCollection];

const PLUS_ICON = "M5 12h14M12 5v14";

/** Names the picker after the collections; a new document begins with the text of the search as its title. */
export function offerToCreate(
  tools: SheetTools & { embedded: typeof embedded },
  { dialog, slugs, pick }: {
    dialog: HTMLElement;
    /** The collections that the field names, separated by commas. */
    slugs: string | undefined;
    pick: (choice: Choice) => void;
  },
): void {
  const { embedded, get, icon, make } = tools;
  const wanted = slugs?.split(",");
  const known = Object.entries(embedded<Record<string, PickedCollection>>(dialog, "collections"));
  const targets = known.filter(([slug]) => wanted?.includes(slug) ?? true);
  get(dialog, "h2").textContent = headingOf(slugs === undefined ? [] : targets);
  const title = get<HTMLInputElement>(dialog, "input[type=search]").value.trim();
  const buttons = targets.filter(([, { creates }]) => creates).map(([slug, { words }]) => {
    const { before, after } = words;
    const name = before + after;
    const onclick = () => openDocumentSheet(tools, { slug, name, title, pick });
    const text = title === "" ? name : `${before} “${title}”${after}`;
    const label = make("span", { dir: "auto" }, text);
    const button = make("button", { type: "button", class: "button quiet", onclick }, label);
    button.prepend(icon(PLUS_ICON));
    return button;
  });
  const foot = get(dialog, "[data-picker-create]");
  foot.hidden = buttons.length === 0;
  foot.replaceChildren(...buttons);
}

function headingOf(targets: Target[]): string {
  if (targets.length === 0) return "Choose a document";
  const names = targets.map(([, { name }]) => name);
  return `Choose from ${new Intl.ListFormat("en", { type: "disjunction" }).format(names)}`;
}
