/**
 * Runs in the browser. Accessible names of the buttons of rows. They include the current position of the row:
 * "Remove row 2 of Ingredients".
 *
 * @module
 */
import { all, enclosing, parentOf } from "../page/elements.ts";

/** Buttons whose text is the same in every row. */
const WORDED = "[data-choose], [data-clear], [data-add-row], [data-add-chosen], [data-add-some]";

/** Names the buttons of all rows, and again whenever rows come, go or change places. */
export function startRowNames(within: HTMLElement): void {
  for (const row of all(within, "li[data-row]")) nameButtons(row);
  new MutationObserver((records) => {
    for (const row of rowsAbout(records)) nameButtons(row);
  }).observe(within, { childList: true, subtree: true });
}

/** The position of a row: `row 2 of Ingredients`, or `Figure, row 2 of Page blocks`. */
export function rowPosition(row: HTMLElement): string {
  const list = parentOf(row);
  const number = [...list.children].filter(isRow).indexOf(row) + 1;
  const place = `row ${number} of ${enclosing(row, "[data-rows]").dataset.rows}`;
  const isBlock = row.dataset.block !== undefined || row.dataset.raw !== undefined;
  const kind = row.querySelector(":scope > details > summary > .row-title")?.textContent;
  const outer = list.closest<HTMLElement>("li[data-row]");
  return [isBlock ? kind : "", place, outer === null ? "" : `in ${rowPosition(outer)}`]
    .filter(Boolean).join(", ");
}

/** The rows whose position has changed, the rows nested in them, and the rows whose title has changed. */
function rowsAbout(records: MutationRecord[]): Set<HTMLElement> {
  const targets = new Set(records.map(({ target }) => target as HTMLElement));
  const rows = [...targets].flatMap((target) => {
    if (target.matches("[data-row-list]")) return all<HTMLElement>(target, "li[data-row]");
    const row = target.matches(WORDED) ? target.closest<HTMLElement>("li[data-row]") : null;
    return row === null ? [] : [row];
  });
  return new Set(rows.filter(({ isConnected }) => isConnected));
}

function nameButtons(row: HTMLElement): void {
  const place = rowPosition(row);
  const own = (selector: string) =>
    all<HTMLElement>(row, selector).filter((one) => one.closest("li[data-row]") === row);
  for (const button of own("[data-move]")) {
    button.setAttribute("aria-label", `Move ${place} ${button.dataset.move}`);
  }
  for (const button of own("[data-remove-row]")) {
    button.setAttribute("aria-label", `Remove ${place}`);
  }
  for (const button of own(WORDED)) {
    const words = button.textContent.trim();
    if (words === "") continue;
    button.setAttribute(
      "aria-label",
      [words, fieldOf(button, row), place].filter(Boolean).join(", "),
    );
  }
}

/** The label of a field in a row; empty if the row is a single field, which the list names. */
function fieldOf(button: HTMLElement, row: HTMLElement): string {
  if (row.classList.contains("row-line")) return "";
  const field = button.closest("fieldset");
  if (field === null || !row.contains(field)) return "";
  return field.querySelector(":scope > legend")?.firstChild?.textContent?.trim() ?? "";
}

function isRow(element: Element): boolean {
  return element.matches("li[data-row]");
}
