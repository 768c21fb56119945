/** The keyspace: each family of keys, which is named by its first part, is spelled in one file. */
import { assert, assertEquals } from "../support/harness/assert.ts";

/** Where a key is spelled: as a constant, or as what a function answers. */
const SPELLED = /(?:: Key(?: =|\s*=>)|\bKey => |concat\(\[?)\s*\[\s*"([a-z_]+)"/g;

async function* sourceFiles(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* sourceFiles(path);
    else if (name.endsWith(".ts")) yield path;
  }
}

/** The files that spell keys of a family, by its first part. */
async function families(): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for await (const path of sourceFiles("kv")) {
    for (const [, family] of (await Deno.readTextFile(path)).matchAll(SPELLED)) {
      found.set(family!, (found.get(family!) ?? new Set()).add(path));
    }
  }
  return found;
}

Deno.test("no two files spell keys of the same family", async () => {
  const found = await families();

  assert(found.size > 60, `only ${found.size} families were found`);
  const shared = [...found].filter(([, files]) => files.size > 1)
    .map(([family, files]) => `${family}: ${[...files].sort().join(", ")}`);
  assertEquals(shared, []);
});

Deno.test("no family of keys is spelled outside of the files of keys", async () => {
  // A value that one process writes for itself, and a row that only this module reads.
  const own = ["kv/store/commits/write_probe.ts", "kv/versioning/slug_form.ts"];
  const files = new Set([...(await families()).values()].flatMap((paths) => [...paths]));

  const strange = [...files].filter((path) => !/(?:^|[/_])keys\.ts$/.test(path));
  assertEquals(strange.filter((path) => !own.includes(path)), []);
});
