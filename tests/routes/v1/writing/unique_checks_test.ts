/** Writes that need all the checks of a commit: as many unique fields as there may be, a slug, a key. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { headless } from "../../../support/sites/headless.ts";
import { setUpAdmin } from "../../../support/sites/backups.ts";

const NAMES = ["a", "b", "c", "d", "e"];
const FIELDS = NAMES.map((name) => ({ name, type: "text", unique: true }));
const valued = (mark: string) => Object.fromEntries(NAMES.map((name) => [name, `${name}${mark}`]));

Deno.test("a document with five unique fields is written with a key, and written again once", async () => {
  await using test = await headless(FIELDS);
  const send = async (method: string, path: string, key: string, body: Record<string, string>) => {
    const call = { body, headers: { "idempotency-key": key } };
    const [first, second] = [
      await test.v1(method, path, call),
      await test.v1(method, path, call),
    ];
    assertEquals([first.status, second.status], [first.status, first.status], first.text);
    assertEquals(second.json.id, first.json.id);
    return first;
  };

  const made = await send("POST", "/posts", "k1", { title: "One", ...valued("1") });
  assertEquals(made.status, 201, made.text);
  const path = `/posts/${made.json.id}`;
  const changed = await send("PATCH", path, "k2", { slug: "two", ...valued("2") });
  assertEquals([changed.status, changed.json.slug, changed.json.c], [200, "two", "c2"]);

  const list = await test.v1("GET", "/posts?status=draft");
  assertEquals(list.json.data.length, 1);
});

Deno.test("a version with another slug and five other unique values is restored", async () => {
  await using test = await headless(FIELDS);
  const admin = await setUpAdmin(test);
  const made = await test.post({ title: "One", ...valued("1") });
  const path = `/posts/${made.id}`;
  const changed = await test.v1("PATCH", path, { body: { slug: "two", ...valued("2") } });
  assertEquals(changed.status, 200, changed.text);

  const versions = await admin.ask("GET", `/versions/document/${made.id}`);
  const restored = await admin.ask("POST", `/versions/${versions.json.data.at(-1).id}/restore`, {});

  assertEquals(restored.status, 200, restored.text);
  const now = await test.v1("GET", path);
  assertEquals([now.json.slug, now.json.c], ["one", "c1"]);
});
