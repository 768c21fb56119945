/** The description is valid, clean, complete, and as its examples say. */
import SwaggerParser from "@apidevtools/swagger-parser";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import { REFUSALS } from "../../../kv/refusals.ts";
import { openApiDocument } from "../../../routes/v1/openapi/document.ts";
import { cachedBySchema } from "../../../routes/v1/openapi/rendered.ts";
import { assert, assertEquals, assertNotEquals } from "../../support/harness/assert.ts";
import { isWholeRun } from "../../support/harness/whole_run.ts";
import { everyField, everyTypeSite, largeSite, oddSite, site } from "../../contract/sites.ts";
import { compileIn } from "../../contract/schema_check.ts";

const ORIGIN = "https://cms.example.net";
// A copy: the validator puts what references mean in their places.
// deno-lint-ignore no-explicit-any
const describe = (schema: Schema): any => structuredClone(openApiDocument(schema, ORIGIN));

const SITES: [string, () => Schema][] = [
  ["every field type", everyTypeSite],
  ["odd names", oddSite],
  ["no collections", () => site([], "0")],
  ["many collections", () => largeSite(isWholeRun ? 200 : 60, 4)],
];

for (const [name, schema] of SITES) {
  Deno.test(`openApiDocument() is valid OpenAPI for a site with ${name}`, async () => {
    await SwaggerParser.validate(describe(schema()));
  });

  Deno.test(`openApiDocument() leaves a linter nothing to say about ${name}`, async () => {
    // Shared components are there for every site, whether it needs them or not.
    const unused = name === "every field type" ? "error" : "off";
    const rules = { "info-license": "off", "no-unused-components": unused } as const;
    const config = await createConfig({ extends: ["recommended-strict"], rules });

    const source = JSON.stringify(describe(schema()));
    const problems = await lintFromString({ source, config });

    // The explorer is a page that nothing can be wrong with.
    const said = problems
      .filter(({ ruleId, location }) =>
        ruleId !== "operation-4xx-response" || !location[0]?.pointer?.includes("_explorer")
      )
      // What only `x-part-schema` refers to is used, though the linter does not look there.
      .filter(({ ruleId, message }) =>
        ruleId !== "no-unused-components" || !/"\w+Part(?:List)?"/.test(message)
      )
      // Both addresses are fixed, and no id is called "by-slug".
      .filter(({ ruleId, message }) =>
        ruleId !== "no-ambiguous-paths" ||
        !/\/\{id\}\/versions` and `[^`]*\/by-slug\/\{slug\}`/.test(message)
      )
      .map((problem) => `${problem.ruleId}: ${problem.message}`);
    assertEquals(said.slice(0, 10), []);
  });

  Deno.test(`openApiDocument() gives examples that fit their schemas for ${name}`, () => {
    const description = describe(schema());
    const check = compileIn(description);
    let checked = 0;
    const examples = [...examplesOf(description)];
    const step = Math.ceil(examples.length / 150);
    for (const [path, name, value] of examples.filter((_, index) => index % step === 0)) {
      const problems = check(path, value);
      assertEquals(problems, [], `${name}: ${JSON.stringify(value)}`);
      checked += 1;
    }
    assert(checked > 20, `Only ${checked} examples`);
  });

  Deno.test(`openApiDocument() names no operation and no schema twice for ${name}`, () => {
    const description = describe(schema());
    const ids = operationsOf(description).map(({ operation }) => operation.operationId);
    assertEquals(new Set(ids.map((id: string) => id.toLowerCase())).size, ids.length);
    const names = Object.keys(description.components.schemas).map((name) => name.toLowerCase());
    assertEquals(new Set(names).size, names.length);
  });
}

// deno-lint-ignore no-explicit-any
function operationsOf(description: any): { path: string; method: string; operation: any }[] {
  const methods = ["get", "post", "patch", "delete"];
  return Object.entries(description.paths).flatMap(([path, entry]) =>
    // deno-lint-ignore no-explicit-any
    Object.entries(entry as Record<string, any>)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ path, method, operation }))
  );
}

Deno.test("openApiDocument() refers to named components only, and says whose it is", () => {
  // Generators drop a type whose parts have no name.
  for (const [name, schema] of SITES) {
    const description = describe(schema());
    const references = JSON.stringify(description).match(/"\$ref":"[^"]*"/g)!;
    const unnamed = references.filter((one) => !/"#\/components\/[a-zA-Z]+\/[^/]+"$/.test(one));
    assertEquals([name, [...new Set(unnamed)]], [name, []]);
    const { contact, license } = description.info;
    assertEquals([contact.url, license.identifier], [ORIGIN, "MIT"]);
  }
});

/** Each example with the path of the schema that it must fit. */
// deno-lint-ignore no-explicit-any
function* examplesOf(description: any): Generator<[string[], string, unknown]> {
  const resolve = (value: { $ref?: string; value?: unknown }) =>
    value.$ref === undefined
      ? value.value
      : description.components.examples[value.$ref.split("/").pop()!].value;
  // deno-lint-ignore no-explicit-any
  function* walk(value: any, path: string[]): Generator<[string[], string, unknown]> {
    if (typeof value !== "object" || value === null) return;
    const isContent = path.at(-2) === "content";
    if (isContent && value.examples !== undefined) {
      for (const [name, example] of Object.entries(value.examples)) {
        yield [[...path, "schema"], name, resolve(example as { $ref?: string })];
      }
    }
    const skip = path.length === 2 && path[1] === "examples";
    if (skip) return;
    for (const key of Object.keys(value)) yield* walk(value[key], [...path, key]);
  }
  yield* walk(description, []);
}

Deno.test("openApiDocument() gives every code a reusable response", () => {
  const description = describe(everyTypeSite());
  const found = new Set<string>();
  // deno-lint-ignore no-explicit-any
  for (const response of Object.values<any>(description.components.responses)) {
    const narrowed = response.content?.["application/json"].schema.allOf[1];
    for (const code of narrowed?.properties.error.properties.code.enum ?? []) found.add(code);
  }
  const admin = ["PROOF_REQUIRED", "RESTORE_NOT_SUPPORTED", "SECOND_FACTOR_REQUIRED"];
  assertEquals([...found].sort(), Object.keys(REFUSALS).filter((c) => !admin.includes(c)).sort());
});

const FRAMED = ["id", "slug", "title", "status", "createdAt", "updatedAt", "publishedAt"]
  .map((name) => `field.${name}`);

Deno.test("openApiDocument() names the sortable and the filterable fields and no others", () => {
  const schema = site([{
    slug: "posts",
    fields: [
      { name: "rating", type: "number", indexed: true, sortable: true },
      { name: "tags", type: "multi_select", indexed: true, options: { choices: ["a", "b"] } },
      { name: "plain", type: "text" },
      { name: "body", type: "rich_text" },
    ],
  }]);

  const { parameters } = describe(schema).paths["/api/v1/posts"].get;

  const own = parameters.filter((parameter: { $ref?: string }) => parameter.$ref === undefined);
  const [sort] = own;
  const filters = own.filter(({ name }: { name: string }) =>
    name.startsWith("field.") && !name.includes("[") && !FRAMED.includes(name)
  );
  assertEquals(sort.schema.items.enum.filter((name: string) => !name.startsWith("-")), [
    "createdAt",
    "updatedAt",
    "publishedAt",
    "title",
    "slug",
    "status",
    "rating",
    "random",
  ]);
  assertEquals(filters.map((filter: { name: string }) => filter.name), [
    "field.rating",
    "field.tags",
  ]);
  assertEquals(filters[1].schema.items, { type: "string", enum: ["a", "b"] });
});

Deno.test("openApiDocument() keeps quiet about collections that are not exposed", () => {
  const text = JSON.stringify(describe(everyTypeSite()));
  assert(!text.includes("hidden"));
  assert(!text.includes('secret"'));
});

Deno.test("openApiDocument() asks for a token everywhere but at search and the explorer", () => {
  const description = describe(everyTypeSite());
  assertEquals(description.security, [{ bearer: [] }]);
  const open = operationsOf(description)
    .filter(({ operation }) => operation.security !== undefined)
    .map(({ path, operation }) => [path, operation.security]);
  assertEquals(open, [["/api/v1/search", []], ["/api/v1/_explorer", []]]);
});

Deno.test("openApiDocument() tells what a document created as published needs", () => {
  const description = describe(everyTypeSite());
  const check = compileIn(description);
  const create = ["components", "schemas", "StrictThingCreate"];
  assertEquals(check(create, { title: "A" }), []);
  assertEquals(check(create, { title: "A", status: "published", code: "ABC-1", rating: 3 }), []);
  assertNotEquals(check(create, { title: "A", status: "published" }), []);
  assertNotEquals(check(create, { title: "A", status: "published", code: null, rating: 1 }), []);
  assertNotEquals(check(create, { title: " " }), []);
  assertNotEquals(check(create, { title: "A", unknown: 1 }), []);
  assertNotEquals(check(create, { title: "A", rating: 6 }), []);
  assertEquals(check(create, { title: "A", id: 1, blocks: "ignored" }), []);
});

Deno.test("openApiDocument() maps every field type as specified", () => {
  const { properties } = describe(everyTypeSite()).components.schemas.Post;
  const shape = (name: string) => {
    const { title: _title, ...schema } = properties[name];
    return schema;
  };
  assertEquals(everyField().length, 16);
  assertEquals(shape("textField"), { type: ["string", "null"], minLength: 3, maxLength: 60 });
  assertEquals(shape("richtextField"), {
    type: ["array", "null"],
    items: { $ref: "#/components/schemas/PortableTextBlock" },
  });
  assertEquals(shape("numberField"), { type: ["number", "null"], minimum: -2.5, maximum: 5 });
  assertEquals(shape("groupField"), { type: ["object", "null"], additionalProperties: true });
  assertEquals(shape("repeaterField"), { type: ["array", "null"], items: {} });
  assertEquals(shape("selectField").enum, ["news", "it's", 'quo"te', "日本", null]);
});

Deno.test("openApiDocument() keeps a collection's names when another one comes", () => {
  const before = describe(site([{ slug: "posts" }]));
  const after = describe(site([{ slug: "posts" }, { slug: "post" }, { slug: "article" }]));
  for (const path of Object.keys(before.paths)) assertEquals(after.paths[path], before.paths[path]);
  assertEquals(before.paths["/api/v1/posts"].get.operationId, "listPosts");
  assertEquals(before.paths["/api/v1/posts/by-slug/{slug}"].get.operationId, "getPostBySlug");
  assertEquals(after.paths["/api/v1/post"].post.operationId, "createPost2");
});

Deno.test("openApiDocument() has the same order every time", () => {
  const once = JSON.stringify(describe(everyTypeSite()));
  assertEquals(JSON.stringify(describe(everyTypeSite())), once);
});

Deno.test("cachedBySchema() renders once per schema and origin, and forgets old origins", () => {
  let renders = 0;
  const kept = cachedBySchema((schema, origin) => `${schema.stamp} ${origin} ${renders += 1}`);
  const first = site([], "1");
  const tag = kept(first, "https://a").plain.etag;
  assertEquals(kept(site([], "1"), "https://a").plain.etag, tag);
  assertEquals(renders, 1);
  assertNotEquals(kept(first, "https://b").plain.etag, tag);
  assertNotEquals(kept(site([], "2"), "https://a").plain.etag, tag);
  for (let n = 0; n < 10; n += 1) kept(site([], "2"), `https://host-${n}`);
  assertEquals(renders, 13);
  kept(site([], "2"), "https://host-9");
  assertEquals(renders, 13);
  kept(site([], "2"), "https://a");
  assertEquals(renders, 14);
});

Deno.test("openApiDocument() says of search and of the feed what conditions and resumes them", () => {
  const { paths, webhooks, tags } = describe(everyTypeSite());
  const search = paths["/api/v1/search"].get;
  assert("ETag" in search.responses["200"].headers && "304" in search.responses);
  const feed = paths["/api/v1/_changes"].get;
  assert(feed.parameters.some(({ name }: { name: string }) => name === "Last-Event-ID"));
  const named = new Set(tags.map(({ name }: { name: string }) => name));
  for (const { operation } of operationsOf({ paths })) {
    for (const tag of operation.tags) assert(named.has(tag), `${tag} is no tag`);
  }
  // A generator that writes one file per tag loses the paths that share theirs with webhooks.
  const ofPaths = new Set([...operationsOf({ paths })].flatMap(({ operation }) => operation.tags));
  for (const { post } of Object.values(webhooks) as { post: { tags: string[] } }[]) {
    for (const tag of post.tags) assert(named.has(tag) && !ofPaths.has(tag), tag);
  }
});
