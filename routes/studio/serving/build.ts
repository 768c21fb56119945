/**
 * `deno task build`: bundles the browser code of the studio and copies fonts and icons from their packages. The
 * output is checked in, so that running the service requires no build.
 *
 * @module
 */
import font from "@fontsource-variable/inter/package.json" with { type: "json" };
import icons from "lucide-static/package.json" with { type: "json" };
import { BUILT, ENTRY, sourceDigest } from "./browser_digest.ts";
import { ICON_NAMES } from "../components/icon_names.ts";

const ROOT = new URL("../../../", import.meta.url);
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
  await collectLicences();
  const manifest = {
    digest: await sourceDigest(ROOT),
    font: `${font.name} ${font.version} (${font.license})`,
    icons: `${icons.name} ${icons.version} (${icons.license})`,
  };
  await write("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * The font files and their style sheet with the unicode range of each. A page painted before the font has
 * loaded keeps the system font: swapping would shift the text.
 */
async function copyFont(): Promise<void> {
  const source = new URL(import.meta.resolve(`${font.name}/index.css`));
  const faces = (await Deno.readTextFile(source))
    .replaceAll(/font-display: *swap/g, "font-display: optional");
  const served = (name: string) => `${name}-${font.version}.woff2`;
  const files = /url\(\.\/files\/([\w-]+)\.woff2\)/g;
  for (const [, name = ""] of faces.matchAll(files)) {
    await Deno.copyFile(new URL(`files/${name}.woff2`, source), new URL(served(name), FOLDER));
  }
  await write("font.css", faces.replace(files, (_, name) => `url(/admin/assets/${served(name)})`));
  await Deno.copyFile(new URL("LICENSE", source), new URL("font_license.txt", FOLDER));
}

/** The contents of each icon's `svg` element, by the icon's name in the studio. */
async function drawIcons(): Promise<void> {
  const drawn: Record<string, string> = {};
  for (const [name, lucide] of Object.entries(ICON_NAMES)) {
    const path = new URL(import.meta.resolve(`${icons.name}/icons/${lucide}.svg`));
    const [, inside = ""] = /<svg[^>]*>([^]*)<\/svg>/.exec(await Deno.readTextFile(path)) ?? [];
    drawn[name] = inside.replace(/\s*\n\s*/g, "");
  }
  const licence = new URL(import.meta.resolve(`${icons.name}/LICENSE`));
  await Deno.copyFile(licence, new URL("icons_license.txt", FOLDER));
  await write("icons.json", `${JSON.stringify(drawn, null, 1)}\n`);
}

/** An npm package, as `deno info` reports it. */
interface NpmPackage {
  name: string;
  version: string;
  dependencies: string[];
}

/** The licenses of all bundled packages with their required notices. */
async function collectLicences(): Promise<void> {
  const [{ npmCache }, { npmPackages, modules }] = await Promise.all([deno(), deno(ENTRY)]);
  const bundled = new Map<string, NpmPackage>();
  const waiting: string[] = modules.flatMap(({ npmPackage }: { npmPackage?: string }) =>
    npmPackage ?? []
  );
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const found: NpmPackage = npmPackages[id];
    const name = `${found.name} ${found.version}`;
    if (bundled.has(name) || name.startsWith("@types/")) continue;
    bundled.set(name, found);
    waiting.push(...found.dependencies);
  }
  const texts = [...bundled].sort(([a], [b]) => a < b ? -1 : 1).map(async ([title, found]) =>
    `${title}\n\n${await licenceOf(
      `${npmCache}/registry.npmjs.org/${found.name}/${found.version}`,
    )}`
  );
  await write("licenses.txt", `${(await Promise.all(texts)).join(`\n\n${"-".repeat(72)}\n\n`)}\n`);
}

async function licenceOf(folder: string): Promise<string> {
  for await (const { name } of Deno.readDir(folder)) {
    if (!/^licen[cs]e(\.(md|txt))?$/i.test(name)) continue;
    return (await Deno.readTextFile(`${folder}/${name}`)).trim();
  }
  // Some have their licence in their description alone.
  const { license, author } = JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
  return `${license}, ${author?.name ?? author ?? "its authors"}`;
}

/** The output of `deno info` for a module or for Deno itself. */
async function deno(...about: string[]) {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", ...about],
    cwd: ROOT,
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function write(name: string, text: string): Promise<void> {
  await Deno.writeTextFile(new URL(name, FOLDER), text);
}

if (import.meta.main) await build();
