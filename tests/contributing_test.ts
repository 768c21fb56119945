/**
 * The recipes of CONTRIBUTING.md, followed as far as a machine can: each has steps in order, and each
 * step names files that are there and hold what the step speaks of.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";

const RECIPES = [
  "A field type",
  "A filter operator",
  "A job kind",
  "An operation of the admin API",
  "An admin screen",
  "A headless endpoint",
];
const text = await Deno.readTextFile("CONTRIBUTING.md");

/** The steps of each recipe. */
const recipes = new Map(
  text.split("\n### ").slice(1).map((part) => [
    part.slice(0, part.indexOf("\n")),
    part.split(/^\d+\. /m).slice(1),
  ]),
);

const filesOf = (step: string) =>
  [...step.matchAll(/`((?:kv|jobs|routes|tests|docs)\/[\w./]+\.(?:tsx?|md|json))`/g)]
    .map((match) => match[1]!);

Deno.test("CONTRIBUTING has the six recipes, each with steps that name their files", () => {
  assertEquals([...recipes.keys()], RECIPES);
  for (const [recipe, steps] of recipes) {
    assert(steps.length >= 5, `${recipe} has ${steps.length} steps`);
    assert(steps.flatMap(filesOf).length >= 6, `${recipe} names too few files`);
  }
});

Deno.test("the recipes go up the layers: kv, jobs, routes, then tests and documents", () => {
  const layers = ["kv", "jobs", "routes", "tests", "docs"];
  for (const recipe of ["A field type", "A filter operator"]) {
    const order = recipes.get(recipe)!.flatMap(filesOf)
      .map((file) => layers.indexOf(file.split("/")[0]!));
    assertEquals(order, order.toSorted((a, b) => a - b), recipe);
  }
});

Deno.test("what the recipes quote is in the files that they name", async () => {
  const wrong: string[] = [];
  for (const [recipe, steps] of recipes) {
    for (const step of steps) {
      const sources = await Promise.all(filesOf(step).map((file) => Deno.readTextFile(file)));
      const quoted = [...step.matchAll(/`([A-Za-z_]{4,})(?:\(\))?`/g)].map((match) => match[1]!);
      for (const name of quoted) {
        const there = sources.some((source) => source.includes(name));
        if (!there && sources.length > 0) wrong.push(`${recipe}: ${name}`);
      }
    }
  }
  assertEquals(wrong, []);
});

Deno.test("the catalogues that the recipes name have an entry for each type, kind and screen", async () => {
  const source = (path: string) => Deno.readTextFile(path);
  const names = /FIELD_TYPE_NAMES = \[([\s\S]*?)\]/.exec(
    await source("kv/model/fields/field_definition.ts"),
  )![1]!;
  const guide = await source("docs/modelling.md");
  for (const [, type] of names.matchAll(/"(\w+)"/g)) {
    assert(guide.includes(`\`${type}\``), `docs/modelling.md has no row for ${type}`);
  }
  const catalogue = await source("jobs/kinds.ts");
  for (const [, kind] of catalogue.matchAll(/import \{[^}]*?(\w+Kind)\b[^}]*\} from/g)) {
    assert(catalogue.split(kind!).length > 2, `${kind} is imported and not listed`);
  }
});
