/**
 * Follows the recipes of CONTRIBUTING.md that begin in a catalogue: a sixteenth field type, an operator, a
 * kind of job and a screen, added to nothing but the catalogue in a copy of the project, make type checking
 * fail in the files that the recipes name.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";

const NAMES = "kv/model/fields/field_definition.ts";
/** Files of the recipe that type checking cannot ask for: the module of the type itself, and the names. */
const UNCHECKED = [
  "kv/model/transfers/plan_check.ts",
  NAMES,
  "kv/model/fields/types/number.ts",
];

/** Names of types that mean nothing else in this project. */
const TYPE_NAME = /"(?:rich_text|multi_select|datetime)"/;
/** A field that is asked for its type, whatever the name. */
const ASKED =
  /\b(?:field|definition|nested|column)\.type [!=]== "|switch \((?:field|definition)\.type\)/;

/** What a recipe begins with, and the files that type checking asks for from then on. */
interface Beginning {
  recipe: string;
  file: string;
  after: string;
  added: string;
  asksFor: string[];
}

const BEGINNINGS: Beginning[] = [
  {
    recipe: "A field type",
    file: NAMES,
    after: '  "block",\n',
    added: '  "color",\n',
    asksFor: (await recipeFiles("A field type")).filter((file) => !UNCHECKED.includes(file)),
  },
  {
    recipe: "A filter operator",
    file: "kv/model/fields/filter_operator.ts",
    after: '  "match",\n',
    added: '  "between",\n',
    asksFor: ["routes/query/filter_condition.ts", "routes/v1/openapi/parameters.ts"],
  },
  {
    recipe: "A job kind",
    file: "kv/jobs/job_contracts.ts",
    after: "export const JOBS = {\n",
    added:
      '  COUNT: contract({ class: "idle", payload: payloads.NoPayload, steps: { count: null } }),\n',
    asksFor: ["jobs/kinds.ts"],
  },
  {
    recipe: "An admin screen",
    file: "routes/studio/screens.ts",
    after: '  release: { path: "/releases/:id", title: "Release", access: "documents.read" },\n',
    added: '  count: { path: "/count", title: "Count", access: "media.read" },\n',
    asksFor: ["routes/studio/serving/handlers.ts"],
  },
];

async function recipeFiles(recipe: string): Promise<string[]> {
  const text = await Deno.readTextFile("CONTRIBUTING.md");
  const steps = text.split(`### ${recipe}\n`)[1]!.split("\n### ")[0]!;
  return [...steps.matchAll(/`((?:kv|jobs|routes)\/[\w./]+\.tsx?)`/g)].map((match) => match[1]!);
}

Deno.test("what a recipe begins with fails to compile in exactly the files that the recipe lists", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const copied = ["main.ts", "deno.json", "deno.lock", "kv", "jobs", "routes", "tests/support"];
    await Deno.mkdir(`${folder}/tests`);
    for (const path of copied) await copy(path, `${folder}/${path}`);
    for (const { recipe, file, after, added, asksFor } of BEGINNINGS) {
      const listed = await recipeFiles(recipe);
      assertEquals([file, ...asksFor].filter((path) => !listed.includes(path)), [], recipe);
      const text = await Deno.readTextFile(file);
      assert(text.includes(after), `${file} does not have ${after}`);
      await Deno.writeTextFile(`${folder}/${file}`, text.replace(after, after + added));
    }

    const checked = await new Deno.Command(Deno.execPath(), {
      args: ["check", "main.ts", "routes/studio/browser/studio.ts"],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();

    const failed = new TextDecoder().decode(checked.stderr)
      .matchAll(/ at file:\/\/\S*?\/((?:kv|jobs|routes)\/[\w./]+\.tsx?):/g);
    assertEquals(
      [...new Set([...failed].map((match) => match[1]!))].sort(),
      BEGINNINGS.flatMap(({ asksFor }) => asksFor).sort(),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("no code outside the tables of the recipe asks for a field type by its name", async () => {
  const tables = new Set(await recipeFiles("A field type"));
  const found: string[] = [];
  for (const floor of ["kv", "jobs", "routes"]) {
    for await (const path of sources(floor)) {
      const isOwn = path.startsWith("kv/model/fields/types/") || path.startsWith("jobs/seed/") ||
        // Types of other systems.
        path.startsWith("jobs/transfers/") ||
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
