/** Translations written one by one: what they may hold, what they leave as it is, and who is in whose way. */
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused } from "../../../support/sites/headless.ts";
import { type Multilingual, multilingual, paragraph } from "../../../support/sites/multilingual.ts";

const of = (id: string, code: string) => `/posts/${id}/translations/${code}`;

async function apple(test: Multilingual) {
  return await test.post({
    title: "Apple",
    summary: "Red",
    body: paragraph("Hello"),
    status: "published",
  });
}

Deno.test("PUT makes a translation, and PATCH of one that is not there, too", async () => {
  await using test = await multilingual();
  const { id } = await apple(test);
  assertEquals((await test.v1("GET", of(id, "fr"))).status, 404);
  const made = await test.translate(id, "fr", { title: "Pomme", summary: "Rouge" });
  assertEquals([made.status, made.headers.get("location")], [201, `/api/v1${of(id, "fr")}`]);
  const { title, slug, summary, status, _language, body } = made.json;
  assertEquals([title, slug, summary, status, _language, body], [
    "Pomme",
    "pomme",
    "Rouge",
    "draft",
    "fr",
    undefined,
  ]);
  const patched = await test.v1("PATCH", of(id, "de"), { body: { title: "Apfel" } });
  assertEquals([patched.status, patched.json.slug], [201, "apfel"]);
  assertRefused(await test.v1("PATCH", of(id, "ar"), { body: {} }), 422, "VALIDATION_FAILED", [
    "title REQUIRED",
  ]);
  const replaced = await test.translate(id, "fr", { title: "La pomme" });
  assertEquals([replaced.status, replaced.json.summary, replaced.json.slug], [
    200,
    undefined,
    "pomme",
  ]);
  const emptied = await test.v1("PATCH", of(id, "fr"), { body: { summary: "", tags: [] } });
  assertEquals([emptied.json.summary, emptied.json.tags], ["", []]);
  const cleared = await test.v1("PATCH", of(id, "fr"), { body: { tags: null } });
  assertEquals([cleared.json.summary, cleared.json.tags], ["", undefined]);
});

Deno.test("what is not localized, not a language, or not of this language is refused", async () => {
  await using test = await multilingual();
  const { id } = await apple(test);
  const refusals: [string, Record<string, never> | object, string[]][] = [
    ["fr", { title: "P", rating: 3 }, ["rating UNKNOWN_KEY"]],
    ["fr", { title: "P", nothing: 3 }, ["nothing UNKNOWN_KEY"]],
    ["fr", { title: "P", summary: 3 }, ["summary INVALID_TYPE"]],
    ["fr", { title: "P", _language: "de" }, ["_language INVALID_LANGUAGE"]],
    ["en", { title: "P" }, ["_language INVALID_LANGUAGE"]],
    ["fr", { title: "P", status: "published" }, ["body REQUIRED"]],
  ];
  for (const [code, body, details] of refusals) {
    const refused = await test.translate(id, code, body as never);
    assertRefused(refused, 422, "VALIDATION_FAILED", details);
  }
  assertRefused(await test.translate(id, "it", { title: "P" }), 404, "NOT_FOUND");
  const gaps = await test.translate(id, "fr-CA", { title: "Pomme", status: "published" });
  assertEquals(gaps.status, 201, gaps.text);
});

Deno.test("what a read answers can be sent back, with what fell back left out", async () => {
  await using test = await multilingual();
  const { id } = await apple(test);
  await test.translate(id, "fr", {
    title: "Pomme",
    body: paragraph("Bonjour"),
    status: "published",
  });
  const own = await test.v1("GET", of(id, "fr"));
  const same = await test.v1("PUT", of(id, "fr"), { body: own.json });
  assertEquals([same.status, same.text], [200, own.text]);
  const seen = await test.v1("GET", `/posts/${id}?language=fr`);
  const { rating: _r, related: _s, ...localized } = seen.json;
  const back = await test.v1("PATCH", of(id, "fr"), { body: localized });
  assertEquals([back.status, back.json.summary], [200, undefined], back.text);
  const wrong = await test.v1("PATCH", `/posts/${id}`, { body: seen.json });
  assertRefused(wrong, 422, "VALIDATION_FAILED", ["_language INVALID_LANGUAGE"]);
  const plain = await test.v1("GET", `/posts/${id}?language=en`);
  assertEquals((await test.v1("PATCH", `/posts/${id}`, { body: plain.json })).status, 200);
});

Deno.test("a translation changes neither the original's time nor its tag, and two translators never meet", async () => {
  await using test = await multilingual();
  const { id } = await apple(test);
  const before = await test.v1("GET", `/posts/${id}`);
  await test.translate(id, "fr", { title: "Pomme" });
  await test.translate(id, "de", { title: "Apfel" });
  const after = await test.v1("GET", `/posts/${id}`);
  assertEquals(after.headers.get("etag"), before.headers.get("etag"));
  assertEquals(after.text, before.text);
  const german = (await test.v1("GET", of(id, "de"))).headers.get("etag")!;
  const french = (await test.v1("GET", `/posts/${id}?language=fr`)).headers.get("etag")!;
  const patch = (code: string, etag: string, title: string) =>
    test.v1("PATCH", of(id, code), { body: { title }, headers: { "if-match": etag } });
  assertEquals((await patch("fr", french, "Une pomme")).status, 200);
  assertEquals((await patch("de", german, "Ein Apfel")).status, 200);
  assertRefused(await patch("fr", french, "Trop tard"), 412, "PRECONDITION_FAILED");
  const original = await test.v1("PATCH", `/posts/${id}`, {
    body: { title: "An apple" },
    headers: { "if-match": before.headers.get("etag")! },
  });
  assertEquals(original.status, 200);
});

Deno.test("the list of translations tells how each stands beside the original", async () => {
  await using test = await multilingual();
  const { id } = await apple(test);
  await test.translate(id, "fr", {
    title: "Pomme",
    body: paragraph("Bonjour"),
    status: "published",
  });
  const all = await test.v1("GET", `/posts/${id}/translations`);
  const stateOf = (code: string) =>
    all.json.data.find(({ language }: { language: string }) => language === code);
  assertEquals(
    all.json.data.map(({ language, state }: Record<string, unknown>) => `${language} ${state}`),
    [
      "en null",
      "fr complete",
      "fr-CA missing",
      "de missing",
      "ar missing",
    ],
  );
  assertEquals(stateOf("fr").missing, ["summary"]);
  await test.v1("PATCH", `/posts/${id}`, { body: { body: paragraph("Good day") } });
  const outdated = await test.v1("GET", `/posts/${id}/translations`);
  const fr = outdated.json.data[1];
  assertEquals([fr.state, fr.outdated.map(({ field }: { field: string }) => field)], ["outdated", [
    "body",
  ]]);
  assert(fr.outdated[0].since > 1_000_000_000);
  const seen = await test.read(`/posts/${id}/translations`);
  assertEquals(seen.json.data.map((one: object) => Object.keys(one).join()), [
    "language,slug,title,status,publishedAt,updatedAt",
    "language,slug,title,status,publishedAt,updatedAt",
  ]);
});

Deno.test("DELETE takes a translation away, and its versions name the languages that they changed", async () => {
  await using test = await multilingual();
  const { id } = await apple(test);
  await test.translate(id, "fr", { title: "Pomme" });
  assertEquals((await test.v1("DELETE", of(id, "fr"))).status, 204);
  assertEquals((await test.v1("DELETE", of(id, "fr"))).status, 404);
  const versions = await test.v1("GET", `/posts/${id}/versions`);
  assertEquals(versions.json.data.map(({ languages }: { languages: string[] }) => languages), [
    ["fr"],
    ["fr"],
    ["en"],
  ]);
  const french = await test.v1("GET", `/posts/${id}/versions?language=fr`);
  assertEquals([french.json.meta.total, french.json.data.length], [2, 2]);
  assertRefused(await test.v1("GET", `/posts/${id}/versions?language=it`), 400, "LANGUAGE_INVALID");
  const then = await test.v1("GET", `/posts/${id}/versions/2?language=fr`);
  assertEquals(then.json.title, "Pomme");
});

Deno.test("a document is written in the language that its creator names", async () => {
  await using test = await multilingual();
  const made = await test.v1("POST", "/posts", { body: { title: "Poire", _language: "fr" } });
  assertEquals(made.status, 201, made.text);
  const read = await test.v1("GET", `/posts/${made.json.id}?language=fr`);
  assertEquals([read.json.title, read.json._language], ["Poire", "fr"]);
  assertEquals((await test.v1("GET", "/posts?language=fr")).json.meta.total, 1);
  assertEquals((await test.v1("GET", "/posts?language=en")).json.meta.total, 0);
  const english = await test.translate(made.json.id, "en", { title: "Pear" });
  assertEquals(english.status, 201, english.text);
  assertEquals((await test.v1("GET", "/posts/by-slug/pear?language=en")).json.title, "Pear");
  const taken = await test.v1("POST", "/posts", { body: { title: "Another", slug: "pear" } });
  assertRefused(taken, 409, "SLUG_CONFLICT");
  const wrong = await test.v1("POST", "/posts", { body: { title: "P", _language: "it" } });
  assertRefused(wrong, 422, "VALIDATION_FAILED", ["_language INVALID_LANGUAGE"]);
});

Deno.test("archiving and trashing take all languages off; what comes back comes back as drafts", async () => {
  await using test = await multilingual();
  const { id } = await apple(test);
  await test.translate(id, "fr", { title: "Pomme", body: paragraph("B"), status: "published" });
  await test.v1("DELETE", `/posts/${id}`);
  assertEquals((await test.read(`/posts/${id}?language=fr`)).status, 404);
  const other = await test.post({ title: "Other" });
  assertEquals(
    (await test.translate(other.id, "fr", { title: "Pomme" })).json.slug,
    "pomme",
    "slugs are free",
  );
  await test.v1("DELETE", `/posts/${other.id}`);
  assertEquals((await test.admin("POST", `/documents/${id}/untrash`)).status, 200);
  const back = await test.v1("GET", of(id, "fr"));
  assertEquals([back.json.status, back.json.title], ["draft", "Pomme"]);
});

Deno.test("switching localized off and on again loses nothing", async () => {
  await using test = await multilingual();
  const { id } = await apple(test);
  await test.translate(id, "fr", { title: "Pomme", summary: "Rouge" });
  const field = "/collections/posts/fields/summary";
  const tried = await test.admin("PATCH", `${field}?dryRun=true`, { localized: false });
  assertEquals(tried.json, { documents: 1, languages: { fr: 1 } }, tried.text);
  await test.admin("PATCH", field, { localized: false });
  assertEquals((await test.v1("GET", `/posts/${id}?language=fr`)).json.summary, "Red");
  await test.admin("PATCH", field, { localized: true });
  assertEquals((await test.v1("GET", `/posts/${id}?language=fr`)).json.summary, "Rouge");
});

Deno.test("bulk lines translate and untranslate", async () => {
  await using test = await multilingual();
  const { id } = await apple(test);
  const lines = [
    { op: "translate", id, language: "fr", body: { title: "Pomme" } },
    { op: "translate", slug: "apple", language: "de", body: { title: "Apfel" } },
    { op: "translate", id, language: "it", body: { title: "Mela" } },
    { op: "untranslate", id, language: "de" },
  ];
  const answer = await test.v1("POST", "/posts/_bulk", {
    raw: lines.map((line) => JSON.stringify(line)).join("\n"),
    headers: { "content-type": "application/x-ndjson" },
  });
  const answers = answer.text.trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(answers.map(({ status }) => status), [201, 201, 422, 204, undefined], answer.text);
  assertEquals((await test.v1("GET", of(id, "fr"))).json.title, "Pomme");
  assertEquals((await test.v1("GET", of(id, "de"))).status, 404);
});

Deno.test("a token for some languages writes in no other, and shared values with the original's alone", async () => {
  await using test = await multilingual();
  const { id } = await apple(test);
  const body = {
    name: "French",
    scopes: ["*:read", "*:write", "*:read-drafts"],
    languages: ["fr"],
  };
  const made = await test.admin("POST", "/tokens", body);
  assertEquals([made.status, made.json.languages], [201, ["fr"]], made.text);
  assertEquals((await test.admin("POST", "/tokens", { ...body, languages: ["it"] })).status, 422);
  const token = made.json.token;
  const put = (code: string, title: string) =>
    test.v1("PUT", of(id, code), { token, body: { title } });
  assertEquals((await put("fr", "Pomme")).status, 201);
  assertRefused(await put("de", "Apfel"), 403, "FORBIDDEN");
  assertRefused(
    await test.v1("PATCH", `/posts/${id}`, { token, body: { rating: 1 } }),
    403,
    "FORBIDDEN",
  );
  assertRefused(await test.v1("DELETE", `/posts/${id}`, { token }), 403, "FORBIDDEN");
  const french = await test.v1("POST", "/posts", {
    token,
    body: { title: "Poire", _language: "fr" },
  });
  assertEquals(french.status, 201, french.text);
});

Deno.test("a value that is unique within a language is named as the body of the translation names it", async () => {
  await using test = await multilingual();
  const field = { name: "code", label: "Code", type: "text", unique: true, localized: true };
  assertEquals((await test.admin("POST", "/collections/posts/fields", field)).status, 201);
  const [{ id }, other] = [await apple(test), await test.post({ title: "Pear", code: "C" })];
  const made = await test.translate(id, "fr", { title: "Pomme", code: "C" });
  assertEquals(made.status, 201, "the original's value is another language's");
  const refused = await test.translate(other.id, "fr", { title: "Poire", code: "C" });
  assertRefused(refused, 422, "VALIDATION_FAILED", ["code NOT_UNIQUE"]);
});
