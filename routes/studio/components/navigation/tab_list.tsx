/**
 * A list of tabs and the panels that they show, one at a time. Tabs and panels are numbered from 1; `id` begins
 * the ids of both.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";

/** The tabs; the first is chosen. A script counts in `data-marks` what its panel hides. */
export function TabList({ label, names, id }: { label: string; names: string[]; id: string }) {
  return (
    <div class="tabs" role="tablist" aria-label={label}>
      {names.map((name, n) => (
        <button
          type="button"
          role="tab"
          id={`${id}-${n + 1}-name`}
          aria-controls={`${id}-${n + 1}`}
          aria-selected={n === 0 ? "true" : "false"}
          tabindex={n === 0 ? 0 : -1}
        >
          {name}
          <span class="marks" data-marks></span>
        </button>
      ))}
    </div>
  );
}

/** The panel of tab `n`. */
export function TabPanel({ id, n, children }: { id: string; n: number; children: Child }) {
  return (
    <div
      role="tabpanel"
      class="tab-panel"
      id={`${id}-${n}`}
      aria-labelledby={`${id}-${n}-name`}
      hidden={n > 1}
    >
      {children}
    </div>
  );
}
