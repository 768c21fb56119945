/**
 * Who may change what is public: those who may publish, by every way that leads to a document.
 */
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { assertEquals, assertStringIncludes } from "../../../support/harness/assert.ts";
import { LiveClient } from "../../../support/browser/live_client.ts";

const LATER = 4_000_000_000;

async function cookieOf(test: TestApp, role: string): Promise<string> {
  const account = { email: `${role}@example.org`, password: "long enough, surely" };
  answered(
    await test.admin("POST", "/users", { ...account, displayName: role, roles: [role] }),
    201,
  );
  const session = await test.call("POST", "/api/admin/session", { body: account });
  return session.headers.get("set-cookie")!.split(";")[0]!;
}

async function documentIn(test: TestApp, status: string): Promise<string> {
  const body = { collection: "posts", title: status, body: "as it was" };
  const { id } = answered(await test.admin("POST", "/documents", body), 201);
  const how = { published: "publish", archived: "archive" }[status];
  if (how !== undefined) await test.admin("POST", `/documents/${id}/${how}`);
  if (status === "scheduled") {
    answered(await test.admin("POST", `/documents/${id}/schedule`, { publishAt: LATER }), 200);
  }
  return id;
}

async function site(): Promise<TestApp> {
  const test = await testApp();
  await test.setUp();
  await test.collection({ slug: "posts", name: "Posts", fields: [{ name: "body", type: "text" }] });
  return test;
}

/** Whether each role may change and trash a document of each status. */
const RIGHTS: [status: string, author: boolean, editor: boolean][] = [
  ["draft", true, true],
  ["archived", true, true],
  ["scheduled", false, true],
  ["published", false, true],
];

Deno.test("PATCH and DELETE /api/admin/documents/{id} of public documents require the right to publish", async () => {
  await using test = await site();
  const cookies = {
    author: await cookieOf(test, "author"),
    editor: await cookieOf(test, "editor"),
  };
  for (const [status, author, editor] of RIGHTS) {
    for (const [role, allowed] of [["author", author], ["editor", editor]] as const) {
      const id = await documentIn(test, status);
      const ask = (method: string, body?: Record<string, string>) =>
        test.call(method, `/api/admin/documents/${id}`, {
          headers: { cookie: cookies[role] },
          ...(body && { body }),
        });
      const patched = await ask("PATCH", { body: `by ${role}` });
      const trashed = await ask("DELETE");
      const now = answered(await test.admin("GET", `/documents/${id}`), 200);
      if (allowed) {
        answered(patched, 200);
        assertEquals([trashed.status, now.status], [204, "trashed"], `${role}, ${status}`);
      } else {
        assertRefusal(patched, 403, "FORBIDDEN");
        assertRefusal(trashed, 403, "FORBIDDEN");
        assertStringIncludes(patched.json.error.message, `the document is ${status}`);
        assertEquals([now.status, now.body], [status, "as it was"], `${role}, ${status}`);
      }
    }
  }
});

Deno.test("live: a user who may not publish continues in the working copy of a public document", async () => {
  await using test = await site();
  const cookie = await cookieOf(test, "author");
  const id = await documentIn(test, "draft");
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, test.app.fetch);
  try {
    await using live = await LiveClient.connect(`http://127.0.0.1:${server.addr.port}`, cookie, id);
    await live.next("state");
    assertEquals((await live.change({ body: "typed" })).type, "ack");

    answered(await test.admin("POST", `/documents/${id}/publish`), 202);
    assertEquals((await live.change({ body: "unreviewed" })).type, "ack");
    await test.deps.live.flush(id);

    const { status, body } = answered(await test.admin("GET", `/documents/${id}`), 200);
    assertEquals([status, body], ["published", "typed"]);
    const copy = answered(await test.admin("GET", `/documents/${id}/working-copy`), 200);
    assertEquals(copy.body, "unreviewed");
    answered(await test.admin("POST", `/documents/${id}/unpublish`), 202);
    const publishAt = Math.floor(test.context.now() / 1000) + 3_600;
    answered(await test.admin("POST", `/documents/${id}/schedule`, { publishAt }), 200);
    const refused = await live.change({ body: "public without anybody" });
    assertEquals([refused.type, refused.code], ["error", "FORBIDDEN"]);
  } finally {
    await server.shutdown();
  }
});

Deno.test("what goes out with a release at its time is changed only by users who may publish, by every route", async () => {
  await using test = await site();
  const cookies = {
    author: await cookieOf(test, "author"),
    editor: await cookieOf(test, "editor"),
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, test.app.fetch);
  const origin = `http://127.0.0.1:${server.addr.port}`;
  try {
    for (const status of ["draft", "published"]) {
      const id = await documentIn(test, status);
      const release = answered(await test.admin("POST", "/releases", { name: status }), 201).id;
      const part = `/releases/${release}/documents/${id}`;
      answered(await test.admin("PUT", part, { action: "publish" }), 200);
      await using author = await LiveClient.connect(origin, cookies.author, id);
      await using editor = await LiveClient.connect(origin, cookies.editor, id);
      const type = async (live: LiveClient, body: string) => {
        const { type, code } = await live.change({ body });
        return code ?? type;
      };
      assertEquals(await type(author, "while it is open"), "ack");

      answered(await test.admin("PATCH", `/releases/${release}`, { publishAt: LATER }), 200);
      assertEquals(await type(author, "public without anybody"), "FORBIDDEN", status);
      assertEquals(await type(editor, "by one who may"), "ack");
      const path = status === "draft" ? `/documents/${id}` : `/documents/${id}/working-copy`;
      const headers = { cookie: cookies.author };
      const patched = await test.call("PATCH", `/api/admin${path}`, {
        headers,
        body: { body: "x" },
      });
      assertRefusal(patched, 403, "FORBIDDEN");
      await test.deps.live.flush(id);
      assertEquals(answered(await test.admin("GET", path), 200).body, "by one who may");

      answered(await test.admin("PATCH", `/releases/${release}`, { publishAt: null }), 200);
      assertEquals(await type(author, "open again"), "ack");
      await test.deps.live.flush(id);
    }
  } finally {
    await server.shutdown();
  }
});
