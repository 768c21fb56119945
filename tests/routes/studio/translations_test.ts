/** The screens of translations: where they lead, and what they show of languages. */
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { type TestApp, testApp } from "../../support/sites/app.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { translatedSite } from "../../support/browser/translated_site.ts";

/** A translated site, and requests of its administrator. */
async function site(test: TestApp) {
  const setup = await test.call("POST", "/api/admin/setup", {
    body: {
      code: "setup-code",
      email: "ada@example.org",
      displayName: "Ada",
      password: "correct horse battery",
      siteTitle: "The Lantern",
    },
  });
  const headers = { cookie: setup.headers.get("set-cookie")!.split(";")[0]! };
  const ask = (method: string, path: string, body?: Json) =>
    test.call(method, `/api/admin${path}`, { headers, ...(body !== undefined && { body }) });
  const open = (path: string) => test.call("GET", `/admin${path}`, { headers });
  const id = await translatedSite({ ask });
  return { ask, open, id };
}

Deno.test("the address of a translation leads to the original where none can be", async () => {
  await using test = await testApp();
  const { ask, open, id } = await site(test);
  await ask("POST", "/collections", { slug: "notes", name: "Notes" });
  const note = await ask("POST", "/documents", { collection: "notes", title: "Shared" });

  const leads = async (path: string) => {
    const { status, headers } = await open(path);
    return [status, headers.get("location")];
  };
  assertEquals(await leads(`/documents/${id}/translations/en`), [302, `/admin/documents/${id}`]);
  assertEquals(await leads(`/documents/${note.json.id}/translations/fr`), [
    302,
    `/admin/documents/${note.json.id}`,
  ]);
  assertEquals(await leads(`/documents/${id}/translations/de`), [404, null]);
  assert(!(await open(`/documents/${note.json.id}`)).text.includes('aria-label="Languages"'));
});

Deno.test("the checks before publishing are those of the language", async () => {
  await using test = await testApp();
  const { ask, open, id } = await site(test);
  await ask("PUT", `/documents/${id}/translations/fr`, { title: "Le gardien" });

  const french = await open(`/documents/${id}/checks?language=fr`);
  const english = await open(`/documents/${id}/checks`);

  assertEquals(french.json.checks, [
    { field: "lead", label: "Lead", message: "is required", level: "error" },
  ]);
  assertEquals(english.json.checks, []);
  assertEquals((await open(`/documents/${id}/checks?language=ar`)).status, 404);
});

Deno.test("a change of the original is shown beside the field that it makes outdated", async () => {
  await using test = await testApp();
  const { ask, open, id } = await site(test);
  await ask("PUT", `/documents/${id}/translations/fr`, { title: "Le gardien", lead: "Bonjour" });
  await ask("PATCH", `/documents/${id}`, { lead: "Changed" });

  const { text } = await open(`/documents/${id}/translations/fr`);

  assertStringIncludes(text, "1 outdated field");
  assertStringIncludes(text, "<ins>Changed</ins>");
});
