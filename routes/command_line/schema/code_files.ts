/**
 * Definitions as code: the default exports of a folder's TypeScript files, read by a process without
 * permissions.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";

/** Modules that only others import. */
const IGNORED = /(?:^types|\.d)\.ts$/;

/** A file that is no definition. */
export class CodeFault extends Error {
  override name = "CodeFault";

  constructor(readonly path: string, message: string) {
    super(message);
  }
}

/** The collections that the TypeScript files of a folder define, by file name. */
export async function readCode(folder: string): Promise<Map<string, Json>> {
  const found = new Map<string, Json>();
  for (const name of await fileNames(folder, ".ts")) {
    if (IGNORED.test(name)) continue;
    const value = await defaultExport(await Deno.realPath(`${folder}/${name}`), name);
    if (value !== null) found.set(name, value);
  }
  return found;
}

/** The sorted names of a folder's files with an extension; none if the folder does not exist. */
export async function fileNames(folder: string, extension: string): Promise<string[]> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(folder));
    return entries.filter(({ isFile, name }) => isFile && name.endsWith(extension))
      .map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** What a module exports by default; null if it is no collection. */
async function defaultExport(path: string, name: string): Promise<Json | null> {
  const source = `import definition from ${JSON.stringify(new URL(`file://${path}`).href)};
Deno.stdout.writeSync(new TextEncoder().encode("\\n" + JSON.stringify(definition)));
`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--quiet", "--no-remote", "--no-npm", "--no-config", "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    clearEnv: true,
    env: { NO_COLOR: "1" },
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(source));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  const text = new TextDecoder();
  if (!success) {
    const [reason = "Cannot be run"] = text.decode(stderr).trim().split("\n");
    throw new CodeFault(name, reason);
  }
  const value = JSON.parse(text.decode(stdout).trim().split("\n").at(-1) || "null") as Json;
  return isJsonObject(value) && typeof value.slug === "string" ? value : null;
}
