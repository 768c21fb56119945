/**
 * Runs in the browser. Loads the comments of a document; documents that do not exist yet have none.
 *
 * @module
 */
import { call } from "../../page/call.ts";
import { all, dataOf, embedded, get, icon, make, parentOf } from "../../page/elements.ts";
import { TEXT_EVENTS } from "../../forms/rich_text.ts";
import { toast } from "../../page/toast.ts";

/** Starts the comments panel if the page has one. `save` saves what was typed before a comment refers to it. */
export function startComments(form: HTMLElement, save: () => Promise<boolean>): void {
  const panel = document.querySelector<HTMLElement>("[data-comments]");
  const toggle = form.querySelector<HTMLElement>("[data-comments-toggle]");
  if (panel === null || toggle === null) return;
  const tools = {
    all,
    call,
    dataOf,
    embedded,
    get,
    icon,
    make,
    parentOf,
    textEvents: TEXT_EVENTS,
    toast,
  };
  const loading = import("./comments.ts").then(({ Comments }) => {
    const comments = new Comments(tools, { form, panel, toggle, save });
    comments.start();
    return comments;
  });
  toggle.addEventListener("click", async () => (await loading).toggle());
}
