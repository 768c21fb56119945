/**
 * How the program is called.
 *
 * @module
 */

const USAGE = `usage: deno run --allow-all main.ts [command]

  start        the service (what runs without a command)
  dev          the service for trying things: on 127.0.0.1, with errors and addresses spelled out
  seed         the example site, into an empty store, and ends
  package …    signs and checks themes and plugins
  cms …        the command line of the service; \`cms help\` lists what it does

docs/operating/README.md lists the environment variables.`;

/** Commands that read their arguments by themselves. */
const WITH_ARGUMENTS = ["package", "cms"];
const WITHOUT = ["start", "dev", "seed"];

/** What is to be printed instead of doing something, and the exit code; null when the call is as it should be. */
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
