/**
 * The order of the folders of each floor, as their READMEs list them: a unit (a folder, or a file beside them) imports
 * only units that stand above it in the table, types included.
 */
import { assertEquals } from "@std/assert";
import { sourceFiles } from "./support/harness/source_files.ts";

const FLOORS = ["kv", "jobs", "routes"];
const FOLDER_FILES_MAX = 30;
/** Imports of values and of types. */
const IMPORT =
  /^(?:import|export)\s+[^;"]*?from\s+"(\.[^"]+)"|^import\s+"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/gm;

/** The units that a floor's README names, in their order. */
async function unitsOf(floor: string): Promise<string[]> {
  const readme = await Deno.readTextFile(`${floor}/README.md`);
  const rows = readme.split("\n").filter((line) => line.startsWith("| `"));
  return rows.flatMap((row) => {
    const [, names] = row.split("|");
    return [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!.replace(/\/$/, ""));
  });
}

for (const floor of FLOORS) {
  Deno.test(`the units of ${floor} import only those above them in ${floor}/README.md`, async () => {
    const units = await unitsOf(floor);
    const wrong: string[] = [];
    for await (const path of sourceFiles(floor)) {
      const unit = path.split("/")[1]!;
      const place = units.indexOf(unit);
      if (place < 0) wrong.push(`${floor}/README.md does not list ${unit}`);
      const code = (await Deno.readTextFile(path)).replace(/\/\*[\s\S]*?\*\//g, "");
      for (const match of code.matchAll(IMPORT)) {
        const specifier = match[1] ?? match[2] ?? match[3]!;
        const target = new URL(specifier, `file:///${path}`).pathname.slice(1).split("/");
        if (target[0] !== floor || target[1] === unit) continue;
        if (units.indexOf(target[1]!) > place) wrong.push(`${path} imports ${target.join("/")}`);
      }
    }
    assertEquals([...new Set(wrong)], []);
  });
}

Deno.test("no folder holds more than 30 source files, style sheets included", async () => {
  const counts = new Map<string, number>();
  for (const top of [...FLOORS, "tests"]) {
    for await (const path of sourceFiles(top, /\.(?:tsx?|css)$/)) {
      const folder = path.slice(0, path.lastIndexOf("/"));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  assertEquals([...counts].filter(([, count]) => count > FOLDER_FILES_MAX), []);
});
