/** Two processes over one store: each sees at once what the other wrote, and nothing is lost. */
import { createField } from "../../../../kv/schema/fields.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { parseCollection } from "../../../../kv/model/input/collection_input.ts";
import { createCollection } from "../../../../kv/schema/collections.ts";
import { parseField } from "../../../../kv/model/fields/field_input.ts";
import { type Answer, type Call, callApp, secondApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused, headless, titles, versionCount } from "../../../support/sites/headless.ts";

/** The first and the second process of a site, both warm. */
async function twoProcesses() {
  const test = await headless();
  const other = secondApp(test.context);
  const call = { token: test.full };
  const second = (method: string, path: string, more: Call = {}): Promise<Answer> =>
    callApp(other.app, method, `/api/v1${path}`, { ...call, ...more });
  await Promise.all([test.v1("GET", "/posts"), second("GET", "/posts")]);
  return {
    test,
    other,
    first: test.v1,
    second,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

Deno.test("a collection and a field are live in the next request of the other process", async () => {
  await using site = await twoProcesses();
  const { first, second, other, test } = site;
  assertRefused(await first("GET", "/pages"), 404, "COLLECTION_NOT_FOUND");
  const pages = parseCollection({ slug: "pages", name: "Pages" });
  await createCollection(other.deps.content, UNATTENDED, pages);
  assertEquals((await first("GET", "/pages")).status, 200);
  const made = await first("POST", "/pages", { body: { title: "P" } });
  const mood = parseField({ name: "mood", label: "Mood", type: "text" });
  await createField(test.deps.content, UNATTENDED, "pages", mood);
  const path = `/pages/${made.json.id}`;
  const patched = await second("PATCH", path, { body: { mood: "up" } });
  assertEquals([patched.status, patched.json.mood], [200, "up"]);
  assertEquals((await first("GET", path)).text, patched.text);
});

Deno.test("every write shows in the next read, list and slug of the other process", async () => {
  await using site = await twoProcesses();
  const { first, second } = site;
  const made = await first("POST", "/posts", { body: { title: "One", rating: 1 } });
  const path = `/posts/${made.json.id}`;
  assertEquals((await second("GET", path)).text, made.text);
  assertEquals((await second("GET", "/posts/by-slug/one")).text, made.text);
  assertEquals(titles(await second("GET", "/posts?field.rating=1")), "One");
  const patched = await second("PATCH", path, { body: { title: "Two", slug: "two", rating: 2 } });
  assertEquals((await first("GET", path)).text, patched.text);
  assertRefused(await first("GET", "/posts/by-slug/one"), 404, "NOT_FOUND");
  assertEquals(titles(await first("GET", "/posts?field.rating=1")), "");
  assertEquals(titles(await first("GET", "/posts?sort=rating")), "Two");
  await second("DELETE", path);
  assertRefused(await first("GET", path), 404, "NOT_FOUND");
  assertEquals((await first("GET", "/posts")).json.meta.total, 0);
});

Deno.test("concurrent patches of one document from both processes lose nothing", async () => {
  await using site = await twoProcesses();
  const { first, second, test } = site;
  const { id } = await test.post({ title: "T" });
  const body: Record<string, string | number | boolean> = {
    summary: "s",
    code: "c",
    rating: 4,
    price: 2,
    featured: true,
    eventAt: 5,
    topic: "news",
    homepage: "https://x.test/",
    contact: "a@b.test",
    hidden: "h",
    title: "U",
    slug: "u",
  };
  const answers = await Promise.all(
    Object.entries(body).map(([name, value], n) =>
      [first, second][n % 2]!("PATCH", `/posts/${id}`, { body: { [name]: value } })
    ),
  );
  assertEquals(answers.map(({ status }) => status), answers.map(() => 200));
  const { json } = await first("GET", `/posts/${id}`);
  for (const [name, value] of Object.entries(body)) assertEquals(json[name], value, name);
  assertEquals(await versionCount(test, id), 1 + answers.length);
});

Deno.test("concurrent creates in both processes are all there, in both", async () => {
  await using site = await twoProcesses();
  const { first, second } = site;
  const answers = await Promise.all(
    Array.from(
      { length: 30 },
      (_, n) =>
        [first, second][n % 2]!("POST", "/posts", { body: { title: `T${n}`, rating: n % 3 } }),
    ),
  );
  assertEquals(answers.filter(({ status }) => status !== 201), []);
  for (const list of [first, second]) {
    assertEquals((await list("GET", "/posts?perPage=1")).json.meta.total, 30);
    assertEquals((await list("GET", "/posts?field.rating=2")).json.meta.total, 10);
  }
});

Deno.test("of two deletes and a patch at once nothing is torn", async () => {
  await using site = await twoProcesses();
  const { first, second, test } = site;
  const { id } = await test.post({ title: "T" });
  const path = `/posts/${id}`;
  const [one, two, patched] = await Promise.all([
    first("DELETE", path),
    second("DELETE", path),
    second("PATCH", path, { body: { title: "U" } }),
  ]);
  assertEquals([one.status, two.status], [204, 204]);
  assertEquals([200, 404].includes(patched.status), true);
  assertEquals(await versionCount(test, id), patched.status === 200 ? 3 : 2);
  assertRefused(await first("GET", path), 404, "NOT_FOUND");
});
