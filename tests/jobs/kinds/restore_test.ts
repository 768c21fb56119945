import { assert, assertEquals } from "@std/assert";
import type { VersionRow } from "../../../kv/versioning/entities.ts";
import { addJob, findJob } from "../../../kv/jobs/jobs.ts";
import { sessionKey, versionKey } from "../../../kv/keys.ts";
import { type Json, UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { ENTITY_TYPES } from "../../../kv/model/entities/entity_kinds.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { versionedWrite } from "../../../kv/versioning/versioned_write.ts";
import { HistorySite, withPosts } from "../../support/harness/history_site.ts";
import { liveStates } from "../../support/harness/live_states.ts";

Deno.test("RESTORE mints a version equal to the state at the instant, and tombstones what came since", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const one = await post("One", { body: "first" });
  const same = await post("Same", { status: "published" });
  await site.app.runner.drain();
  const then = site.pass();
  const states = await liveStates(site.app.context);
  await site.want(200, "PATCH", `/documents/${one.id}`, { title: "Changed", body: "second" });
  const late = await post("Late", { status: "published" });
  await site.want(201, "POST", "/collections", { slug: "others", name: "Others" });
  const other = { collection: "others", title: "Other", status: "published" };
  await site.want(201, "POST", "/documents", other);
  await site.app.runner.drain();
  const before = site.pass();

  const job = await site.travel(then);

  assertEquals([job.state, job.error], ["done", null]);
  assertEquals(job.result.documents, { minted: 2, removed: 0, kept: 0, left: 0, named: [] });
  assertEquals(job.result.removals, { minted: 0, removed: 2, kept: 0, left: 0, named: [] });
  assertEquals(job.result.finish.undoneBy, site.now);
  assertEquals(await liveStates(site.app.context), states);
  // Unchanged entities too, and the state before is the version just before.
  for (const type of ENTITY_TYPES) {
    for (const id of await site.ids(type)) {
      const [newest] = await site.versions(type, id);
      assertEquals(newest.change_summary.startsWith(`RESTORE ${job.id}: the site as of `), true);
      assertEquals([newest.changed_by, newest.changed_at > before], [site.userId, true]);
    }
  }
  assertEquals((await site.versions("document", one.id)).length, 3);
  assertEquals((await site.versions("document", same.id)).length, 2);
  assertEquals((await site.ask("GET", `/documents/${late.id}`)).status, 404);
  const [tombstone] = await site.versions("document", late.id);
  assertEquals((await site.want(200, "GET", `/versions/${tombstone.id}`)).state, null);
  site.pass();
  await site.app.runner.drain();
  for (const path of ["/posts/late", "/others/other", "/others"]) {
    assertEquals([path, (await site.app.call("GET", path)).status], [path, 404]);
  }
  assertEquals((await site.app.call("GET", "/posts/same")).status, 200);
  assertEquals((await site.app.call("GET", "/api/v1/search?q=late")).json.meta.total, 0);
});

Deno.test("RESTORE takes everything of the site back, and another one takes it forth again", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const one = await post("One", { sku: "a" });
  const token = await site.want(201, "POST", "/tokens", { name: "ci", scopes: ["*"] });
  await site.want(201, "POST", "/blocks", { name: "quote", label: "Quote", fields: [] });
  const bo = { email: "bo@example.org", displayName: "Bo", password: "another long one" };
  const { id: boId } = await site.want(201, "POST", "/users", { ...bo, roles: ["editor"] });
  const then = site.pass();
  const early = await liveStates(site.app.context);
  await site.want(204, "DELETE", `/documents/${one.id}`);
  await site.want(204, "DELETE", "/collections/posts");
  await site.want(201, "POST", "/collections", { slug: "posts", name: "Others" });
  const other = await post("One");
  await site.want(204, "DELETE", `/tokens/${token.id}`);
  await site.want(204, "DELETE", "/blocks/quote");
  await site.want(204, "DELETE", `/users/${boId}`);
  await site.want(201, "POST", "/users", { ...bo, displayName: "Bea", roles: ["viewer"] });
  await site.want(201, "POST", "/roles", { name: "fresh", permissions: [] });
  await site.want(200, "PATCH", "/settings", { "site.title": "New", "site.language": "de" });
  site.pass();
  const late = await liveStates(site.app.context);

  const back = await site.travel(then);
  const asEarly = await liveStates(site.app.context);
  const listed = await site.want(200, "GET", "/documents?collection=posts");
  const byOther = (await site.ask("GET", `/documents/${other.id}`)).status;
  const tokenWorks = (await site.app.call("GET", "/api/v1/posts", { token: token.token })).status;
  site.pass();
  const forth = await site.travel(back.result.finish.undoneBy);

  assertEquals([back.state, forth.state], ["done", "done"]);
  assertEquals(asEarly, early);
  assertEquals(listed.data.map(({ id }: { id: string }) => id), [one.id]);
  assertEquals([byOther, tokenWorks], [404, 200]);
  assertEquals(await liveStates(site.app.context), late);
  assertEquals((await site.want(200, "GET", "/collections/posts")).name, "Others");
  assertEquals((await site.want(200, "GET", `/documents/${other.id}`)).slug, "one");
  assertEquals((await site.want(200, "GET", "/settings"))["site.title"], "New");
});

Deno.test("RESTORE leaves sessions, passwords and who asked for it alone", async () => {
  await using site = await HistorySite.open();
  const bo = { email: "bo@example.org", displayName: "Bo", password: "another long one" };
  const then = site.pass();
  const { id } = await site.want(201, "POST", "/users", { ...bo, roles: ["administrator"] });
  const old = site.pass();
  const signIn = async (password: string) => {
    const answer = await site.ask("POST", "/session", { email: bo.email, password });
    return [answer.status, answer.headers.get("set-cookie")?.split(";")[0]] as const;
  };
  await site.want(200, "PATCH", `/users/${id}`, {
    password: "the newest of all",
    displayName: "B",
  });
  site.cookie = (await signIn("the newest of all"))[1]!;
  site.pass();

  // Bo was there with another password and name.
  const first = await site.travel(old);
  const passwords = [(await signIn(bo.password))[0], (await signIn("the newest of all"))[0]];
  const name = (await site.want(200, "GET", `/users/${id}`)).displayName;
  site.pass();
  // Bo was not there at all, and asks for it in person.
  const second = await site.travel(then);

  assertEquals([first.state, second.state], ["done", "done"]);
  assertEquals(passwords, [401, 200]);
  assertEquals(name, "Bo");
  assertEquals((await site.want(200, "GET", `/users/${id}`)).roles, ["administrator"]);
  assertEquals(
    second.result.access.named.map(({ type, reason }: { type: string; reason: string }) => [
      type,
      reason,
    ]),
    [["user", "needed"], ["user_role", "needed"]],
  );
  const sessions = await site.app.context.store.listAll({ prefix: [sessionKey("")[0]!] });
  assertEquals(sessions.length, 3);
});

Deno.test("POST /api/admin/restore to before the first version is 422 and starts nothing", async () => {
  await using site = await HistorySite.open();
  const first = site.now - 60;

  for (const timestamp of [0, first - 1]) {
    const { status, json } = await site.ask("POST", "/restore", { timestamp });
    assertEquals([status, json.error.details[0].field], [422, "timestamp"]);
  }
  assertEquals((await site.want(200, "GET", "/jobs?type=RESTORE")).meta.total, 0);
  assertEquals((await site.travel(first)).state, "done");
});

Deno.test("RESTORE to the first instant keeps the requesting user and the built-in entities", async () => {
  await using site = await HistorySite.open();
  const first = site.now - 60;
  await withPosts(site);

  const job = await site.travel(first);

  assertEquals(job.state, "done");
  const { data: roles } = await site.want(200, "GET", "/roles");
  assertEquals(roles.length, 4);
  assertEquals((await site.want(200, "GET", "/users")).meta.total, 1);
  assertEquals((await site.want(200, "GET", "/collections")).meta.total, 0);
  assertEquals((await site.want(200, "GET", "/settings"))["site.title"], "The Lantern");
});

Deno.test("RESTORE says what it cannot bring back because it was pruned", async () => {
  await using site = await HistorySite.open();
  await site.want(200, "PATCH", "/settings", { "versions.keep.document": 2 });
  const { post } = await withPosts(site);
  const one = await post("One");
  const then = site.pass();
  const late = await post("Late");
  for (const title of ["Two", "Three", "Four"]) {
    await site.want(200, "PATCH", `/documents/${one.id}`, { title });
    await site.want(200, "PATCH", `/documents/${late.id}`, { title });
  }
  await site.run("PRUNE");
  site.pass();

  const job = await site.travel(then);

  assertEquals(job.state, "done");
  assertEquals(job.result.documents.named, [{ type: "document", id: one.id, reason: "pruned" }]);
  assertEquals((await site.want(200, "GET", `/documents/${one.id}`)).title, "Four");
  // That it was not there at the instant is known still.
  assertEquals((await site.ask("GET", `/documents/${late.id}`)).status, 404);
});

Deno.test("RESTORE with a schedule of the instant publishes when the time has come", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const one = await post("One");
  const publishAt = site.now + 1_000;
  await site.want(200, "POST", `/documents/${one.id}/schedule`, { publishAt });
  const then = site.pass();
  await site.want(200, "POST", `/documents/${one.id}/schedule`, { publishAt: null });
  site.pass();

  await site.travel(then);
  const restored = await site.want(200, "GET", `/documents/${one.id}`);
  site.pass(1_000);
  await site.app.runner.drain();

  assertEquals([restored.status, restored.publishAt], ["scheduled", publishAt]);
  assertEquals((await site.want(200, "GET", `/documents/${one.id}`)).status, "published");
});

Deno.test("RESTORE publishes nothing whose schedule has lapsed, and says why it is a draft", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const one = await post("One");
  const publishAt = site.now + 1_000;
  await site.want(200, "POST", `/documents/${one.id}/schedule`, { publishAt });
  const then = site.pass();
  await site.want(200, "POST", `/documents/${one.id}/schedule`, { publishAt: null });
  site.pass(2_000);

  const job = await site.travel(then);
  site.pass(2_000);
  await site.app.runner.drain();

  assertEquals(job.state, "done");
  const restored = await site.want(200, "GET", `/documents/${one.id}`);
  assertEquals([restored.status, restored.publishAt], ["draft", null]);
  const [newest] = await site.versions("document", one.id);
  assert(newest.change_summary.endsWith("its time of publication had passed, so it is a draft"));
  assertEquals((await site.restore("document", one.id, 2)).status, 200);
  const [own] = await site.versions("document", one.id);
  assertEquals(
    own.change_summary,
    "restored version 2; its time of publication had passed, so it is a draft",
  );
});

Deno.test("RESTORE names the tokens that can be used again", async () => {
  await using site = await HistorySite.open();
  const mint = (name: string) => site.want(201, "POST", "/tokens", { name, scopes: ["*"] });
  const [kept, revoked, rotated] = [
    await mint("kept"),
    await mint("revoked"),
    await mint("rotated"),
  ];
  const then = site.pass();
  await site.want(204, "DELETE", `/tokens/${revoked.id}`);
  await site.want(200, "POST", `/tokens/${rotated.id}/rotate`);
  await site.want(200, "PATCH", `/tokens/${kept.id}`, { name: "renamed" });
  site.pass();

  const job = await site.travel(then);

  assertEquals(job.result.tokens.validAgain, [
    { id: revoked.id, name: "revoked" },
    { id: rotated.id, name: "rotated" },
  ]);
});

Deno.test("RESTORE with keepRevoked leaves tokens revoked and users deleted, and names what it leaves", async () => {
  await using site = await HistorySite.open();
  const mint = (name: string) => site.want(201, "POST", "/tokens", { name, scopes: ["*"] });
  const [renamed, revoked, rotated] = [await mint("a"), await mint("b"), await mint("c")];
  const user = { displayName: "Bo", password: "twelve chars", roles: ["editor"] };
  const bo = await site.want(201, "POST", "/users", { ...user, email: "bo@example.org" });
  const then = site.pass();
  await site.want(204, "DELETE", `/tokens/${revoked.id}`);
  await site.want(200, "POST", `/tokens/${rotated.id}/rotate`);
  await site.want(200, "PATCH", `/tokens/${renamed.id}`, { name: "renamed" });
  await site.want(204, "DELETE", `/users/${bo.id}`);
  const before = site.pass();
  const travel = async (body: Json) => {
    const { jobId } = await site.want(202, "POST", "/restore", body);
    await site.app.runner.drain();
    return (await site.want(200, "GET", `/jobs/${jobId}`)).result;
  };

  const kept = await travel({ timestamp: then, keepRevoked: true });

  assertEquals(kept.tokens.validAgain, undefined);
  assertEquals(
    kept.tokens.named.map(({ id, reason }: Json & { id: string; reason: string }) => [
      id,
      reason,
    ]),
    [[revoked.id, "revoked"], [rotated.id, "revoked"]],
  );
  assertEquals(kept.access.named, [{ type: "user", id: bo.id, reason: "revoked" }]);
  assertEquals((await site.want(200, "GET", `/tokens/${renamed.id}`)).name, "a");
  assertEquals((await site.want(200, "GET", `/tokens/${revoked.id}`)).revokedAt !== null, true);
  assertEquals((await site.ask("GET", `/users/${bo.id}`)).status, 404);

  site.pass();
  await travel({ timestamp: before });
  site.pass();
  const all = await travel({ timestamp: then });
  assertEquals(all.access.validAgain, [{ id: bo.id, name: "Bo" }]);
  assertEquals((await site.want(200, "GET", `/users/${bo.id}`)).roles, ["editor"]);
});

Deno.test("RESTORE mints no version before the second after the request, whatever the clock says", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const one = await post("One");
  const then = site.pass();
  await site.want(200, "PATCH", `/documents/${one.id}`, { title: "Two" });
  site.pass();
  const at = site.now;

  await site.want(202, "POST", "/restore", { timestamp: then });

  await site.app.runner.drain();

  const [newest] = await site.versions("document", one.id);
  assertEquals(newest.changed_at, at + 1);
  const state = await site.want(200, "GET", `/state-at?timestamp=${at}`);
  assertEquals(state.entities.document.sample[0].title, "Two");
});

Deno.test("POST /api/admin/restore refuses a second restore, the future, and invalid instants", async () => {
  await using site = await HistorySite.open();
  await site.want(202, "POST", "/restore", { timestamp: site.now });

  const second = await site.refusal("POST", "/restore", { timestamp: site.now });
  await site.app.runner.drain();
  const after = await site.ask("POST", "/restore", { timestamp: site.now });

  assertEquals(second, [409, "CONFLICT"]);
  assertEquals(after.status, 202);
  for (
    const body of [{ timestamp: site.now + 1 }, { timestamp: -1 }, { timestamp: 1.5 }, {}, {
      timestamp: "1",
    }, { timestamp: 1, more: 1 }]
  ) {
    assertEquals(await site.refusal("POST", "/restore", body), [422, "VALIDATION_FAILED"]);
  }
  assertEquals((await site.ask("GET", "/restore")).status, 405);
});

Deno.test("POST /api/admin/restore is for administrators", async () => {
  await using site = await HistorySite.open();
  const bo = { email: "bo@example.org", password: "another long one" };
  await site.want(201, "POST", "/users", { ...bo, displayName: "Bo", roles: ["editor"] });
  const session = await site.ask("POST", "/session", bo);
  site.cookie = session.headers.get("set-cookie")!.split(";")[0]!;

  assertEquals(await site.refusal("POST", "/restore", { timestamp: 1 }), [403, "FORBIDDEN"]);
});

Deno.test("RESTORE that was asked for again since gives up and changes nothing", async () => {
  await using site = await HistorySite.open();
  const { context, runner } = site.app;
  const before = await liveStates(context);
  const operation = new Operation();
  const payload = { timestamp: 0, at: site.now, userId: null };
  const id = addJob(operation, context, { type: "RESTORE", payload });
  await context.store.commit(operation);

  await runner.drain();

  const job = await findJob(context.store, id);
  assertEquals(job?.state, "failed");
  assertEquals(await liveStates(context), before);
});

Deno.test("RESTORE brings spilled and chunked states back whole", async () => {
  await using site = await HistorySite.open();
  const { context } = site.app;
  const ids = [300_000, 100_000].map((size) => {
    return { id: context.newId(context.now()), text: "ä".repeat(size / 2) };
  });
  const write = (type: "theme", id: string, state: Record<string, Json> | null) =>
    versionedWrite(context, UNATTENDED, async (transaction) => {
      transaction.save(type, id, await transaction.head(type, id), state as never);
    });
  for (const { id, text } of ids) await write("theme", id, { id, packageId: id, text });
  const then = site.pass();
  const early = await liveStates(context);
  for (const { id } of ids) await write("theme", id, null);
  site.pass();

  const job = await site.travel(then);

  assertEquals(job.state, "done");
  assertEquals(await liveStates(context), early);
  const row = (await context.store.get<VersionRow>(versionKey("theme", ids[0]!.id, 3))).value!;
  const old = (await context.store.get<VersionRow>(versionKey("theme", ids[0]!.id, 1))).value!;
  assert(row.snapshot !== undefined && row.snapshot.key !== old.snapshot!.key);
});
