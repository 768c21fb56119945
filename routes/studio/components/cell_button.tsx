/**
 * An inline-editable value in a table, styled as plain text until focused.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";

/** The value; arrow keys come to it, not the Tab key. */
export function CellButton(
  { label, shown, children }: {
    /** The name of the value, for screen readers. */
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
