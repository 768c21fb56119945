/**
 * Runs in the browser. Two people changed the same fields: both versions side by side, to choose from.
 *
 * @module
 */
import { all, get, make } from "../elements.ts";
import type { Value } from "./control_values.ts";
import type { Conflict } from "./saver.ts";

const SHOWN_CHARS = 2_000;

/** Fills the dialog; `settle` gets the fields that stay as they are typed here. */
export function showConflict(
  conflict: Conflict,
  labels: [name: string, label: string][],
  settle: (mine: Set<string>) => Promise<void>,
): void {
  const dialog = get<HTMLDialogElement>(document, "#conflict");
  const count = conflict.fields.length;
  get(dialog, "[data-conflict-intro]").textContent =
    `Choose for ${count === 1 ? "this field" : "each of these fields"} which version stays. ` +
    "The other one remains in the history or on this page until you save.";
  const rows = conflict.fields.map((name) => {
    const label = labels.find(([field]) => field === name)?.[1] ?? name;
    return make(
      "fieldset",
      { class: "conflict" },
      make("legend", {}, label),
      side(name, "mine", "Yours", conflict.mine[name]),
      side(name, "theirs", "Theirs", conflict.theirs[name]),
    );
  });
  get(dialog, "[data-conflicts]").replaceChildren(...rows);
  const save = get<HTMLButtonElement>(dialog, "[data-conflict-save]");
  save.onclick = async () => {
    const chosen = all<HTMLInputElement>(dialog, "input[value=mine]:checked");
    dialog.close();
    await settle(new Set(chosen.map((input) => input.name)));
  };
}

function side(name: string, value: string, label: string, shown: Value): HTMLElement {
  const input = make("input", { type: "radio", name, value });
  input.checked = value === "mine";
  const text = typeof shown === "string" ? shown : JSON.stringify(shown ?? null, null, 2);
  const cut = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  return make(
    "label",
    { class: "conflict-side" },
    input,
    make("b", {}, label),
    make("pre", {}, cut),
  );
}
