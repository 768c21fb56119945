/**
 * The command line of `deno task test`.
 *
 * @module
 */
import { testFiles } from "./files.ts";

/** What a run was asked for. */
export interface RunArguments {
  /** Files and folders that were named; null for every test. */
  paths: string[] | null;
  /** Options that `deno test` receives as they are. */
  denoOptions: string[];
  /** Also run the files of `LONG_FILES`. */
  all: boolean;
  /** Only files that the change against `main` can reach. */
  changed: boolean;
  /** Only files that failed in the last run. */
  sinceFailed: boolean;
}

/** Sorts arguments into our own options, paths, and options of `deno test`. */
export function parseArguments(args: string[]): RunArguments {
  const own = { all: false, changed: false, sinceFailed: false };
  const paths: string[] = [];
  const denoOptions: string[] = [];
  for (const arg of args) {
    if (arg === "--all") own.all = true;
    else if (arg === "--changed") own.changed = true;
    else if (arg === "--since-failed") own.sinceFailed = true;
    else if (!arg.startsWith("-") && isTestPath(arg)) paths.push(arg.replace(/\/+$/, ""));
    else denoOptions.push(arg);
  }
  return { ...own, paths: paths.length > 0 ? paths : null, denoOptions };
}

/** An argument that names nothing; its message is for the person who typed it. */
export class UsageError extends Error {}

/** Expands folders to their test files; sorted, each file once. Throws a `UsageError` for a file that does not exist. */
export async function expandPaths(paths: string[]): Promise<string[]> {
  const files = new Set<string>();
  for (const path of paths) {
    if (isFolder(path)) { for await (const file of testFiles(path)) files.add(file); }
    else if (statOf(path) !== null) files.add(path);
    else throw new UsageError(`No such file: ${path}`);
  }
  return [...files].sort();
}

function isTestPath(path: string): boolean {
  return path.endsWith(".ts") || isFolder(path);
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory ?? false;
}

function statOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
