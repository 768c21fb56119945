/**
 * What a run of mutants prints.
 *
 * @module
 */
import type { Mutant } from "./mutants.ts";

/** A mutant on one line. */
export function textOf({ path, line, column, kind, original, changed }: Mutant): string {
  const short = (code: string) => code.replace(/\s+/g, " ").slice(0, 100);
  return `${path}:${line}:${column} ${kind}: ${short(original)} → ${short(changed) || "(removed)"}`;
}

/** Found mutants of all, by file and in sum. */
export function tableOf(results: Map<Mutant, boolean>): string {
  const rows = new Map<string, { found: number; all: number }>();
  const sum = { found: 0, all: 0 };
  for (const [{ path }, isFound] of results) {
    const row = rows.get(path) ?? { found: 0, all: 0 };
    for (const counts of [row, sum]) {
      counts.all++;
      if (isFound) counts.found++;
    }
    rows.set(path, row);
  }
  const width = Math.max(5, ...[...rows.keys()].map((path) => path.length));
  const line = (name: string, found: string, all: string, share: string) =>
    `${name.padEnd(width)}  ${found.padStart(5)}  ${all.padStart(5)}  ${share.padStart(5)}`;
  const counted = (name: string, { found, all }: { found: number; all: number }) =>
    line(name, String(found), String(all), `${Math.floor(100 * found / all)} %`);
  return [
    line("file", "found", "of", "share"),
    ...[...rows].map(([path, row]) => counted(path, row)),
    counted("all", sum),
  ].join("\n");
}
