/** Languages in the admin API: settings, and translations published, scheduled, copied and confirmed. */
import { assertEquals } from "../../support/harness/assert.ts";
import { headless } from "../../support/sites/headless.ts";
import {
  LANGUAGES,
  type Multilingual,
  multilingual,
  paragraph,
} from "../../support/sites/multilingual.ts";

const codes = (answer: { json: { error: { details?: { field: string; code: string }[] } } }) =>
  answer.json.error.details?.map(({ field, code }) => `${field} ${code}`);

async function apple(test: Multilingual) {
  const { id } = await test.post({
    title: "Apple",
    summary: "Red",
    body: paragraph("Hello"),
    status: "published",
  });
  return id as string;
}

Deno.test("PATCH /settings refuses languages that do not go together", async () => {
  await using test = await headless([]);
  await test.setUp();
  const set = (languages: unknown) => test.admin("PATCH", "/settings", { languages } as never);
  const refused: [unknown, string][] = [
    [[{ code: "en" }], "languages TOO_SHORT"],
    [[{ code: "de" }, { code: "en" }], "languages.0.code INVALID_CHOICE"],
    [[{ code: "en" }, { code: "fr-ca" }], "languages.1.code PATTERN_MISMATCH"],
    [[{ code: "en" }, { code: "fr" }, { code: "fr" }], "languages.2.code NOT_UNIQUE"],
    [[{ code: "en" }, { code: "fr", fallback: ["it"] }], "languages.1.fallback.0 INVALID_CHOICE"],
  ];
  for (const [languages, detail] of refused) {
    const answer = await set(languages);
    assertEquals(answer.status, 422, answer.text);
    assertEquals(codes(answer)?.includes(detail), true, answer.text);
  }
  const circle = await set([{ code: "en", fallback: ["fr"] }, { code: "fr", fallback: ["en"] }]);
  assertEquals(circle.status, 422);
  assertEquals((await test.v1("GET", "/posts?language=fr")).status, 200, "an unknown parameter");
  const unknown = await test.admin("PATCH", "/collections/posts", { localized: true });
  assertEquals([unknown.status, codes(unknown)], [422, ["localized UNKNOWN_KEY"]]);
  assertEquals((await set([{ code: "en" }, { code: "fr", path: "posts" }])).status, 409);
  assertEquals((await set([{ code: "en" }, { code: "fr" }])).status, 200);
  assertEquals((await test.admin("PATCH", "/settings", { "site.language": "fr" })).status, 409);
  const taken = await test.admin("POST", "/collections", { slug: "fr", name: "F" });
  assertEquals([taken.status, codes(taken)], [422, ["slug INVALID_CHOICE"]]);
});

Deno.test("languages are published together or not at all", async () => {
  await using test = await multilingual();
  const id = await apple(test);
  const path = `/documents/${id}`;
  const fr = await test.admin("PUT", `${path}/translations/fr`, { title: "Pomme" });
  assertEquals(fr.status, 201, fr.text);
  await test.admin("PUT", `${path}/translations/de`, { title: "Apfel", body: paragraph("Hallo") });
  const refused = await test.admin("POST", `${path}/publish`, { languages: "*" });
  assertEquals([refused.status, codes(refused)], [422, ["fr.body REQUIRED"]]);
  assertEquals((await test.read(`/posts/${id}?language=de`)).status, 404, "none of them");
  const german = await test.admin("POST", `${path}/translations/de/publish`);
  assertEquals([german.status, german.json.status], [202, "queued"], german.text);
  assertEquals((await test.read(`/posts/${id}?language=de`)).json.title, "Apfel");
  assertEquals((await test.admin("POST", `${path}/translations/de/unpublish`)).status, 202);
  assertEquals((await test.read(`/posts/${id}?language=de`)).status, 404);
  assertEquals((await test.admin("POST", `${path}/publish`)).status, 202, "the original alone");
});

Deno.test("a published translation has a working copy of its own", async () => {
  await using test = await multilingual();
  const id = await apple(test);
  const path = `/documents/${id}/translations/fr`;
  await test.admin("PUT", path, { title: "Pomme", body: paragraph("B"), status: "published" });
  const copy = await test.admin("PATCH", `${path}/working-copy`, { title: "Une pomme" });
  assertEquals(
    [copy.status, copy.json.title, copy.json.hasWorkingCopy],
    [200, "Une pomme", true],
    copy.text,
  );
  assertEquals((await test.read(`/posts/${id}?language=fr`)).json.title, "Pomme");
  assertEquals(
    (await test.v1("GET", `/posts/${id}?language=fr&draft=true`)).json.title,
    "Une pomme",
  );
  await test.admin("POST", `${path}/publish`);
  assertEquals((await test.read(`/posts/${id}?language=fr`)).json.title, "Une pomme");
  assertEquals((await test.admin("GET", `${path}/working-copy`)).status, 404);
});

Deno.test("accept confirms a translation, copy takes another language's values, original swaps", async () => {
  await using test = await multilingual();
  const id = await apple(test);
  const path = `/documents/${id}/translations`;
  await test.admin("PUT", `${path}/fr`, { title: "Pomme", summary: "Rouge" });
  await test.v1("PATCH", `/posts/${id}`, { body: { title: "Red apple" } });
  const states = async () =>
    (await test.admin("GET", path)).json.data.map((one: Record<string, string>) =>
      `${one.language} ${one.state}`
    );
  assertEquals((await states())[1], "fr outdated");
  const stale = { headers: { "if-match": '"stale"' } };
  const refused = await test.admin("POST", `${path}/fr/accept`, undefined, stale);
  assertEquals([refused.status, (await states())[1]], [412, "fr outdated"], refused.text);
  assertEquals((await test.admin("POST", `${path}/fr/accept`)).status, 200);
  assertEquals((await states())[1], "fr incomplete");
  const copied = await test.admin("POST", `${path}/de/copy`, { from: "en" });
  assertEquals(
    [copied.status, copied.json.title, copied.json.summary],
    [201, "Red apple", "Red"],
    copied.text,
  );
  assertEquals((await test.admin("POST", `${path}/de/copy`, { from: "it" })).status, 422);
  const swapped = await test.admin("POST", `/documents/${id}/original`, { language: "fr" });
  assertEquals([swapped.status, swapped.json.title], [200, "Pomme"], swapped.text);
  assertEquals((await test.v1("GET", `/posts/${id}?language=en`)).json.title, "Red apple");
  assertEquals(
    (await test.admin("POST", `/documents/${id}/original`, { language: "ar" })).status,
    404,
  );
});

Deno.test("a translation is published at its time", async () => {
  await using test = await multilingual();
  const id = await apple(test);
  const path = `/documents/${id}/translations/fr`;
  await test.admin("PUT", path, { title: "Pomme", body: paragraph("B") });
  const at = Math.floor(test.context.now() / 1000) + 60;
  const set = await test.admin("POST", `${path}/schedule`, { publishAt: at });
  assertEquals([set.status, set.json.status, set.json.publishAt], [200, "scheduled", at], set.text);
  test.context.advance(61_000);
  await test.runner.drain();
  assertEquals((await test.read(`/posts/${id}?language=fr`)).json.title, "Pomme");
});

Deno.test("a restore takes some languages, or a value in one", async () => {
  await using test = await multilingual();
  const id = await apple(test);
  const path = `/documents/${id}/translations/fr`;
  await test.admin("PUT", path, { title: "Pomme", summary: "Rouge" });
  const { data } = (await test.admin("GET", `/versions/document/${id}`)).json;
  assertEquals(data[0].languages, ["fr"]);
  await test.admin("PATCH", path, { title: "Poire", summary: "Verte" });
  await test.v1("PATCH", `/posts/${id}`, { body: { title: "Pear" } });
  await test.admin("POST", `/versions/${data[0].id}/restore`, { fields: ["fr.title"] });
  assertEquals((await test.admin("GET", path)).json.summary, "Verte");
  assertEquals((await test.admin("GET", path)).json.title, "Pomme");
  await test.admin("POST", `/versions/${data[0].id}/restore`, { languages: ["fr"] });
  assertEquals((await test.admin("GET", path)).json.summary, "Rouge");
  assertEquals((await test.v1("GET", `/posts/${id}`)).json.title, "Pear");
});

Deno.test("GET /translations counts documents by the state of their translation", async () => {
  await using test = await multilingual();
  const id = await apple(test);
  await test.post({ title: "Pear" });
  await test.admin("PUT", `/documents/${id}/translations/fr`, { title: "Pomme" });
  const { json, status } = await test.admin("GET", "/translations?language=fr");
  assertEquals(status, 200);
  assertEquals(json.data, [{
    collection: "posts",
    language: "fr",
    documents: 2,
    missing: 1,
    incomplete: 1,
    outdated: 0,
    published: 0,
  }]);
  assertEquals((await test.admin("GET", "/translations")).json.data.length, LANGUAGES.length);
});
