/** Webhooks: which events they receive, their order and signature, and receivers that do not answer. */
import { Webhook } from "standardwebhooks";
import { fanOutSoon } from "../../../../kv/webhooks/fan_out_soon.ts";
import { assert, assertEquals, assertMatch } from "../../../support/harness/assert.ts";
import { crons } from "../../../../jobs/crons.ts";
import { requestFanOut } from "../../../../kv/jobs/fan_out_request.ts";
import { testApp } from "../../../support/sites/app.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { WEBHOOK_EVENTS } from "../../../../kv/model/entities/webhook.ts";
import { compileIn } from "../../../contract/schema_check.ts";
import {
  DAY_MS,
  DOCUMENT_EVENTS,
  hook,
  pass,
  receiver,
  webhookSite,
} from "../../../support/sites/webhooks.ts";

Deno.test("a webhook is made, shown without its secret, changed, and removed", async () => {
  await using test = await webhookSite();
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

Deno.test("an invalid webhook is refused field by field", async () => {
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
    [{ ...good, color: "red" }, "color"],
  ];
  for (const [body, field] of wrong) {
    const answer = await test.admin("POST", "/webhooks", body);
    assertEquals([answer.status, answer.json.error.code], [422, "VALIDATION_FAILED"], field);
    assertEquals(answer.json.error.details[0].field, field);
  }
  assertEquals((await test.admin("GET", "/webhooks")).json.meta.total, 0);
});

Deno.test("every event of a document is delivered in order, signed as Standard Webhooks requires", async () => {
  await using test = await webhookSite();
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
  await using test = await webhookSite();
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

Deno.test("asking when nothing has changed is no failure that what comes next must wait for", async () => {
  await using test = await webhookSite();
  await using there = receiver();
  const token = await test.token();
  await hook(test, there.url);
  for (const title of ["One", "Two"]) {
    await test.call("POST", "/api/v1/posts", { token, body: { title, status: "published" } });
    await test.runner.drain();
    for (let asked = 0; asked < 2; asked++) {
      const operation = new Operation();
      requestFanOut(operation, test.context);
      await test.context.store.commit(operation);
      await test.runner.drain();
    }
  }
  assertEquals(there.received.length, 2);
});

Deno.test("changes of media and schema are delivered at once by the process that makes them", async () => {
  await using test = await webhookSite();
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

Deno.test("changes of the schema and of media are delivered too", async () => {
  await using test = await webhookSite();
  await using there = receiver();
  await hook(test, there.url, { events: ["schema.changed", "media.changed"] });
  await test.admin("POST", "/collections/posts/fields", { name: "mood", type: "text" });
  const everyMinute = crons(test.deps.content, test.runner, test.deps.purges).find(({ schedule }) =>
    schedule === "* * * * *"
  );
  await everyMinute!.run();
  await test.runner.drain();
  assertEquals(new Set(there.types()), new Set(["schema.changed"]));
});

Deno.test("schema.changed names the collection, and `collections` narrows it", async () => {
  await using test = await webhookSite();
  await using there = receiver();
  await test.admin("POST", "/collections", { slug: "pages", name: "Pages", fields: [] });
  const events = ["schema.changed"];
  await hook(test, there.url, { events });
  await using narrowed = receiver();
  await hook(test, narrowed.url, { events, collections: ["pages"] });
  const flush = async () => {
    const operation = new Operation();
    requestFanOut(operation, test.context);
    await test.context.store.commit(operation);
    await test.runner.drain();
  };
  await test.admin("PATCH", "/collections/posts", { name: "Articles" });
  await test.admin("POST", "/collections/posts/fields", { name: "mood", type: "text" });
  await test.admin("POST", "/blocks", { name: "quote", label: "Quote", fields: [] });
  await test.admin("POST", "/collections/pages/fields", { name: "mood", type: "text" });
  await test.admin("DELETE", "/collections/pages/fields/mood");
  await test.admin("DELETE", "/collections/pages");
  await flush();

  const told = ({ received }: typeof there) =>
    received.map(({ json }) => json.data.collection).sort();
  assertEquals(
    told(there),
    [null, "pages", "pages", "pages", "posts", "posts"]
      .sort(),
  );
  assertEquals(told(narrowed), [null, "pages", "pages", "pages"].sort());
});

Deno.test("a refused message is sent again within five seconds, under its id, until it is taken", async () => {
  await using test = await webhookSite();
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
  // A message that waits for its next attempt is sent at once if a user asks for it.
  const waiting = (await test.admin("GET", `/webhooks/${id}/deliveries`)).json.data[0];
  assert(waiting.nextAttemptAt > waiting.attempts.at(-1).at);
  const now = await test.admin("POST", `/webhooks/${id}/deliveries/${waiting.id}/resend`);
  assertEquals([now.status, now.json.state, now.json.attempts.length], [202, "pending", 2]);
  assertEquals(now.json.nextAttemptAt, undefined);
  const twice = await test.admin("POST", `/webhooks/${id}/deliveries/${waiting.id}/resend`);
  assertEquals(twice.json.error.code, "CONFLICT");
  await test.runner.drain();
  assertEquals(there.received.length, 3);
  assertEquals(new Set(there.received.map((one) => one.id)).size, 1);
  const { json } = await test.admin("GET", `/webhooks/${id}/deliveries`);
  const [delivery] = json.data;
  const { state, response, event, nextAttemptAt } = delivery;
  assertEquals([state, response, event, nextAttemptAt], [
    "delivered",
    "yes",
    "document.published",
    undefined,
  ]);
  assertEquals(delivery.attempts.map(({ status }: { status: number }) => status), [500, 500, 200]);
  const again = await test.admin("POST", `/webhooks/${id}/deliveries/${delivery.id}/resend`);
  assertEquals([again.status, again.json.id], [202, delivery.id]);
  await test.runner.drain();
  assertEquals(there.received.at(-1)!.id, delivery.id);
});

Deno.test("messages about one document wait for one another, others do not", async () => {
  await using test = await webhookSite();
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

Deno.test("a document whose messages are refused holds back no others, however many wait", async () => {
  await using test = await webhookSite();
  await using there = receiver();
  await hook(test, there.url, { events: DOCUMENT_EVENTS });
  const token = await test.token();
  const publish = async (title: string) =>
    (await test.call("POST", "/api/v1/posts", { token, body: { title, status: "published" } }))
      .json.id;
  const stuck = await publish("Stuck");
  there.answer.with = ({ json }) =>
    new Response(null, { status: json.data.id === stuck ? 503 : 200 });
  for (let rating = 0; rating < 450; rating++) {
    await test.call("PATCH", `/api/v1/posts/${stuck}`, { token, body: { rating } });
  }
  const free = await publish("Free");
  await test.runner.drain();
  assertEquals(there.received.map(({ json }) => json.data.id), [stuck, free]);
});

Deno.test("an address that takes nothing for a day is disabled, and says so", async () => {
  await using test = await webhookSite();
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
  await using test = await webhookSite();
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
  await using test = await webhookSite();
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

Deno.test("webhooks are for users who manage tokens, and are part of backups", async () => {
  await using test = await webhookSite();
  await hook(test, "https://example.org/hook");
  for (const path of ["/webhooks", "/webhooks/x"]) {
    const answer = await test.call("GET", `/api/admin${path}`);
    assertEquals(answer.status, 401);
  }
});

Deno.test("messages are what the description says of them", async () => {
  await using test = await webhookSite();
  await using there = receiver();
  const { id } = await hook(test, there.url, { events: [...WEBHOOK_EVENTS] });
  const token = await test.token();
  const path = "/api/v1/posts";
  const body = { title: "One", status: "published" };
  const made = (await test.call("POST", path, { token, body })).json;
  await test.call("PATCH", `${path}/${made.id}`, { token, body: { title: "Two" } });
  await test.call("DELETE", `${path}/${made.id}`, { token });
  await test.admin("POST", "/collections/posts/fields", { name: "mood", type: "text" });
  await test.runner.drain();
  await test.admin("POST", `/webhooks/${id}/test`);
  await test.runner.drain();

  const description = (await test.call("GET", "/api/v1/_meta", { token })).json;
  assertEquals(Object.keys(description.webhooks), [...WEBHOOK_EVENTS]);
  const check = compileIn(description);
  assert(new Set(there.types()).size >= 4, `told of ${there.types()}`);
  for (const { json, headers } of there.received) {
    assertEquals(check(["components", "schemas", "WebhookMessage"], json), []);
    const event = json.type === "webhook.test" ? "schema.changed" : json.type;
    for (const { name } of description.webhooks[event].post.parameters) assert(headers[name]);
  }
});
