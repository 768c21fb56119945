/**
 * `cms init`: a new project from a starter.
 *
 * @module
 */
import { parseOptions } from "../options.ts";
import type { SchemaContext } from "../schema/schema_command.ts";
import { UsageError } from "../usage_error.ts";
import { servedModule } from "./served_module.ts";

/** The starters, and what runs each. */
const STARTERS: Readonly<Record<string, string>> = {
  astro: "npm install && npm run dev",
  hono: "deno run -A --env-file main.ts",
  next: "npm install && npm run dev",
};
const NAMES = Object.keys(STARTERS).join(", ");
const FOLDER = new URL("../../../docs/starters/", import.meta.url);

/** Writes the project; answers the exit code. */
export async function initCommand(
  context: SchemaContext,
  args: readonly string[],
): Promise<number> {
  const { positionals: [starter = "", folder, extra], texts } = parseOptions(args, {
    from: "string",
  });
  if (folder === undefined || extra !== undefined || !Object.hasOwn(STARTERS, starter)) {
    throw new UsageError(`cms init needs a starter (${NAMES}) and a folder`);
  }
  if (!await isFree(folder)) {
    context.print(`${folder} is not empty`);
    return 1;
  }
  const module = texts.from === undefined ? null : await servedModule(context, texts.from);
  await copyFolder(new URL(`${starter}/`, FOLDER), folder);
  await Deno.writeTextFile(`${folder}/.env`, environment(texts.from));
  await Deno.writeTextFile(`${folder}/.gitignore`, ".env\nnode_modules/\ndist/\n.astro/\n.next/\n");
  if (module !== null) await Deno.writeTextFile(`${folder}/cms.ts`, module);
  context.print(`${folder} is a site with ${starter}. Set CMS_TOKEN in ${folder}/.env, then run:`);
  context.print(`  cd ${folder} && ${STARTERS[starter]}`);
  return 0;
}

/** Whether there is no such folder yet, or nothing in it. */
async function isFree(folder: string): Promise<boolean> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).length === 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    throw error;
  }
}

async function copyFolder(from: URL, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) {
      await copyFolder(new URL(`${encodeURIComponent(name)}/`, from), `${to}/${name}`);
    } else await Deno.copyFile(new URL(encodeURIComponent(name), from), `${to}/${name}`);
  }
}

function environment(address = "http://127.0.0.1:8000"): string {
  return `CMS_URL=${address}
# An API token that reads the collection.
CMS_TOKEN=
CMS_COLLECTION=posts
CMS_BODY_FIELD=body
# Of a webhook that calls /hooks/content.
CMS_WEBHOOK_SECRET=
`;
}
