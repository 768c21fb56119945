/**
 * `deno task cms`: administration without a browser, for operators with access to the store.
 *
 * @module
 */
import { Refusal } from "../../kv/refusals.ts";
import { authCommand } from "./auth.ts";
import { exportCommand, importCommand } from "./backups.ts";
import type { Command, CommandContext } from "./command_context.ts";
import { failureLine } from "./failure_line.ts";
import { doctorCommand } from "./doctor.ts";
import { jobsCommand } from "./jobs.ts";
import { clientCommand } from "./project/client_command.ts";
import { initCommand } from "./project/init_command.ts";
import { schemaCommand, type SchemaContext } from "./schema/schema_command.ts";
import { localTarget } from "./schema/schema_target.ts";
import { tokenCommand } from "./tokens.ts";
import { REMOTE_COMMANDS, type RemoteContext } from "./remote/remote_commands.ts";
import { RemoteRefusal } from "./remote/remote_service.ts";
import { UsageError } from "./usage_error.ts";
import { userCommand } from "./users.ts";

const COMMANDS: Readonly<Record<string, Command>> = {
  auth: authCommand,
  user: userCommand,
  export: exportCommand,
  import: importCommand,
  doctor: doctorCommand,
  jobs: jobsCommand,
  token: tokenCommand,
  schema: ({ content, people, runner, print }, args) => {
    const local = localTarget({ content, people }, runner);
    return schemaCommand({ local, token: "", print, fetch }, args);
  },
};

const USAGE = `Usage: deno task cms [--url <address>] <command>

  With --url or CMS_URL, commands run against the service at that URL, with the session in CMS_TOKEN:
  sign-in <email>                           print a value for CMS_TOKEN; reads CMS_PASSWORD or prompts
  sign-in --device                          the same, confirmed in a browser; valid for one hour

  user list                                 list users with their roles
  user reset-password <email>               print a password reset link, valid for one hour
  user recover <email> [--disable-passwords=false]
                                            print a link that signs in once, valid for 15 minutes;
                                            the option lets everyone use a password again
  auth reset                                let everyone use a password, turn all providers off
  auth encrypt                              encrypt stored secrets with the first key of SECRETS_KEY
  export <file> [--media] [--redacted]      write a backup
  import <file> [--dry-run] [--as <email>]  replace all content with a backup
  transfer <path> [--kind <kind>] [--dry-run] [--run]
                                            with --url: send content of another system, and run it
  doctor [--repair]                         check the store; exits with 1 if problems remain
  jobs [--state <state>] [--type <type>]    list the newest jobs
  jobs retry <id> | cancel <id>             retry or cancel a job
  token list
  token create <name> <scope>... [--quota <requests per minute>]
  token revoke <id>
  schema pull [--from <address>] [--dir <folder>] [--with roles,webhooks,settings]
                                            write the schema as files, and what else is named
  schema diff [--to <address>]              what the files would change; exits with 2 if anything
  schema push [--to <address>] [--dry-run] [--allow-loss] [--delete]
                                            apply the files
  schema check                              check the files
  schema revert <id> [--to <address>]       undo a push
  client --from <address> [--dir <folder>] [--name <package>] [--version <version>]
                                            write the typed client as a package for npm
  init astro|hono|next <folder> [--from <address>]
                                            write a new project from a starter`;

/** Runs `deno task cms` over a store; answers its exit code. */
export function cmsCommand(context: CommandContext, args: readonly string[]): Promise<number> {
  return run(COMMANDS, context, args);
}

/** Runs `deno task cms` over a service elsewhere; answers its exit code. */
export function remoteCommand(context: RemoteContext, args: readonly string[]): Promise<number> {
  return run(REMOTE_COMMANDS, context, args);
}

/** Runs `deno task cms schema`, `client` or `init` without a store. */
export function commandAlone(context: SchemaContext, args: readonly string[]): Promise<number> {
  return run(
    { schema: schemaCommand, client: clientCommand, init: initCommand },
    context,
    args,
  );
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
