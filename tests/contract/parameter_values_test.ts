/**
 * A value that a described parameter does not have is refused by every operation; none is ignored. Filters,
 * `status`, `at` and types of media name the field (422), everything else is 400.
 */
import { assert, assertEquals } from "../support/harness/assert.ts";
import { fuzzableApp } from "./fuzzable_app.ts";

// deno-lint-ignore no-explicit-any
type Described = any;

/** Values that a parameter's schema does not allow. */
function wrongValues(schema: Described): string[] {
  if (schema.type === "array") return wrongValues(schema.items);
  if (schema.enum !== undefined) return ["nonsense", "", String(schema.enum[0]).toUpperCase()];
  if (schema.type === "boolean") return ["maybe", "TRUE", "1"];
  if (schema.type === "integer" || schema.type === "number") return ["many", "1x"];
  // Words that are searched for have a pattern that nearly every text meets.
  if (schema.pattern !== undefined && schema.minLength === undefined) return ["no such thing"];
  return [];
}

Deno.test("every operation refuses values that its description does not allow, with 400", async () => {
  await using test = await fuzzableApp();
  const token = await test.token();
  const description = (await test.call("GET", "/api/v1/_meta", { token })).json;
  const body = { title: "One", status: "published" };
  const { json: { id, slug } } = await test.call("POST", "/api/v1/posts", { token, body });
  const values: Record<string, string> = { id, slug, n: "1", name: "w200.webp" };
  const resolved = (part: Described): Described =>
    part.$ref === undefined
      ? part
      : part.$ref.slice(2).split("/").reduce((at: Described, key: string) => at[key], description);
  const ignored: string[] = [];
  const swept = new Set<string>();
  for (const [path, operations] of Object.entries<Described>(description.paths)) {
    if (path.startsWith("/api/v1/strict-things")) continue;
    const address = path.replace(/\{(\w+)\}/g, (_all, name) => values[name] ?? "1");
    for (const [method, operation] of Object.entries<Described>(operations)) {
      const shared = operations.parameters ?? [];
      for (const parameter of [...shared, ...operation.parameters ?? []].map(resolved)) {
        if (parameter.in !== "query") continue;
        for (const value of wrongValues(resolved(parameter.schema))) {
          if (parameter.allowEmptyValue && value === "") continue;
          // The spelling of an enum may be what a text filter compares with.
          const query = `${encodeURIComponent(parameter.name)}=${encodeURIComponent(value)}`;
          const needed = parameter.name !== "q" && path.endsWith("/search") ? "q=one&" : "";
          const answer = await test.call(method.toUpperCase(), `${address}?${needed}${query}`, {
            token,
            ...(operation.requestBody !== undefined && { body: { title: "Two" } }),
          });
          swept.add(parameter.name);
          const isFiltered = /^(field\.|status$|at$|mime$)/.test(parameter.name);
          if (answer.status === 400 || (isFiltered && answer.status === 422)) continue;
          ignored.push(`${method} ${path} ${parameter.name}=${value}: ${answer.status}`);
        }
      }
    }
  }
  assertEquals(ignored, []);
  for (const name of ["richText", "status", "sort", "include", "fields", "dryRun", "facets"]) {
    assert(swept.has(name), `${name} was swept`);
  }
});
