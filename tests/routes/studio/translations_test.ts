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

Deno.test("lists show the languages of documents, and are narrowed to states of a translation", async () => {
  await using test = await testApp();
  const { ask, open, id } = await site(test);
  const other = await ask("POST", "/documents", { collection: "articles", title: "A storm" });
  await ask("PUT", `/documents/${id}/translations/fr`, { title: "Le gardien", lead: "Bonjour" });

  const { text: all } = await open("/content/articles");
  const { text: missing } = await open("/content/articles?language=fr&translation=missing");
  const titles = async (query: string) => {
    const { json } = await ask("GET", `/documents?collection=articles&${query}`);
    return json.data.map(({ title }: { title: string }) => title);
  };

  assertStringIncludes(all, 'title="French: 2 untranslated fields"');
  assertStringIncludes(all, 'title="Arabic: Not translated"');
  assertStringIncludes(missing, "French: Not translated");
  assertStringIncludes(missing, `<a href="/admin/documents/${other.json.id}/translations/fr"`);
  assert(!missing.includes(`/documents/${id}/`));
  assertEquals(await titles("language=fr&translation=missing"), ["A storm"]);
  assertEquals(await titles("language=fr&translation=complete,incomplete"), [
    "The lighthouse keeper",
  ]);
  const { status, json } = await ask("GET", "/documents?collection=articles&translation=missing");
  assertEquals([status, json.error.code], [400, "PARAMETER_INVALID"]);
  const unknown = await ask(
    "GET",
    "/documents?collection=articles&language=de&translation=missing",
  );
  assertEquals([unknown.status, unknown.json.error.code], [400, "LANGUAGE_INVALID"]);
});

Deno.test("the overview counts translations by collection and language", async () => {
  await using test = await testApp();
  const { ask, open, id } = await site(test);
  await ask("PUT", `/documents/${id}/translations/fr`, { title: "Le gardien", lead: "Bonjour" });
  await ask("POST", `/documents/${id}/publish`, { languages: ["fr"] });

  const { text } = await open("");

  assertStringIncludes(text, "1 of 1 published");
  assertStringIncludes(
    text,
    'href="/admin/content/articles?language=ar&amp;translation=missing">1 missing</a>',
  );
});

Deno.test("definitions offer translation only where it can be", async () => {
  await using test = await testApp();
  const { ask, open } = await site(test);
  await ask("POST", "/collections", { slug: "notes", name: "Notes" });

  const has = async (path: string) => (await open(path)).text.includes('data-name="localized"');

  assert(await has("/collections/articles"));
  assert(await has("/collections/articles/fields/lead"));
  assert(!await has("/collections/notes/fields/new?type=text"));
  await ask("PATCH", "/settings", { languages: null });
  assert(!await has("/collections/articles"));
});

Deno.test("the preview shows a translation with its unpublished changes and its fallbacks", async () => {
  await using test = await testApp();
  const { ask, open, id } = await site(test);
  await ask("PUT", `/documents/${id}/translations/fr`, { title: "Le gardien", lead: "Bonjour" });
  await ask("POST", `/documents/${id}/publish`, { languages: ["fr"] });
  await ask("PATCH", `/documents/${id}/translations/fr/working-copy`, { lead: "Bonsoir" });

  const { status, text } = await open(`/documents/${id}/preview?language=fr`);

  assertEquals(status, 200);
  assertStringIncludes(text, '<html lang="fr"');
  assertStringIncludes(text, "Bonsoir");
  assertStringIncludes(text, "Every four hours the clockwork is wound.");
  assertEquals((await open(`/documents/${id}/preview?language=ar`)).status, 404);
});
