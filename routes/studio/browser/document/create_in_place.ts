/**
 * Runs in the browser. A missing document can be created from the reference picker, as a draft titled like the
 * search text.
 *
 * @module
 */
import { call } from "../page/call.ts";
import { embedded, get } from "../page/elements.ts";
import { toast } from "../page/toast.ts";
import type { Choice } from "./found_choices.ts";
import type { DocumentBody } from "./document_body.ts";

/** A collection, as embedded in the page. */
interface PickedCollection {
  name: string;
  /** Whether the one who is here may create documents in it. */
  creates: boolean;
}

/** Shows the button that creates a document while the search field contains a title. */
export function offerToCreate(
  dialog: HTMLElement,
  slug: string | undefined,
  pick: (choice: Choice) => void,
): void {
  const button = dialog.querySelector<HTMLButtonElement>("[data-picker-create]");
  if (button === null) return;
  const title = get<HTMLInputElement>(dialog, "input[type=search]").value.trim();
  const home = slug === undefined ? undefined : collections()[slug];
  button.hidden = title === "" || !home?.creates;
  get(button, "span").textContent = `Create “${title}” in ${home?.name}`;
  button.onclick = async () => {
    button.disabled = true;
    const body = { collection: slug, title };
    const reply = await call<DocumentBody>("POST", "/api/admin/documents", { body });
    button.disabled = false;
    if (!reply.ok) {
      const reasons = reply.details.map(({ message }) => message);
      return toast([reply.message, ...reasons].join(" "), { bad: true });
    }
    button.hidden = true;
    toast(`“${title}” is a new draft in ${home!.name}`);
    pick({ id: reply.body.id, title, note: `${home!.name} · Draft` });
  };
}

function collections(): Record<string, PickedCollection> {
  const dialog = document.querySelector("#pick-document");
  return dialog === null ? {} : embedded(dialog, "collections");
}
