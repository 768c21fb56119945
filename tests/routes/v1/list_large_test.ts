/** Lists of documents that are too large to be in memory together. */
import { assert, assertEquals, assertRejects } from "../../support/assert.ts";
import { type Headless, headless } from "../../support/headless.ts";

/** A small one, one in pieces, one in the object store, and a small one again. */
const SIZES = [10, 60_000, 300_000, 20];

async function site(): Promise<Headless> {
  const test = await headless([{ name: "extra", type: "json" }]);
  for (const [place, size] of SIZES.entries()) {
    await test.post({ title: `T${place}`, extra: "é".repeat(size) });
  }
  return test;
}

/** The answer as it is on its way. */
async function listed(test: Headless, method = "GET", query = ""): Promise<Response> {
  return await test.app.request(`/api/v1/posts${query}`, {
    method,
    headers: { authorization: `Bearer ${test.full}` },
  });
}

Deno.test("GET /{collection} lists large documents whole, in their order", async () => {
  await using test = await site();
  const { data, meta } = await (await listed(test, "GET", "?sort=title")).json();
  assertEquals(data.map(({ extra }: { extra: string }) => extra.length), SIZES);
  assertEquals(meta, { page: 1, perPage: 20, total: 4 });
  for (const document of data) {
    assertEquals(document, (await test.v1("GET", `/posts/${document.id}`)).json);
  }
  const text = await (await listed(test)).text();
  const head = await listed(test, "HEAD");
  const bytes = new TextEncoder().encode(text).byteLength;
  assertEquals(head.headers.get("content-length"), String(bytes));
  assertEquals(head.body, null);
});

Deno.test("GET /{collection} reads a large document when its turn comes", async () => {
  await using test = await site();
  const { objects } = test.context;
  let reads = 0;
  const get = objects.get.bind(objects);
  objects.get = (key) => {
    reads += 1;
    return get(key);
  };

  const reader = (await listed(test, "GET", "?sort=title")).body!.getReader();
  for (let pieces = 0; pieces < 3; pieces++) await reader.read();
  assertEquals(reads, 0);
  await reader.read();
  assert(reads > 0);
  await reader.cancel();
});

Deno.test("GET /{collection} shows the version that was listed, whatever comes after it", async () => {
  await using test = await site();
  const reader = (await listed(test, "GET", "?sort=title")).body!.getReader();
  const decoder = new TextDecoder();
  let text = decoder.decode((await reader.read()).value, { stream: true });
  const large = (await test.v1("GET", "/posts/by-slug/t2")).json;
  await test.v1("PATCH", `/posts/${large.id}`, { body: { title: "Later", extra: "small" } });
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  assertEquals(JSON.parse(text).data[2], large);
});

Deno.test("GET /{collection} is cut off and logged when a large document cannot be read", async () => {
  await using test = await site();
  const faults: string[] = [];
  const error = (message: string) => void faults.push(message);
  Object.assign(test.context, { log: { ...test.context.log, error } });
  test.context.objects.get = () => Promise.reject(new Error("The disk is gone"));

  const response = await listed(test, "GET", "?sort=title");
  await assertRejects(() => response.text(), Error, "The disk is gone");

  assertEquals(response.status, 200);
  assertEquals(faults, ["fault"]);
});

Deno.test("GET /api/admin/documents lists large documents as well", async () => {
  await using test = await site();
  await test.setUp();
  const { status, headers, json } = await test.admin("GET", "/documents?sort=title");
  assertEquals([status, headers.get("content-type")], [200, "application/json"]);
  assertEquals(json.data.map(({ extra }: { extra: string }) => extra.length), SIZES);
  assertEquals(json.meta, { page: 1, perPage: 20, total: 4 });
});
