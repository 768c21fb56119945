/** Webhooks: who is told of what, in which order, signed how, and what happens when nobody answers. */
import { Webhook } from "standardwebhooks";
import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { crons } from "../../../jobs/crons.ts";
import { fanOutSoon } from "../../../kv/webhooks/fan_out_request.ts";
import { type TestApp, testApp } from "../../support/app.ts";
import type { Json } from "../../../kv/model/entity.ts";

const DAY_MS = 86_400_000;

/** A message as it arrived. */
interface Received {
  id: string;
  headers: Record<string, string>;
  text: string;
  // deno-lint-ignore no-explicit-any
  json: any;
}

/** A receiver on loopback that answers what a test says at the time. */
function receiver() {
  const received: Received[] = [];
  const answer = {
    with: (_message: Received): Response | Promise<Response> => new Response("thanks"),
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const headers = Object.fromEntries(request.headers);
    const text = await request.text();
    const message = { id: headers["webhook-id"]!, headers, text, json: JSON.parse(text) };
    received.push(message);
    return await answer.with(message);
  });
  return {
    received,
    answer,
    url: `http://127.0.0.1:${server.addr.port}/hook`,
    types: () => received.map(({ json }) => json.type),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function site(): Promise<TestApp> {
  const test = await testApp({ guard: { allowLocal: true } });
  await test.setUp();
  await test.admin("POST", "/collections", {
    slug: "posts",
    name: "Posts",
    fields: [
      { name: "rating", type: "number", indexed: true },
      { name: "related", type: "reference", indexed: true, options: { collection: "posts" } },
    ],
  });
  await test.runner.drain();
  return test;
}

/** Lets time pass without losing the session, which ends when it is not used for half a day. */
async function pass(test: TestApp, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= DAY_MS / 4) {
    test.context.advance(Math.min(left, DAY_MS / 4));
    await test.admin("GET", "/session");
  }
}

async function hook(test: TestApp, url: string, input: Record<string, Json> = {}) {
  const body = { name: "Mirror", url, events: ["document.published"], ...input };
  const answer = await test.admin("POST", "/webhooks", body);
  assertEquals(answer.status, 201, answer.text);
  return answer.json;
}

const DOCUMENT_EVENTS = [
  "document.published",
  "document.updated",
  "document.unpublished",
  "document.trashed",
];

Deno.test("a webhook is made, shown without its secret, changed, and removed", async () => {
  await using test = await site();
  const made = await hook(test, "https://example.org/hook", { collections: ["posts"] });
  assertMatch(made.secret, /^whsec_/);
  const { secret: _secret, ...shown } = made;
  assertEquals((await test.admin("GET", `/webhooks/${made.id}`)).json, shown);
  assertEquals(shown.collections, ["posts"]);
  assertEquals((await test.admin("GET", "/webhooks")).json.data, [shown]);
  const patched = await test.admin("PATCH", `/webhooks/${made.id}`, { enabled: false });
  assertEquals([patched.status, patched.json.enabled], [200, false]);
  const rotated = await test.admin("POST", `/webhooks/${made.id}/rotate-secret`);
  assert(rotated.json.secret !== made.secret);
  const versions = await test.admin("GET", `/versions/webhook/${made.id}`);
  assertEquals(versions.json.meta.total, 3);
  const version = await test.admin("GET", `/versions/${versions.json.data[2].id}`);
  assertEquals(version.json.state.name, "Mirror");
  assertEquals(version.text.includes("whsec_"), false);
  assertEquals((await test.admin("DELETE", `/webhooks/${made.id}`)).status, 204);
  assertEquals((await test.admin("GET", `/webhooks/${made.id}`)).status, 404);
  const restored = await test.admin("POST", `/versions/${versions.json.data[2].id}/restore`);
  assertEquals(restored.status, 200, restored.text);
  assertEquals((await test.admin("GET", `/webhooks/${made.id}`)).json.enabled, true);
});

Deno.test("what is wrong with a webhook is told, field by field", async () => {
  await using test = await testApp();
  await test.setUp();
  const good = { name: "A", url: "https://[2606:4700::1111]/x", events: ["document.published"] };
  const wrong: [Record<string, Json>, string][] = [
    [{ ...good, name: "" }, "name"],
    [{ ...good, url: "ftp://example.org" }, "url"],
    [{ ...good, url: "http://127.0.0.1/" }, "url"],
    [{ ...good, url: "https://10.0.0.1/" }, "url"],
    [{ ...good, events: [] }, "events"],
    [{ ...good, events: ["document.exploded"] }, "events.0"],
    [{ ...good, collections: ["nowhere"] }, "collections.0"],
    [{ ...good, colour: "red" }, "colour"],
  ];
  for (const [body, field] of wrong) {
    const answer = await test.admin("POST", "/webhooks", body);
    assertEquals([answer.status, answer.json.error.code], [422, "VALIDATION_FAILED"], field);
    assertEquals(answer.json.error.details[0].field, field);
  }
  assertEquals((await test.admin("GET", "/webhooks")).json.meta.total, 0);
});

Deno.test("every event of a document is told in order, signed as Standard Webhooks ask", async () => {
  await using test = await site();
  await using there = receiver();
  const { secret } = await hook(test, there.url, { events: DOCUMENT_EVENTS });
  const token = await test.token();
  const call = { token, body: { title: "One", status: "published" } };
  const { id } = (await test.call("POST", "/api/v1/posts", call)).json;
  await test.call("PATCH", `/api/v1/posts/${id}`, { token, body: { rating: 3 } });
  await test.admin("POST", `/documents/${id}/unpublish`, {});
  await test.call("PATCH", `/api/v1/posts/${id}`, { token, body: { rating: 4 } });
  await test.call("DELETE", `/api/v1/posts/${id}`, { token });
  await test.runner.drain();
  assertEquals(there.types(), DOCUMENT_EVENTS);
  const [first] = there.received;
  assertEquals(first!.json.data, {
    id,
    collection: "posts",
    version: 1,
    changedAt: first!.json.data.changedAt,
  });
  for (const { headers, text } of there.received) {
    // The library compares the time with its own clock; the test's stands still.
    const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
    assertEquals(Math.abs(at.getTime() - test.context.now()) < 60_000, true);
    const signed = new Webhook(secret).sign(headers["webhook-id"]!, at, text);
    assertEquals(headers["webhook-signature"], signed);
  }
  assertEquals(new Set(there.received.map((one) => one.id)).size, 4);
});

Deno.test("only the events, collections and times of a webhook are its own", async () => {
  await using test = await site();
  await using there = receiver();
  const token = await test.token();
  await test.admin("POST", "/collections", { slug: "pages", name: "Pages" });
  const publish = (slug: string, title: string) =>
    test.call("POST", `/api/v1/${slug}`, { token, body: { title, status: "published" } });
  await publish("posts", "Before");
  const { id } = await hook(test, there.url, { collections: ["posts"] });
  await publish("pages", "Elsewhere");
  await publish("posts", "Mine");
  await test.runner.drain();
  assertEquals(there.received.length, 1);
  await test.admin("PATCH", `/webhooks/${id}`, { enabled: false });
  await publish("posts", "While disabled");
  await test.runner.drain();
  await test.admin("PATCH", `/webhooks/${id}`, { enabled: true, name: "Again" });
  await publish("posts", "After");
  await test.runner.drain();
  assertEquals(there.received.length, 2);
});

Deno.test("a filter lets only documents pass that meet it in the version told of", async () => {
  await using test = await site();
  await using there = receiver();
  const filter = { rating: { gte: 4 } };
  const { id: webhookId } = await hook(test, there.url, { events: DOCUMENT_EVENTS, filter });
  assertEquals((await test.admin("GET", `/webhooks/${webhookId}`)).json.filter, filter);
  const token = await test.token();
  const post = async (body: Record<string, Json>) =>
    (await test.call("POST", "/api/v1/posts", { token, body: { status: "published", ...body } }))
      .json.id as string;
  const low = await post({ title: "Low", rating: 3 });
  const high = await post({ title: "High", rating: 5 });
  await post({ title: "None" });
  await test.call("PATCH", `/api/v1/posts/${low}`, { token, body: { rating: 4 } });
  await test.call("PATCH", `/api/v1/posts/${high}`, { token, body: { rating: 1 } });
  await test.call("PATCH", `/api/v1/posts/${low}`, { token, body: { rating: 9 } });
  await test.admin("POST", `/documents/${low}/unpublish`, {});
  await test.call("DELETE", `/api/v1/posts/${low}`, { token });
  await test.runner.drain();
  const told = there.received.map(({ json }) => `${json.type} ${json.data.id}`).sort();
  assertEquals(
    told,
    [
      `document.published ${high}`,
      `document.updated ${low}`,
      `document.updated ${low}`,
      `document.unpublished ${low}`,
      `document.trashed ${low}`,
    ].sort(),
  );

  there.received.length = 0;
  const matching = { related: { match: { title: { startsWith: "High" } } } };
  const patched = await test.admin("PATCH", `/webhooks/${webhookId}`, { filter: matching });
  assertEquals([patched.status, patched.json.filter], [200, matching], patched.text);
  const about = await post({ title: "About", related: high });
  await post({ title: "Other", related: about });
  await test.runner.drain();
  assertEquals(there.received.map(({ json }) => json.data.id), [about]);

  const { json } = await test.admin("POST", `/webhooks/${webhookId}/replay`, { since: 0 });
  assertMatch(json.jobId, /./);
  await test.runner.drain();
  assertEquals(there.received.map(({ json }) => json.data.id), [about, about]);
});

Deno.test("a filter must fit the collections of its webhook, and passes what it no longer fits", async () => {
  await using test = await site();
  await using there = receiver();
  await test.admin("POST", "/collections", { slug: "pages", name: "Pages", fields: [] });
  const body = { name: "A", url: there.url, events: ["document.published"] };
  const refused: [Record<string, Json>, number, string][] = [
    [{ filter: { nothing: 1 } }, 400, "FILTER_FIELD_INVALID"],
    [{ filter: { rating: { contains: "a" } } }, 400, "FILTER_OPERATOR_INVALID"],
    [{ filter: { or: {} } }, 400, "FILTER_INVALID"],
    [{ filter: { rating: "high" } }, 422, "VALIDATION_FAILED"],
    [{ filter: { rating: 1 }, collections: ["posts", "pages"] }, 400, "FILTER_FIELD_INVALID"],
    [{ filter: "rating" }, 422, "VALIDATION_FAILED"],
  ];
  for (const [more, status, code] of refused) {
    const answer = await test.admin("POST", "/webhooks", { ...body, ...more });
    assertEquals([answer.status, answer.json.error.code], [status, code], JSON.stringify(more));
  }
  const filter = { rating: { gte: 4 } };
  const { id } = await hook(test, there.url, { filter, collections: ["posts"] });
  const wrong = await test.admin("PATCH", `/webhooks/${id}`, { collections: ["pages"] });
  assertEquals(wrong.status, 400);
  assertEquals((await test.admin("PATCH", `/webhooks/${id}`, { filter: null })).json.filter, null);
  assertEquals((await test.admin("PATCH", `/webhooks/${id}`, { filter })).status, 200);

  const path = "/collections/posts/fields/rating";
  const renamed = await test.admin("PATCH", path, { name: "stars" });
  assertEquals(renamed.status, 200, renamed.text);
  const token = await test.token();
  const low = { title: "Low", stars: 1, status: "published" };
  await test.call("POST", "/api/v1/posts", { token, body: low });
  await test.runner.drain();
  assertEquals(there.received.length, 1);
});

Deno.test("media and schema are told of at once by the process that changes them", async () => {
  await using test = await site();
  await using there = receiver();
  await hook(test, there.url, { events: ["media.changed", "schema.changed"] });
  await test.runner.drain();
  there.received.length = 0;
  const { resolve, promise } = Promise.withResolvers<void>();
  const soon = fanOutSoon(test.deps.content);
  test.context.onEvent = () => {
    soon();
    resolve();
  };
  await test.admin("POST", "/collections", { slug: "pages", name: "Pages", fields: [] });
  await promise;
  for (let waited = 0; waited < 100 && there.received.length === 0; waited++) {
    await test.runner.drain();
    await new Promise((done) => setTimeout(done, 20));
  }
  assertEquals(there.types(), ["schema.changed"]);
});

Deno.test("changes of the schema and of media are told too", async () => {
  await using test = await site();
  await using there = receiver();
  await hook(test, there.url, { events: ["schema.changed", "media.changed"] });
  await test.admin("POST", "/collections/posts/fields", { name: "mood", type: "text" });
  const everyMinute = crons(test.deps.content, test.runner).find(({ schedule }) =>
    schedule === "* * * * *"
  );
  await everyMinute!.run();
  await test.runner.drain();
  assertEquals(new Set(there.types()), new Set(["schema.changed"]));
});

Deno.test("a refused message is sent again within five seconds, under its id, until it is taken", async () => {
  await using test = await site();
  await using there = receiver();
  const { id } = await hook(test, there.url);
  there.answer.with = () =>
    there.received.length < 3 ? new Response("no", { status: 500 }) : new Response("yes");
  const token = await test.token();
  const call = { token, body: { title: "One", status: "published" } };
  await test.call("POST", "/api/v1/posts", call);
  await test.runner.drain();
  assertEquals(there.received.length, 1);
  test.context.advance(5_000);
  await test.runner.drain();
  assertEquals(there.received.length, 2);
  test.context.advance(60_000);
  await test.runner.drain();
  assertEquals(there.received.length, 3);
  assertEquals(new Set(there.received.map((one) => one.id)).size, 1);
  const { json } = await test.admin("GET", `/webhooks/${id}/deliveries`);
  const [delivery] = json.data;
  assertEquals([delivery.state, delivery.response, delivery.event], [
    "delivered",
    "yes",
    "document.published",
  ]);
  assertEquals(delivery.attempts.map(({ status }: { status: number }) => status), [500, 500, 200]);
  const again = await test.admin("POST", `/webhooks/${id}/deliveries/${delivery.id}/resend`);
  assertEquals([again.status, again.json.id], [202, delivery.id]);
  await test.runner.drain();
  assertEquals(there.received.at(-1)!.id, delivery.id);
});

Deno.test("messages about one document wait for one another, others do not", async () => {
  await using test = await site();
  await using there = receiver();
  await hook(test, there.url, { events: DOCUMENT_EVENTS });
  const token = await test.token();
  const publish = async (title: string) =>
    (await test.call("POST", "/api/v1/posts", { token, body: { title, status: "published" } }))
      .json.id;
  const stuck = await publish("Stuck");
  there.answer.with = ({ json }) =>
    new Response(null, { status: json.data.id === stuck ? 503 : 200 });
  await test.call("PATCH", `/api/v1/posts/${stuck}`, { token, body: { rating: 1 } });
  const free = await publish("Free");
  await test.runner.drain();
  assertEquals(there.received.map(({ json }) => [json.data.id === stuck, json.type]), [
    [true, "document.published"],
    [false, "document.published"],
  ]);
  there.answer.with = () => new Response(null);
  test.context.advance(5_000);
  await test.runner.drain();
  const told = there.received.filter(({ json }) => json.data.id === stuck);
  assertEquals(told.map(({ json }) => json.type), [
    "document.published",
    "document.published",
    "document.updated",
  ]);
  assert(free !== stuck);
});

Deno.test("an address that takes nothing for a day is disabled, and says so", async () => {
  await using test = await site();
  await using there = receiver();
  const { id } = await hook(test, there.url);
  there.answer.with = () => new Response(null, { status: 500 });
  const token = await test.token();
  const call = { token, body: { title: "One", status: "published" } };
  await test.call("POST", "/api/v1/posts", call);
  for (let round = 0; round < 20; round++) {
    await test.runner.drain();
    await pass(test, DAY_MS / 4);
  }
  const { json } = await test.admin("GET", `/webhooks/${id}`);
  assertEquals([json.enabled, json.disabledReason], [
    false,
    "Gave up: The receiver answered 500",
  ]);
  assertEquals(there.received.length, 11);
});

Deno.test("the old secret signs too for a day", async () => {
  await using test = await site();
  await using there = receiver();
  const { id, secret } = await hook(test, there.url);
  const { secret: next } = (await test.admin("POST", `/webhooks/${id}/rotate-secret`)).json;
  const send = async () => {
    const answer = await test.admin("POST", `/webhooks/${id}/test`);
    assertEquals([answer.status, answer.json.event], [202, "webhook.test"]);
    await test.runner.drain();
    const { headers, text } = there.received.at(-1)!;
    const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
    const sign = (one: string) => new Webhook(one).sign(headers["webhook-id"]!, at, text);
    return [secret, next].filter((one) => headers["webhook-signature"]!.includes(sign(one)));
  };
  assertEquals(await send(), [secret, next]);
  await pass(test, DAY_MS);
  assertEquals(await send(), [next]);
});

Deno.test("a replay tells again of everything since a time, under new ids", async () => {
  await using test = await site();
  await using there = receiver();
  const { id } = await hook(test, there.url);
  const token = await test.token();
  const publish = (title: string) =>
    test.call("POST", "/api/v1/posts", { token, body: { title, status: "published" } });
  await publish("One");
  test.context.advance(60_000);
  const since = Math.floor(test.context.now() / 1000);
  await publish("Two");
  await test.runner.drain();
  const replay = await test.admin("POST", `/webhooks/${id}/replay`, { since });
  assertEquals(replay.status, 202);
  await test.runner.drain();
  assertEquals(there.received.length, 3);
  assertEquals(there.received[2]!.text, there.received[1]!.text);
  assert(there.received[2]!.id !== there.received[1]!.id);
  assertEquals((await test.admin("POST", `/webhooks/${id}/replay`, {})).status, 422);
});

Deno.test("webhooks are for those who manage tokens, and travel with back-ups", async () => {
  await using test = await site();
  await hook(test, "https://example.org/hook");
  for (const path of ["/webhooks", "/webhooks/x"]) {
    const answer = await test.call("GET", `/api/admin${path}`);
    assertEquals(answer.status, 401);
  }
});
