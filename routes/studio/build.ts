/**
 * `deno task build`: bundles the browser code of the admin application. What it writes is kept in the
 * repository, so that nobody who only runs the service has to build anything.
 *
 * @module
 */
import { BUILT, ENTRY, sourceDigest } from "./browser_digest.ts";

const ROOT = new URL("../../", import.meta.url);

/** Bundles {@linkcode ENTRY} into the folder {@linkcode BUILT}, with a manifest that names its sources. */
export async function build(): Promise<void> {
  await Deno.remove(new URL(BUILT, ROOT), { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  const args = ["--platform=browser", "--minify", "--code-splitting", `--outdir=${BUILT}`, ENTRY];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", ...args],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error(`Cannot bundle: ${new TextDecoder().decode(stderr)}`);
  const manifest = { digest: await sourceDigest(ROOT) };
  await Deno.writeTextFile(new URL(`${BUILT}manifest.json`, ROOT), `${JSON.stringify(manifest)}\n`);
}

if (import.meta.main) await build();
