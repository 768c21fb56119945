/**
 * What moves on a page without anybody having done anything.
 *
 * @module
 */

/** How far something moved, as browsers weigh it, and what: its markup, and where it stood before and after. */
export type LayoutShift = [
  value: number,
  ...what: [markup: string, before: number, after: number][],
];

/** A script for a page that collects its shifts, from the beginning of its load, as `shifts`. */
export const WATCH_SHIFTS = `globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (!hadRecentInput) shifts.push([value, ...sources.map(({ node, previousRect, currentRect }) =>
      [node?.outerHTML?.slice(0, 80) ?? "", previousRect.y, currentRect.y])]);
  }
}).observe({ type: "layout-shift", buffered: true });`;
