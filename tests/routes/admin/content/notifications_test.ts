/**
 * Notifications: reviews, requested changes, mentions and failed schedules of a user, until their cause ends.
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { testApp } from "../../../support/sites/app.ts";
import { type Admin, setUpAdmin, signIn } from "../../../support/sites/backups.ts";

const PASSWORD = "a password of some length";

async function newsroom() {
  const app = await testApp();
  const ada = await setUpAdmin(app);
  const fields = [{ name: "lead", type: "text", required: true }];
  await ada.ask("POST", "/collections", { slug: "notes", name: "Notes", fields });
  const join = async (name: string, role: string) => {
    const facts = { email: `${name}@example.org`, password: PASSWORD, displayName: name };
    const { json } = await ada.ask("POST", "/users", { ...facts, roles: [role] });
    return { ...await signIn(app, facts), id: json.id as string };
  };
  const bea = await join("bea", "author");
  const cem = await join("cem", "editor");
  const { json } = await bea.ask("POST", "/documents", { collection: "notes", title: "One" });
  return {
    app,
    ada,
    bea,
    cem,
    id: json.id as string,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

/** What a user is notified of, in short, and how much of it is unread. */
async function noticed({ ask }: Admin) {
  const { json } = await ask("GET", "/notifications");
  const lines = json.data.map(({ kind, title, text }: Record<string, string>) =>
    `${kind} ${title}: ${text}`
  );
  return [lines, json.meta.unread];
}

Deno.test("a review notifies the reviewers, its return the author, until it is withdrawn", async () => {
  await using site = await newsroom();
  const { app, ada, bea, cem, id } = site;
  assertEquals(await noticed(cem), [[], 0]);

  await bea.ask("POST", `/documents/${id}/review`, { note: "Look", reviewers: [cem.id] });
  assertEquals(await noticed(cem), [["review_requested One: Look"], 1]);
  assertEquals([await noticed(ada), await noticed(bea)], [[[], 0], [[], 0]]);

  app.context.advance(60_000);
  await cem.ask("POST", `/documents/${id}/review/return`, { note: "Shorter" });
  assertEquals(await noticed(cem), [[], 0]);
  assertEquals(await noticed(bea), [["changes_requested One: Shorter"], 1]);
  await bea.ask("DELETE", `/documents/${id}/review`);
  assertEquals(await noticed(bea), [[], 0]);
});

Deno.test("a mention notifies until its thread is resolved, deleted, or its document is", async () => {
  await using site = await newsroom();
  const { ada, bea, cem, id } = site;
  const path = `/documents/${id}/comments`;
  const say = async (who: Admin, body: Json) =>
    (await who.ask("POST", path, body)).json.id as string;
  const first = await say(ada, { text: "@bea why?", mentions: [bea.id] });
  const answer = await say(cem, { text: "@bea yes", mentions: [bea.id], replyTo: first });
  await say(bea, { text: "I, @bea", mentions: [bea.id] });
  assertEquals((await noticed(bea))[0].toSorted(), [
    "mentioned One: @bea why?",
    "mentioned One: @bea yes",
  ]);
  assertEquals(await noticed(cem), [[], 0]);

  await cem.ask("DELETE", `${path}/${answer}`);
  assertEquals((await noticed(bea))[0], ["mentioned One: @bea why?"]);
  await ada.ask("PATCH", `${path}/${first}`, { resolved: true });
  assertEquals((await noticed(bea))[0], []);
  await ada.ask("PATCH", `${path}/${first}`, { resolved: false });
  assertEquals((await noticed(bea))[0], ["mentioned One: @bea why?"]);
  await ada.ask("DELETE", `/documents/${id}`);
  assertEquals((await noticed(bea))[0], []);
});

Deno.test("a schedule that failed notifies its user and the creator of the document", async () => {
  await using site = await newsroom();
  const { app, ada, bea, cem, id } = site;
  const at = Math.floor(app.context.now() / 1_000) + 600;
  await cem.ask("PATCH", `/documents/${id}`, { lead: "Dark" });
  assertEquals((await cem.ask("POST", `/documents/${id}/schedule`, { publishAt: at })).status, 200);
  // The required field that appears until then is empty.
  await ada.ask("POST", "/collections/notes/fields", { name: "place", type: "text" });
  await ada.ask("PATCH", "/collections/notes/fields/place", { required: true });
  app.context.advance(700_000);
  await app.runner.drain();

  const kinds = async (who: Admin) =>
    (await who.ask("GET", "/notifications")).json.data.map(({ kind }: { kind: string }) => kind);
  assertEquals(await kinds(cem), ["schedule_failed"]);
  assertEquals(await kinds(bea), ["schedule_failed"], "the creator");
  assertEquals(await kinds(ada), [], "anyone else");
  await bea.ask("PATCH", `/documents/${id}`, { place: "Here" });
  await cem.ask("POST", `/documents/${id}/publish`);
  assertEquals(await kinds(cem), []);
});

Deno.test("what is read stays read, for that user alone, and nothing of the future is", async () => {
  await using site = await newsroom();
  const { app, ada, bea, cem, id } = site;
  await bea.ask("POST", `/documents/${id}/review`, { note: "Look" });
  const { json } = await cem.ask("GET", "/notifications");
  const read = (who: Admin, until: number) => who.ask("POST", "/notifications/read", { until });

  assertEquals((await read(cem, json.data[0].at)).status, 204);
  assertEquals([(await noticed(cem))[1], (await noticed(ada))[1]], [0, 1]);
  await read(cem, 0);
  assertEquals((await noticed(cem))[1], 0, "an older time changes nothing");

  await read(cem, json.data[0].at + 1_000_000);
  app.context.advance(60_000);
  await bea.ask("POST", `/documents/${id}/review`, { note: "Again" });
  assertEquals((await noticed(cem))[1], 1);
});
