/**
 * Divides test files into groups that run one after the other in a process each.
 *
 * @module
 */
import { classOf, type FileClass } from "./files.ts";

/** The most files that share a process: more would save little and keep more modules and stores in memory. */
const GROUP_FILES_MAX = 150;

/** A file that has not run before counts as this many seconds. */
const UNKNOWN_SECONDS = 1;

/** What the plan is made from. */
export interface PlanInput {
  files: string[];
  read: (file: string) => Promise<string>;
  /** Seconds that files took when they last ran. */
  known: Record<string, number>;
  /** How many groups run beside one another, and how many of these may have a browser. */
  processes: number;
  browserGroups: number;
  /** Give each file a process of its own. */
  separate: boolean;
}

/** Groups in the order in which they start: the longest first, so that no process ends long after the others. */
export async function planGroups(input: PlanInput): Promise<string[][]> {
  const { files, read, known, processes, browserGroups, separate } = input;
  const byClass: Record<FileClass, string[]> = { alone: [], browser: [], shared: [] };
  for (const file of files) {
    byClass[separate ? "alone" : classOf(file, await read(file))].push(file);
  }
  const secondsOf = (group: string[]) =>
    group.reduce((sum, file) => sum + (known[file] ?? UNKNOWN_SECONDS), 0);
  const groups = [
    ...byClass.alone.map((file) => [file]),
    ...divide(byClass.browser, browserGroups),
    ...divide(byClass.shared, processes),
  ];
  return groups.toSorted((a, b) => secondsOf(b) - secondsOf(a));
}

/**
 * Deals files out to as many groups as fill the processes evenly. Neighbours go to different groups, because files of
 * one folder often take about as long.
 */
function divide(files: string[], processes: number): string[][] {
  const rounds = Math.ceil(files.length / (GROUP_FILES_MAX * processes));
  const groups = Array.from(
    { length: Math.min(rounds * processes, files.length) },
    () => [] as string[],
  );
  for (const [index, file] of files.entries()) groups[index % groups.length]!.push(file);
  return groups;
}
