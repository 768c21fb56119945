/**
 * Comments on documents and their fields: who may, how many, what becomes of them.
 */
import { assert, assertEquals } from "@std/assert";
import { currentKey } from "../../../../kv/keys.ts";
import type { CurrentRow } from "../../../../kv/versioning/entities.ts";
import { COMMENTS_MAX } from "../../../../kv/limits/content.ts";
import { documentHead } from "../../../../kv/documents/documents.ts";
import { schemaOf, stageDocument } from "../../../../kv/documents/write.ts";
import { DocumentSnapshot } from "../../../../kv/live/document_snapshot.ts";
import { type Json, UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { versionedWrite } from "../../../../kv/versioning/versioned_write.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { download, importTarball, setUpAdmin, signIn } from "../../../support/sites/backups.ts";

const NOTES = { slug: "notes", name: "Notes", fields: [{ name: "lead", type: "text" }] };
const AUTHOR = {
  email: "bea@example.org",
  password: "a password of some length",
  displayName: "Bea",
};
const VIEWER = { ...AUTHOR, email: "cem@example.org", displayName: "Cem" };

async function reviewSite() {
  const app = await testApp();
  const admin = await setUpAdmin(app);
  await admin.ask("POST", "/collections", NOTES);
  const { json: user } = await admin.ask("POST", "/users", { ...AUTHOR, roles: ["author"] });
  await admin.ask("POST", "/users", { ...VIEWER, roles: ["viewer"] });
  const { json } = await admin.ask("POST", "/documents", { collection: "notes", title: "One" });
  const author = await signIn(app, AUTHOR);
  const path = `/documents/${json.id}/comments`;
  return {
    app,
    admin,
    author,
    viewer: await signIn(app, VIEWER),
    authorId: user.id as string,
    id: json.id as string,
    path,
    all: async () => (await admin.ask("GET", `${path}?perPage=100`)).json.data,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

/** Comments without ids and times. */
// deno-lint-ignore no-explicit-any
const told = (comments: any[]) =>
  comments.map(({ text, field, replyTo }) => [text, field, replyTo]);

Deno.test("comments are about a document or a field, and answers belong to what they answer", async () => {
  await using site = await reviewSite();
  const { admin, author, authorId, path } = site;

  const first = await author.ask("POST", path, { text: " Too long? ", field: "lead" });
  const answer = await admin.ask("POST", path, { text: "No", replyTo: first.json.id });
  await author.ask("POST", path, { text: "Fine", replyTo: answer.json.id });
  await author.ask("POST", path, { text: "All good" });

  assertEquals([first.status, first.json.text, first.json.createdBy], [201, "Too long?", authorId]);
  const thread = first.json.id;
  assertEquals(told(await site.all()), [
    ["Too long?", "lead", null],
    ["No", "lead", thread],
    ["Fine", "lead", thread],
    ["All good", null, null],
  ]);
  await admin.ask("PATCH", "/collections/notes/fields/lead", { name: "intro" });
  assertEquals(told(await site.all())[0], ["Too long?", "intro", null]);
  await admin.ask("DELETE", "/collections/notes/fields/intro");
  assertEquals(told(await site.all())[0], ["Too long?", null, null]);
  const page = await site.viewer.ask("GET", `${path}?perPage=1&page=2`);
  assertEquals([page.json.meta.total, page.json.data[0].text], [4, "No"]);
});

Deno.test("threads are resolved and reopened by anybody, texts are changed by their authors", async () => {
  await using site = await reviewSite();
  const { admin, author, path } = site;
  const { json: { id } } = await author.ask("POST", path, { text: "Really?" });
  const { json: answer } = await admin.ask("POST", path, { text: "Yes", replyTo: id });

  const resolved = await admin.ask("PATCH", `${path}/${id}`, { resolved: true });
  assert(resolved.json.resolvedAt > 0);
  const reopened = await author.ask("PATCH", `${path}/${id}`, { resolved: false });
  assertEquals(reopened.json.resolvedAt, null);
  assertEquals((await author.ask("PATCH", `${path}/${answer.id}`, { resolved: true })).status, 422);

  assertEquals((await admin.ask("PATCH", `${path}/${id}`, { text: "Mine" })).status, 403);
  const changed = await author.ask("PATCH", `${path}/${id}`, { text: "Is it?" });
  assertEquals([changed.json.text, changed.json.editedAt !== null], ["Is it?", true]);
  const { json: versions } = await admin.ask("GET", `/versions/discussion/${site.id}`);
  assertEquals(versions.meta.total, 5, "every change has its version");
});

Deno.test("a comment is removed with its answers by its author, or by one who may publish", async () => {
  await using site = await reviewSite();
  const { admin, author, path } = site;
  const { json: own } = await author.ask("POST", path, { text: "Mine" });
  const { json: other } = await admin.ask("POST", path, { text: "Theirs" });
  await admin.ask("POST", path, { text: "Answer", replyTo: own.id });

  assertEquals((await author.ask("DELETE", `${path}/${other.id}`)).status, 403);
  assertEquals((await author.ask("DELETE", `${path}/${own.id}`)).status, 204);
  assertEquals(told(await site.all()), [["Theirs", null, null]]);
  assertEquals((await admin.ask("DELETE", `${path}/${own.id}`)).status, 404);
});

Deno.test("an invalid comment is refused, naming the invalid member", async () => {
  await using site = await reviewSite();
  const { admin, viewer, path, id } = site;
  const nobody = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  const cases: [Json, string][] = [
    [{ text: " " }, "text"],
    [{ text: "x".repeat(2_001) }, "text"],
    [{ text: "a", field: "nothing" }, "field"],
    [{ text: "a", replyTo: nobody }, "replyTo"],
    [{ text: "a", mentions: [nobody] }, "mentions.0"],
    [{ text: "a", mentions: Array(21).fill(nobody) }, "mentions"],
  ];
  for (const [body, field] of cases) {
    const { status, json } = await admin.ask("POST", path, body);
    assertEquals([status, json.error.details[0].field], [422, field]);
  }
  assertEquals((await viewer.ask("POST", path, { text: "a" })).status, 403);
  assertEquals(
    (await admin.ask("POST", `/documents/${nobody}/comments`, { text: "a" })).status,
    404,
  );
  await admin.ask("DELETE", `/documents/${id}`);
  assertEquals((await admin.ask("POST", path, { text: "a" })).status, 409);
  assertEquals(await site.all(), []);
});

Deno.test("a comment is about words, which lists find again or report as removed", async () => {
  await using site = await reviewSite();
  const { admin, path, id } = site;
  await admin.ask("POST", "/collections/notes/fields", { name: "body", type: "rich_text" });
  const write = (...blocks: [string, string][]) =>
    admin.ask("PATCH", `/documents/${id}`, {
      body: blocks.map(([_key, text]) => ({
        _type: "block",
        _key,
        style: "normal",
        markDefs: [],
        children: [{ _type: "span", _key: "s", text, marks: [] }],
      })),
    });
  await write(["a", "By the sea"]);
  const anchor = { start: { key: "a", offset: 7 }, end: { key: "a", offset: 10 }, quote: "sea" };

  const first = await admin.ask("POST", path, { text: "Which?", field: "body", anchor });
  await admin.ask("POST", path, { text: "That one", replyTo: first.json.id });

  const found = async () =>
    // deno-lint-ignore no-explicit-any
    (await site.all()).map(({ anchor, anchoredAt }: any) => [anchor?.quote, anchoredAt]);
  const none = [undefined, undefined];
  assertEquals([first.status, first.json.anchor], [201, anchor]);
  assertEquals(await found(), [["sea", { start: anchor.start, end: anchor.end }], none]);
  await write(["b", "Once"], ["a", "We were by the sea"]);
  const moved = { start: { key: "a", offset: 15 }, end: { key: "a", offset: 18 } };
  assertEquals(await found(), [["sea", moved], none]);
  await write(["b", "Once"], ["a", "By the se"]);
  const corrected = { start: anchor.start, end: { key: "a", offset: 9 }, quote: "se" };
  assertEquals(await found(), [["sea", corrected], none]);
  const versions = (await admin.ask("GET", `/versions/document/${id}`)).json.data;
  await admin.ask("POST", `/versions/${versions[1].id}/restore`);
  assertEquals(await found(), [["sea", moved], none]);
  await write(["a", "By the lake"]);
  assertEquals(await found(), [["sea", null], none]);
  assertEquals("context" in (await site.all())[0], false);

  const replyTo = first.json.id;
  const start = { key: "a", offset: -1 };
  const cases: [Json, string][] = [
    [{ text: "a", anchor }, "anchor"],
    [{ text: "a", field: "lead", anchor }, "anchor"],
    [{ text: "a", replyTo, field: "body", anchor }, "anchor"],
    [{ text: "a", field: "body", anchor: { ...anchor, start } }, "anchor.start.offset"],
    [
      { text: "a", field: "body", anchor: { ...anchor, start: { ...anchor.start, path: ["t"] } } },
      "anchor.end.path",
    ],
    [{ text: "a", field: "body", anchor: { ...anchor, quote: " " } }, "anchor.quote"],
    [{ text: "a", field: "body", anchor: { ...anchor, quote: "x".repeat(1_001) } }, "anchor.quote"],
    [{ text: "a", field: "body", anchor: { ...anchor, more: 1 } }, "anchor.more"],
  ];
  for (const [body, field] of cases) {
    const { status, json } = await admin.ask("POST", path, body);
    assertEquals([status, json.error.details[0].field], [422, field]);
  }
});

Deno.test("a comment is about a language of a document, also by one who may only write that", async () => {
  await using site = await reviewSite();
  const { app, admin, path, id } = site;
  const { json: role } = await admin.ask("POST", "/roles", {
    name: "translator",
    permissions: ["documents.read", "documents.write"],
  });
  await admin.ask("PATCH", "/settings", { languages: [{ code: "en" }, { code: "fr" }] });
  await admin.ask("PATCH", `/roles/${role.id}`, { languages: ["fr"] });
  await admin.ask("POST", "/users", { ...VIEWER, email: "dia@example.org", roles: ["translator"] });
  const dia = await signIn(app, { ...VIEWER, email: "dia@example.org" });
  const unknown = await admin.ask("POST", path, { text: "a", language: "fr" });
  assertEquals(unknown.json.error.details[0].code, "UNKNOWN_KEY");

  await admin.ask("PATCH", "/collections/notes", { localized: true });
  const body = { name: "body", type: "rich_text", localized: true };
  await admin.ask("POST", "/collections/notes/fields", body);
  const written = (text: string) => [{
    _type: "block",
    _key: "a",
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: "s", text, marks: [] }],
  }];
  await admin.ask("PATCH", `/documents/${id}`, { body: written("By the sea") });
  const translation = `/documents/${id}/translations/fr`;
  await dia.ask("PUT", translation, { title: "Un", body: written("Au bord de la mer") });

  const quote = (words: string, offset: number) => ({
    start: { key: "a", offset },
    end: { key: "a", offset: offset + words.length },
    quote: words,
  });
  const comment = { text: "?", field: "body", anchor: quote("bord de la mer", 3), language: "fr" };
  const { status, json } = await dia.ask("POST", path, comment);
  assertEquals([status, json.language], [201, "fr"]);
  await dia.ask("POST", path, { text: "It is", replyTo: json.id });
  await admin.ask("POST", path, { text: "?", field: "body", anchor: quote("sea", 7) });
  await admin.ask("POST", path, { text: "Shared", field: "lead" });
  const found = async () =>
    // deno-lint-ignore no-explicit-any
    (await site.all()).map(({ language, anchoredAt }: any) => [language, anchoredAt?.start.offset]);
  assertEquals(await found(), [["fr", 3], ["fr", undefined], ["en", 7], [undefined, undefined]]);
  await dia.ask("PATCH", translation, { body: written("Ici, au bords de la mer") });
  assertEquals((await site.all())[0].anchoredAt.quote, "bords de la mer");
  // In a public translation, too, and in the original that it becomes.
  await admin.ask("POST", `${translation}/publish`);
  await admin.ask("PATCH", translation, { body: written("Au bord de la mer") });
  assertEquals((await found())[0], ["fr", 3]);
  await admin.ask("POST", `/documents/${id}/original`, { language: "fr" });
  assertEquals((await found()).slice(0, 3), [["fr", 3], ["fr", undefined], ["en", 7]]);
  assertEquals((await admin.ask("DELETE", `/documents/${id}/translations/en`)).status, 204);
  assertEquals((await site.all())[2].anchoredAt, null);

  for (
    const [change, code] of [
      [{ language: "de" }, "INVALID_LANGUAGE"],
      [{ language: "fr", field: "lead" }, "UNKNOWN_KEY"],
      [{ language: 1 }, "INVALID_TYPE"],
    ] as const
  ) {
    const { status, json } = await admin.ask("POST", path, { text: "a", ...change });
    const [detail] = json.error.details;
    assertEquals([status, detail.field, detail.code], [422, "language", code]);
  }
});

Deno.test("a document bears so many comments; resolved ones make room", async () => {
  await using site = await reviewSite();
  const { admin, path } = site;
  let last = "";
  for (let n = 0; n < COMMENTS_MAX; n++) {
    const { status, json } = await admin.ask("POST", path, { text: `${n}` });
    assertEquals(status, 201);
    last = json.id;
  }
  assertEquals((await admin.ask("POST", path, { text: "more" })).status, 409);
  await admin.ask("DELETE", `${path}/${last}`);
  assertEquals((await admin.ask("POST", path, { text: "more" })).status, 201);
});

Deno.test("comments go with their document, and come along in a back-up", async () => {
  await using site = await reviewSite();
  const { app, admin, author, id, path } = site;
  await author.ask("POST", path, { text: "Kept", field: "title" });
  const before = await site.all();
  const tarball = await download(app, admin);
  await author.ask("POST", path, { text: "Later" });

  await importTarball(app, admin, tarball);

  assertEquals(await site.all(), before);
  await removeForGood(app, id);
  const row = await app.context.store.get<CurrentRow>(currentKey("discussion", id));
  assertEquals(row.value?.gone, true);
});

Deno.test("the names of versions come along in a back-up", async () => {
  await using site = await reviewSite();
  const { app, admin, id } = site;
  for (let n = 0; n < 10; n++) await admin.ask("PATCH", `/documents/${id}`, { lead: `${n}` });
  const names = async () => {
    const { data } = (await admin.ask("GET", `/versions/document/${id}`)).json;
    return data.flatMap(({ version_number, name }: { version_number: number; name?: string }) =>
      name === undefined ? [] : [[version_number, name]]
    );
  };
  const { data } = (await admin.ask("GET", `/versions/document/${id}`)).json;
  const [eleventh, tenth] = data;
  const second = data.at(-2);
  await admin.ask("PATCH", `/versions/${second.id}`, { name: "Early" });
  await admin.ask("PATCH", `/versions/${tenth.id}`, { name: "Late" });
  const tarball = await download(app, admin);
  await admin.ask("PATCH", `/versions/${eleventh.id}`, { name: "Later" });
  await admin.ask("PATCH", `/versions/${second.id}`, { name: null });

  const { state, error } = await importTarball(app, admin, tarball);

  assertEquals([state, error], ["done", null]);
  assertEquals(await names(), [[10, "Late"], [2, "Early"]]);
});

Deno.test("editing sessions learn that comments have changed", async () => {
  await using site = await reviewSite();
  const { app, author, admin, id, path } = site;
  const snapshot = new DocumentSnapshot(app.deps.content, id);
  const { json } = await author.ask("POST", path, { text: "Look" });
  assertEquals((await snapshot.refresh()).discussion, false, "who joins reads them anyway");

  await admin.ask("PATCH", `${path}/${json.id}`, { resolved: true });

  assertEquals((await snapshot.refresh()).discussion, true);
  assertEquals((await snapshot.refresh()).discussion, false);
});

/** Ends a document as a restore of "it was not there" does. */
async function removeForGood({ deps: { content } }: TestApp, id: string): Promise<void> {
  await versionedWrite(content.context, UNATTENDED, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, collection } = await documentHead(transaction, content, schema, id);
    await stageDocument(transaction, content, { collection, head, after: null });
  });
}
