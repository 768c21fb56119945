/**
 * Divides test files into groups that run one after the other in a process each.
 *
 * @module
 */
import { classOf, type FileClass } from "./files.ts";

/** The most files that share a process: more would save little and keep more modules and stores in memory. */
const GROUP_FILES_MAX = 200;

/** What a file that has not run before counts as, seconds. */
const UNKNOWN_SECONDS: Record<FileClass, number> = { alone: 6, browser: 8, shared: 1 };

/** What the plan is made from. */
export interface PlanInput {
  files: string[];
  read: (file: string) => Promise<string>;
  /** Seconds that files took when they last ran. */
  known: Record<string, number>;
  /** How many groups run at a time, and into how many those with a browser are divided. */
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
  const groupsOf: [FileClass, string[][]][] = [
    ["alone", byClass.alone.map((file) => [file])],
    ["browser", divide(byClass.browser, browserGroups)],
    ["shared", divide(byClass.shared, processes)],
  ];
  const timed = groupsOf.flatMap(([kind, groups]) =>
    groups.map((files) => ({
      files,
      seconds: files.reduce((sum, file) => sum + (known[file] ?? UNKNOWN_SECONDS[kind]), 0),
    }))
  );
  return timed.toSorted((a, b) => b.seconds - a.seconds).map(({ files }) => files);
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
