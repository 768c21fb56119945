/**
 * `cms schema pull, diff, push, check, revert`: the schema as files.
 *
 * @module
 */
import { parseSchemaFiles } from "../../../kv/schema/files/schema_files.ts";
import { parseMigrations } from "../../../kv/schema/files/value_steps.ts";
import { parseSiteFiles, SITE_FILES, type SiteFile } from "../../admin/structure/site_files.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { parseOptions } from "../options.ts";
import { RemoteRefusal, RemoteService } from "../remote/remote_service.ts";
import { UsageError } from "../usage_error.ts";
import { lineOfPath } from "./json_line.ts";
import {
  readFolder,
  readLock,
  type SchemaFolder,
  writeFolder,
  writeLock,
} from "./schema_folder.ts";
import { remoteTarget, type SchemaTarget } from "./schema_target.ts";

/** The context of the command. */
export interface SchemaContext {
  /** The target without an address; null if there is none. */
  local: SchemaTarget | null;
  /** The value of CMS_TOKEN. */
  token: string;
  print: (line: string) => void;
  fetch: (address: string, init: RequestInit) => Promise<Response>;
}

const OPTIONS = {
  from: "string",
  to: "string",
  dir: "string",
  with: "string",
  "dry-run": "boolean",
  "allow-loss": "boolean",
  delete: "boolean",
} as const;

/** The folder of the files unless `--dir` names another one. */
const FOLDER = "schema";
/** Exit codes of `diff`. */
const DIFFERS = 2;
const DIFF_FAILED = 3;

/** Runs the command; answers its exit code. */
export async function schemaCommand(
  context: SchemaContext,
  [verb = "", ...rest]: readonly string[],
): Promise<number> {
  if (verb !== "diff") return await runVerb(context, verb, rest);
  try {
    return await runVerb(context, verb, rest);
  } catch (error) {
    if (error instanceof UsageError) context.print(error.message);
    else if (error instanceof RemoteRefusal) {
      for (const line of error.lines) context.print(line);
    } else if (error instanceof Refusal) printRefusal(context, error);
    else throw error;
    return DIFF_FAILED;
  }
}

async function runVerb(
  context: SchemaContext,
  verb: string,
  args: readonly string[],
): Promise<number> {
  const { positionals: [id, extra], texts, flags } = parseOptions(args, OPTIONS);
  if (extra !== undefined || (id !== undefined && verb !== "revert")) {
    throw new UsageError(`cms schema ${verb} takes no such argument`);
  }
  const folder = texts.dir ?? FOLDER;
  const address = texts.to ?? texts.from;
  switch (verb) {
    case "pull":
      return await pull(context, targetOf(context, address), folder, siteFilesOf(texts.with));
    case "diff":
      return await diff(context, targetOf(context, address), folder);
    case "push":
      return await push(context, targetOf(context, address), folder, {
        dryRun: flags["dry-run"] === true,
        allowLoss: flags["allow-loss"] === true,
        delete: flags.delete === true,
      });
    case "check":
      return await check(context, folder);
    case "revert":
      if (id === undefined) throw new UsageError("cms schema revert requires the ID of a push");
      await targetOf(context, address).revert(id);
      context.print(`Reverted ${id}`);
      return 0;
    default:
      throw new UsageError("cms schema requires pull, diff, push, check or revert");
  }
}

function targetOf({ local, token, fetch }: SchemaContext, address?: string): SchemaTarget {
  if (address === undefined) {
    if (local === null) throw new UsageError("cms schema requires --from or --to here");
    return local;
  }
  if (!/^https?:/.test(address) || !URL.canParse(address)) {
    throw new UsageError(`${address} is not a valid URL of a service`);
  }
  return remoteTarget(new URL(address).origin, new RemoteService(address, token, fetch));
}

function siteFilesOf(text = ""): SiteFile[] {
  const names = parseSiteFiles(text);
  if (names !== null) return names;
  throw new UsageError(`--with names some of ${SITE_FILES.join(", ")}`);
}

async function pull(
  { print }: SchemaContext,
  target: SchemaTarget,
  folder: string,
  also: readonly SiteFile[],
) {
  const { etag, files } = await target.pull(also);
  await writeFolder(folder, files);
  await writeLock(folder, target.name, etag, files);
  print(`${folder}: ${Object.keys(files).length} files`);
  return 0;
}

async function diff(context: SchemaContext, target: SchemaTarget, folder: string) {
  const read = await readFolder(folder);
  if (printFaults(context, read)) return DIFF_FAILED;
  const { etag, operations } = await target.diff(read.files);
  await writeLock(folder, target.name, etag);
  for (const { line } of operations) context.print(line);
  return operations.length === 0 ? 0 : DIFFERS;
}

async function push(
  context: SchemaContext,
  target: SchemaTarget,
  folder: string,
  options: { dryRun: boolean; allowLoss: boolean; delete: boolean },
) {
  const read = await readFolder(folder);
  if (printFaults(context, read)) return 1;
  const { etags } = await readLock(folder);
  const etag = etags[target.name] ?? null;
  const { operations, id } = await target.push(read.files, { ...options, etag });
  for (const { line } of operations) context.print(line);
  if (id === null) {
    if (operations.length === 0) context.print("The schema is up to date");
    return 0;
  }
  const after = await target.pull();
  await writeLock(folder, target.name, after.etag, after.files);
  context.print(`Pushed. To undo it: cms schema revert ${id}`);
  return 0;
}

async function check(context: SchemaContext, folder: string) {
  const read = await readFolder(folder);
  if (printFaults(context, read)) return 1;
  try {
    parseMigrations(read.files, parseSchemaFiles(read.files));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    for (const { field, message } of error.facts.details ?? []) {
      const [, path = "", rest = ""] = /^([^.]+\.json)\.?(.*)$/.exec(field) ?? [];
      context.print(`${path}:${lineOfPath(read.texts.get(path) ?? "", rest)}: ${rest} ${message}`);
    }
    return 1;
  }
  context.print(`${Object.keys(read.files).length} files are valid`);
  return 0;
}

function printFaults({ print }: SchemaContext, { faults }: SchemaFolder): boolean {
  for (const { path, line, message } of faults) print(`${path}:${line}: ${message}`);
  return faults.length > 0;
}

function printRefusal({ print }: SchemaContext, { message, facts: { details = [] } }: Refusal) {
  print(message);
  for (const detail of details) print(`  ${detail.field}: ${detail.message}`);
}

/** Whether the command needs no store: it names an address, or reads files alone. */
export function needsNoStore([name, verb, ...args]: readonly string[]): boolean {
  if (name === "client" || name === "init") return true;
  if (name !== "schema") return false;
  return verb === "check" || args.some((one) => /^--(?:from|to)(?:=|$)/.test(one));
}
