import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Mail } from "../../jobs/send_mail.ts";
import { CODE_DELAYS_MS, HTTP_DELAYS_MS } from "../../jobs/call_plugin.ts";
import { DELIVERIES_KEPT, listDeliveries } from "../../kv/packages/deliveries.ts";
import { deliveryKey, deliveryPrefix } from "../../kv/keys.ts";
import { Operation } from "../../kv/store/operation.ts";
import { PAUSE_AFTER } from "../../kv/model/plugin_health.ts";
import { OLD_SECRET_SECONDS } from "../../kv/model/signing_secret.ts";
import { type TestApp, testApp } from "../support/app.ts";
import {
  ACME,
  install,
  packageOf,
  type Parts,
  publisher,
  trust,
  trusting,
} from "../support/packages.ts";

const DAY_MS = 86_400_000;

/** What a receiver was sent. */
interface Received {
  headers: Headers;
  body: string;
}

/** A receiver on loopback that answers what a test says at the time. */
function receiver() {
  const received: Received[] = [];
  const answers = { status: 200, location: "" };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    received.push({ headers: request.headers, body: await request.text() });
    const { status, location } = answers;
    return new Response(null, { status, ...(location && { headers: { location } }) });
  });
  return {
    received,
    answers,
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Installs and enables a plugin; answers its id. */
async function enabled(test: TestApp, parts: Parts, accept: string[] = []): Promise<string> {
  const job = await install(test, "plugins", await packageOf(parts), { accept });
  assertEquals(job.error, null);
  const { id } = job.result.install;
  assertEquals((await test.admin("POST", `/plugins/${id}/enable`)).json.status, "enabled");
  return id;
}

const hooked = (url: string): Parts => ({
  facts: { hooks: [{ event: "document.published", url }] },
});
const coded = (body: string, facts: Record<string, unknown> = {}): Parts => ({
  files: { "plugin.js": `export default { async "document.published"(event, cms) { ${body} } };` },
  facts: { hooks: [{ event: "document.published" }], ...facts },
});

async function publishing(options: Parameters<typeof testApp>[0] = {}): Promise<TestApp> {
  const test = await testApp(options);
  await trusting(test);
  await test.collection({ slug: "posts", name: "Posts" });
  return test;
}

/** Publishes a document; answers it and the job that made it public. */
async function publish(test: TestApp) {
  const body = { collection: "posts", title: "Hello", status: "published" };
  const { json } = await test.admin("POST", "/documents", body);
  await test.runner.drain();
  const { json: jobs } = await test.admin("GET", "/jobs?type=PUBLISH");
  return { document: json, job: jobs.data[0] };
}

async function statusOf(test: TestApp, id: string) {
  return (await test.admin("GET", `/plugins/${id}`)).json;
}

Deno.test("CALL_PLUGIN tries an address again over three days: one id, a time and signature for each", async () => {
  await using to = receiver();
  await using test = await publishing({ guard: { allowLocal: true } });
  to.answers.status = 500;
  const id = await enabled(test, hooked(to.url));
  const { job } = await publish(test);
  assertEquals(job.state, "done");
  for (const delay of HTTP_DELAYS_MS) {
    test.context.advance(delay * 1.25);
    await test.runner.drain();
  }

  assertEquals(to.received.length, HTTP_DELAYS_MS.length + 1);
  assert(HTTP_DELAYS_MS.reduce((sum, ms) => sum + ms, 0) > 3 * DAY_MS);
  const all = (name: string) => new Set(to.received.map(({ headers }) => headers.get(name)));
  assertEquals(all("webhook-id").size, 1);
  assertEquals(all("webhook-timestamp").size, to.received.length);
  assertEquals(all("webhook-signature").size, to.received.length);
  const [delivery] = await listDeliveries(test.context, id);
  assertEquals([delivery!.state, delivery!.attemptCount], ["failed", 10]);
});

Deno.test("CALL_PLUGIN: a plugin that fails never stops publishing, and is paused visibly", async () => {
  await using test = await publishing();
  const id = await enabled(test, coded("for (;;) {}"));
  for (let failures = 0; failures < PAUSE_AFTER.code.failures; failures++) {
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

Deno.test("CALL_PLUGIN tries code again, and what succeeds ends the count of failures", async () => {
  await using test = await publishing();
  const body = `const n = (await cms.settings.get()).n; if (n < 1) throw new Error("not yet");`;
  const settings = { n: { type: "integer", default: 0 } };
  const facts = { capabilities: ["settings:own"], settings };
  const id = await enabled(test, coded(body, facts), ["settings:own"]);
  await publish(test);
  assertEquals((await statusOf(test, id)).failures, 1);

  await test.admin("PUT", `/plugins/${id}/config`, { n: 1 });
  test.context.advance(CODE_DELAYS_MS[0]! * 1.25);
  await test.runner.drain();

  assertEquals((await statusOf(test, id)).failures, 0);
  const [delivery] = await listDeliveries(test.context, id);
  assertEquals(delivery!.state, "delivered");
  assertEquals(delivery!.attempts.map(({ error }) => error), ["Error: not yet", undefined]);
});

Deno.test("CALL_PLUGIN takes 410 for good-bye, and a redirect for a failure", async () => {
  await using to = receiver();
  await using test = await publishing({ guard: { allowLocal: true } });
  const id = await enabled(test, hooked(to.url));
  Object.assign(to.answers, { status: 307, location: to.url });
  await publish(test);
  assertEquals(to.received.length, 1);
  assertEquals((await listDeliveries(test.context, id))[0]!.state, "waiting");

  to.answers.status = 410;
  await publish(test);

  assertEquals((await listDeliveries(test.context, id))[0]!.state, "failed");
  const { status, pausedReason } = await statusOf(test, id);
  assertEquals(status, "paused");
  assertMatch(pausedReason, /answered 410/);
});

Deno.test("CALL_PLUGIN calls no private address, whatever the manifest says", async () => {
  await using test = await publishing();
  const id = await enabled(test, hooked("https://127.0.0.1/hook"));

  await publish(test);

  const [delivery] = await listDeliveries(test.context, id);
  assertMatch(delivery!.attempts[0]!.error!, /127\.0\.0\.1 is not on the public internet/);
});

Deno.test("threat: DNS re-binding for net: calls – cms.fetch looks at what the name means now", async () => {
  const names = [["10.0.0.7"], ["10.0.0.7"]];
  const resolve = (name: string) => Promise.resolve(name === "api.acme.example" ? names[0]! : []);
  await using test = await publishing({ guard: { allowLocal: false, resolve } });
  const body = `
    const tries = ["https://api.acme.example/", "https://other.example/", "https://127.0.0.1/"];
    return await Promise.all(tries.map((url) => cms.fetch(url).catch((e) => e.message)));`;
  const facts = { capabilities: ["net:host"], hosts: ["api.acme.example"] };
  const id = await enabled(test, coded(body, facts), ["net:host"]);

  await publish(test);

  const [delivery] = await listDeliveries(test.context, id);
  assertEquals(delivery!.attempts[0]!.result, [
    "api.acme.example (10.0.0.7) is not on the public internet",
    "The manifest does not name the host other.example",
    "The manifest does not name the host 127.0.0.1",
  ]);
  assertEquals(delivery!.attempts[0]!.calls, { "net.fetch": 3 });
});

Deno.test("cms.fetch calls the hosts of the manifest", async () => {
  await using to = receiver();
  await using test = await publishing({ guard: { allowLocal: true } });
  const host = new URL(to.url).host;
  const body = `
    const options = { method: "POST", headers: { "x-a": "b", host: "evil" }, body: "hi" };
    return (await cms.fetch("${to.url}", options)).status;`;
  const facts = { capabilities: ["net:host"], hosts: [host] };
  const id = await enabled(test, coded(body, facts), ["net:host"]);

  await publish(test);

  assertEquals((await listDeliveries(test.context, id))[0]!.attempts[0]!.result, 200);
  const [{ headers, body: sent }] = to.received as [Received];
  assertEquals([headers.get("x-a"), headers.get("host"), sent], ["b", host, "hi"]);
});

Deno.test("a plugin's code has the capabilities that were granted, and no others", async () => {
  await using test = await publishing();
  await test.collection({ slug: "notes", name: "Notes" });
  const note = { collection: "notes", title: "Secret", status: "published" };
  const { json: { id: noteId } } = await test.admin("POST", "/documents", note);
  const draft = { collection: "posts", title: "Draft" };
  const { json: { id: draftId } } = await test.admin("POST", "/documents", draft);
  await test.runner.drain();
  const body = `
    const asked = [
      cms.content.get(event.data.id).then((it) => it.title),
      cms.content.list("posts").then((it) => it.meta.total),
      cms.content.get("${noteId}"), cms.content.get("${draftId}"), cms.content.get("x"),
      cms.content.list("notes"), cms.content.create("posts", { title: "x" }),
      cms.content.update(event.data.id, { title: "x" }), cms.settings.get(),
      cms.fetch("https://example.org/"),
    ];
    return (await Promise.allSettled(asked)).map((it) => it.value ?? it.reason?.message ?? null);`;
  const facts = { capabilities: ["content:read:posts"] };
  const id = await enabled(test, coded(body, facts), ["content:read:posts"]);

  await publish(test);

  const refused = (what: string) => `The capability ${what} was not granted`;
  assertEquals((await listDeliveries(test.context, id))[0]!.attempts[0]!.result, [
    "Hello",
    1,
    null,
    null,
    null,
    refused("content:read:notes"),
    refused("content:write:posts"),
    refused("content:write:posts"),
    refused("settings:own"),
    refused("net:host"),
  ]);
});

Deno.test("cms.mail.send sends what a call that succeeded asked for, once", async () => {
  const sent: Mail[] = [];
  const sendMail = (mail: Mail) => Promise.resolve(void sent.push(mail));
  await using test = await publishing({ sendMail });
  const body = `
    await cms.mail.send({ to: "eve@example.org", subject: "New: " + event.data.id, text: "<b>Hi" });
    const wrong = await cms.mail.send({ to: "x\\r\\nBcc: y", subject: "s", text: "t" })
      .catch((error) => error.message);
    if (!(await cms.settings.get()).ready) throw new Error("not yet");
    return wrong;`;
  const settings = { ready: { type: "boolean", default: false } };
  const capabilities = ["mail:send", "settings:own"];
  const id = await enabled(test, coded(body, { capabilities, settings }), capabilities);
  const { document } = await publish(test);
  assertEquals(sent, []);

  await test.admin("PUT", `/plugins/${id}/config`, { ready: true });
  test.context.advance(CODE_DELAYS_MS[0]! * 1.25);
  await test.runner.drain();

  assertEquals(sent.map(({ to, subject }) => [to.email, subject]), [
    ["eve@example.org", `New: ${document.id}`],
  ]);
  assertMatch(sent[0]!.text, /^<b>Hi\n\n--\nSent by Sample at The Lantern\.\n$/);
  assertMatch(sent[0]!.html, /&lt;b>Hi|&lt;b&gt;Hi/);
  const [delivery] = await listDeliveries(test.context, id);
  assertMatch(String(delivery!.attempts[1]!.result), /^Wrong argument: to/);
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
  assertEquals([first.body, first.headers.get("webhook-id")], [
    second.body,
    second.headers.get("webhook-id"),
  ]);
  assertNotEquals(
    first.headers.get("webhook-timestamp"),
    second.headers.get("webhook-timestamp"),
  );
  assertEquals(
    (await test.admin("POST", `/plugins/${id}/deliveries/x/resend`)).status,
    404,
  );
});

Deno.test("a rotated secret signs beside the one before it, for a day", async () => {
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
    headers.get("webhook-signature")!.split(" ").length
  );
  assertEquals(signatures, [2, 1]);
});

Deno.test("deliveries of a plugin are the newest few, and go with it", async () => {
  await using test = await publishing();
  const id = await enabled(test, coded("return 1;"));
  const { store, now, newId } = test.context;
  const operation = new Operation();
  const message = { pluginId: id, event: "document.published", url: null, body: "{}" };
  const rows = Array.from({ length: DELIVERIES_KEPT + 3 }, () => newId(now() - 1_000));
  for (const [index, rowId] of rows.entries()) {
    const state = index === 0 ? "waiting" : "delivered";
    operation.set(deliveryKey(id, rowId), { ...message, id: rowId, state, attempts: [] });
  }
  await store.commit(operation);

  await publish(test);

  const left = await store.listAll({ prefix: deliveryPrefix(id) });
  assertEquals(left.length, DELIVERIES_KEPT + 1);
  assertEquals(left[0]!.key, deliveryKey(id, rows[0]!), "what is on its way stays");
  const { json } = await test.admin("GET", `/plugins/${id}/deliveries?perPage=100&page=2`);
  assertEquals([json.data.length, json.meta.total], [100, DELIVERIES_KEPT]);

  assertEquals((await test.admin("DELETE", `/plugins/${id}`)).status, 204);
  assertEquals(await listDeliveries(test.context, id), []);
  assertEquals((await test.admin("GET", `/plugins/${id}`)).status, 404);
  const { job } = await publish(test);
  assertEquals([job.state, job.result.plugins], ["done", []]);
});
