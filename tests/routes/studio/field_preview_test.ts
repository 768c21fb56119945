/** The control beside the form of a field: the one that the form of a document has, for every type. */
import { FIELD_TYPE_NAMES } from "../../../kv/model/fields/field_definition.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { callApp, type TestApp, testApp } from "../../support/sites/app.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { FIELDS } from "../../support/sites/headless.ts";

const MENTIONS = { name: "mentions", type: "references", options: { maxItems: 3 } };

/** Sets the site up; answers how its administrator asks. */
async function administrator(test: TestApp) {
  const body = {
    code: "setup-code",
    email: "ada@example.org",
    displayName: "Ada",
    password: "correct horse battery",
    siteTitle: "The Lantern",
  };
  const { headers } = await test.call("POST", "/api/admin/setup", { body });
  const cookie = headers.get("set-cookie")!.split(";")[0]!;
  return (method: string, path: string, body?: Json) =>
    callApp(test.app, method, path, { headers: { cookie }, ...(body !== undefined && { body }) });
}

const drawn = (name: string, html: string, id: string) =>
  html.replaceAll(new RegExp(`(["# ])${id}(?=[-"])`, "g"), "$1ID")
    .replaceAll(new RegExp(`data-(name|field)="${name}"`, "g"), "data-$1");

Deno.test("the preview of a field is the control that its documents have, whatever its type", async () => {
  await using test = await testApp();
  const ask = await administrator(test);
  const options: Record<string, Json> = { text: { default: "As before" }, number: { default: 4 } };
  const fields: Record<string, Json>[] = [...FIELDS, MENTIONS].map((field) => ({
    label: `The ${field.name}`,
    help: "So that it is found",
    required: true,
    ...field,
    options: { ...options[field.type as string] as object, ...field.options as object },
  }));
  await ask("POST", "/api/admin/blocks", {
    name: "quote",
    label: "Quote",
    fields: [{ name: "text", label: "Text", type: "text" }],
  });
  const made = await ask("POST", "/api/admin/collections", {
    slug: "posts",
    name: "Posts",
    fields,
  });
  assertEquals(made.status, 201, made.text);
  const form = (await ask("GET", "/admin/content/posts/new")).text;

  for (const field of fields) {
    const name = String(field.name);
    const { text } = await ask("POST", "/admin/field-preview", field);
    assert(text.includes(`The ${name}`) && text.includes("So that it is found"), text);
    const same = drawn("preview", text, "field-preview");
    assert(drawn(name, form, `c-${name}`).includes(same), `${name}: ${same}`);
    const page = (await ask("GET", `/admin/collections/posts/fields/${name}`)).text;
    assert(page.includes(text), `${name} when its form opens`);
  }
  const types = new Set(fields.map((field) => String(field.type)));
  assertEquals([...types].sort(), [...FIELD_TYPE_NAMES].sort());
});

Deno.test("a field that is not complete is shown by its type, one that cannot be says why", async () => {
  await using test = await testApp();
  const ask = await administrator(test);
  const preview = async (definition: Json) => {
    const { status, text } = await ask("POST", "/admin/field-preview", definition);
    assertEquals(status, 200, text);
    return text;
  };

  assert((await preview({ type: "text", label: "", name: null })).includes(">Text "));
  assert((await preview({ type: "text", name: "title" })).includes("<input"));
  assert(
    (await preview({ type: "select", label: "Kind" })).includes("Add choices to see the preview"),
  );
  const hostile = { type: "text", label: '<img src=x onerror="alert(1)">', help: "<script>" };
  const html = await preview(hostile);
  assert(!html.includes("<img") && !html.includes("<script"), html);
  for (const type of [null, 7, "constructor", "nothing"]) {
    assert((await preview({ type })).startsWith('<p class="help">type: '));
  }
});

Deno.test("a user who may not define fields is shown none", async () => {
  await using test = await testApp();
  const { app } = test;
  await administrator(test);
  const { status } = await callApp(app, "POST", "/admin/field-preview", { body: { type: "text" } });
  assert(status === 302 || status === 401 || status === 403, String(status));
});
