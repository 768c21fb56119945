/**
 * Runs in the browser. The form of a role: a permission for all collections is shown as granted in each of
 * them, and ticking an action ticks those it requires.
 *
 * @module
 */
import { type DocumentAction, MEANT_BY } from "../../../../kv/model/entities/document_rights.ts";
import type { Permission } from "../../../../kv/model/entities/permission.ts";
import { all } from "../page/elements.ts";

/** Keeps the matrix of a form consistent. */
export function startRoleForm(form: HTMLElement): void {
  const permissions = all<HTMLInputElement>(form, "input[name=permissions]");
  const rows = all(form, "[data-row]").map((row) =>
    new Map(all<HTMLInputElement>(row, "input[value]:not([name])").map((box) => [box.value, box]))
  );
  const chosen = new Map(rows.flatMap((row) => [...row.values()].map((box) => [box, box.checked])));
  const show = () => {
    const given = new Set<string>(
      permissions.filter(({ checked }) => checked)
        .flatMap(({ value }) => MEANT_BY[value as Permission] ?? []),
    );
    for (const [box, isChosen] of chosen) {
      const isGiven = given.has(box.value);
      box.toggleAttribute("data-implied", isGiven);
      box.disabled = isGiven;
      box.checked = isGiven || isChosen;
    }
  };
  form.addEventListener("change", ({ target }) => {
    const row = rows.find((boxes) => [...boxes.values()].some((box) => box === target));
    if (row !== undefined) {
      const action = (target as HTMLInputElement).value as DocumentAction;
      complete(row, action, (target as HTMLInputElement).checked);
      for (const box of row.values()) if (!box.disabled) chosen.set(box, box.checked);
    }
    show();
  });
  show();
}

/** Ticks what an action takes, or takes away what takes an action that is no longer given. */
function complete(
  row: ReadonlyMap<string, HTMLInputElement>,
  action: DocumentAction,
  checked: boolean,
): void {
  const set = (actions: Iterable<string>) => {
    for (const one of actions) {
      const box = row.get(one);
      if (box !== undefined && !box.disabled) box.checked = checked;
    }
  };
  if (checked) set(action === "edit" ? ["read", "editOwn"] : ["read"]);
  else if (action === "read") set(row.keys());
  else if (action === "editOwn") set(["edit"]);
}
