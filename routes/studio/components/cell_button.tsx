/**
 * A value in a table that is changed in its place: looks as the others do until one is at it.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";

/** The value; arrow keys come to it, not the Tab key. */
export function CellButton(
  { label, shown, children }: {
    /** What the value is, for screen readers. */
    label: string;
    /** The words of a value that is an id. */
    shown?: string | undefined;
    children: Child;
  },
) {
  return (
    <button type="button" class="cell-value" data-cell={shown ?? ""} tabindex={-1}>
      <span class="sr">{`Change ${label}: `}</span>
      {children}
    </button>
  );
}
