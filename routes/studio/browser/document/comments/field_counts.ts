/**
 * Runs in the browser. A button at each field of a document that opens its comments, with how many threads wait there.
 *
 * @module
 */
import type { CommentView } from "../../../../../kv/model/entities/discussion.ts";
import type { CommentTools } from "./comment_tools.ts";

const COMMENT_ICON = "M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 " +
  "21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z";

/** The controls of a document, or of a translation but not those of the original beside it. */
const EDITED_CONTROLS = ".editor-columns .control[data-name], " +
  ".translation-side:not(.original) > .control[data-name]";

/** The fields of a form, and their open threads. */
export interface FieldCounts {
  form: HTMLElement;
  open: readonly CommentView[];
  canWrite: boolean;
  labelOf(field: string): string;
  show: (field: string) => void;
}

/** Replaces the buttons of all fields by ones with the current counts. */
export function showFieldCounts(
  { all, dataOf, icon, make, parentOf }: CommentTools,
  { form, open, canWrite, labelOf, show }: FieldCounts,
): void {
  const controls = all(form, EDITED_CONTROLS);
  // Not those of rows, groups and blocks, which are below the control of a field.
  for (const control of controls.filter((one) => parentOf(one).closest(".control") === null)) {
    const name = dataOf(control, "name");
    const count = open.filter(({ field }) => field === name).length;
    const place = control.querySelector(":scope > .comment-place") ?? control;
    place.querySelector(":scope > .comment-on")?.remove();
    if (count === 0 && !canWrite) continue;
    const label = count === 0
      ? `Comment on ${labelOf(name)}`
      : `${count} ${count === 1 ? "comment" : "comments"} on ${labelOf(name)}`;
    const button = make("button", {
      type: "button",
      class: count === 0 ? "comment-on" : "comment-on some",
      onclick: () => show(name),
    });
    // Text and not a `label`: finding the field by its name must return its control.
    const shown = make("span", { "aria-hidden": "true" }, count === 0 ? "" : String(count));
    button.append(icon(COMMENT_ICON), shown, make("span", { class: "sr" }, label));
    control.classList.add("commentable");
    place.append(button);
  }
}
