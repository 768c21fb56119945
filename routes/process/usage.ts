/**
 * The usage of the program.
 *
 * @module
 */

const USAGE = `usage: deno run --allow-all main.ts [command]

  start        run the service (default)
  dev          run the service for development: on 127.0.0.1, with detailed errors
  seed         create the example site in an empty store
  package …    sign themes and plugins
  cms …        administer the service; \`cms help\` lists the commands

The environment variables are listed in docs/operating/README.md.`;

/** Commands that read their arguments by themselves. */
const WITH_ARGUMENTS = ["package", "cms"];
const WITHOUT = ["start", "dev", "seed"];

/** The usage text and exit code for help or an invalid call; null for a valid call. */
export function usageOf(
  command: string,
  rest: readonly string[],
): { text: string; code: number } | null {
  if (WITH_ARGUMENTS.includes(command)) return null;
  if ([command, ...rest].some((one) => ["help", "-h", "--help"].includes(one))) {
    return { text: USAGE, code: 0 };
  }
  if (WITHOUT.includes(command) && rest.length === 0) return null;
  return { text: USAGE, code: 2 };
}
