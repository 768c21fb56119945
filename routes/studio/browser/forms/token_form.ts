/**
 * Runs in the browser. The token form: presets for its scopes, and the text of a new token.
 *
 * @module
 */
import { openDialog } from "./actions.ts";
import type { Reply } from "../page/call.ts";
import { fillDates } from "../document/dates.ts";
import { all, dataOf, get } from "../page/elements.ts";
import { guard } from "./leave_guard.ts";

/** Starts the form's presets and shows the created token. */
export function startTokenForm(form: HTMLElement): void {
  fillDates(form);
  const boxes = all<HTMLInputElement>(form, "input[name=scopes]");
  const full = get<HTMLInputElement>(form, `input[name=scopes][value="*"]`);
  const refresh = () => {
    for (const box of boxes) {
      if (box === full) continue;
      box.disabled = full.checked;
      box.toggleAttribute("data-implied", full.checked);
    }
  };
  form.addEventListener("change", refresh);
  for (const button of all(form, "[data-preset]")) {
    button.addEventListener("click", () => {
      const wanted = dataOf(button, "preset").split(" ");
      for (const box of boxes) box.checked = wanted.includes(box.value);
      refresh();
      guard(form);
    });
  }
  refresh();
  form.addEventListener("sent", (event) => show(event));
  document.querySelector("[data-rotates]")?.addEventListener("acted", (event) => show(event));
}

function show(event: Event): void {
  const { body } = (event as CustomEvent<Reply<{ token?: string }>>).detail;
  if (typeof body?.token !== "string") return;
  event.preventDefault();
  const dialog = get(document, "#minted");
  get(dialog, "#minted-token").textContent = body.token;
  get(dialog, "#minted-curl").textContent =
    `curl -H 'Authorization: Bearer ${body.token}' '${dialog.dataset.address}'`;
  openDialog("minted");
}
