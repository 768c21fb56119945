/**
 * `GET /api/admin/documents/{id}/translations/{language}/live` over real WebSockets.
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { LiveClient } from "../../../support/browser/live_client.ts";
import {
  type Multilingual,
  multilingual,
  paragraph,
  signedIn,
} from "../../../support/sites/multilingual.ts";

const WRITER = ["create", "edit"];

/** A site in several languages, with a published document that has French (published) and German (a draft). */
interface TranslatedSite extends AsyncDisposable {
  test: Multilingual;
  id: string;
  connect(language?: string, query?: string): Promise<LiveClient>;
  /** Connects as a user with a role. */
  connectAs(role: Record<string, Json>, language?: string): Promise<LiveClient>;
}

async function translatedSite(): Promise<TranslatedSite> {
  const test = await multilingual();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, test.app.fetch);
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const { id } = await test.post({
    title: "Apple",
    summary: "Fruit",
    body: paragraph("Hello"),
    status: "published",
  });
  const french = { title: "Pomme", body: paragraph("Bonjour"), status: "published" };
  assertEquals((await test.translate(id, "fr", french)).status, 201);
  assertEquals((await test.translate(id, "de", { title: "Apfel" })).status, 201);
  const cookieOf = async (name: string, role: Record<string, Json>) => {
    const made = await test.admin("POST", "/roles", { name, permissions: [], ...role });
    assertEquals(made.status, 201, made.text);
    await signedIn(test, name, [name]);
    const credentials = { email: `${name}@example.org`, password: "a password of some length" };
    const session = await test.call("POST", "/api/admin/session", { body: credentials });
    return session.headers.get("set-cookie")?.split(";")[0] ?? "";
  };
  const writer = await cookieOf("writer", {
    permissions: ["documents.read", "documents.write", "documents.publish"],
  });
  const pathOf = (language?: string) => language ? `${id}/translations/${language}` : id;
  let people = 0;
  return {
    test,
    id,
    connect: (language, query) => LiveClient.connect(origin, writer, pathOf(language), query),
    connectAs: async (role, language) => {
      const cookie = await cookieOf(`person${++people}`, role);
      return await LiveClient.connect(origin, cookie, pathOf(language));
    },
    [Symbol.asyncDispose]: async () => {
      await test.deps.live.stop();
      await server.shutdown();
      await test[Symbol.asyncDispose]();
    },
  };
}

async function flush(client: LiveClient): Promise<void> {
  client.send({ type: "flush" });
  await client.next("flushed");
}

Deno.test("a published translation is edited in its working copy, a draft in itself", async () => {
  await using site = await translatedSite();
  const { test, id } = site;
  await using french = await site.connect("fr");
  await using german = await site.connect("de");
  const state = await french.next("state");
  const { title, summary, _language, hasWorkingCopy } = state.document;
  assertEquals([title, summary, _language, hasWorkingCopy], ["Pomme", undefined, "fr", false]);
  assertEquals((await french.change({ title: "Poire", "body.k": block("Salut") })).type, "ack");
  assertEquals((await german.change({ title: "Birne", summary: "Obst" })).type, "ack");
  await flush(french);

  const path = `/documents/${id}/translations`;
  const [fr, copy, de] = await Promise.all(
    ["fr", "fr/working-copy", "de"].map((one) => test.admin("GET", `${path}/${one}`)),
  );
  assertEquals([fr?.json.title, fr?.json.hasWorkingCopy], ["Pomme", true]);
  assertEquals([copy?.json.title, copy?.json.body], ["Poire", [block("Salut")]]);
  assertEquals([de?.json.title, de?.json.summary, de?.json.status], ["Birne", "Obst", "draft"]);
  assertEquals((await test.read(`/posts/${id}?language=fr`)).json.title, "Pomme");
  const [version] = (await test.admin("GET", `/versions/document/${id}`)).json.data;
  assertEquals([version.change_summary, version.languages], ["Edited live", ["de", "fr"]]);
  assertEquals((await test.admin("POST", `${path}/fr/publish`)).status, 202);
  assertEquals((await test.read(`/posts/${id}?language=fr`)).json.title, "Poire");
});

function block(text: string): Json {
  return (paragraph(text) as Json[])[0] ?? null;
}

Deno.test("editors of one language merge; those of others receive the numbers of edits alone", async () => {
  await using site = await translatedSite();
  await using one = await site.connect("fr");
  await one.next("state");
  await using two = await site.connect("fr");
  await two.next("state");
  await using original = await site.connect(undefined, "?client=original");
  await original.next("state");

  await one.change({ title: "Poire" });
  await two.change({ summary: "Fruit vert" });
  await original.change({ title: "Pear" });
  const seen = await Promise.all([two.next("op"), one.next("op"), original.next("op")]);
  assertEquals(seen.map(({ seq, set }) => [seq, set]), [
    [1, { title: "Poire" }],
    [2, { summary: "Fruit vert" }],
    [1, {}],
  ]);
  assertEquals((await one.next("op")).set, {});

  // The same value in another language is no conflict; in the same language it is.
  original.send({ type: "op", clientSeq: 9, set: { title: "Plum" }, base: 0 });
  assertEquals((await original.answer(9)).type, "ack");
  two.send({ type: "op", clientSeq: 9, set: { summary: "Vert" }, base: 4 });
  assertEquals((await two.answer(9)).type, "ack");
  one.send({ type: "op", clientSeq: 9, set: { summary: "Rouge" }, base: 4 });
  assertEquals((await one.answer(9)).code, "CONFLICT");
  await flush(one);
  const stored = await site.test.admin("GET", `/documents/${site.id}/translations/fr/working-copy`);
  assertEquals([stored.json.title, stored.json.summary], ["Poire", "Vert"]);
  const resumed = await site.connect("fr", "?since=0");
  await using _closing = resumed;
  await resumed.next("state");
  const ops = resumed.messages.filter(({ type }) => type === "op");
  assertEquals(ops.map(({ seq, set }) => [seq, Object.keys(set).length]), [
    [1, 1],
    [2, 1],
    [3, 0],
    [4, 0],
    [5, 1],
  ]);
});

Deno.test("presence names the language of each editor, and fields of the own language alone", async () => {
  await using site = await translatedSite();
  await using original = await site.connect();
  await original.next("state");
  await using french = await site.connect("fr");
  await french.next("state");
  original.send({ type: "presence", path: "summary" });
  const selection = { anchor: { key: "a", offset: 0 }, head: { key: "a", offset: 0 } };
  french.send({ type: "presence", path: "title", selection });
  let presence: { language: string; path: string | null; selection?: unknown }[] = [];
  while (presence[0]?.path !== "summary") ({ presence } = await original.next("presence"));
  assertEquals(
    presence.map(({ language, path }) => [language, path]),
    [["en", "summary"], ["fr", null]],
  );
  assertEquals(presence.map((one) => "selection" in one), [false, false]);
});

Deno.test("shared fields, unknown languages and missing translations are refused", async () => {
  await using site = await translatedSite();
  const { test, id } = site;
  await using french = await site.connect("fr");
  await french.next("state");
  const codeOf = async (set: Record<string, Json>, unset: string[] = []) => {
    const { code, details } = await french.change(set, unset);
    return [code, details?.[0]?.field, details?.[0]?.code];
  };
  assertEquals(await codeOf({ rating: 3 }), ["VALIDATION_FAILED", "rating", "UNKNOWN_KEY"]);
  assertEquals(await codeOf({ title: " " }), ["VALIDATION_FAILED", "title", "TOO_SHORT"]);
  assertEquals(await codeOf({ summary: 7 }), ["VALIDATION_FAILED", "summary", "INVALID_TYPE"]);
  const other = await test.post({ title: "Plum", body: paragraph("Plum") });
  await test.translate(other.id, "fr", { title: "Prune" });
  assertEquals((await codeOf({ slug: "prune" }))[0], "SLUG_CONFLICT");
  const statuses: number[] = [];
  for (const language of ["it", "en", "ar", "fr"]) {
    const path = `/documents/${language === "fr" ? id : other.id}/translations/${language}/live`;
    const headers = { upgrade: "websocket", origin: "http://localhost" };
    statuses.push((await test.admin("GET", path, undefined, { headers })).status);
  }
  assertEquals(statuses, [404, 404, 404, 400], "only the last handshake is what fails");
  assertEquals((await test.admin("DELETE", `/documents/${id}/translations/fr`)).status, 204);
  assertEquals((await french.closed()).code, 4404);
});

Deno.test("roles that are limited to languages edit live in these alone", async () => {
  await using site = await translatedSite();
  const collections = [{ collection: "posts", actions: WRITER }];
  await using french = await site.connectAs({ languages: ["fr"], collections }, "fr");
  assertEquals((await french.next("state")).document.title, "Pomme");
  assertEquals((await french.change({ title: "Poire" })).type, "ack");
  for (const language of [undefined, "de"]) {
    const refused = await site.connectAs({ languages: ["fr"], collections }, language)
      .then(() => false, () => true);
    assert(refused, `${language}`);
  }
});

Deno.test("without permission to publish in a language, a scheduled translation is not edited", async () => {
  await using site = await translatedSite();
  const times = { publishAt: Math.floor(Date.now() / 1000) + 3_600 };
  const path = `/documents/${site.id}/translations/de`;
  await site.test.admin("PATCH", path, { body: paragraph("Hallo") });
  const scheduled = await site.test.admin("POST", `${path}/schedule`, times);
  assertEquals(scheduled.status, 200, scheduled.text);
  const role = { collections: [{ collection: "posts", actions: [...WRITER, "publish"] }] };
  await using both = await site.connectAs(role, "de");
  await both.next("state");
  assertEquals((await both.change({ summary: "Obst" })).type, "ack");
  await using writer = await site.connectAs(
    { collections: [{ collection: "posts", actions: WRITER }] },
    "de",
  );
  await writer.next("state");
  assertEquals((await writer.change({ summary: "Beere" })).code, "FORBIDDEN");
});

Deno.test("a live edit is recorded beside the original of its time", async () => {
  await using site = await translatedSite();
  const { test, id } = site;
  const stateOf = async () => {
    const { json } = await test.admin("GET", `/documents/${id}/translations`);
    const french = json.data.find(({ language }: { language: string }) => language === "fr");
    return [french.state, french.outdated.map(({ field }: { field: string }) => field)];
  };
  await test.v1("PATCH", `/posts/${id}`, { body: { title: "Red apple" } });
  assertEquals(await stateOf(), ["outdated", ["title"]]);
  await using french = await site.connect("fr");
  await french.next("state");
  await french.change({ title: "Pomme rouge" });
  await flush(french);
  assertEquals(await stateOf(), ["complete", []]);
});

Deno.test("an edit of a slug that another translation has taken since gets a free one near it", async () => {
  await using site = await translatedSite();
  const { test, id } = site;
  await using german = await site.connect("de");
  await german.next("state");
  assertEquals((await german.change({ slug: "birne" })).type, "ack");
  const other = await test.post({ title: "Pear", body: paragraph("Pear") });
  // Another document takes the slug before the edit is flushed.
  assertEquals((await test.translate(other.id, "de", { title: "Birne" })).json.slug, "birne");
  await flush(german);
  const { json } = await test.admin("GET", `/documents/${id}/translations/de`);
  assertEquals(json.slug, "birne-2");
});
