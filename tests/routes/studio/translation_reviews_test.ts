/** Reviews of translations in the studio: the queue, what a reviewer opens, and what they may do there. */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import { ADMIN } from "../../support/sites/backups.ts";
import { type Ask, multilingual, paragraph, signedIn } from "../../support/sites/multilingual.ts";

const TEXT = { body: paragraph("Text") };

async function newsroom() {
  const test = await multilingual();
  const role = {
    name: "fr publisher",
    permissions: ["documents.read", "documents.write", "documents.publish"],
    languages: ["fr"],
  };
  answered(await test.admin("POST", "/roles", role), 201);
  await signedIn(test, "fleur", ["fr publisher"]);
  const author = await signedIn(test, "author", ["author"]);
  const { id } = await test.post({ title: "Apple", ...TEXT, status: "published" });
  answered(await test.translate(id, "fr", { title: "Pomme", ...TEXT }), 201);
  answered(await test.translate(id, "de", { title: "Apfel", ...TEXT }), 201);
  const cookies = new Map<string, string>();
  for (const name of ["ada", "fleur", "author"]) {
    const password = name === "ada" ? ADMIN.password : "a password of some length";
    const body = { email: `${name}@example.org`, password };
    const session = await test.call("POST", "/api/admin/session", { body });
    cookies.set(name, session.headers.get("set-cookie")?.split(";")[0] ?? "");
  }
  const open = (name: string, path: string) =>
    test.call("GET", `/admin${path}`, { headers: { cookie: cookies.get(name) ?? "" } });
  const screen = async (name: string, path: string) => {
    const answer = await open(name, path);
    assertEquals(answer.status, 200, answer.text);
    return answer.text;
  };
  return {
    ...{ test, author, id, open, screen },
    path: (code: string) => `/documents/${id}/translations/${code}`,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

const request = (ask: Ask, path: string, body: Record<string, Json> = {}) =>
  ask("POST", `${path}/review`, body);

Deno.test("the queue, the bell and the overview lead to the translation, and from it to the next", async () => {
  await using site = await newsroom();
  const { test, author, id, screen, path } = site;
  answered(await author("PATCH", `/documents/${id}/working-copy`, { title: "Apples" }), 200);
  for (const one of [`/documents/${id}`, path("fr"), path("de")]) {
    answered(await request(author, one), 200);
    test.context.advance(1_000);
  }
  const overview = await screen("ada", "");
  assertStringIncludes(overview, `<a href="/admin${path("fr")}" dir="auto">Pomme · French</a>`);
  assertStringIncludes(overview, `<a href="/admin/documents/${id}/changes" dir="auto">Apples</a>`);
  const own = await screen("fleur", "");
  assert(own.includes("Pomme · French") && !/Apples|Apfel/.test(own.replace(/<aside.*/s, "")));
  const bell = await screen("fleur", "/notifications?part");
  assertStringIncludes(bell, `<a href="/admin${path("fr")}">`);
  assertStringIncludes(bell, '<b dir="auto">Pomme · French</b>');

  const original = await screen("ada", `/documents/${id}/changes`);
  assertStringIncludes(original, `<a href="/admin${path("fr")}" dir="auto">Pomme · French</a>`);
  const french = await screen("ada", path("fr"));
  assertStringIncludes(french, `<a href="/admin${path("de")}" dir="auto">Apfel · German</a>`);
  assertStringIncludes(french, `data-action="POST /api/admin${path("fr")}/publish"`);
  assertStringIncludes(french, `POST /api/admin${path("fr")}/review/return`);
  const german = await screen("ada", path("de"));
  assertStringIncludes(german, `<a href="/admin/documents/${id}/changes" dir="auto">Apples</a>`);
});

Deno.test("only reviewers of the language can decide, and only they are offered", async () => {
  await using site = await newsroom();
  const { test, author, screen, path } = site;
  const start = await screen("author", path("fr"));
  assertStringIncludes(start, "Request review …");
  const [, listed = ""] = start.split('class="reviewer-list"');
  for (const name of ["Ada", "fleur"]) assertStringIncludes(listed, name);
  const other = await screen("author", path("de"));
  assertEquals(other.includes('class="reviewer-list"'), false, "one reviewer is no choice");

  for (const code of ["fr", "de"]) answered(await request(author, path(code)), 200);
  const french = await screen("fleur", path("fr"));
  const german = await screen("fleur", path("de"));
  assert(french.includes("Approve and publish") && !german.includes("Approve and publish"));
  assertEquals(/data-publish[ =>]/.test(german), false);
  const own = await screen("author", path("fr"));
  assert(own.includes("Withdraw") && !own.includes("Approve and publish"));
  answered(await test.admin("POST", `${path("fr")}/review/return`, { note: "Shorter" }), 200);
  const returned = await screen("author", path("fr"));
  assertStringIncludes(returned, "Shorter");
  assertStringIncludes(returned, "Request review again …");
});

Deno.test("the changes of a translation are compared with what is public in its language", async () => {
  await using site = await newsroom();
  const { test, author, id, open, screen, path } = site;
  const changes = `/documents/${id}/changes?language=fr`;
  const draft = await screen("ada", changes);
  assertStringIncludes(draft, "This translation has never been published");
  assertStringIncludes(draft, "Pomme · French");
  answered(await test.admin("POST", `${path("fr")}/publish`), 202);
  answered(await author("PATCH", `${path("fr")}/working-copy`, { title: "La pomme" }), 200);
  answered(await request(author, path("fr")), 200);
  const page = await screen("ada", changes);
  assertStringIncludes(page, "1 unpublished change.");
  assertStringIncludes(page, `data-action="POST /api/admin${path("fr")}/publish"`);
  assert(!page.includes("Apple"), "the original is not part of it");
  assertEquals((await open("ada", changes.replace("fr", "ar"))).status, 404);
});

Deno.test("the page of the original offers what a user may do in its language, and its discussion to all who write", async () => {
  await using site = await newsroom();
  const { id, screen } = site;
  const page = async (name: string) => {
    const text = await screen(name, `/documents/${id}`);
    const title = /<textarea[^>]*id="c-title"[^>]*>/.exec(text)?.[0] ?? "";
    return [/ data-publish[ =>]/.test(text), !/ (?:readonly|disabled)/.test(title)];
  };
  assertEquals(await page("ada"), [true, true]);
  assertEquals(await page("fleur"), [false, false]);
  const french = await screen("fleur", `/documents/${id}/translations/fr`);
  assert(/ data-publish[ =>]/.test(french));
  assert((await screen("fleur", `/documents/${id}`)).includes('"canWrite":true'));
});
