/**
 * A date, or a date and time: the browser's own control, which is typed into, with a calendar of ours
 * beside it. Without script the control has its own calendar.
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
        aria-haspopup="dialog"
      >
        <Icon name="calendar" />
      </button>
    </span>
  );
}
