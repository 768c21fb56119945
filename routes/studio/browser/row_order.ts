/**
 * Runs in the browser. Rows that are put in order by dragging, or by the buttons that every row has for those
 * who do not drag.
 *
 * @module
 */

/** Makes the rows of a list movable; `moved` runs when one has come to rest somewhere else. */
export function startRowOrder(list: HTMLElement, moved: () => void = () => {}): void {
  list.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-move]");
    const row = button?.closest("li");
    if (!button || !row) return;
    const isUp = button.dataset.move === "up";
    const other = isUp ? row.previousElementSibling : row.nextElementSibling;
    if (other === null) return;
    if (isUp) other.before(row);
    else other.after(row);
    button.focus();
    moved();
  });
  let dragged: Element | null = null;
  let follower: Element | null = null;
  list.addEventListener("dragstart", (event) => {
    dragged = (event.target as Element).closest("li");
    follower = dragged?.nextElementSibling ?? null;
    event.dataTransfer?.setData("text/plain", "");
  });
  list.addEventListener("dragover", (event) => {
    if (dragged === null) return;
    event.preventDefault();
    const over = (event.target as Element).closest("li");
    if (over === null || over === dragged) return;
    const { top, height } = over.getBoundingClientRect();
    if (event.clientY < top + height / 2) over.before(dragged);
    else over.after(dragged);
  });
  list.addEventListener("drop", (event) => event.preventDefault());
  list.addEventListener("dragend", () => {
    const isElsewhere = dragged !== null && dragged.nextElementSibling !== follower;
    dragged = null;
    if (isElsewhere) moved();
  });
}
