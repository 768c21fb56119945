/**
 * `deno task build`: bundles the browser code of the admin application, and takes its fonts and icons from
 * their packages. What it writes is kept in the repository, so that nobody who only runs the service has to
 * build anything.
 *
 * @module
 */
import font from "@fontsource-variable/inter/package.json" with { type: "json" };
import icons from "lucide-static/package.json" with { type: "json" };
import { BUILT, ENTRY, sourceDigest } from "./browser_digest.ts";
import { ICON_NAMES } from "./components/icon_names.ts";

const ROOT = new URL("../../", import.meta.url);
const FOLDER = new URL(BUILT, ROOT);

/** Bundles {@linkcode ENTRY} into the folder {@linkcode BUILT}, with a manifest that names its sources. */
export async function build(): Promise<void> {
  await Deno.remove(FOLDER, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  const args = ["--platform=browser", "--minify", "--code-splitting", `--outdir=${BUILT}`, ENTRY];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", ...args],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error(`Cannot bundle: ${new TextDecoder().decode(stderr)}`);
  await copyFont();
  await drawIcons();
  const manifest = {
    digest: await sourceDigest(ROOT),
    font: `${font.name} ${font.version} (${font.license})`,
    icons: `${icons.name} ${icons.version} (${icons.license})`,
  };
  await write("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The font's files and its style sheet, which names the alphabets that each file covers. */
async function copyFont(): Promise<void> {
  const source = new URL(import.meta.resolve(`${font.name}/index.css`));
  const faces = await Deno.readTextFile(source);
  const served = (name: string) => `${name}-${font.version}.woff2`;
  const files = /url\(\.\/files\/([\w-]+)\.woff2\)/g;
  for (const [, name] of faces.matchAll(files)) {
    await Deno.copyFile(new URL(`files/${name}.woff2`, source), new URL(served(name!), FOLDER));
  }
  await write("font.css", faces.replace(files, (_, name) => `url(/admin/assets/${served(name)})`));
  await Deno.copyFile(new URL("LICENSE", source), new URL("font_license.txt", FOLDER));
}

/** What stands inside the `svg` element of each icon, by the name that it has here. */
async function drawIcons(): Promise<void> {
  const drawn: Record<string, string> = {};
  for (const [name, lucide] of Object.entries(ICON_NAMES)) {
    const path = new URL(import.meta.resolve(`${icons.name}/icons/${lucide}.svg`));
    const [, inside] = /<svg[^>]*>([^]*)<\/svg>/.exec(await Deno.readTextFile(path))!;
    drawn[name] = inside!.replace(/\s*\n\s*/g, "");
  }
  const licence = new URL(import.meta.resolve(`${icons.name}/LICENSE`));
  await Deno.copyFile(licence, new URL("icons_license.txt", FOLDER));
  await write("icons.json", `${JSON.stringify(drawn, null, 1)}\n`);
}

async function write(name: string, text: string): Promise<void> {
  await Deno.writeTextFile(new URL(name, FOLDER), text);
}

if (import.meta.main) await build();
