/**
 * Runs in the browser. The columns of a list: their order, by dragging or by buttons, and their widths, by the
 * separators. Both are stored per user and list.
 *
 * @module
 */
import { zip } from "../../../../kv/model/primitives/zip.ts";
import { call } from "./call.ts";
import { all, dataOf, enclosing, get } from "./elements.ts";
import { startRowOrder } from "../forms/row_order.ts";
import { toast } from "./toast.ts";

/** How narrow a column can be, and how far a key moves its end: percent of the table. */
const NARROWEST = 4;
const STEP = 1;

/** Makes the columns of a list arrangeable. */
export function startColumnLayout(root: HTMLElement): void {
  const list = root.querySelector<HTMLElement>("[data-column-list]");
  if (list !== null) startOrder(root, list);
  const table = root.querySelector<HTMLTableElement>(".list-table");
  if (table !== null) startWidths(root, table);
}

async function keep(root: HTMLElement, part: Record<string, unknown>): Promise<void> {
  const body = { collection: root.dataset.collection ?? null, ...part };
  const reply = await call("POST", "/admin/list-layout", { body });
  if (!reply.ok) toast(reply.message, { bad: true });
}

function startOrder(root: HTMLElement, list: HTMLElement): void {
  startRowOrder(list);
  const form = enclosing<HTMLFormElement>(list, "form");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const checked = all<HTMLInputElement>(list, "input:checked");
    await keep(root, { columns: checked.map(({ value }) => value) });
    form.submit();
  });
}

function startWidths(root: HTMLElement, table: HTMLTableElement): void {
  const columns = all<HTMLTableColElement>(table, "col[data-column]");
  const heads = all(table, "thead th").slice(1);
  /** Writes down how wide every column is, so that only two of them change. */
  const measure = () => {
    const widths = heads.map((head) => head.offsetWidth / table.offsetWidth * 100);
    for (const [column, width] of zip(columns, widths)) column.width = `${width.toFixed(2)}%`;
    return widths;
  };
  const save = () => {
    const widths = columns.map((column) =>
      [dataOf(column, "column"), Number.parseFloat(column.width)] as const
    );
    void keep(root, { widths: Object.fromEntries(widths) });
  };
  /** Resizes a column; its neighbor takes the difference, so that the table keeps its width. */
  const move = (index: number, before: number[], by: number) => {
    const [own = 0, next = 0] = before.slice(index);
    const [column, neighbor] = columns.slice(index);
    const head = heads[index];
    if (column === undefined || neighbor === undefined || head === undefined) return;
    const both = own + next;
    const width = Math.min(Math.max(own + by, NARROWEST), both - NARROWEST);
    column.width = `${width.toFixed(2)}%`;
    neighbor.width = `${(both - width).toFixed(2)}%`;
    get(head, "[data-edge]").ariaValueNow = String(Math.round(width));
  };
  for (const edge of all(table, "[data-edge]")) {
    const index = heads.indexOf(enclosing(edge, "th"));
    edge.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      move(index, measure(), event.shiftKey ? 5 * by : by);
      save();
    });
    edge.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      edge.setPointerCapture(event.pointerId);
      const before = measure();
      const onmove = ({ clientX }: PointerEvent) =>
        move(index, before, (clientX - event.clientX) / table.offsetWidth * 100);
      edge.addEventListener("pointermove", onmove);
      edge.addEventListener("lostpointercapture", () => {
        edge.removeEventListener("pointermove", onmove);
        save();
      }, { once: true });
    });
  }
}
