/**
 * A digest of the sources of the built browser code: every module that the entry reaches, the icon list, and
 * the package versions.
 *
 * @module
 */
import { sha256 } from "../../../kv/model/values/sha256.ts";

/** The entry points of the browser code, from the project root. */
export const ENTRY = "routes/studio/browser/studio.ts";
/** The output folder. */
export const BUILT = "routes/studio/built/";
/** Which icons are drawn, and the packages that only the build reads. */
const ICONS = "routes/studio/components/icon_names.ts";
const BUILD_PACKAGES = ["@fontsource-variable/inter", "lucide-static"];

/** The digest of the current sources. */
export async function sourceDigest(root: URL): Promise<string> {
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  const sources = new Map<string, string>();
  for (const name of BUILD_PACKAGES) sources.set(name, JSON.stringify(packageOf(imports, name)));
  const waiting = [ENTRY, ICONS];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (sources.has(path)) continue;
    const text = await Deno.readTextFile(new URL(path, root));
    sources.set(path, text);
    // Type imports do not affect the output.
    const code = text.replace(/^import type [^;]*;$/gm, "");
    for (const [, specifier = ""] of code.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)) {
      if (specifier.startsWith(".")) waiting.push(below(path, specifier));
      else sources.set(specifier, JSON.stringify(packageOf(imports, specifier)));
    }
  }
  const ordered = [...sources].sort(([a], [b]) => a < b ? -1 : 1);
  return sha256(JSON.stringify(ordered));
}

function below(path: string, specifier: string): string {
  return new URL(specifier, `file:///${path}`).pathname.slice(1);
}

function packageOf(imports: Record<string, string>, specifier: string): string | null {
  const name = Object.keys(imports).find((name) =>
    specifier === name || specifier.startsWith(name.endsWith("/") ? name : `${name}/`)
  );
  return imports[name ?? ""] ?? null;
}
