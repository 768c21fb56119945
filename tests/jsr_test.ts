/**
 * The packages that JSR has too: what is imported of them is in both, so that the import map can name either.
 * `.ci/jsr_exports.json` lists what JSR's have.
 */
import { assert, assertEquals } from "@std/assert";
import { sourceFiles } from "./support/harness/source_files.ts";
import { fromJsr, fromNpm, isCheckedIn, lockFromNpm } from "../.ci/jsr.ts";
import exported from "../.ci/jsr_exports.json" with { type: "json" };

const PACKAGES: Record<string, { exports: Record<string, string[]> }> = exported;
const IMPORT =
  /(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*(?: as \w+)?|\w+)\s+from\s+"(@(?:hono|std)\/\w+)((?:\/[^"]*)?)"/g;

/** The names in the braces of an import, as the package has them. */
function namesOf(clause: string): string[] {
  return clause.slice(1, -1).split(",")
    .map((part) => part.trim().replace(/^type /, "").split(" as ")[0]!)
    .filter((name) => name !== "");
}

Deno.test("imports from JSR packages are in their exports", async () => {
  const missing: string[] = [];
  let seen = 0;
  for (const folder of ["kv", "jobs", "routes", "tests"]) {
    for await (const path of sourceFiles(folder)) {
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

Deno.test("the exports listed for JSR packages can be imported", async () => {
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

Deno.test("deno task jsr off puts the lock file back, whatever Deno has made of it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cms-jsr-" });
  await Deno.mkdir(`${folder}/.ci`);
  for (const name of ["deno.json", "deno.lock", ".ci/jsr.ts", ".ci/jsr_exports.json"]) {
    await Deno.copyFile(name, `${folder}/${name}`);
  }
  const run = async (direction: string) => {
    const args = ["run", "--no-lock", "--allow-read=.", "--allow-write=.", ".ci/jsr.ts", direction];
    const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: folder })
      .output();
    assert(success, new TextDecoder().decode(stderr));
  };
  const names = ["deno.json", "deno.lock"];
  const texts = () => Promise.all(names.map((name) => Deno.readTextFile(`${folder}/${name}`)));
  const before = await texts();
  const switched = (lock: string) => {
    const parsed = JSON.parse(lock);
    parsed.specifiers["jsr:@hono/hono@^4.0.0"] = "4.0.0";
    parsed.jsr = { "@hono/hono@4.0.0": { integrity: "x" } };
    parsed.workspace.dependencies.unshift("jsr:@hono/hono@^4.0.0");
    return JSON.stringify(parsed, null, 2) + "\n";
  };
  await run("on");
  await run("on");
  await Deno.writeTextFile(`${folder}/deno.lock`, switched(before[1]!));
  await run("off");
  await run("off");
  assertEquals(await texts(), before);
  assertEquals((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort(), [
    ".ci",
    ...names,
  ]);
  // One that was switched before it was kept loses what JSR has added.
  assertEquals(lockFromNpm(switched(before[1]!)), before[1]);
  await Deno.remove(folder, { recursive: true });
});
