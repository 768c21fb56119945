/**
 * Follows the recipe "A field type" of CONTRIBUTING.md: a sixteenth type, added to nothing but the list
 * of names in a copy of the project, makes type checking fail in the files that the recipe names.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";

const NAMES = "kv/model/field_definition.ts";
/** Files of the recipe that type checking cannot ask for: the module of the type itself, and the names. */
const UNCHECKED = [NAMES, "kv/model/field_types/number.ts"];

/** Names of types that mean nothing else in this project. */
const TYPE_NAME = /"(?:rich_text|multi_select|datetime)"/;
/** A field that is asked for its type, whatever the name. */
const ASKED =
  /\b(?:field|definition|nested|column)\.type [!=]== "|switch \((?:field|definition)\.type\)/;

async function recipeFiles(): Promise<string[]> {
  const text = await Deno.readTextFile("CONTRIBUTING.md");
  const [, recipe] = text.split("### A field type");
  const steps = recipe!.split("\n### ")[0]!;
  return [...steps.matchAll(/`((?:kv|jobs|routes)\/[\w./]+\.tsx?)`/g)].map((match) => match[1]!);
}

Deno.test("a new field type fails to compile in exactly the files that its recipe lists", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const copied = ["main.ts", "deno.json", "deno.lock", "kv", "jobs", "routes", "tests/support"];
    await Deno.mkdir(`${folder}/tests`);
    for (const path of copied) await copy(path, `${folder}/${path}`);
    const names = await Deno.readTextFile(NAMES);
    const extended = names.replace('  "block",\n', '  "block",\n  "color",\n');
    assert(extended !== names);
    await Deno.writeTextFile(`${folder}/${NAMES}`, extended);

    const checked = await new Deno.Command(Deno.execPath(), {
      args: ["check", "main.ts", "routes/studio/browser/studio.ts"],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();

    const failed = new TextDecoder().decode(checked.stderr)
      .matchAll(/ at file:\/\/\S*?\/((?:kv|jobs|routes)\/[\w./]+\.tsx?):/g);
    assertEquals(
      [...new Set([...failed].map((match) => match[1]!))].sort(),
      (await recipeFiles()).filter((file) => !UNCHECKED.includes(file)).sort(),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("no code outside the tables of the recipe asks for a field type by its name", async () => {
  const tables = new Set(await recipeFiles());
  const found: string[] = [];
  for (const floor of ["kv", "jobs", "routes"]) {
    for await (const path of sources(floor)) {
      const isOwn = path.startsWith("kv/model/field_types/") || path.startsWith("jobs/seed/") ||
        // Fields to begin with, as data.
        path === "routes/studio/definitions/collection_templates.ts";
      if (isOwn || tables.has(path)) continue;
      const lines = (await Deno.readTextFile(path)).split("\n");
      // What a control becomes is said by its element, in `data-type`.
      found.push(
        ...lines.filter((line) =>
          ASKED.test(line) || (TYPE_NAME.test(line) && !line.includes("data-type"))
        )
          .map((line) => `${path}: ${line.trim()}`),
      );
    }
  }
  assertEquals(found, []);
});

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory && name !== "built") yield* sources(path);
    else if (/\.tsx?$/.test(name)) yield path;
  }
}

async function copy(from: string, to: string): Promise<void> {
  const { isDirectory } = await Deno.stat(from);
  if (!isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) await copy(`${from}/${name}`, `${to}/${name}`);
}
