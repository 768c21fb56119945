import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Mail } from "../../../jobs/send_mail.ts";
import { DELIVERY_DELAYS_MS } from "../../../jobs/deliver.ts";
import {
  type DeliveryAttempt,
  listDeliveries,
  pendingMessages,
  queueOf,
} from "../../../kv/deliveries/deliveries.ts";
import { DELIVERIES_KEPT_MS } from "../../../kv/limits.ts";
import { CODE_FAILURES_MAX } from "../../../kv/model/plugin_health.ts";
import { OLD_SECRET_SECONDS } from "../../../kv/model/signing_secret.ts";
import { type TestApp, testApp } from "../../support/app.ts";
import {
  ACME,
  install,
  packageOf,
  type Parts,
  publisher,
  trust,
  trusting,
} from "../../support/packages.ts";
import { DAY_MS, pass, type Received, receiver, until } from "../../support/webhooks.ts";

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

/** What a plugin's code answered to the newest message. */
async function resultOf(test: TestApp, id: string): Promise<unknown> {
  const [delivery] = await listDeliveries(test.context, id);
  return JSON.parse(delivery!.response!);
}

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

  assertEquals(await resultOf(test, id), [
    "api.acme.example (10.0.0.7) is not on the public internet",
    "The manifest does not name the host other.example",
    "The manifest does not name the host 127.0.0.1",
  ]);
  const [delivery] = await listDeliveries(test.context, id);
  assertEquals(delivery!.attempts[0]!.calls, { "net.fetch": 3 });
});

Deno.test("cms.fetch calls the hosts of the manifest", async () => {
  await using to = receiver();
  await using test = await publishing({ guard: { allowLocal: true } });
  const host = new URL(to.url).host;
  const body = `
    const options = { method: "POST", headers: { "x-a": "b", host: "evil" }, body: '"hi"' };
    return (await cms.fetch("${to.url}", options)).status;`;
  const facts = { capabilities: ["net:host"], hosts: [host] };
  const id = await enabled(test, coded(body, facts), ["net:host"]);

  await publish(test);

  assertEquals(await resultOf(test, id), 200);
  const [{ headers, text }] = to.received as [Received];
  assertEquals([headers["x-a"], headers.host, text], ["b", host, '"hi"']);
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
  assertEquals(await resultOf(test, id), [
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
  test.context.advance(5_000);
  await test.runner.drain();

  assertEquals(sent.map(({ to, subject }) => [to.email, subject]), [
    ["eve@example.org", `New: ${document.id}`],
  ]);
  assertMatch(sent[0]!.text, /^<b>Hi\n\n--\nSent by Sample at The Lantern\.\n$/);
  assertMatch(sent[0]!.html, /&lt;b>Hi|&lt;b&gt;Hi/);
  assertMatch(String(await resultOf(test, id)), /^Wrong argument: to/);
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
