/** Releases: what is in them, what keeps them back, and that all of it goes out or nothing. */
import { assert, assertEquals, assertMatch } from "../../../support/harness/assert.ts";
import { releaseSite } from "../../../support/sites/release_site.ts";
import { NOON_SECONDS } from "../../../support/sites/headless.ts";

Deno.test("a release is made, read, changed and removed, under the version that one has seen", async () => {
  await using site = await releaseSite();
  const { test } = site;
  const made = await test.admin("POST", "/releases", { name: " Spring ", description: "All new" });
  assertEquals(made.status, 201, made.text);
  const { id, createdAt } = made.json;
  assertEquals(made.headers.get("location"), `/api/admin/releases/${id}`);
  assertEquals(made.json, {
    id,
    name: "Spring",
    description: "All new",
    state: "open",
    publishAt: null,
    reason: null,
    jobId: null,
    documents: [],
    publishedAt: null,
    createdAt,
    updatedAt: createdAt,
  });
  const read = await test.admin("GET", `/releases/${id}`);
  assertEquals([read.status, read.json], [200, made.json]);
  const stale = { headers: { "if-match": `"${id}.9.release"` } };
  const patch = { name: "Summer" };
  assertEquals((await test.admin("PATCH", `/releases/${id}`, patch, stale)).status, 412);
  const fresh = { headers: { "if-match": read.headers.get("etag")! } };
  const patched = await test.admin("PATCH", `/releases/${id}`, patch, fresh);
  assertEquals([patched.status, patched.json.name], [200, "Summer"]);
  const { data, meta } = await site.want(200, "GET", "/releases");
  assertEquals([data, meta], [[patched.json], { page: 1, perPage: 20, total: 1 }]);
  await site.want(204, "DELETE", `/releases/${id}`);
  await site.want(404, "GET", `/releases/${id}`);
  await site.want(404, "GET", "/releases/nothing");
});

Deno.test("an invalid release is refused with details, and changes nothing", async () => {
  await using site = await releaseSite();
  const { test } = site;
  for (
    const [body, field] of [
      [{}, "name"],
      [{ name: " " }, "name"],
      [{ name: "A", publishAt: "soon" }, "publishAt"],
      [{ name: "A", publishAt: 1 }, "publishAt"],
      [{ name: "A", publishAt: NOON_SECONDS * 1000 }, "publishAt"],
      [{ name: "A", state: "published" }, "state"],
    ] as const
  ) {
    const answer = await test.admin("POST", "/releases", { ...body });
    assertEquals([answer.status, answer.json.error.details[0].field], [422, field]);
  }
  const both = await test.admin("POST", "/releases", { name: "", publishAt: 1 });
  const fields = both.json.error.details.map(({ field }: { field: string }) => field);
  assertEquals(fields, ["name", "publishAt"]);
  assertEquals((await site.want(200, "GET", "/releases")).meta.total, 0);
  const id = await site.release("A", {});
  const post = await site.post("One");
  const path = `/releases/${id}/documents/${post}`;
  assertEquals((await test.admin("PUT", path, { action: "burn" })).status, 422);
  assertEquals((await test.admin("PUT", path)).status, 400);
  await site.want(404, "PUT", `/releases/${id}/documents/${id}`, { action: "publish" });
  await site.want(404, "DELETE", path);
  assertEquals((await site.want(200, "GET", `/releases/${id}`)).documents, []);
});

Deno.test("a document is in one open release, and says in which", async () => {
  await using site = await releaseSite();
  const post = await site.post("One");
  const [first, second] = [await site.release("First", {}), await site.release("Second", {})];
  assertEquals((await site.want(200, "GET", `/documents/${post}`)).inRelease, undefined);
  const put = await site.want(200, "PUT", `/releases/${first}/documents/${post}`, {
    action: "publish",
  });
  assertEquals(put.documents, [
    { id: post, collection: "posts", title: "One", action: "publish" },
  ]);
  assertEquals((await site.want(200, "GET", `/documents/${post}`)).inRelease, {
    id: first,
    name: "First",
  });
  const [listed] = (await site.want(200, "GET", "/documents")).data;
  assertEquals(listed.inRelease, { id: first, name: "First" });
  // What was read may be sent back.
  await site.want(200, "PATCH", `/documents/${post}`, listed);
  const taken = await site.want(409, "PUT", `/releases/${second}/documents/${post}`, {
    action: "publish",
  });
  assertMatch(taken.error.message, /is already in the release "First"/);
  const other = await site.want(200, "PUT", `/releases/${first}/documents/${post}`, {
    action: "unpublish",
  });
  assertEquals(other.documents[0].action, "unpublish");
  const removed = await site.want(200, "DELETE", `/releases/${first}/documents/${post}`);
  assertEquals(removed.documents, []);
  await site.want(200, "PUT", `/releases/${second}/documents/${post}`, { action: "publish" });
  await site.want(204, "DELETE", `/releases/${second}`);
  await site.want(200, "PUT", `/releases/${first}/documents/${post}`, { action: "publish" });
});

Deno.test("a release takes drafts, working copies and unpublishes out together, and back", async () => {
  await using site = await releaseSite();
  const draft = await site.post("Draft", { body: "new" });
  const changed = await site.changed("Changed", { title: "Changed twice", body: "secret" });
  const leaving = await site.post("Leaving", { status: "published", body: "old" });
  const same = await site.post("Same", { status: "published", body: "same" });
  const id = await site.release("Spring", {
    [draft]: "publish",
    [changed]: "publish",
    [leaving]: "unpublish",
    [same]: "publish",
  });
  const check = await site.want(200, "GET", `/releases/${id}/check`);
  assertEquals(check.ok, true);
  assertEquals(check.documents[0], { id: draft, action: "publish", errors: [] });

  const job = await site.run(id, "publish");
  assertEquals([job.type, job.state, job.error], ["RELEASE", "done", null]);
  assertEquals(job.result.finish, { documents: 4, changed: 3, left: [] });
  const release = await site.want(200, "GET", `/releases/${id}`);
  assertEquals([release.state, release.jobId], ["published", null]);
  assertEquals(await site.seen(draft), ["published", "Draft", "new", false]);
  assertEquals(await site.seen(changed), ["published", "Changed twice", "secret", false]);
  assertEquals(await site.seen(leaving), ["draft", "Leaving", "old", false]);
  assertEquals((await site.want(200, "GET", `/versions/document/${same}`)).meta.total, 1);
  assertEquals((await site.want(200, "GET", `/documents/${draft}`)).inRelease, undefined);
  assertEquals((await site.test.call("GET", "/posts/draft")).status, 200);
  assertEquals((await site.test.call("GET", "/posts/leaving")).status, 404);
  const [newest] = (await site.want(200, "GET", `/versions/document/${draft}`)).data;
  assertEquals(newest.change_summary, 'Published with the release "Spring"');
  const summaries = async (type: string, id: string) =>
    (await site.want(200, "GET", `/versions/${type}/${id}`)).data
      .map(({ change_summary }: { change_summary: string | null }) => change_summary);
  assertEquals((await summaries("release", id))[0], "Published");

  await site.want(200, "PATCH", `/documents/${draft}`, { body: "newer" });
  const back = await site.run(id, "revert");
  assertEquals(back.result.finish, {
    documents: 3,
    changed: 2,
    left: [{ id: draft, title: "Draft", reason: "it has changed since" }],
  });
  assertEquals(await site.seen(draft), ["published", "Draft", "newer", false]);
  assertEquals(await site.seen(changed), ["published", "Changed", "public", true]);
  assertEquals(await site.seen(leaving), ["published", "Leaving", "old", false]);
  assertEquals((await site.want(200, "GET", `/releases/${id}`)).state, "reverted");
  assertEquals((await summaries("document", changed))[0], 'The release "Spring" was reverted');
  assertEquals((await summaries("release", id))[0], "Reverted");
  assertEquals((await site.test.call("GET", "/posts/leaving")).status, 200);
  await site.want(409, "POST", `/releases/${id}/publish`);
  await site.want(409, "POST", `/releases/${id}/revert`);
});

Deno.test("one document that cannot go keeps all of them", async () => {
  await using site = await releaseSite();
  const good = await site.post("Good", { body: "x" });
  const bad = await site.post("Bad");
  const gone = await site.post("Gone", { body: "x" });
  const id = await site.release("Spring", { [good]: "publish", [bad]: "publish" });
  const check = await site.want(200, "GET", `/releases/${id}/check`);
  assertEquals(check, {
    ok: false,
    documents: [
      { id: good, action: "publish", errors: [] },
      {
        id: bad,
        action: "publish",
        errors: [{ field: "body", code: "REQUIRED", message: "Required" }],
      },
    ],
  });
  const refused = await site.want(422, "POST", `/releases/${id}/publish`);
  assertEquals(refused.error.details, [
    { field: `documents.${bad}.body`, code: "REQUIRED", message: "Required" },
  ]);
  await site.test.runner.drain();
  assertEquals((await site.want(200, "GET", `/releases/${id}`)).state, "open");
  assertEquals((await site.seen(good))[0], "draft");

  await site.want(200, "PATCH", `/documents/${bad}`, { body: "now" });
  await site.want(200, "PUT", `/releases/${id}/documents/${gone}`, { action: "publish" });
  await site.want(204, "DELETE", `/documents/${gone}`);
  const trashed = await site.want(409, "POST", `/releases/${id}/publish`);
  assertMatch(trashed.error.message, /The document is trashed/);
  await site.want(200, "DELETE", `/releases/${id}/documents/${gone}`);
  assertEquals((await site.run(id, "publish")).state, "done");
  const empty = await site.release("Empty", {});
  await site.want(409, "POST", `/releases/${empty}/publish`);
});

Deno.test("slugs and unique values: taken by others, and wanted twice in one release", async () => {
  await using site = await releaseSite();
  const one = await site.changed("One", { slug: "wanted" });
  const id = await site.release("Spring", { [one]: "publish" });
  const two = await site.changed("Two", {});
  // Both were free when they were chosen.
  await site.want(200, "PATCH", `/documents/${two}/working-copy`, { slug: "wanted" });
  await site.want(200, "PUT", `/releases/${id}/documents/${two}`, { action: "publish" });
  const { documents } = await site.want(200, "GET", `/releases/${id}/check`);
  assertEquals(
    documents.map((one: { errors: { code: string }[] }) => one.errors.map(({ code }) => code)),
    [[], ["SLUG_CONFLICT"]],
  );
  const refused = await site.want(409, "POST", `/releases/${id}/publish`);
  assertEquals(refused.error.code, "SLUG_CONFLICT");
  await site.want(200, "DELETE", `/releases/${id}/documents/${two}`);
  await site.post("Wanted", { body: "x" });
  assertEquals(
    (await site.want(409, "POST", `/releases/${id}/publish`)).error.code,
    "SLUG_CONFLICT",
  );
  await site.want(200, "PATCH", `/documents/${one}/working-copy`, { slug: "free", sku: "a" });
  await site.post("Taker", { body: "x", sku: "a" });
  const unique = await site.want(422, "POST", `/releases/${id}/publish`);
  assertEquals(unique.error.details[0].code, "NOT_UNIQUE");
});

Deno.test("documents of a release may refer to one another, but not to deleted documents", async () => {
  await using site = await releaseSite();
  const target = await site.post("Target", { body: "x" });
  const source = await site.post("Source", { body: "x", other: target });
  const id = await site.release("Spring", { [source]: "publish", [target]: "publish" });
  await site.want(204, "DELETE", `/documents/${target}`);
  const { documents } = await site.want(200, "GET", `/releases/${id}/check`);
  assertEquals(documents[0].errors[0].code, "INVALID_REFERENCE");
  assertEquals(documents[1].errors[0].code, "CONFLICT");
  await site.want(200, "POST", `/documents/${target}/untrash`);
  assertEquals((await site.run(id, "publish")).state, "done");
});

Deno.test("at its time a release goes out, or is open again and says why", async () => {
  await using site = await releaseSite();
  const { test } = site;
  const post = await site.post("One", { body: "x" });
  const id = await site.release("Spring", { [post]: "publish" });
  const at = Math.floor(test.context.now() / 1000) + 600;
  const scheduled = await site.want(200, "PATCH", `/releases/${id}`, { publishAt: at });
  assertEquals([scheduled.state, scheduled.publishAt], ["scheduled", at]);
  const unscheduled = await site.want(200, "PATCH", `/releases/${id}`, { publishAt: null });
  assertEquals([unscheduled.state, unscheduled.publishAt], ["open", null]);
  test.context.advance(700_000);
  await test.runner.drain();
  assertEquals((await site.seen(post))[0], "draft");

  const again = Math.floor(test.context.now() / 1000) + 600;
  await site.want(200, "PATCH", `/releases/${id}`, { publishAt: again + 50 });
  await site.want(200, "PATCH", `/releases/${id}`, { publishAt: again });
  test.context.advance(599_000);
  await test.runner.drain();
  assertEquals((await site.seen(post))[0], "draft");
  test.context.advance(2_000);
  await test.runner.drain();
  assertEquals((await site.seen(post))[0], "published");
  const published = await site.want(200, "GET", `/releases/${id}`);
  assertEquals([published.state, published.publishAt], ["published", null]);

  const bad = await site.post("Bad");
  const late = await site.release("Late", {
    [bad]: "publish",
    [await site.post("Ok", { body: "x" })]: "publish",
  });
  await site.want(200, "PATCH", `/releases/${late}`, { publishAt: again + 600 });
  test.context.advance(700_000);
  await test.runner.drain();
  const open = await site.want(200, "GET", `/releases/${late}`);
  assertEquals([open.state, open.publishAt, open.jobId], ["open", null, null]);
  assertMatch(open.reason, /"Bad": body: Required/);
});

Deno.test("an author prepares an open release; its time, and what has one, take the right to publish", async () => {
  await using site = await releaseSite();
  const { test } = site;
  const password = "a password of some length";
  const bo = { email: "bo@example.org", displayName: "Bo", password, roles: ["author"] };
  await site.want(201, "POST", "/users", bo);
  const session = await test.call("POST", "/api/admin/session", {
    body: { email: bo.email, password },
  });
  const cookie = session.headers.get("set-cookie")!.split(";")[0]!;
  const ask = async (method: string, path: string, body?: Record<string, string | number>) =>
    (await test.call(method, `/api/admin${path}`, {
      headers: { cookie, origin: "http://localhost" },
      ...(body && { body }),
    })).status;
  const post = await site.post("One", { body: "x" });
  assertEquals(await ask("POST", "/releases", { name: "Mine" }), 201);
  assertEquals(await ask("POST", "/releases", { name: "Mine", publishAt: 4_000_000_000 }), 403);
  const [{ id }] = (await site.want(200, "GET", "/releases")).data;
  const path = `/releases/${id}/documents/${post}`;
  assertEquals(await ask("PUT", path, { action: "publish" }), 200);
  assertEquals(await ask("PATCH", `/releases/${id}`, { description: "x" }), 200);
  assertEquals(await ask("PATCH", `/releases/${id}`, { publishAt: 4_000_000_000 }), 403);
  assertEquals(await ask("POST", `/releases/${id}/publish`), 403);
  assertEquals(await ask("GET", `/releases/${id}/check`), 200);
  await site.want(200, "PATCH", `/releases/${id}`, { publishAt: 4_000_000_000 });
  assertEquals(await ask("PUT", path, { action: "unpublish" }), 403);
  assertEquals(await ask("DELETE", path), 403);
  assertEquals(await ask("DELETE", `/releases/${id}`), 403);
  assertEquals(await ask("PATCH", `/documents/${post}`, { body: "other" }), 403);
  assertEquals((await site.seen(post))[2], "x");
});

Deno.test("versions of a release are restored one by one, and never publish", async () => {
  await using site = await releaseSite();
  const { test } = site;
  const post = await site.post("One", { body: "x" });
  const id = await site.release("Spring", { [post]: "publish" });
  const at = Math.floor(test.context.now() / 1000) + 600;
  await site.want(200, "PATCH", `/releases/${id}`, { publishAt: at });
  await site.want(200, "PATCH", `/releases/${id}`, { publishAt: null });
  test.context.advance(700_000);
  const versions = async () => (await site.want(200, "GET", `/versions/release/${id}`)).data;
  const scheduled = (await versions())[1];
  await site.want(200, "POST", `/versions/${scheduled.id}/restore`);
  await test.runner.drain();
  const restored = await site.want(200, "GET", `/releases/${id}`);
  assertEquals([restored.state, restored.publishAt], ["open", null]);
  assertEquals((await site.seen(post))[0], "draft");
  // A removed release comes back, unless its documents are in another by now.
  await site.want(204, "DELETE", `/releases/${id}`);
  const other = await site.release("Other", { [post]: "publish" });
  await site.want(409, "POST", `/versions/${scheduled.id}/restore`);
  await site.want(204, "DELETE", `/releases/${other}`);
  await site.want(200, "POST", `/versions/${scheduled.id}/restore`);
  assertEquals((await site.want(200, "GET", `/releases/${id}`)).documents.length, 1);
  assert((await versions()).length >= 6);
});

Deno.test("state-at and the restore of the site leave releases alone", async () => {
  await using site = await releaseSite();
  const { test } = site;
  const then = Math.floor(test.context.now() / 1000);
  test.context.advance(10_000);
  const id = await site.release("Spring", {});
  const { entities } = await site.want(200, "GET", `/state-at?timestamp=${then}`);
  assertEquals(Object.keys(entities).includes("release"), false);
  await site.want(202, "POST", "/restore", { timestamp: then });
  await test.runner.drain();
  await site.want(200, "GET", `/releases/${id}`);
});

Deno.test("release.published is delivered to webhooks once", async () => {
  const received: { type: string; data: { id: string } }[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    received.push(await request.json());
    return new Response("thanks");
  });
  await using site = await releaseSite({ guard: { allowLocal: true } });
  await site.want(201, "POST", "/webhooks", {
    name: "Mirror",
    url: `http://127.0.0.1:${server.addr.port}/`,
    events: ["release.published"],
  });
  const post = await site.post("One", { body: "x" });
  const id = await site.release("Spring", { [post]: "publish" });
  await site.run(id, "publish");
  await site.run(id, "revert");
  assertEquals(received.map(({ type, data }) => [type, data.id]), [["release.published", id]]);
  await server.shutdown();
});
