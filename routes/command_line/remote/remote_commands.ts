/**
 * `cms --url <address> …`: commands for operators without access to the store, who can sign in to
 * the service.
 *
 * @module
 */
import { z } from "zod";
import { JOBS_LISTED_MAX } from "../../../jobs/limits.ts";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage_error.ts";
import { jobLine, tokenLine, userLine } from "../lines.ts";
import type { RemoteService } from "./remote_service.ts";
import { schemaCommand } from "../schema/schema_command.ts";
import { remoteTarget } from "../schema/schema_target.ts";
import { transferCommand } from "./transfer_command.ts";
import { signIn } from "./sign_in.ts";

/** The context of a command. */
export interface RemoteContext {
  service: RemoteService;
  /** Asks for the password of an address. */
  readPassword: (email: string) => Promise<string>;
  /** Asks for a code of an authenticator app, or a recovery code. */
  readCode?: () => Promise<string>;
  /** Waits between two polls of a device. */
  wait?: (ms: number) => Promise<void>;
  print: (line: string) => void;
}

type RemoteCommand = (context: RemoteContext, args: readonly string[]) => Promise<number>;

const Started = z.object({ jobId: z.string() });
const User = z.object({
  id: z.string(),
  email: z.string(),
  displayName: z.string(),
  roles: z.array(z.string()),
});
const Token = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  revokedAt: z.number().nullable(),
});
const Job = z.object({
  id: z.string(),
  type: z.string(),
  state: z.string(),
  step: z.string().nullable(),
  error: z.string().nullable(),
  updatedAt: z.number(),
});
const DryRun = z.object({
  valid: z.boolean(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })),
});

/** The commands by name. */
export const REMOTE_COMMANDS: Readonly<Record<string, RemoteCommand>> = {
  "sign-in": signIn,
  user,
  export: exportTo,
  import: importFrom,
  jobs,
  token,
  transfer: transferCommand,
  schema: ({ service, print }, args) =>
    schemaCommand({ local: remoteTarget(service.origin, service), token: "", print, fetch }, args),
  auth: () => Promise.reject(needsStore("auth")),
  doctor: () => Promise.reject(needsStore("doctor")),
};

/** The error of a command that does not run against a service elsewhere. */
function needsStore(command: string): UsageError {
  return new UsageError(`cms ${command} needs direct access to the store: run it without --url`);
}

async function user({ service, print }: RemoteContext, args: readonly string[]) {
  const { positionals: [verb, email] } = parseOptions(args, {});
  if (verb === "list") {
    for await (const user of service.list("/users", User)) print(userLine(user));
    return 0;
  }
  if (verb !== "reset-password" || email === undefined) {
    throw new UsageError("cms user requires list or reset-password <email>");
  }
  await service.send("POST", "/password-reset", {
    body: JSON.stringify({ email }),
    headers: { "content-type": "application/json" },
  });
  print(`If ${email} has an account, an email with a link is on its way`);
  return 0;
}

async function exportTo({ service, print }: RemoteContext, args: readonly string[]) {
  const { positionals: [path], flags } = parseOptions(args, {
    media: "boolean",
    redacted: "boolean",
  });
  if (path === undefined) throw new UsageError("cms export requires a file name");
  const { jobId } = await service.ask("POST", "/exports", Started, flags);
  await service.finish(jobId);
  const { body } = await service.send("GET", `/exports/${jobId}`);
  const file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  await body?.pipeTo(file.writable);
  print(`${path}: ${(await Deno.stat(path)).size} bytes`);
  return 0;
}

async function importFrom({ service, print }: RemoteContext, args: readonly string[]) {
  const { positionals: [path], flags } = parseOptions(args, { "dry-run": "boolean" });
  if (path === undefined) throw new UsageError("cms import requires a file name");
  const file = await Deno.open(path);
  const init = { body: file.readable, headers: { "content-type": "application/gzip" } };
  if (flags["dry-run"]) {
    const answer = await service.send("POST", "/imports?dryRun=true", init);
    const { valid, errors } = DryRun.parse(await answer.json());
    for (const { path, message } of errors) print(path === "" ? message : `${path}: ${message}`);
    print(valid ? "The backup is valid" : "The backup is not valid");
    return valid ? 0 : 1;
  }
  const answer = await service.send("POST", "/imports", init);
  await service.finish(Started.parse(await answer.json()).jobId);
  print(`Imported ${path}`);
  return 0;
}

async function jobs({ service, print }: RemoteContext, args: readonly string[]) {
  const { positionals: [verb, id], texts } = parseOptions(args, {
    state: "string",
    type: "string",
  });
  if (verb !== undefined) {
    if (id === undefined) throw new UsageError(`cms jobs ${verb} requires a job ID`);
    if (verb !== "retry" && verb !== "cancel") {
      throw new UsageError(`Unknown command: cms jobs ${verb}`);
    }
    await service.send("POST", `/jobs/${encodeURIComponent(id)}/${verb}`);
    print(verb === "retry" ? `Job ${id} is queued` : `Job ${id} is cancelled`);
    return 0;
  }
  const query = new URLSearchParams();
  for (const [name, text] of Object.entries(texts)) if (text !== undefined) query.set(name, text);
  let count = 0;
  for await (const { updatedAt, ...job } of service.list("/jobs", Job, query)) {
    print(jobLine({ ...job, updatedAt: updatedAt * 1000 }));
    if (++count >= JOBS_LISTED_MAX) break;
  }
  return 0;
}

async function token({ service, print }: RemoteContext, args: readonly string[]) {
  const { positionals: [verb, first, ...scopes], texts } = parseOptions(args, { quota: "string" });
  if (verb === "list") {
    for await (const token of service.list("/tokens", Token)) print(tokenLine(token));
    return 0;
  }
  if (first === undefined) throw new UsageError("cms token requires more arguments");
  if (verb === "revoke") {
    await service.send("DELETE", `/tokens/${encodeURIComponent(first)}`);
    print(`Revoked token ${first}`);
    return 0;
  }
  if (verb !== "create") throw new UsageError(`Unknown command: cms token ${verb}`);
  const quota = texts.quota === undefined ? {} : { quotaPerMinute: Number(texts.quota) };
  const Minted = z.object({ token: z.string() });
  const minted = await service.ask("POST", "/tokens", Minted, { name: first, scopes, ...quota });
  print(minted.token);
  return 0;
}
