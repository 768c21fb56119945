/**
 * The folders that the service may read or write, as `--allow-read` and `--allow-write` take them: the tasks
 * `start` and `dev` insert what this prints. It runs on its own, without the configuration of the project.
 *
 * @module
 */

/** The folders for reading or for writing, joined by commas. */
export function foldersFor(
  use: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  os: typeof Deno.build.os,
): string {
  // An empty one is refused when the configuration is read.
  const data = env.DATA_DIR || "./data";
  const folders = use === "write" ? [data] : [".", data, denoDir(env, os)];
  return folders.filter((folder) => folder !== null)
    .map((folder) => folder.replaceAll(",", ",,")).join(",");
}

/** Where Deno keeps packages, of which some read files of their own; null when it has no place. */
function denoDir(
  env: Readonly<Record<string, string | undefined>>,
  os: typeof Deno.build.os,
): string | null {
  if (env.DENO_DIR) return env.DENO_DIR;
  if (os === "windows") return env.LOCALAPPDATA ? `${env.LOCALAPPDATA}\\deno` : null;
  if (os === "darwin") return env.HOME ? `${env.HOME}/Library/Caches/deno` : null;
  const cache = env.XDG_CACHE_HOME || (env.HOME ? `${env.HOME}/.cache` : "");
  return cache === "" ? null : `${cache}/deno`;
}

if (import.meta.main) {
  console.log(foldersFor(Deno.args[0], Deno.env.toObject(), Deno.build.os));
}
