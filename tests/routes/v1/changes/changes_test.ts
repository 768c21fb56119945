/** The change feed: initial sync, changes in order, and what leaves a token's sight. */
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { callApp, secondApp } from "../../../support/sites/app.ts";
import { Mirror, page } from "../../../support/stores/change_mirror.ts";
import { assertRefused, headless } from "../../../support/sites/headless.ts";
import { compactChanges, trimChanges } from "../../../../kv/changes/compaction.ts";
import { patchToken, revokeToken } from "../../../../kv/people/tokens.ts";
import { tokenIdOf } from "../../../../kv/model/values/token_text.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";

const DAY_MS = 86_400_000;

Deno.test("the feed begins with every visible document, then continues with changes", async () => {
  await using test = await headless();
  const one = await test.post({ title: "One", status: "published" });
  const two = await test.post({ title: "Two" });
  const start = await page(test, "limit=100");
  assertEquals(start.data.map(({ id, change }) => [id, change]), [
    [one.id, "upserted"],
    [two.id, "upserted"],
  ]);
  assertEquals(start.data[0]!.document, one);
  assertEquals(start.meta.hasMore, false);
  const none = await page(test, `since=${start.meta.cursor}`);
  assertEquals([none.data, none.meta.hasMore], [[], false]);
  await test.v1("PATCH", `/posts/${one.id}`, { body: { rating: 4 } });
  await test.v1("DELETE", `/posts/${two.id}`);
  const next = await page(test, `since=${start.meta.cursor}`);
  assertEquals(
    next.data.map(({ id, change, version, collection }) => [id, change, version, collection]),
    [[one.id, "upserted", 2, "posts"], [two.id, "removed", 2, "posts"]],
  );
  assertEquals(next.data[0]!.document.rating, 4);
  const [first] = next.data;
  const behind = await page(test, `since=${first!.cursor}`);
  assertEquals(behind.data.map(({ id }) => id), [two.id]);
  const bare = await page(test, `since=${start.meta.cursor}&include=none`);
  assertEquals(Object.keys(bare.data[0]!).includes("document"), false);
});

Deno.test("changes come in commit order, each once, before and after the log is put in order", async () => {
  await using test = await headless();
  const { meta } = await page(test, "limit=1000");
  const ids: string[] = [];
  for (let n = 0; n < 30; n++) {
    // A clock that goes backwards changes nothing.
    test.context.advance(n % 2 === 0 ? 60_000 : -90_000);
    ids.push((await test.post({ title: `Post ${n}` })).id);
    if (n === 12) await compactChanges(test.context);
  }
  const read = async () => (await page(test, `since=${meta.cursor}&limit=1000`)).data;
  assertEquals((await read()).map(({ id }) => id), ids);
  while (await compactChanges(test.context));
  assertEquals((await read()).map(({ id }) => id), ids);
  const mirror = new Mirror(test, test.full);
  await mirror.assertExact();
});

Deno.test("a token without read-drafts receives published documents, and their unpublishing", async () => {
  await using test = await headless();
  await test.setUp();
  const token = await test.token({ scopes: ["posts:read"] });
  const mirror = new Mirror(test, token);
  await mirror.assertExact();
  const draft = await test.post({ title: "Draft" });
  const post = await test.post({ title: "Public", status: "published" });
  await mirror.assertExact();
  assertEquals([...mirror.documents.keys()], [post.id]);
  await test.v1("PATCH", `/posts/${draft.id}`, { body: { rating: 2 } });
  await test.admin("POST", `/documents/${post.id}/unpublish`, {});
  await mirror.assertExact();
  assertEquals([...mirror.documents.keys()], []);
  await test.admin("POST", `/documents/${draft.id}/publish`, {});
  await mirror.assertExact();
  assertEquals([...mirror.documents.keys()], [draft.id]);
});

Deno.test("documents that a token can no longer see are removed, and reported again when it can", async () => {
  await using test = await headless();
  await test.setUp();
  const token = await test.token({ scopes: ["posts:read", "posts:read-drafts"] });
  const id = tokenIdOf(token)!;
  const mirror = new Mirror(test, token);
  for (let n = 0; n < 7; n++) {
    await test.post({ title: `Post ${n}`, status: n % 2 === 0 ? "published" : "draft" });
  }
  await mirror.assertExact();
  assertEquals(mirror.documents.size, 7);
  const told = mirror.seen.length;
  await patchToken(test.context, UNATTENDED, id, { scopes: ["posts:read"] }, null);
  await mirror.assertExact();
  assertEquals(mirror.documents.size, 4);
  assertEquals(mirror.seen.length - told, 3, "only what is no longer seen is told");
  await patchToken(
    test.context,
    UNATTENDED,
    id,
    { scopes: ["posts:read", "posts:read-drafts"] },
    null,
  );
  await mirror.assertExact();
  assertEquals(mirror.seen.length - told, 6, "only what is seen again is told");
  await test.admin("PATCH", "/collections/posts", { exposed: false });
  mirror.seen.length = 0;
  await mirror.catchUp();
  assertEquals(mirror.documents.size, 0);
  mirror.seen.length = 0;
  await test.admin("PATCH", "/collections/posts", { exposed: true });
  await mirror.assertExact();
  assertEquals(mirror.documents.size, 7);
});

Deno.test("documents are reported again in their new shape when fields change", async () => {
  await using test = await headless();
  await test.setUp();
  await test.post({ title: "One", hidden: "h", status: "published" });
  const mirror = new Mirror(test, test.full);
  await mirror.assertExact();
  await test.admin("DELETE", "/collections/posts/fields/hidden");
  await mirror.assertExact();
  await test.admin("PATCH", "/collections/posts/fields/rating", { name: "stars" });
  await mirror.assertExact();
});

Deno.test("a change during the sync of another sight leaves nothing behind", async () => {
  await using test = await headless();
  const token = await test.token({ scopes: ["posts:read", "posts:read-drafts"] });
  const mirror = new Mirror(test, token, "limit=2");
  const posts = [];
  for (let n = 0; n < 8; n++) posts.push(await test.post({ title: `Post ${n}` }));
  await mirror.catchUp();
  await patchToken(test.context, UNATTENDED, tokenIdOf(token)!, { scopes: ["posts:read"] }, null);
  // One page of the sync, then documents that it has not reached yet go another way.
  const { data, meta } = await page(test, `limit=2&since=${mirror.cursor}`, token);
  for (const { id } of data) mirror.documents.delete(id);
  mirror.cursor = meta.cursor;
  await test.v1("DELETE", `/posts/${posts[6]!.id}`);
  await test.v1("PATCH", `/posts/${posts[7]!.id}`, { body: { rating: 1 } });
  await mirror.catchUp();
  assertEquals(mirror.documents.size, 0);
});

Deno.test("documents that become visible again while their removal is reported are reported again", async () => {
  await using test = await headless();
  await test.setUp();
  const token = await test.token({ scopes: ["*:read"] });
  const mirror = new Mirror(test, token, "limit=2");
  for (let n = 0; n < 8; n++) await test.post({ title: `Post ${n}`, status: "published" });
  await mirror.catchUp();
  // One page of each: the first documents are lost, and the second sight is gone before they are back.
  for (const exposed of [false, true, false]) {
    await test.admin("PATCH", "/collections/posts", { exposed });
    const { data, meta } = await page(test, `limit=2&since=${mirror.cursor}`, token);
    for (const { id, change } of data) if (change === "removed") mirror.documents.delete(id);
    mirror.cursor = meta.cursor;
  }
  await test.admin("PATCH", "/collections/posts", { exposed: true });
  await mirror.assertExact();
});

Deno.test("a cursor that is none is refused, one that is too old has ended", async () => {
  await using test = await headless();
  await test.post({ title: "One" });
  const { meta } = await page(test, "limit=10");
  for (const since of ["", "x", "eyJ4IjoxfQ", `${meta.cursor}x`, "a".repeat(3000)]) {
    const answer = await test.v1("GET", `/_changes?since=${since}`);
    assertRefused(answer, 400, "CURSOR_INVALID");
  }
  for (const query of ["limit=0", "limit=1001", "limit=x", "wait=31", "wait=0", "include=all"]) {
    assertRefused(await test.v1("GET", `/_changes?${query}`), 400, "PARAMETER_INVALID");
  }
  await test.post({ title: "Two" });
  while (await compactChanges(test.context));
  test.context.advance(30 * DAY_MS);
  assertEquals(await trimChanges(test.context), 0);
  assertEquals((await page(test, `since=${meta.cursor}`)).data.length, 1);
  test.context.advance(6 * DAY_MS);
  assert(await trimChanges(test.context) > 0);
  assertRefused(await test.v1("GET", `/_changes?since=${meta.cursor}`), 410, "CURSOR_EXPIRED");
});

Deno.test("a cursor is good for its token alone", async () => {
  await using test = await headless();
  await test.post({ title: "Draft" });
  const { meta } = await page(test, "limit=10");
  const other = await test.token({ scopes: ["posts:read"] });
  assertRefused(
    await test.v1("GET", `/_changes?since=${meta.cursor}`, { token: other }),
    410,
    "CURSOR_EXPIRED",
  );
});

Deno.test("collections are chosen by slug; what may not be read is refused at the beginning", async () => {
  await using test = await headless();
  await test.collection({ slug: "pages", name: "Pages" });
  await test.post({ title: "Post" });
  await test.v1("POST", "/pages", { body: { title: "Page" } });
  const chosen = await page(test, "collection=pages");
  assertEquals(chosen.data.map(({ collection }) => collection), ["pages"]);
  assertEquals((await page(test, "collection=pages,posts")).data.length, 2);
  const more = await page(test, `collection=pages,posts&since=${chosen.meta.cursor}`);
  assertEquals(more.data.map(({ collection }) => collection), ["posts"]);
  assertRefused(
    await test.v1("GET", "/_changes?collection=nowhere"),
    404,
    "COLLECTION_NOT_FOUND",
  );
  const token = await test.token({ scopes: ["posts:read"] });
  assertRefused(
    await test.v1("GET", "/_changes?collection=pages", { token }),
    403,
    "FORBIDDEN",
  );
});

Deno.test("a waiting request answers with the first change, of this process or another", async () => {
  await using test = await headless();
  const other = secondApp(test.context);
  for (const app of [test.app, other.app]) {
    const { meta } = await page(test, "limit=1000");
    const waiting = page(test, `since=${meta.cursor}&wait=20`);
    await new Promise((done) => setTimeout(done, 30));
    const body = { title: "News" };
    const made = await callApp(app, "POST", "/api/v1/posts", { token: test.full, body });
    const { data } = await waiting;
    assertEquals(data.map(({ id }) => id), [made.json.id]);
  }
});

Deno.test("a stream tells changes as events and ends with its token", async () => {
  await using test = await headless();
  const token = await test.token();
  const { meta } = await page(test, "limit=10", token);
  const request = new Request("http://localhost/api/v1/_changes", {
    headers: {
      authorization: `Bearer ${token}`,
      accept: "text/event-stream",
      "last-event-id": meta.cursor,
    },
  });
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
  const response = await test.app.fetch(request, { remoteAddr });
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const until = async (found: string) => {
    while (!text.includes(found)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`The stream ended: ${text}`);
      text += value;
    }
  };
  await until(":");
  const { id } = await test.post({ title: "One" });
  await until("\n\nid: ");
  const [, cursor, data] = /id: (\S+)\nevent: change\ndata: (.+)\n\n/.exec(text)!;
  assertEquals([JSON.parse(data!).id, JSON.parse(data!).cursor], [id, cursor]);
  await revokeToken(test.context, UNATTENDED, tokenIdOf(token)!);
  await test.post({ title: "Two" });
  let done = false;
  while (!done) {
    const step = await reader.read();
    done = step.done;
    text += step.value ?? "";
  }
  assertEquals(text.split("event: change").length - 1 <= 2, true);
  test.deps.changeSignal.close();
});

Deno.test("a stream whose reader has gone ends at once, and reads no more changes", async () => {
  await using test = await headless();
  const authorization = `Bearer ${await test.token()}`;
  const headers = { authorization, accept: "text/event-stream" };
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
  const open = async () => {
    const request = new Request("http://localhost/api/v1/_changes", { headers });
    const { body } = await test.app.fetch(request, { remoteAddr });
    const reader = body!.getReader();
    for (let n = 0; n < 2; n++) await reader.read();
    // It waits for a change now.
    const next = reader.read();
    await new Promise((done) => setTimeout(done, 20));
    return { reader, next };
  };
  const { reader, next } = await open();
  const { changes } = test.deps;
  const page = changes.page.bind(changes);
  let pages = 0;
  changes.page = (...given) => (pages += 1, page(...given));

  const cancelled = reader.cancel();
  assertEquals((await next).done, true);
  await cancelled;
  await test.post({ title: "One" });
  await new Promise((done) => setTimeout(done, 1_000));

  assertEquals(pages, 0);
  test.deps.changeSignal.close();
});

Deno.test("HEAD of the feed as events is answered at once, with the headers of the stream", async () => {
  await using test = await headless([]);
  const events = { accept: "text/event-stream" };
  const head = await test.v1("HEAD", "/_changes", { headers: events });
  assertEquals([head.status, head.text], [200, ""]);
  assertEquals(head.headers.get("content-type"), "text/event-stream");
  assert(head.headers.has("ratelimit"));
  const wrong = await test.v1("HEAD", "/_changes?since=none", { headers: events });
  assertEquals(wrong.status, 400);
});

Deno.test("a parameter of the feed is given once", async () => {
  await using test = await headless([]);
  const { meta } = await page(test, "limit=1");
  for (const pair of ["limit=1", "wait=1", "include=none", `since=${meta.cursor}`]) {
    const answer = await test.v1("GET", `/_changes?${pair}&${pair}`);
    assertRefused(answer, 400, "PARAMETER_INVALID");
  }
});
