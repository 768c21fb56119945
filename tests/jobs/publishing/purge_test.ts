import { PURGE_TAGS_MAX } from "../../../jobs/limits.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { PurgeCollector } from "../../../jobs/publishing/purge_collector.ts";
import { testContext } from "../../support/harness/context.ts";
import { documentPurgeTags, httpPurge, recordedPurge } from "../../../jobs/publishing/purge.ts";

interface Call {
  method: string;
  path: string;
  type: string | null;
  body: { tags: string[] };
}

/** A listener that speaks as the platform's invalidation address does. */
function listen(status: number) {
  const calls: Call[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      const type = request.headers.get("content-type");
      calls.push({ method: request.method, path: pathname, type, body: await request.json() });
      return new Response(null, { status });
    },
  );
  const address = `http://127.0.0.1:${server.addr.port}/invalidate/http`;
  return { calls, address, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("httpPurge() posts the tags, each once, at most 500 in a call", async () => {
  await using cache = listen(200);
  const tags = Array.from({ length: PURGE_TAGS_MAX + 1 }, (_, n) => `doc-${n}`);

  const record = await httpPurge(cache.address, fetch)([...tags, "DOC-0"]);

  assertEquals(cache.calls.map((call) => call.body.tags.length), [500, 1]);
  assertEquals(cache.calls[0]!.method, "POST");
  assertEquals(cache.calls[0]!.path, "/invalidate/http");
  assertEquals(cache.calls[0]!.type, "application/json");
  assertEquals(record.tags.length, 501);
  assertEquals(record.sentTo, cache.address);
});

Deno.test("httpPurge() without tags sends nothing", async () => {
  await using cache = listen(200);

  assertEquals(await httpPurge(cache.address, fetch)([]), { tags: [], sentTo: null });
  assertEquals(cache.calls, []);
});

Deno.test("httpPurge() fails when the cache refuses, so that the step is retried", async () => {
  await using cache = listen(500);

  await assertRejects(() => httpPurge(cache.address, fetch)(["site"]), Error, "status 500");
});

Deno.test("recordedPurge() says what would have been purged", async () => {
  assertEquals(await recordedPurge()(documentPurgeTags("D", "posts")), {
    tags: ["doc-D", "listing-posts", "missing"],
    sentTo: null,
  });
});

Deno.test("PurgeCollector leaves an address that fails alone, and sends together the purges requested in the meantime", async () => {
  await using context = await testContext();

  let answers = false;
  const sent: string[][] = [];
  let tries = 0;
  const purges = new PurgeCollector(context, (tags) => {
    tries += 1;
    if (!answers) return Promise.reject(new Error("no route to host"));
    sent.push(tags);
    return Promise.resolve({ tags, sentTo: "cache" });
  });

  for (let n = 0; n < 1_500; n++) {
    const record = await purges.purge([`doc-${n % 600}`, "Missing"]);
    assertEquals(record.collected, true);
  }
  assertEquals(tries, 1);
  await purges.flush();
  answers = true;
  // Another process takes over what this one has left.
  await new PurgeCollector(context, (tags) => {
    sent.push(tags);
    return Promise.resolve({ tags, sentTo: "cache" });
  }).flush();

  assertEquals(sent.map((tags) => tags.length), [500, 101]);
  assertEquals(new Set(sent.flat()).size, 601);
  await purges.flush();
  assertEquals(sent.length, 2);
});

Deno.test("PurgeCollector.flush() keeps purges requested again while it sends", async () => {
  await using test = await testContext();
  const sent: string[][] = [];
  let fails = true;
  const purges: PurgeCollector = new PurgeCollector(test, async (tags) => {
    if (fails) throw new Error("no route to host");
    sent.push(tags);
    if (sent.length > 1) return { tags, sentTo: "cache" };
    fails = true;
    await purges.purge(["doc-1"]);
    fails = false;
    return { tags, sentTo: "cache" };
  });
  await purges.purge(["doc-1"]);
  fails = false;

  await purges.flush();
  await purges.flush();

  assertEquals(sent, [["doc-1"], ["doc-1"]]);
});
