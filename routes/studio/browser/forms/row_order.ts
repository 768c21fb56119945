/**
 * Runs in the browser. Rows that are put in order by dragging, with a mouse, a pen or a finger, or by the
 * buttons that every row has for those who do not drag.
 *
 * @module
 */
import { all, enclosing, parentOf } from "../page/elements.ts";

/** Elements of a draggable row that handle the pointer themselves. */
const OWN_USE = "a, button, input, textarea, select";

/** How far the pointer goes until a row is dragged, pixels. */
const STEP_PX = 4;

/** How near to the edge of the window a dragged row scrolls the page, and by how much a frame, pixels. */
const EDGE_PX = 72;
const SCROLL_PX = 14;

/** Moves a row and keeps the focus in it if the browser supports that. */
export function insertRow(list: Element, row: HTMLElement, before: Element | null): void {
  const mover = list as Element & { moveBefore?: (row: Node, before: Node | null) => void };
  if (row.isConnected && mover.moveBefore !== undefined) mover.moveBefore(row, before);
  else list.insertBefore(row, before);
}

/** Is called with a row that has changed its position. */
export type RowMoved = (row: HTMLElement) => void;

/** Makes the rows of a list movable. */
export function startRowOrder(list: HTMLElement, moved: RowMoved = () => {}): void {
  list.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-move]");
    if (button !== null && moveRow(button)) moved(enclosing(button, "li"));
  });
  startDragging(list, moved);
}

/**
 * Moves the row of a button by one place; at the end of the list its other button has the focus. Answers
 * whether it could be moved.
 */
export function moveRow(button: HTMLElement): boolean {
  const row = enclosing(button, "li");
  const isUp = button.dataset.move === "up";
  const other = isUp ? row.previousElementSibling : row.nextElementSibling;
  if (other === null) return false;
  if (isUp) other.before(row);
  else other.after(row);
  const buttons = [button, ...all(parentOf(button), "[data-move]")];
  buttons.find((one) => one.checkVisibility({ visibilityProperty: true }))?.focus();
  return true;
}

/** Makes rows draggable by the element with `data-grip`, the row or a part of it; Escape cancels. */
export function startDragging(within: HTMLElement, moved: RowMoved): void {
  within.addEventListener("pointerdown", (event) => {
    const used = (event.target as Element).closest<HTMLElement>(`[data-grip], ${OWN_USE}`);
    const row = used?.dataset.grip === undefined ? null : used.closest("li");
    if (row === null || event.button !== 0) return;
    event.preventDefault();
    drag(row, event, moved);
  });
}

/** The target of a dragged row: before another row of its list, or at the end. */
type Place = Element | null;

function drag(row: HTMLElement, start: PointerEvent, moved: RowMoved): void {
  const list = parentOf(row);
  const ended = new AbortController();
  const { signal } = ended;
  let y = start.clientY;
  let frame = 0;
  let isDragged = false;
  const follow = () => {
    if (y < EDGE_PX) scrollBy(0, -SCROLL_PX);
    else if (y > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
    markPlace(list, placeAt(list, y));
    frame = requestAnimationFrame(follow);
  };
  const end = () => {
    ended.abort();
    cancelAnimationFrame(frame);
    delete row.dataset.dragged;
    for (const marked of all(list, ":scope > [data-drop]")) delete marked.dataset.drop;
  };
  const isSame = ({ pointerId }: PointerEvent) => pointerId === start.pointerId;
  document.addEventListener("pointermove", (event) => {
    if (!isSame(event)) return;
    y = event.clientY;
    if (isDragged || Math.abs(y - start.clientY) < STEP_PX) return;
    isDragged = true;
    row.dataset.dragged = "";
    follow();
  }, { signal });
  document.addEventListener("pointerup", (event) => {
    if (!isSame(event)) return;
    const place = placeAt(list, event.clientY);
    end();
    // Another user may have removed it in the meantime.
    if (
      !isDragged || row.parentElement !== list || place === row || place === row.nextElementSibling
    ) return;
    insertRow(list, row, place);
    moved(row);
  }, { signal });
  document.addEventListener("pointercancel", (event) => isSame(event) && end(), { signal });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    end();
  }, { signal, capture: true });
}

/** Inserts before the first row whose center is below the pointer. */
function placeAt(list: HTMLElement, y: number): Place {
  return [...list.children].find((other) => {
    const { top, height } = other.getBoundingClientRect();
    return y < top + height / 2;
  }) ?? null;
}

function markPlace(list: HTMLElement, place: Place): void {
  const marked = place ?? list.lastElementChild;
  for (const row of all(list, ":scope > li")) {
    if (row !== marked) delete row.dataset.drop;
    else row.dataset.drop = place === null ? "after" : "before";
  }
}
