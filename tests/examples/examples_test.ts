import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { packPackage, parseDraft } from "../../jobs/packages/pack_package.ts";
import { listDeliveries } from "../../kv/deliveries/deliveries.ts";
import { type TestApp, testApp } from "../support/sites/app.ts";
import { ACME, install, trusting } from "../support/sites/packages.ts";

const HERE = new URL(".", import.meta.url);

/** One of the example plugins, signed; `change` makes its manifest fit the test. */
async function example(name: string, files: string[], change = (text: string) => text) {
  const draft = await Deno.readTextFile(new URL(`${name}/manifest.json`, HERE));
  const bodies = await Promise.all(
    files.map(async (file) =>
      [file, await Deno.readFile(new URL(`${name}/${file}`, HERE))] as const
    ),
  );
  return await packPackage(parseDraft(change(draft)), new Map(bodies), ACME);
}

async function withPosts(test: TestApp): Promise<void> {
  await trusting(test);
  await test.collection({
    slug: "posts",
    name: "Posts",
    fields: [
      { name: "body", label: "Body", type: "text", options: { multiline: true } },
      { name: "minutes", label: "Minutes", type: "number" },
    ],
  });
}

async function publish(test: TestApp, body: Record<string, string>) {
  const document = { collection: "posts", title: "Hello", status: "published", ...body };
  const answer = await test.admin("POST", "/documents", document);
  assertEquals(answer.status, 201, answer.text);
  await test.runner.drain();
  return answer.json;
}

Deno.test("example plugin `announce`: a receiver gets a signed message about each document", async () => {
  const received: { path: string; headers: Record<string, string>; body: string }[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const headers = Object.fromEntries(request.headers);
    received.push({ path: new URL(request.url).pathname, headers, body: await request.text() });
    return new Response();
  });
  // The receiver's own library looks at the clock, so the site must too.
  await using test = await testApp({ guard: { allowLocal: true } });
  test.context.advance(Date.now() - test.context.now());
  await withPosts(test);
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const packed = await example(
    "announce",
    [],
    (text) => text.replaceAll("https://hooks.acme.example", origin),
  );

  const { result } = await install(test, "plugins", packed);
  const { id } = result.install;
  await test.admin("POST", `/plugins/${id}/enable`);
  const { json: { secret } } = await test.admin("POST", `/plugins/${id}/secret`);
  const post = await publish(test, {});
  await test.admin("POST", `/documents/${post.id}/unpublish`);
  await test.runner.drain();
  await server.shutdown();

  assertEquals(received.map(({ path }) => path), ["/published", "/gone"]);
  for (const { headers, body } of received) new Webhook(secret).verify(body, headers);
  assertEquals(JSON.parse(received[0]!.body), {
    type: "document.published",
    timestamp: new Date(test.context.now()).toISOString(),
    data: { id: post.id, collection: "posts" },
  });
  const { json } = await test.admin("GET", `/plugins/${id}/deliveries`);
  assertEquals(json.data.map(({ state }: { state: string }) => state), ["delivered", "delivered"]);
  assert(!JSON.stringify(json).includes(secret));
});

Deno.test("threat: hook recursion – example plugin `reading_time` writes once, and is not notified of it", async () => {
  await using test = await testApp();
  await withPosts(test);
  const packed = await example("reading_time", ["plugin.js"]);
  const accept = ["content:read:posts", "content:write:posts", "settings:own"];
  const { result } = await install(test, "plugins", packed, { accept });
  const { id } = result.install;
  await test.admin("POST", `/plugins/${id}/enable`);
  await test.admin("PUT", `/plugins/${id}/config`, { wordsPerMinute: 2 });

  const post = await publish(test, { body: "one two three four five six" });

  const { json } = await test.admin("GET", `/documents/${post.id}`);
  assertEquals(json.minutes, 3);
  const deliveries = await listDeliveries(test.context, id);
  assertEquals(deliveries.length, 1, "the plugin's own write must not be told to it");
  assertEquals(deliveries[0]!.response, '{"minutes":3}');
  assertEquals(deliveries[0]!.attempts[0]!.log, ["read in 3 minutes"]);
  const versions = await test.admin("GET", `/versions/document/${post.id}`);
  assertEquals(versions.json.meta.total, 2);
  assertStringIncludes(versions.json.data[0].change_summary, "plugin com.acme.reading-time");
  const page = await test.call("GET", `/posts/${post.slug}`);
  assertStringIncludes(page.text, "3");
});
