/**
 * `deno task cms`: what an operator does without a browser, for those who have the store.
 *
 * @module
 */
import { Refusal } from "../../kv/refusals.ts";
import { exportCommand, importCommand } from "./backups.ts";
import type { Command, CommandContext } from "./command_context.ts";
import { failureLine } from "./failure_line.ts";
import { doctorCommand } from "./doctor.ts";
import { jobsCommand } from "./jobs.ts";
import { tokenCommand } from "./tokens.ts";
import { REMOTE_COMMANDS, type RemoteContext } from "./remote/remote_commands.ts";
import { RemoteRefusal } from "./remote/remote_service.ts";
import { UsageError } from "./usage_error.ts";
import { userCommand } from "./users.ts";

const COMMANDS: Readonly<Record<string, Command>> = {
  user: userCommand,
  export: exportCommand,
  import: importCommand,
  doctor: doctorCommand,
  jobs: jobsCommand,
  token: tokenCommand,
};

const USAGE = `Usage: deno task cms [--url <address>] <command>

  With --url, or CMS_URL, the service at an address is asked, with the session in CMS_TOKEN:
  sign-in <email>                           prints what CMS_TOKEN is to be; reads CMS_PASSWORD, or asks

  user list                                 users with their roles
  user reset-password <email>               prints a link that sets a password, for an hour
  export <file> [--media] [--redacted]      writes a back-up
  import <file> [--dry-run] [--as <email>]  puts a back-up in the place of everything
  doctor [--repair]                         examines the store; exit code 1 when something is left
  jobs [--state <state>] [--type <type>]    the newest jobs
  jobs retry <id> | cancel <id>
  token list
  token create <name> <scope>... [--quota <requests a minute>]
  token revoke <id>`;

/** Runs `deno task cms` over a store; answers its exit code. */
export function cmsCommand(context: CommandContext, args: readonly string[]): Promise<number> {
  return run(COMMANDS, context, args);
}

/** Runs `deno task cms` over a service elsewhere; answers its exit code. */
export function remoteCommand(context: RemoteContext, args: readonly string[]): Promise<number> {
  return run(REMOTE_COMMANDS, context, args);
}

async function run<C extends { print: (line: string) => void }>(
  commands: Readonly<Record<string, (context: C, args: readonly string[]) => Promise<number>>>,
  context: C,
  [name = "", ...args]: readonly string[],
): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (command !== undefined) return await command(context, args);
    context.print(USAGE);
    return name === "" || name === "help" || name === "--help" ? 0 : 2;
  } catch (error) {
    if (error instanceof UsageError) {
      context.print(`${error.message}\n\n${USAGE}`);
      return 2;
    }
    if (error instanceof RemoteRefusal) {
      for (const line of error.lines) context.print(line);
      return 1;
    }
    const line = error instanceof Refusal ? error.message : failureLine(error);
    if (line === null) throw error;
    context.print(line);
    for (const { field, message } of error instanceof Refusal ? error.facts.details ?? [] : []) {
      context.print(`  ${field}: ${message}`);
    }
    return 1;
  }
}
