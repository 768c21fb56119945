/**
 * What a site-wide restore does about slugs, unique values and names that others have.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { valueHash } from "../../kv/documents/reservations.ts";
import { slugKey, uniqueKey } from "../../kv/keys.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { HistorySite, withPosts } from "../support/harness/history_site.ts";
import { liveStates } from "../support/harness/live_states.ts";

Deno.test("RESTORE skips entities written after it was requested", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const one = await post("One");
  const two = await post("Two", { sku: "x" });
  const then = site.pass();
  await site.want(200, "PATCH", `/documents/${one.id}`, { title: "Changed" });
  await site.want(200, "PATCH", `/documents/${two.id}`, { slug: "elsewhere", sku: "y" });
  site.pass();

  const { jobId } = await site.want(202, "POST", "/restore", { timestamp: then });
  await site.want(200, "PATCH", `/documents/${one.id}`, { body: "written meanwhile" });
  const late = await post("Late", { slug: "two", sku: "x" });
  await site.want(200, "PATCH", "/settings", { "site.title": "Meanwhile" });
  await site.app.runner.drain();
  const job = await site.want(200, "GET", `/jobs/${jobId}`);

  assertEquals([job.state, job.error], ["done", null]);
  const shown = await site.want(200, "GET", `/documents/${one.id}`);
  assertEquals([shown.title, shown.body], ["Changed", "written meanwhile"]);
  assertEquals((await site.want(200, "GET", `/documents/${late.id}`)).slug, "two");
  assertEquals((await site.want(200, "GET", "/settings"))["site.title"], "Meanwhile");
  // Its slug and value belong to the late one: it stays whole, as it stands.
  const left = await site.want(200, "GET", `/documents/${two.id}`);
  assertEquals([left.slug, left.sku], ["elsewhere", "y"]);
  assertEquals(job.result.documents, {
    minted: 0,
    removed: 0,
    kept: 2,
    left: 1,
    named: [{ type: "document", id: two.id, reason: "taken" }],
  });
  assertEquals(job.result.settings.kept, 1);
});

Deno.test("RESTORE resolves slugs and unique values that were exchanged in a cycle", async () => {
  await using site = await HistorySite.open();
  const { post, collection } = await withPosts(site);
  const posts: { id: string }[] = [];
  for (let n = 0; n < 8; n++) posts.push(await post(`Post ${n}`, { sku: `${n}` }));
  const then = site.pass();
  const early = await liveStates(site.app.context);
  const patch = (index: number, body: Json) =>
    site.want(200, "PATCH", `/documents/${posts[index]!.id}`, body);
  // Two swap, three go round, three move on by one: the last to a slug that a later document takes.
  await patch(0, { slug: "aside", sku: "aside" });
  await patch(1, { slug: "post-0", sku: "0" });
  await patch(0, { slug: "post-1", sku: "1" });
  await patch(5, { slug: "away", sku: "away" });
  await patch(7, { slug: "post-5", sku: "5" });
  await patch(6, { slug: "post-7", sku: "7" });
  await patch(5, { slug: "post-6", sku: "6" });
  await patch(4, { slug: "away", sku: null });
  await patch(3, { slug: "post-4", sku: "4" });
  await patch(2, { slug: "post-3", sku: "3" });
  await post("New", { slug: "post-2", sku: "2" });
  site.pass();

  const job = await site.travel(then);

  assertEquals(job.result.documents, { minted: 8, removed: 0, kept: 0, left: 0, named: [] });
  assertEquals(job.result.removals.removed, 1);
  assertEquals(await liveStates(site.app.context), early);
  const { store } = site.app.context;
  const [, field] = await site.ids("field_definition");
  assert(field !== undefined);
  for (const [n, { id }] of posts.entries()) {
    const reservations = await store.getMany([
      slugKey(collection.id, `post-${n}`),
      uniqueKey(collection.id, "sku", valueHash(`${n}`)),
    ]);
    assertEquals(reservations.map(({ value }) => value), [id, id]);
  }
  for (const slug of ["aside", "away"]) {
    assertEquals((await store.get(slugKey(collection.id, slug))).value, null);
  }
});

Deno.test("RESTORE reserves the values of a field that was unique at the instant and is not now", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  await post("One", { sku: "a" });
  const then = site.pass();
  await site.want(200, "PATCH", "/collections/posts/fields/sku", { unique: false });
  const two = await post("Two", { sku: "a" });
  site.pass();

  const job = await site.travel(then);

  assertEquals(job.state, "done");
  assertEquals((await site.ask("GET", `/documents/${two.id}`)).status, 404);
  const rival = { collection: "posts", title: "Three", sku: "a" };
  assertEquals(await site.refusal("POST", "/documents", rival), [422, "VALIDATION_FAILED"]);
});

Deno.test("RESTORE skips entities whose name was taken by a write after it was requested", async () => {
  await using site = await HistorySite.open();
  const zero = await site.want(201, "POST", "/roles", { name: "first", permissions: [] });
  const one = await site.want(201, "POST", "/roles", { name: "one", permissions: [] });
  const two = await site.want(201, "POST", "/roles", { name: "two", permissions: [] });
  const token = await site.want(201, "POST", "/tokens", { name: "early", scopes: ["*"] });
  const then = site.pass();
  await site.want(200, "PATCH", `/roles/${zero.id}`, { name: "zeroth" });
  await site.want(200, "PATCH", `/roles/${one.id}`, { name: "first" });
  await site.want(200, "PATCH", `/roles/${two.id}`, { name: "second" });
  await site.want(201, "POST", "/tokens", { name: "late", scopes: ["*"] });
  site.pass();

  const { jobId } = await site.want(202, "POST", "/restore", { timestamp: then });
  const late = await site.want(201, "POST", "/roles", { name: "One", permissions: [] });
  await site.app.runner.drain();
  const job = await site.want(200, "GET", `/jobs/${jobId}`);

  assertEquals([job.state, job.error], ["done", null]);
  const { data } = await site.want(200, "GET", "/roles");
  const names = new Map(data.map(({ id, name }: { id: string; name: string }) => [id, name]));
  // One cannot have its name again and so keeps the one that Zero had.
  assertEquals(
    [zero, one, two, late].map(({ id }) => names.get(id)),
    ["zeroth", "first", "two", "One"],
  );
  assertEquals(job.result.access.named, [
    { type: "role", id: zero.id, reason: "taken" },
    { type: "role", id: one.id, reason: "taken" },
  ]);
  assertEquals(job.result.access.kept, 1);
  assertEquals(job.result.tokens, { minted: 1, removed: 1, kept: 0, left: 0, named: [] });
  assertEquals((await site.want(200, "GET", `/tokens/${token.id}`)).name, "early");
});

Deno.test("RESTORE lets an address that a published document gives up lead to it", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const one = await post("One", { status: "published" });
  const then = site.pass();
  await site.want(200, "PATCH", `/documents/${one.id}`, { slug: "renamed" });
  site.pass();

  await site.travel(then);
  site.pass();
  await site.app.runner.drain();

  assertEquals((await site.app.call("GET", "/posts/one")).status, 200);
  const old = await site.app.call("GET", "/posts/renamed");
  assertEquals([old.status, old.headers.get("location")], [301, "/posts/one"]);
});
