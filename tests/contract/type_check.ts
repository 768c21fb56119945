/**
 * `deno check` of generated modules, in a folder of their own.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

/** Checks the modules together; answers what the checker says, empty when it says nothing. */
export async function typeCheck(folder: string, modules: Record<string, string>): Promise<string> {
  for (const [name, source] of Object.entries(modules)) {
    await Deno.writeTextFile(`${folder}/${name}`, source);
  }
  const config = fileURLToPath(new URL("../../deno.json", import.meta.url));
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", "--config", config, "--no-lock", ...Object.keys(modules)],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdout: "null",
    stderr: "piped",
  }).output();
  return success ? "" : new TextDecoder().decode(stderr);
}
