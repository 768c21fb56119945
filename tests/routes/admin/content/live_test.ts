/**
 * `GET /api/admin/documents/{id}/live` over real WebSockets.
 */
import { secondApp } from "../../../support/sites/app.ts";
import { setDisabled } from "../../../../kv/people/disabled_users.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { LiveClient } from "../../../support/browser/live_client.ts";
import { liveSite } from "../../../support/sites/live_site.ts";

Deno.test("live: a state, an acknowledgement, one version two seconds later", async () => {
  await using site = await liveSite();
  await using client = await site.connect();

  const state = await client.next("state");
  const ack = await client.change({ title: "Two", lead: "Hello" });
  const flushed = await client.next("flushed");

  assertEquals([state.seq, state.document.title, state.document.collection], [0, "One", "notes"]);
  assertEquals(state.presence.map(({ displayName }: { displayName: string }) => displayName), [
    "Ada",
  ]);
  assertEquals(ack, { type: "ack", clientSeq: 1, seq: 1 });
  assertEquals(flushed, { type: "flushed", seq: 1, versionNumber: 2 });
  const { title, lead } = await site.ask("GET", `/documents/${site.id}`);
  assertEquals([title, lead], ["Two", "Hello"]);
  const [version] = (await site.ask("GET", `/versions/document/${site.id}`)).data;
  assertEquals([version.changed_by, version.change_summary], [site.userId, "Edited live"]);
});

Deno.test("live: fifty operations are flushed at once, as one version", async () => {
  await using site = await liveSite();
  await using client = await site.connect();
  await client.next("state");

  for (let n = 1; n <= 50; n++) await client.change({ lead: `Line ${n}` });
  const flushed = await client.next("flushed");

  assertEquals(flushed, { type: "flushed", seq: 50, versionNumber: 2 });
  assertEquals((await site.ask("GET", `/documents/${site.id}`)).lead, "Line 50");
});

Deno.test("live: others hear of every operation, in order, with who made it", async () => {
  await using site = await liveSite();
  await using one = await site.connect();
  await one.next("state");
  await using two = await site.connect();
  await two.next("state");

  await one.change({ title: "A" });
  await two.change({ "gallery.0.caption": "First" });
  await one.change({ "gallery.1": { caption: "Second" } }, ["lead"]);

  assertEquals(await two.next("op"), {
    type: "op",
    seq: 1,
    by: site.userId,
    set: { title: "A" },
    unset: [],
  });
  assertEquals((await one.next("op")).set, { "gallery.0.caption": "First" });
  assertEquals((await two.next("op")).unset, ["lead"]);
  assertEquals(two.messages.filter(({ type }) => type === "op").map(({ seq }) => seq), [1, 3]);
});

Deno.test("live: an invalid edit is refused and changes nothing", async () => {
  await using site = await liveSite();
  const other = await site.ask("POST", "/documents", {
    collection: "notes",
    title: "Other",
    code: "taken",
  });
  await using client = await site.connect();
  await client.next("state");
  const codeOf = async (set: Record<string, Json>, unset: string[] = []) => {
    const answer = await client.change(set, unset);
    return [answer.type, answer.code, answer.details?.[0]?.code];
  };

  assertEquals(await codeOf({ nothing: 1 }), [
    "error",
    "VALIDATION_FAILED",
    "UNKNOWN_KEY",
  ]);
  assertEquals(await codeOf({ status: "published" }), [
    "error",
    "VALIDATION_FAILED",
    "UNKNOWN_KEY",
  ]);
  assertEquals(await codeOf({ lead: 7 }), ["error", "VALIDATION_FAILED", "INVALID_TYPE"]);
  assertEquals(await codeOf({ title: " " }), ["error", "VALIDATION_FAILED", "TOO_SHORT"]);
  assertEquals(await codeOf({ "gallery.3.caption": "x" }), [
    "error",
    "VALIDATION_FAILED",
    "UNKNOWN_KEY",
  ]);
  assertEquals(await codeOf({ code: "taken" }), [
    "error",
    "VALIDATION_FAILED",
    "NOT_UNIQUE",
  ]);
  assertEquals(await codeOf({ slug: other.slug }), ["error", "SLUG_CONFLICT", undefined]);
  assertEquals(await codeOf({}), ["error", "BODY_INVALID", undefined]);
  client.sendText("not json");
  assertEquals((await client.next("error")).clientSeq, null);
  client.sendText(
    `{"type":"op","clientSeq":9,"set":{"lead":${"[".repeat(100)}${"]".repeat(100)}}}`,
  );
  assertEquals((await client.next("error")).clientSeq, 9);
  client.sendText(`"${"x".repeat(500_000)}"`);
  assertEquals((await client.next("error")).code, "PAYLOAD_TOO_LARGE");
  assertEquals((await client.change({ lead: "fine" })).seq, 1);
});

Deno.test("live: a lost connection resumes with what it has missed", async () => {
  await using site = await liveSite();
  await using other = await site.connect();
  await other.next("state");
  {
    await using client = await site.connect("?client=tab-1");
    await client.next("state");
    await client.change({ title: "Mine" });
  }
  await other.change({ lead: "Missed" });

  await using client = await site.connect("?since=1&client=tab-1");
  const missed = await client.next("op");
  const state = await client.next("state");
  const again = await client.change({ title: "Mine" });

  assertEquals([state.seq, state.document.title, state.document.lead], [2, "Mine", "Missed"]);
  assertEquals([missed.seq, missed.set], [2, { lead: "Missed" }]);
  const order = client.messages.map(({ type }) => type).filter((type) => type !== "presence");
  assertEquals(
    order.slice(0, 2),
    ["op", "state"],
    "a client that applies in order never steps back",
  );
  assertEquals(again.seq, 1, "sent again, told again, not done again");
});

Deno.test("live: a write through the API flushes earlier edits, and is not undone by them", async () => {
  await using site = await liveSite();
  await using client = await site.connect();
  await client.next("state");
  const token = await site.test.token();

  await client.change({ title: "Typed", code: "typed" });
  const path = `/api/v1/notes/${site.id}`;
  const body = { title: "Sent", lead: "Sent" };
  const { json: sent } = await site.test.call("PATCH", path, { token, body });
  const flushed = await client.next("flushed");

  assertEquals([sent.title, sent.lead, sent.code], ["Sent", "Sent", "typed"]);
  assertEquals(flushed, { type: "flushed", seq: 1, versionNumber: 2 });
  await site.test.deps.live.flush(site.id);
  const { title, lead } = await site.ask("GET", `/documents/${site.id}`);
  assertEquals([title, lead], ["Sent", "Sent"]);
  await client.change({ lead: "Typed again" });
  await site.test.call("DELETE", path, { token });
  const trashed = await site.ask("GET", `/documents/${site.id}`);
  assertEquals([trashed.status, trashed.lead], ["trashed", "Typed again"]);
});

Deno.test("live: restoring a version, or the site, flushes earlier edits", async () => {
  await using site = await liveSite();
  await using client = await site.connect();
  await client.next("state");
  const [first] = (await site.ask("GET", `/versions/document/${site.id}`)).data;
  const title = async () => (await site.ask("GET", `/documents/${site.id}`)).title;

  await client.change({ title: "Typed" });
  await site.ask("POST", `/versions/${first.id}/restore`);
  await site.test.deps.live.flush(site.id);
  assertEquals(await title(), "One");

  await client.change({ title: "Typed again" });
  const timestamp = Math.floor(site.test.context.now() / 1000) - 3_600;
  await site.ask("POST", "/restore", { timestamp });
  const { data } = await site.ask("GET", `/versions/document/${site.id}`);
  const newest = await site.ask("GET", `/versions/${data[0].id}`);
  assertEquals(newest.state.title, "Typed again", "it is in the history, not yet to come");
});

Deno.test("live: the next operation on a document includes the typed edits", async () => {
  await using site = await liveSite();
  await using client = await site.connect();
  await client.next("state");

  await client.change({ title: "Typed" });
  await site.ask("POST", `/documents/${site.id}/publish`);
  const state = await client.next("state");
  await site.ask("DELETE", `/documents/${site.id}`);
  const refused = await client.change({ title: "Too late" });

  assertEquals([state.document.status, state.document.title], ["published", "Typed"]);
  assertEquals([refused.type, refused.code], ["error", "NOT_FOUND"]);
  assertEquals((await client.closed()).code, 4404);
  await assertRejects(() => site.connect());
});

Deno.test("live: who is here, and where", async () => {
  await using site = await liveSite();
  await using one = await site.connect();
  await one.next("state");
  {
    await using two = await site.connect();
    await two.next("state");
    assertEquals((await one.next("presence")).presence.length, 2);
    two.send({ type: "presence", path: "body.3" });
    const { presence } = await one.next("presence");
    assertEquals(presence.map(({ path }: { path: string }) => path), [null, "body.3"]);
    assertEquals("selection" in presence[1], false);

    // Where the cursor is in a rich text.
    const selection = { anchor: { key: "a", offset: 2 }, head: { key: "b", offset: 0 } };
    two.send({ type: "presence", path: "body", selection });
    assertEquals((await one.next("presence")).presence[1].selection, selection);
    two.send({ type: "presence", path: "body", selection: { ...selection, head: { key: "b" } } });
    assertEquals((await two.next("error")).code, "BODY_INVALID");
    // The same again is no move.
    two.send({ type: "presence", path: "body", selection });
    two.send({ type: "presence", path: "title" });
    const moved = (await one.next("presence")).presence[1];
    assertEquals([moved.path, "selection" in moved], ["title", false]);
  }
  assertEquals((await one.next("presence")).presence.length, 1);
});

Deno.test("live: only for users who may write, from this origin, over a WebSocket", async () => {
  await using site = await liveSite();
  const path = `/api/admin/documents/${site.id}/live`;
  const upgrade = { upgrade: "websocket", connection: "Upgrade", cookie: site.cookie };
  const code = async (headers: Record<string, string>, at = path) =>
    (await site.test.call("GET", at, { headers })).json.error.code;

  assertEquals(await code({ ...upgrade, cookie: "" }), "UNAUTHENTICATED");
  assertEquals(await code({ ...upgrade, origin: "https://evil.example" }), "FORBIDDEN");
  assertEquals(await code({ ...upgrade, "sec-fetch-site": "cross-site" }), "FORBIDDEN");
  assertEquals(await code({ cookie: site.cookie }), "NOT_FOUND");
  const elsewhere = path.replace(site.id, "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  assertEquals(await code(upgrade, elsewhere), "NOT_FOUND");
  assertEquals(await code(upgrade), "PARAMETER_INVALID", "no key: half a handshake");
  assertEquals((await site.test.call("POST", path, { headers: upgrade })).status, 405);
  assert((await site.connect()) instanceof LiveClient);
});

Deno.test("live: the answer that makes a WebSocket has its request's id", async () => {
  await using site = await liveSite();
  const { hostname, port, host } = new URL(site.origin);
  // A WebSocket does not show its handshake.
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const lines = [
    `GET /api/admin/documents/${site.id}/live HTTP/1.1`,
    `Host: ${host}`,
    `Cookie: ${site.cookie}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
  ];
  await connection.write(new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`));

  const bytes = new Uint8Array(4096);
  const read = await connection.read(bytes);
  const [head] = new TextDecoder().decode(bytes.subarray(0, read!)).split("\r\n\r\n");
  assertMatch(head!, /^HTTP\/1\.1 101 /);
  assertMatch(head!, /^x-request-id: [0-9A-Z]{18}-[0-9a-z]+\r?$/im);
});

Deno.test("live: an operation that says what it has seen never writes over what it has not", async () => {
  await using site = await liveSite();
  await using one = await site.connect("?client=one");
  await one.next("state");
  await using two = await site.connect("?client=two");
  const { seq } = await two.next("state");
  const codeOf = async (client: LiveClient, base: number, clientSeq: number, path: string) => {
    client.send({ type: "op", clientSeq, base, set: { [path]: `${clientSeq}` } });
    return (await client.answer(clientSeq)).code ?? "ack";
  };

  assertEquals(await codeOf(one, seq, 1, "lead"), "ack");
  assertEquals(await codeOf(two, seq, 1, "lead"), "CONFLICT");
  assertEquals(await codeOf(two, seq, 2, "title"), "ack");
  // A client does not receive its own operations.
  assertEquals(await codeOf(one, seq, 2, "lead"), "ack");
  assertEquals(await codeOf(two, seq + 3, 3, "lead"), "ack");
  assertEquals(await codeOf(two, 99, 4, "lead"), "CONFLICT");
  one.send({ type: "flush" });
  await one.next("flushed");
  const { lead, title } = await site.ask("GET", `/documents/${site.id}`);
  assertEquals([lead, title], ["3", "2"]);
});

Deno.test("live: who asks for a version hears of it, also when there is one already", async () => {
  await using site = await liveSite();
  await using one = await site.connect();
  const { seq } = await one.next("state");
  one.send({ type: "op", clientSeq: 1, base: seq, set: { lead: "Lit" } });
  await one.answer(1);
  one.send({ type: "flush" });
  const first = await one.next("flushed");
  // They come back, and have not heard of it.
  await using again = await site.connect();
  await again.next("state");
  again.send({ type: "flush" });

  assertEquals(await again.next("flushed"), first);
});

Deno.test("live: every client learns which of the viewers it is", async () => {
  await using site = await liveSite();
  await using one = await site.connect();
  const yours = ({ presence }: { presence: { you?: boolean }[] }) =>
    presence.map(({ you }) => you ?? false);

  assertEquals(yours(await one.next("state")), [true]);
  await using two = await site.connect();
  assertEquals(yours(await two.next("state")), [false, true]);
  assertEquals(yours(await one.next("presence")), [true, false]);
});

Deno.test("live: a program that comes back is there once, though its old connection is not yet gone", async () => {
  await using site = await liveSite();
  await using other = await site.connect("?client=other");
  await other.next("state");
  await using _old = await site.connect("?client=tab");
  await other.next("presence");
  await using back = await site.connect("?client=tab");

  const { presence } = await back.next("state");
  assertEquals(presence.length, 2);
  assertEquals(Object.keys(presence[0]).sort(), ["displayName", "id", "path", "userId"]);
  assertEquals((await other.next("presence")).presence.length, 2);
});

Deno.test("live: who has signed out writes nothing more", async () => {
  await using site = await liveSite();
  await using client = await site.connect();
  await client.next("state");
  assertEquals((await client.change({ title: "Before" })).type, "ack");

  await site.ask("DELETE", "/session");
  client.send({ type: "op", clientSeq: 2, set: { title: "After" }, unset: [] });
  assertEquals((await client.closed()).code, 4401);
  await site.test.deps.live.flush(site.id);

  assertEquals((await site.test.deps.reader.find(site.id))!.state.title, "Before");
});

Deno.test("live: who lacks a required second factor, or is disabled elsewhere, writes nothing more", async () => {
  await using site = await liveSite();
  const { test, ask, userId } = site;
  await using client = await site.connect();
  await client.next("state");
  assertEquals((await client.change({ title: "Before" })).type, "ack");
  const { data: roles } = await ask("GET", "/roles");
  const { id } = roles.find(({ name }: { name: string }) => name === "administrator");
  await ask("PATCH", `/roles/${id}`, { requireSecondFactor: true });
  assertEquals((await client.change({ title: "In the days of grace" })).type, "ack");
  await ask("PATCH", "/settings", { "auth.graceDays": 0 });
  client.send({ type: "op", clientSeq: 3, set: { title: "After" }, unset: [] });
  assertEquals((await client.closed()).code, 4403);

  await test.deps.people.settings.patch({ userId: null }, { "auth.graceDays": 7 });
  await using other = await site.connect();
  await other.next("state");
  const { people } = secondApp(test.context).deps;
  const password = "correct horse battery";
  const input = { email: "bo@example.org", displayName: "Bo", roles: ["administrator"] };
  await ask("POST", "/users", { ...input, password });
  const access = await people.access.current();
  const bo = access.userByEmail(input.email);
  await setDisabled(people, access.authorityOf(bo?.id ?? ""), userId, true);
  other.send({ type: "op", clientSeq: 1, set: { title: "After" }, unset: [] });
  assertEquals((await other.closed()).code, 4401);
});
