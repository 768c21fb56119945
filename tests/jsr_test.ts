/**
 * The packages that JSR has too: what is imported of them is in both, so that the import map can name either.
 * `.ci/jsr_exports.json` lists what JSR's have.
 */
import { assert, assertEquals } from "@std/assert";
import { fromJsr, fromNpm, isCheckedIn } from "../.ci/jsr.ts";
import exported from "../.ci/jsr_exports.json" with { type: "json" };

const PACKAGES: Record<string, { exports: Record<string, string[]> }> = exported;
const IMPORT =
  /(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*(?: as \w+)?|\w+)\s+from\s+"(@(?:hono|std)\/\w+)((?:\/[^"]*)?)"/g;

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* sources(path);
    else if (/\.tsx?$/.test(name)) yield path;
  }
}

/** The names in the braces of an import, as the package has them. */
function namesOf(clause: string): string[] {
  return clause.slice(1, -1).split(",")
    .map((part) => part.trim().replace(/^type /, "").split(" as ")[0]!)
    .filter((name) => name !== "");
}

Deno.test("what is imported from the packages of JSR is in their exports", async () => {
  const missing: string[] = [];
  let seen = 0;
  for (const folder of ["kv", "jobs", "routes", "tests"]) {
    for await (const path of sources(folder)) {
      for (const [, clause, name, part] of (await Deno.readTextFile(path)).matchAll(IMPORT)) {
        const known = PACKAGES[name!]?.exports[`.${part}`];
        // Whatever is imported whole cannot be compared.
        const names = clause!.startsWith("{") ? namesOf(clause!) : [clause!];
        seen += names.length;
        const unknown = names.filter((one) => !known?.includes(one));
        missing.push(...unknown.map((one) => `${path}: ${one} of ${name}${part}`));
      }
    }
  }
  assertEquals(missing, []);
  assert(seen > 100);
});

Deno.test("what is listed of JSR is also where the packages come from", async () => {
  const parts = Object.entries(PACKAGES).flatMap(([name, { exports }]) =>
    Object.keys(exports).map((part) => name + part.slice(1))
  );
  for (const part of parts) await import(part);
});

Deno.test("deno task jsr switches the import map and back, and changes nothing else", async () => {
  const config = await Deno.readTextFile("deno.json");
  assert(isCheckedIn(config));
  const switched = fromJsr(config);
  assert(!isCheckedIn(switched));
  const { imports, ...rest } = JSON.parse(switched);
  const { imports: before, ...restBefore } = JSON.parse(config);
  assertEquals(rest, restBefore);
  for (const name of Object.keys(PACKAGES)) assert(imports[name].startsWith(`jsr:${name}@^`));
  assertEquals(Object.keys(before).filter((name) => imports[name] !== before[name]).length, 3);
  assertEquals(fromNpm(switched), config);
  assertEquals([fromJsr(switched), fromNpm(config)], [switched, config]);
});
