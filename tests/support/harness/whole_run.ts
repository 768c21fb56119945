/**
 * How much of a long proof a run does: `deno task test` a part of it, `deno task test --all` the whole.
 *
 * @module
 */

/** Whether `--all` was given. */
export const isWholeRun = Deno.env.get("TEST_ALL") === "1";

/** A number of seeds: the first of a run that people wait for, the second of a whole one. */
export function seedCount(part: number, whole: number): number {
  return isWholeRun ? whole : part;
}
