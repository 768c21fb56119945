/**
 * Runs in the browser. Dates and times in the time zone of the user.
 *
 * @module
 */
import { all } from "../page/elements.ts";

/** Fills the inputs that carry a moment. */
export function fillDates(root: ParentNode): void {
  for (const input of all<HTMLInputElement>(root, "input[data-epoch]")) {
    input.value = localText(Number(input.dataset.epoch));
    delete input.dataset.epoch;
  }
}

/** Epoch seconds as an input for date and time has them. */
export function localText(epoch: number): string {
  const date = new Date(epoch * 1000);
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** The message for a time that does not exist. */
export const SKIPPED_TIME =
  "This time doesn't exist on that day because the clocks change. Choose another time.";

/** The epoch seconds of what an input for date and time holds; null for a time that the clocks skip. */
export function instantOf(text: string): number | null {
  const epoch = Math.floor(new Date(text).getTime() / 1000);
  return localText(epoch) === text.slice(0, 16) ? epoch : null;
}

/** Hours and minutes of now. */
export function clockText(date: Date): string {
  return date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** A moment in a zone, with the zone. */
export function zonedText(date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    dateStyle: "full",
    timeStyle: "short",
    timeZone,
  }).format(date);
}

/** The zone of this browser. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
