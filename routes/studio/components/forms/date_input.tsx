/**
 * A date, or a date and time: the browser's control for typing, with the studio's calendar. Without scripts the
 * browser's calendar is used.
 *
 * @module
 */
import type { JSX } from "@hono/hono/jsx";
import { Icon } from "../icon.tsx";

/** The control; it takes what an `input` takes. */
export function DateInput(
  { type = "datetime-local", ...rest }: Omit<JSX.IntrinsicElements["input"], "type"> & {
    type?: "date" | "datetime-local";
  },
) {
  return (
    <span class="date-input">
      <input type={type} {...rest} />
      <button
        type="button"
        class="date-open"
        data-date-open
        aria-label="Open the calendar"
        aria-describedby={rest.id}
        aria-haspopup="dialog"
      >
        <Icon name="calendar" />
      </button>
    </span>
  );
}
