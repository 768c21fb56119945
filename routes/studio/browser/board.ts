/**
 * Runs in the browser. A card is moved to another column by dragging it, by Shift with an arrow key, or by
 * the list on it; each sets the field of its document.
 *
 * @module
 */
import { reasonOf } from "./forms/bulk.ts";
import { all, dataOf, enclosing, get, parentOf } from "./page/elements.ts";
import { setField } from "./forms/field_write.ts";
import { freshPage } from "./page/fresh_page.ts";
import { toast } from "./page/toast.ts";

/** Makes the cards of a board movable. */
export function startBoard(root: HTMLElement): void {
  const board = root.querySelector<HTMLElement>("#board");
  if (board === null) return;
  let dragged: HTMLElement | null = null;
  board.addEventListener("dragstart", (event) => {
    dragged = (event.target as Element).closest<HTMLElement>("[data-id]");
    event.dataTransfer?.setData("text/plain", dragged?.dataset.id ?? "");
    dragged?.classList.add("dragged");
  });
  board.addEventListener("dragend", () => {
    dragged?.classList.remove("dragged");
    dragged = null;
    showOver(board, null);
  });
  board.addEventListener("dragover", (event) => {
    if (dragged === null) return;
    event.preventDefault();
    showOver(board, columnOf(event));
  });
  board.addEventListener("drop", (event) => {
    event.preventDefault();
    const column = columnOf(event);
    if (dragged !== null && column !== null) void move(board, dragged, dataOf(column, "choice"));
  });
  board.addEventListener("change", (event) => {
    const select = event.target as HTMLSelectElement;
    if (!select.matches("[data-move-to]")) return;
    void move(board, enclosing(select, "[data-id]"), select.value);
  });
  board.addEventListener("keydown", (event) => onKey(event, board));
}

function columnOf(event: Event): HTMLElement | null {
  return (event.target as Element).closest<HTMLElement>("[data-choice]");
}

function showOver(board: HTMLElement, over: Element | null): void {
  for (const column of all(board, "[data-choice]")) {
    column.classList.toggle("over", column === over);
  }
}

function onKey(event: KeyboardEvent, board: HTMLElement): void {
  const link = event.target as HTMLElement;
  if (!link.matches("[data-id] > a") || event.ctrlKey || event.metaKey || event.altKey) return;
  const card = parentOf(link);
  const columns = all(board, "[data-choice]");
  const at = columns.indexOf(enclosing(card, "[data-choice]"));
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    if (!event.shiftKey) return focusBeyond(columns, at, step);
    const column = columns[at + step];
    if (column !== undefined && card.draggable) void move(board, card, dataOf(column, "choice"));
    return;
  }
  const beside = { ArrowUp: card.previousElementSibling, ArrowDown: card.nextElementSibling };
  const next = beside[event.key as keyof typeof beside];
  if (!next) return;
  event.preventDefault();
  get(next, "a").focus();
}

/** Goes to the first card of the next column that has one. */
function focusBeyond(columns: HTMLElement[], from: number, step: number): void {
  for (let at = from + step; columns[at] !== undefined; at += step) {
    const link = columns[at]?.querySelector<HTMLElement>("[data-id] > a");
    if (link) return link.focus();
  }
}

/** Sets the field, then shows the updated board with the focus on the moved card. */
async function move(board: HTMLElement, card: HTMLElement, choice: string): Promise<void> {
  const { id, value, status } = card.dataset;
  if (choice === value || card.ariaBusy === "true") return;
  card.ariaBusy = "true";
  const reply = await setField(
    dataOf(card, "id"),
    dataOf(card, "field"),
    choice === "" ? null : choice,
    {
      value: value === "" ? null : value,
    },
  );
  if (!reply.ok) toast(reasonOf(reply), { bad: true });
  else if (status === "published") toast("Saved as an unpublished change");
  const fresh = (await freshPage())?.querySelector("#board");
  if (!fresh) return location.reload();
  board.replaceChildren(...fresh.childNodes);
  const link = board.querySelector<HTMLElement>(`[data-id="${id}"] > a`);
  link?.focus();
  const name = link?.closest("[data-choice]")?.querySelector("[data-column-name]")?.textContent;
  if (reply.ok && status !== "published" && name) {
    get(parentOf(board), "[data-board-status]").textContent =
      `${link.textContent} is now in ${name}`;
  }
}
