/** Lists of documents that are too large to be in memory together. */
import { assert, assertEquals, assertRejects } from "../../../support/harness/assert.ts";
import { noise } from "../../../support/noise.ts";
import { type Headless, headless } from "../../../support/sites/headless.ts";

/** A small one, one in pieces, one in the object store, and a small one again. */
const SIZES = [10, 60_000, 300_000, 20];

async function site(): Promise<Headless> {
  const test = await headless([{ name: "extra", type: "json" }]);
  for (const [index, size] of SIZES.entries()) {
    await test.post({ title: `T${index}`, extra: noise(size) });
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

Deno.test("GET /{collection} reads large documents eight at a time, and as many as two megabytes", async () => {
  for (const [size, most] of [[60_000, 8], [300_000, 3]] as const) {
    await using test = await headless([{ name: "extra", type: "json" }]);
    for (let n = 0; n < 12; n++) await test.post({ title: `T${n}`, extra: noise(size) });
    let reading = 0;
    const seen: number[] = [];
    let turn = Promise.withResolvers<void>();
    for (const target of [test.context.store, test.context.objects]) {
      const name = target === test.context.store ? "getMany" : "get";
      const get = Reflect.get(target, name).bind(target);
      Object.assign(target, {
        [name]: async (...args: unknown[]) => {
          const isBody = name === "get" || (args[0] as unknown[][])[0]?.length === 5;
          if (!isBody) return get(...args);
          seen.push(++reading);
          await turn.promise;
          reading -= 1;
          return get(...args);
        },
      });
    }
    const text = listed(test, "GET", "?sort=title").then((response) => response.text());
    for (let rounds = 0; reading < most; rounds++) {
      assert(rounds < 1_000, `${reading} at a time of documents of ${size} characters`);
      await new Promise((done) => setTimeout(done, 1));
    }
    await new Promise((done) => setTimeout(done, 5));
    assertEquals(reading, most);
    turn.resolve();
    turn = Promise.withResolvers<void>();
    turn.resolve();
    const { data } = JSON.parse(await text);
    assertEquals(data.length, 12);
    assertEquals(Math.max(...seen), most);
  }
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

Deno.test("GET /{collection} names a document whose object is missing, and shows the others", async () => {
  await using test = await site();
  await test.setUp();
  const whole = (await test.v1("GET", "/posts?sort=title")).json;
  const lost = whole.data[2];
  const { objects } = test.context;
  const keys = (await Array.fromAsync(objects.list(""))).map(({ key }) => key);
  await Promise.all(keys.filter((key) => key.includes(lost.id)).map((key) => objects.delete(key)));

  const { status, json } = await test.v1("GET", "/posts?sort=title");
  assertEquals(status, 200);
  assertEquals(json.data, whole.data.filter(({ id }: { id: string }) => id !== lost.id));
  assertEquals(json.meta, { ...whole.meta, unavailable: [lost.id] });

  const single = await test.v1("GET", `/posts/${lost.id}`);
  assertEquals([single.status, single.json.error.code], [503, "UNAVAILABLE"]);
  assert(Number(single.headers.get("retry-after")) > 0);

  const admin = await test.admin("GET", "/documents?sort=title");
  assertEquals([admin.status, admin.json.meta.unavailable], [200, [lost.id]]);
});
