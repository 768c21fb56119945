import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { DELIVERY_DELAYS_MS } from "../../../jobs/kinds/deliver.ts";
import {
  type DeliveryAttempt,
  listDeliveries,
  pendingMessages,
  queueOf,
} from "../../../kv/deliveries/deliveries.ts";
import { CODE_FAILURES_MAX, DELIVERIES_KEPT_MS } from "../../../kv/limits/packages.ts";
import { OLD_SECRET_SECONDS } from "../../../kv/model/values/signing_secret.ts";
import { ACME, publisher, trust } from "../../support/sites/packages.ts";
import {
  coded,
  enabled,
  hooked,
  publish,
  publishing,
  statusOf,
} from "../../support/sites/plugins.ts";
import { DAY_MS, pass, type Received, receiver, until } from "../../support/sites/webhooks.ts";

Deno.test("an address is tried again for a day: one id, a time and signature for each; then its plugin is paused", async () => {
  await using to = receiver();
  await using test = await publishing({ guard: { allowLocal: true } });
  to.answer.with = () => new Response("Not now", { status: 500 });
  const id = await enabled(test, hooked(to.url));
  const { job } = await publish(test);
  assertEquals(job.state, "done");
  for (const delay of DELIVERY_DELAYS_MS) {
    assertEquals((await statusOf(test, id)).status, "enabled");
    await pass(test, delay * 1.2 + 1_000);
    await test.runner.drain();
  }

  assertEquals(to.received.length, DELIVERY_DELAYS_MS.length + 1);
  assert(DELIVERY_DELAYS_MS.reduce((sum, ms) => sum + ms, 0) > 0.9 * DAY_MS);
  const all = (name: string) => new Set(to.received.map(({ headers }) => headers[name]));
  assertEquals(all("webhook-id").size, 1);
  assertEquals(all("webhook-timestamp").size, to.received.length);
  assertEquals(all("webhook-signature").size, to.received.length);
  const [delivery] = await listDeliveries(test.context, id);
  assertEquals([delivery!.state, delivery!.attempts.length, delivery!.response], [
    "failed",
    11,
    "Not now",
  ]);
  const paused = await statusOf(test, id);
  assertEquals([paused.status, paused.failures], ["paused", 11]);
  assertMatch(paused.pausedReason, /^Paused after 11 failures in a row: The receiver answered 500/);
});

Deno.test("messages of a plugin about one document wait for one another, others do not", async () => {
  await using to = receiver();
  await using test = await publishing({ guard: { allowLocal: true } });
  const hooks = ["document.published", "document.unpublished"]
    .map((event) => ({ event, url: to.url }));
  await enabled(test, { facts: { hooks } });
  const { document: stuck } = await publish(test);
  to.answer.with = ({ json }) =>
    new Response(null, { status: json.data.id === stuck.id ? 503 : 200 });
  await test.admin("POST", `/documents/${stuck.id}/unpublish`);
  await test.runner.drain();
  to.received.splice(0);

  await test.admin("POST", `/documents/${stuck.id}/publish`);
  await test.runner.drain();
  await test.admin("POST", `/documents/${stuck.id}/unpublish`);
  const { document: free } = await publish(test);
  assertEquals(to.received.map(({ json }) => json.data.id), [free.id]);
  to.answer.with = () => new Response(null);
  test.context.advance(5_000);
  await test.runner.drain();

  const told = to.received.filter(({ json }) => json.data.id === stuck.id);
  assertEquals(told.map(({ json }) => json.type), [
    "document.unpublished",
    "document.published",
    "document.unpublished",
  ]);
});

Deno.test("an address of a plugin that stalls delays neither its other addresses nor other plugins", async () => {
  await using stalls = receiver();
  await using answers = receiver();
  await using other = receiver();
  await using test = await publishing({ guard: { allowLocal: true } });
  const released = Promise.withResolvers<void>();
  stalls.answer.with = () => released.promise.then(() => new Response(null));
  const hooks = [stalls.url, answers.url].map((url) => ({ event: "document.published", url }));
  await enabled(test, { facts: { hooks } });
  await enabled(test, { facts: { ...hooked(other.url).facts, id: "com.acme.other" } });
  test.runner.start();
  try {
    const body = { collection: "posts", title: "Hello", status: "published" };
    for (let count = 1; count <= 2; count++) {
      await test.admin("POST", "/documents", body);
      await until(test, () => answers.received.length === count && other.received.length === count);
      await until(test, async () => {
        const { json } = await test.admin("GET", "/jobs?type=PUBLISH&state=done");
        return json.data.length === count;
      });
    }
    assertEquals(stalls.received.length, 1);
  } finally {
    released.resolve();
    await test.runner.stop();
  }
});

Deno.test("a plugin that fails never stops publishing, and is paused visibly", async () => {
  await using test = await publishing();
  const id = await enabled(test, coded("for (;;) {}"));
  for (let failures = 0; failures < CODE_FAILURES_MAX; failures++) {
    assertEquals((await statusOf(test, id)).status, "enabled");
    const { document, job } = await publish(test);
    assertEquals(job.state, "done");
    assertEquals((await test.call("GET", `/posts/${document.slug}`)).status, 200);
  }

  const paused = await statusOf(test, id);
  assertEquals([paused.status, paused.enabled], ["paused", true]);
  assertMatch(paused.pausedReason, /^Paused after 5 failures in a row: The call took over/);
  const { job } = await publish(test);
  assertEquals(job.result.plugins, { told: [], paused: ["com.acme.sample"] });
  assertEquals((await listDeliveries(test.context, id)).length, 5);

  const again = await test.admin("POST", `/plugins/${id}/enable`);
  assertEquals([again.json.status, again.json.failures], ["enabled", 0]);
});

Deno.test("code is tried again, and what succeeds ends the count of failures", async () => {
  await using test = await publishing();
  const body = `const n = (await cms.settings.get()).n; if (n < 1) throw new Error("not yet");`;
  const settings = { n: { type: "integer", default: 0 } };
  const facts = { capabilities: ["settings:own"], settings };
  const id = await enabled(test, coded(body, facts), ["settings:own"]);
  await publish(test);
  assertEquals((await statusOf(test, id)).failures, 1);

  await test.admin("PUT", `/plugins/${id}/config`, { n: 1 });
  test.context.advance(5_000);
  await test.runner.drain();

  assertEquals((await statusOf(test, id)).failures, 0);
  const [delivery] = await listDeliveries(test.context, id);
  assertEquals(delivery!.state, "delivered");
  assertEquals(delivery!.attempts.map(({ error }) => error), ["Error: not yet", null]);
});

Deno.test("an address's 410 is taken for good-bye, and a redirect for a failure", async () => {
  await using to = receiver();
  await using test = await publishing({ guard: { allowLocal: true } });
  const id = await enabled(test, hooked(to.url));
  to.answer.with = () => new Response(null, { status: 307, headers: { location: to.url } });
  await publish(test);
  assertEquals(to.received.length, 1);
  assertEquals((await listDeliveries(test.context, id))[0]!.state, "pending");

  to.answer.with = () => new Response(null, { status: 410 });
  await publish(test);

  assertEquals((await listDeliveries(test.context, id))[0]!.state, "failed");
  const { status, pausedReason } = await statusOf(test, id);
  assertEquals(status, "paused");
  assertMatch(pausedReason, /answered 410/);
});

Deno.test("a plugin's hook calls no private address, whatever the manifest says", async () => {
  await using test = await publishing();
  const id = await enabled(test, hooked("https://127.0.0.1/hook"));

  await publish(test);

  const [delivery] = await listDeliveries(test.context, id);
  assertMatch(delivery!.attempts[0]!.error!, /127\.0\.0\.1 is not on the public internet/);
});

Deno.test("a plugin whose publisher was revoked is called no more", async () => {
  await using test = await publishing();
  const id = await enabled(test, coded("return 1;"));
  await trust(test, [publisher(ACME, { revoked: true })]);

  await publish(test);

  const [delivery] = await listDeliveries(test.context, id);
  assertMatch(delivery!.attempts[0]!.error!, /was revoked/);
  assertEquals((await statusOf(test, id)).status, "paused");
});

Deno.test("POST /plugins/{id}/deliveries/{id}/resend sends the same message again", async () => {
  await using to = receiver();
  await using test = await publishing({ guard: { allowLocal: true } });
  const id = await enabled(test, hooked(to.url));
  await publish(test);
  const { json } = await test.admin("GET", `/plugins/${id}/deliveries`);
  const { id: deliveryId } = json.data[0];
  test.context.advance(5_000);

  const path = `/plugins/${id}/deliveries/${deliveryId}/resend`;
  assertEquals((await test.admin("POST", path)).status, 202);
  assertEquals((await test.admin("POST", path)).status, 409);
  await test.runner.drain();

  const [first, second] = to.received as [Received, Received];
  assertEquals([first.text, first.id], [second.text, second.id]);
  assertNotEquals(first.headers["webhook-timestamp"], second.headers["webhook-timestamp"]);
  assertEquals(
    (await test.admin("POST", `/plugins/${id}/deliveries/x/resend`)).status,
    404,
  );
});

Deno.test("a rotated secret and the previous one both sign, for a day", async () => {
  await using to = receiver();
  await using test = await publishing({ guard: { allowLocal: true } });
  const id = await enabled(test, hooked(to.url));
  const rotate = async () => (await test.admin("POST", `/plugins/${id}/secret`)).json.secret;
  const [older, newer] = [await rotate(), await rotate()];
  assertMatch(newer, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assertNotEquals(older, newer);

  const token = await test.token();
  const publishWithToken = async () => {
    const body = { title: "Hello", status: "published" };
    await test.call("POST", "/api/v1/posts", { token, body });
    await test.runner.drain();
  };
  await publishWithToken();
  test.context.advance(OLD_SECRET_SECONDS * 1_000 + 1_000);
  await publishWithToken();

  const signatures = to.received.map(({ headers }) =>
    headers["webhook-signature"]!.split(" ").length
  );
  assertEquals(signatures, [2, 1]);
});

Deno.test("deliveries of a plugin are listed as a webhook's are, for as long, and go with it", async () => {
  await using to = receiver();
  await using test = await publishing({ guard: { allowLocal: true } });
  const id = await enabled(test, {
    facts: {
      hooks: [{ event: "document.published" }, { event: "document.published", url: to.url }],
    },
    files: { "plugin.js": `export default { "document.published": () => ({ seen: true }) };` },
  });
  await publish(test);

  const { json } = await test.admin("GET", `/plugins/${id}/deliveries`);
  const [first, second] = json.data;
  const byUrl = first.url === undefined ? second : first;
  const byCode = first.url === undefined ? first : second;
  assertEquals([byUrl.state, byUrl.event, byUrl.url, byUrl.response], [
    "delivered",
    "document.published",
    to.url,
    "thanks",
  ]);
  assertEquals(byUrl.attempts.map(({ status, error }: DeliveryAttempt) => [status, error]), [
    [200, null],
  ]);
  assertEquals(byUrl.body, to.received[0]!.text);
  assertEquals([byCode.state, byCode.response], ["delivered", '{"seen":true}']);
  await pass(test, DELIVERIES_KEPT_MS + 1_000);
  assertEquals((await test.admin("GET", `/plugins/${id}/deliveries`)).json.data, []);

  assertEquals((await test.admin("DELETE", `/plugins/${id}`)).status, 204);
  assertEquals((await test.admin("GET", `/plugins/${id}/deliveries`)).status, 404);
  const { job } = await publish(test);
  assertEquals([job.state, job.result.plugins], ["done", []]);
});

Deno.test("what waits for a plugin that is removed goes no further, and its queue is empty", async () => {
  await using to = receiver();
  await using test = await publishing({ guard: { allowLocal: true } });
  to.answer.with = () => new Response(null, { status: 500 });
  const id = await enabled(test, hooked(to.url));
  await publish(test);
  await test.admin("DELETE", `/plugins/${id}`);
  test.context.advance(5_000);
  await test.runner.drain();

  assertEquals(to.received.length, 1);
  const [delivery] = await listDeliveries(test.context, id);
  assertEquals([delivery!.state, delivery!.attempts.at(-1)!.error], [
    "failed",
    "The plugin is gone",
  ]);
  const queue = queueOf({ kind: "plugin", receiverId: id, url: to.url });
  assertEquals(await pendingMessages(test.context, queue, 1), []);
});
