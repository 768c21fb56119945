/**
 * `cms export` and `cms import`: the same jobs as in the admin application, from and to a file.
 *
 * @module
 */
import { checkBackup } from "../../kv/backup/check_backup.ts";
import { openExport } from "../../kv/backup/exports.ts";
import { storeImport } from "../../kv/backup/store_import.ts";
import type { People } from "../../kv/people/people.ts";
import { listUsers } from "../../kv/people/users.ts";
import { ADMINISTRATOR } from "../../kv/model/entities/permission.ts";
import { Refusal } from "../../kv/refusals.ts";
import { runNow } from "../../jobs/run_now.ts";
import type { Command } from "./command_context.ts";
import { parseOptions } from "./options.ts";
import { UsageError } from "./usage_error.ts";

/** Runs `cms export`. */
export const exportCommand: Command = async ({ content: { context }, runner, print }, args) => {
  const { positionals: [path], flags } = parseOptions(args, {
    media: "boolean",
    redacted: "boolean",
  });
  if (path === undefined) throw new UsageError("cms export requires a file name");
  // Opened first: a name that is taken is refused before the work.
  const file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  try {
    const payload = {
      media: flags.media === true,
      redacted: flags.redacted === true,
      reason: "manual" as const,
    };
    const { results } = await runNow(context, runner, { type: "EXPORT", payload });
    const { exportId } = results.write as { exportId: string };
    const { record, stream } = await openExport(context, exportId);
    await stream.pipeTo(file.writable);
    print(`${path}: ${record.bytes} bytes, ${record.rows} rows`);
    return 0;
  } catch (error) {
    await Deno.remove(path).catch(() => {});
    throw error;
  }
};

/** Runs `cms import`. */
export const importCommand: Command = async ({ content, people, runner, print }, args) => {
  const { context } = content;
  const { positionals: [path], flags, texts } = parseOptions(args, {
    "dry-run": "boolean",
    as: "string",
  });
  if (path === undefined) throw new UsageError("cms import requires a file name");
  const file = await Deno.open(path);
  if (flags["dry-run"]) {
    const { errors } = await checkBackup(file.readable, { pause: () => context.store.sleep(0) });
    for (const error of errors) print(typeof error === "string" ? error : JSON.stringify(error));
    print(errors.length === 0 ? "The backup is valid" : "The backup is not valid");
    return errors.length === 0 ? 0 : 1;
  }
  const userId = await administratorId(people, texts.as);
  const importId = await storeImport(context, { body: file.readable, headers: new Headers() });
  await runNow(context, runner, { type: "IMPORT", payload: { importId, userId } });
  print(`Imported ${path}`);
  return 0;
};

/** The user whose account is kept if the backup lacks it. */
async function administratorId({ access }: People, email: string | undefined): Promise<string> {
  const users = listUsers(await access.current());
  const found = users.find((user) =>
    email === undefined ? user.roles.includes(ADMINISTRATOR) : user.email === email
  );
  if (found === undefined) {
    throw new Refusal("NOT_FOUND", { about: "no administrator with this email address exists" });
  }
  return found.id;
}
