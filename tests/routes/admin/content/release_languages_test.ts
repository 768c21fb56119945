/** Releases of languages: which languages of a document go public, and which releases may have them. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import {
  type Multilingual,
  multilingual,
  paragraph,
  signedIn,
} from "../../../support/sites/multilingual.ts";

const TEXT = { body: paragraph("Text") };

/** A published document with drafts in French and German. */
async function apple(test: Multilingual): Promise<string> {
  const { id } = await test.post({ title: "Apple", ...TEXT, status: "published" });
  answered(await test.translate(id, "fr", { title: "Pomme", ...TEXT }), 201);
  answered(await test.translate(id, "de", { title: "Apfel", ...TEXT }), 201);
  return id;
}

async function release(test: Multilingual, name: string): Promise<string> {
  return answered(await test.admin("POST", "/releases", { name }), 201).id;
}

async function plan(test: Multilingual, releaseId: string, id: string, body: Json) {
  return await test.admin("PUT", `/releases/${releaseId}/documents/${id}`, body);
}

async function start(test: Multilingual, releaseId: string, work: "publish" | "revert") {
  const started = await test.admin("POST", `/releases/${releaseId}/${work}`);
  assertEquals(started.status, 202, started.text);
  await test.runner.drain();
  return (await test.admin("GET", `/releases/${releaseId}`)).json;
}

/** The titles that readers of each language see; null for none. */
async function seen(test: Multilingual, id: string) {
  const titles: (string | null)[] = [];
  for (const code of ["en", "fr", "de"]) {
    titles.push((await test.read(`/posts/${id}?language=${code}`)).json.title ?? null);
  }
  return titles;
}

Deno.test("a release publishes the languages that it names, and takes them back", async () => {
  await using test = await multilingual();
  const id = await apple(test);
  const first = await release(test, "French");
  const planned = await plan(test, first, id, { action: "publish", languages: ["fr"] });
  assertEquals([planned.status, planned.json.documents], [200, [
    { id, collection: "posts", title: "Apple", action: "publish", languages: ["fr"] },
  ]], planned.text);
  assertEquals((await test.admin("GET", `/releases/${first}/check`)).json, {
    ok: true,
    documents: [{ id, action: "publish", languages: ["fr"], errors: [] }],
  });
  assertEquals((await start(test, first, "publish")).state, "published");
  assertEquals(await seen(test, id), ["Apple", "Pomme", null]);
  answered(await test.v1("PATCH", `/posts/${id}`, { body: { title: "Red apple" } }), 200);
  assertEquals((await start(test, first, "revert")).state, "reverted");
  assertEquals(await seen(test, id), ["Red apple", null, null], "the original has gone on");

  const second = await release(test, "All");
  await plan(test, second, id, { action: "publish", languages: "*" });
  await start(test, second, "publish");
  assertEquals(await seen(test, id), ["Red apple", "Pomme", "Apfel"]);
  const third = await release(test, "Off");
  await plan(test, third, id, { action: "unpublish", languages: ["en", "fr"] });
  await start(test, third, "publish");
  assertEquals(await seen(test, id), [null, null, "Apfel"]);
});

Deno.test("a language of a document is in one open release at a time", async () => {
  await using test = await multilingual();
  const id = await apple(test);
  const [first, second] = [await release(test, "A"), await release(test, "B")];
  const put = async (releaseId: string, languages?: Json) => {
    const body = { action: "publish", ...(languages !== undefined && { languages }) };
    return (await plan(test, releaseId, id, body)).status;
  };
  assertEquals(await put(first, ["fr"]), 200);
  assertEquals(await put(second), 200, "the original");
  assertEquals(await put(second, ["fr", "de"]), 409);
  assertEquals(await put(second, "*"), 409);
  assertEquals(await put(second, ["de"]), 200);
  assertEquals(await put(first, ["fr", "en"]), 200, "en is free again");
  assertEquals(await put(second, ["en"]), 409);
  assertEquals(await put(second), 409);
  assertEquals((await start(test, first, "publish")).state, "published");
  assertEquals((await start(test, second, "publish")).state, "published");
  assertEquals(await seen(test, id), ["Apple", "Pomme", "Apfel"]);
});

Deno.test("languages that a document cannot have are refused, and absent ones keep a release back", async () => {
  await using test = await multilingual();
  const { id } = await test.post({ title: "Apple", ...TEXT, status: "published" });
  const releaseId = await release(test, "A");
  const refused = await plan(test, releaseId, id, { action: "publish", languages: ["fr", "it"] });
  const [{ field, code }] = refused.json.error.details;
  assertEquals([refused.status, field, code], [422, "languages.1", "INVALID_LANGUAGE"]);
  assertEquals((await plan(test, releaseId, id, { action: "publish", languages: [] })).status, 422);
  await plan(test, releaseId, id, { action: "publish", languages: ["fr"] });
  const errors = async () =>
    (await test.admin("GET", `/releases/${releaseId}/check`)).json.documents[0].errors
      .map(({ field, code }: Record<string, string>) => `${field} ${code}`);
  assertEquals(await errors(), ["languages INVALID_LANGUAGE"]);
  await test.translate(id, "fr", { title: "Pomme" });
  assertEquals(await errors(), ["fr.body REQUIRED"]);
  assertEquals((await test.admin("POST", `/releases/${releaseId}/publish`)).status, 422);
  await test.translate(id, "fr", { title: "Pomme", ...TEXT });
  assertEquals(await errors(), []);
});

Deno.test("a change of another language while a release runs is no obstacle, and none is lost", async () => {
  await using test = await multilingual();
  const id = await apple(test);
  const path = `/documents/${id}/translations/fr`;
  await test.admin("POST", `${path}/publish`);
  await test.admin("PATCH", `${path}/working-copy`, { title: "La pomme" });
  const releaseId = await release(test, "A");
  await plan(test, releaseId, id, { action: "publish", languages: ["fr"] });
  assertEquals((await test.admin("POST", `/releases/${releaseId}/publish`)).status, 202);
  await test.admin("PATCH", `${path}/working-copy`, { summary: "Rouge" });
  await test.translate(id, "de", { title: "Roter Apfel", ...TEXT });
  await test.v1("PATCH", `/posts/${id}`, { body: { title: "Red apple" } });
  await test.runner.drain();
  assertEquals(await seen(test, id), ["Red apple", "La pomme", null]);
  const copy = await test.admin("GET", `${path}/working-copy`);
  assertEquals([copy.status, copy.json.summary], [200, "Rouge"], copy.text);
  assertEquals((await test.read(`/posts/${id}?language=fr`)).json.summary, null);
});

Deno.test("without languages of the site a release knows no languages", async () => {
  await using test = await multilingual();
  await test.admin("PATCH", "/settings", { languages: null });
  const { id } = await test.post({ title: "Apple", ...TEXT });
  const releaseId = await release(test, "A");
  for (const languages of [["en"], "*"]) {
    const refused = await plan(test, releaseId, id, { action: "publish", languages });
    assertEquals([refused.status, refused.json.error.details[0].code], [422, "UNKNOWN_KEY"]);
  }
});

Deno.test("a publisher of one language renames a release of others, and does not schedule it", async () => {
  await using test = await multilingual();
  const permissions = ["documents.read", "documents.write", "documents.publish"];
  const role = { name: "French publisher", permissions, languages: ["fr"] };
  answered(await test.admin("POST", "/roles", role), 201);
  const publisher = await signedIn(test, "fleur", [role.name]);
  const id = await apple(test);
  const publishAt = Math.floor(test.context.now() / 1000) + 600;
  const [german, french] = [await release(test, "German"), await release(test, "French")];
  await plan(test, german, id, { action: "publish", languages: ["de"] });
  await plan(test, french, id, { action: "publish", languages: ["fr"] });
  answered(await publisher("PATCH", `/releases/${german}`, { name: "Deutsch" }), 200);
  assertEquals((await publisher("PATCH", `/releases/${german}`, { publishAt })).status, 403);
  answered(await publisher("PATCH", `/releases/${french}`, { publishAt }), 200);
});

Deno.test("the original goes back to what it was although a translation has changed since", async () => {
  await using test = await multilingual();
  const id = await apple(test);
  answered(await test.admin("PATCH", `/documents/${id}/working-copy`, { title: "Red apple" }), 200);
  const releaseId = await release(test, "A");
  await plan(test, releaseId, id, { action: "publish" });
  assertEquals((await start(test, releaseId, "publish")).state, "published");
  assertEquals(await seen(test, id), ["Red apple", null, null]);
  await test.translate(id, "de", { title: "Roter Apfel", ...TEXT });
  assertEquals((await start(test, releaseId, "revert")).state, "reverted");
  assertEquals(await seen(test, id), ["Apple", null, null]);
  const german = await test.admin("GET", `/documents/${id}/translations/de`);
  assertEquals(german.json.title, "Roter Apfel");
});
