/**
 * Icons: Lucide's strokes in a square of 24 units.
 *
 * @module
 */
import { raw } from "@hono/hono/html";
import DRAWN from "../built/icons.json" with { type: "json" };
import type { IconName } from "./icon_names.ts";

const ICONS: Record<string, string> = DRAWN;

/** An icon, hidden from screen readers because text accompanies it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {raw(ICONS[name] ?? "")}
    </svg>
  );
}

/** The mark of the product: a paragraph sign in a square. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M21.5 8H14a5.25 5.25 0 0 0 0 10.500h1V25h2V10.250h2.250V25h2V10.250H24V8z" />
    </svg>
  );
}
