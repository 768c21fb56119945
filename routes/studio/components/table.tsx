/**
 * Tables in a frame that scrolls horizontally on narrow screens.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";

/** A table; `head` are the cells of its first row, `children` the rows. */
export function Table(
  { head, columns, caption, class: name, label, children }: {
    head: Child;
    /** A `col` per column if they have widths. */
    columns?: Child;
    caption?: string;
    class?: string;
    /** Names the frame, which can then be scrolled by keys. */
    label?: string;
    children: Child;
  },
) {
  return (
    <div
      class="table-frame"
      tabindex={label === undefined ? undefined : 0}
      role={label === undefined ? undefined : "region"}
      aria-label={label}
    >
      <table class={name === undefined ? "table" : `table ${name}`}>
        {caption && <caption>{caption}</caption>}
        {columns && <colgroup>{columns}</colgroup>}
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
