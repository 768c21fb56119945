import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { secondApp, type TestApp, testApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const HOME = { slug: "home", name: "Home", singleton: true, fields: [] };

async function siteWith(collection: Record<string, Json>): Promise<TestApp> {
  const test = await testApp();
  await test.setUp();
  answered(await test.admin("POST", "/collections", collection), 201);
  return test;
}

function write(test: TestApp, title: string, rest: Record<string, Json> = {}) {
  return test.admin("POST", "/documents", { collection: "home", title, ...rest });
}

Deno.test("a singleton takes one document, which its list answers as the only item", async () => {
  await using test = await siteWith(HOME);
  const token = await test.token();

  const { id } = answered(await write(test, "Welcome", { status: "published" }), 201);

  assertRefusal(await write(test, "Another"), 409, "CONFLICT");
  for (const [method, path] of [["POST", "/api/v1/home"], ["PUT", "/api/v1/home/by-slug/other"]]) {
    const answer = await test.call(method!, path!, { token, body: { title: "Another" } });
    assertEquals([answer.status, answer.json.error.code], [409, "CONFLICT"], path);
  }
  const { json } = await test.call("GET", "/api/v1/home", { token });
  assertEquals([json.data.map((one: { id: string }) => one.id), json.meta.total], [[id], 1]);
  answered(await test.admin("PATCH", `/documents/${id}`, { title: "Still here" }), 200);
});

Deno.test("a singleton takes another document once the first is in the trash, which then stays there", async () => {
  await using test = await siteWith(HOME);
  const first = answered(await write(test, "First"), 201).id;
  answered(await test.admin("DELETE", `/documents/${first}`), 204);
  const second = answered(await write(test, "Second"), 201).id;

  assertRefusal(await test.admin("POST", `/documents/${first}/untrash`), 409, "CONFLICT");
  answered(await test.admin("DELETE", `/documents/${second}`), 204);
  answered(await test.admin("POST", `/documents/${first}/untrash`), 200);
});

Deno.test("of documents that come into a singleton at once, in two processes, one is created", async () => {
  await using test = await siteWith(HOME);
  const other = secondApp(test.context);
  const token = await test.token();
  const request = (n: number) =>
    new Request("http://localhost/api/v1/home", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ title: `Number ${n}` }),
    });
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };

  const answers = await Promise.all(Array.from({ length: 12 }, async (_, n) => {
    const response = await (n % 2 ? test.app : other.app).fetch(request(n), { remoteAddr });
    await response.body?.cancel();
    return response.status;
  }));

  assertEquals(answers.filter((status) => status === 201).length, 1, `${answers}`);
  assertEquals(answers.filter((status) => status === 409).length, 11, `${answers}`);
});

Deno.test("a collection becomes a singleton while it holds at most one document", async () => {
  await using test = await siteWith({ slug: "home", name: "Home", fields: [] });
  const ids = [];
  for (const title of ["One", "Two"]) ids.push(answered(await write(test, title), 201).id);
  const become = (singleton: boolean) => test.admin("PATCH", "/collections/home", { singleton });

  assertRefusal(await become(true), 409, "CONFLICT");
  answered(await test.admin("DELETE", `/documents/${ids[0]}`), 204);
  assertEquals(answered(await become(true), 200).singleton, true);
  assertRefusal(await write(test, "Three"), 409, "CONFLICT");
  assertEquals("singleton" in answered(await become(false), 200), false);
  answered(await write(test, "Three"), 201);
});

Deno.test("the studio opens the form of a singleton instead of a list", async () => {
  await using test = await siteWith(HOME);
  const open = async (path: string) => {
    const cookie = (await test.call("POST", "/api/admin/session", {
      body: { email: "ada@example.org", password: "correct horse battery" },
    })).headers.get("set-cookie")!.split(";")[0]!;
    return await test.call("GET", path, { headers: { cookie } });
  };

  const before = await open("/admin/content/home");
  const { id } = answered(await write(test, "Welcome"), 201);
  const after = await open("/admin/content/home");
  const again = await open("/admin/content/home/new");

  assertEquals([before.status, before.headers.get("location")], [302, "/admin/content/home/new"]);
  assertEquals([after.status, after.headers.get("location")], [302, `/admin/documents/${id}`]);
  assertEquals([again.status, again.headers.get("location")], [302, `/admin/documents/${id}`]);
  assertEquals((await open("/admin/content/home?status=trashed")).status, 200);
});
