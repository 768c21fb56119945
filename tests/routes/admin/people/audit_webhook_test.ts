/** Webhooks of administrators receive the audit log, each entry once; other webhooks do not. */
import { AUDIT_EVENT } from "../../../../kv/model/entities/webhook.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { requestFanOut } from "../../../../kv/jobs/fan_out_request.ts";
import { undeliveredAudit } from "../../../../kv/versioning/audit.ts";
import { fanOutSoon } from "../../../../kv/webhooks/fan_out_soon.ts";
import { ADA, callApp, secondApp, type TestApp } from "../../../support/sites/app.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { hook, receiver, webhookSite } from "../../../support/sites/webhooks.ts";

async function fanOut({ context, runner }: TestApp): Promise<void> {
  const operation = new Operation();
  requestFanOut(operation, context);
  await context.store.commit(operation);
  await runner.drain();
}

async function failedSignIn(test: TestApp): Promise<void> {
  const body = { email: "nobody@example.org", password: "not the right one" };
  assertEquals((await test.call("POST", "/api/admin/session", { body })).status, 401);
}

Deno.test("an event of the audit log reaches every webhook that asks for it, once, with what it says", async () => {
  await using test = await webhookSite();
  await using there = receiver();
  await using other = receiver();
  await failedSignIn(test);
  await hook(test, there.url, { events: [AUDIT_EVENT] });
  await hook(test, other.url, { events: ["document.published"] });
  await fanOut(test);
  const before = there.received.length;
  assert(!there.received.some(({ json }) => json.data.entry.event === "sign_in_failed"));

  await failedSignIn(test);
  await test.admin("POST", "/tokens", { name: "ci", scopes: ["*"] });
  await fanOut(test);
  await fanOut(test);

  const told = there.received.slice(before).map(({ json }) => json);
  assertEquals(new Set(told.map(({ type }) => type)), new Set([AUDIT_EVENT]));
  const log = (await test.admin("GET", "/audit?perPage=100")).json.data;
  for (const { data } of told) {
    assertEquals([data.collection, data.version, data.changedAt], [null, 1, data.entry.at]);
    assert(log.some((entry: unknown) => JSON.stringify(entry) === JSON.stringify(data.entry)));
  }
  const events = told.map(({ data }) => data.entry.event);
  assertEquals(events.filter((event) => event === "sign_in_failed").length, 1);
  assertEquals(new Set(told.map(({ data }) => data.id)).size, told.length);
  assertEquals(other.received, []);
});

Deno.test("an event of the audit log asks for its messages itself", async () => {
  await using test = await webhookSite();
  await using there = receiver();
  test.context.onEvent = fanOutSoon(test.deps.content);
  await hook(test, there.url, { events: [AUDIT_EVENT] });
  await failedSignIn(test);
  const isTold = () =>
    there.received.some(({ json }) => json.data.entry.event === "sign_in_failed");
  for (let waited = 0; waited < 200 && !isTold(); waited++) {
    await test.runner.drain();
    await new Promise((done) => setTimeout(done, 10));
  }
  assert(isTold());
  delete test.context.onEvent;
});

Deno.test("only administrators subscribe to the audit log, and see its deliveries", async () => {
  await using test = await webhookSite();
  await using there = receiver();
  const webhook = await hook(test, there.url, { events: [AUDIT_EVENT, "document.published"] });
  await failedSignIn(test);
  await fanOut(test);
  const deliveries = answered(await test.admin("GET", `/webhooks/${webhook.id}/deliveries`), 200);
  assert(deliveries.data.length > 0);

  const permissions = ["tokens.manage", "media.read", "collections.read", "documents.read"];
  answered(await test.admin("POST", "/roles", { name: "hooks", permissions }), 201);
  const user = { email: "bo@example.org", displayName: "Bo", password: "another long one" };
  answered(await test.admin("POST", "/users", { ...user, roles: ["hooks"] }), 201);
  const { email, password } = user;
  const signedIn = await test.call("POST", "/api/admin/session", { body: { email, password } });
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
  const ask = async (method: string, path: string, body?: never) =>
    await test.call(method, `/api/admin${path}`, {
      headers: { cookie },
      ...(body !== undefined && { body }),
    });
  const input = { name: "Mine", url: there.url, events: [AUDIT_EVENT] } as never;
  assertEquals((await ask("POST", "/webhooks", input)).status, 403);
  const plain = { name: "Mine", url: there.url, events: ["media.changed"] } as never;
  const mine = answered(await ask("POST", "/webhooks", plain), 201);
  const patch = { events: ["media.changed", AUDIT_EVENT] } as never;
  assertEquals((await ask("PATCH", `/webhooks/${mine.id}`, patch)).status, 403);
  const elsewhere = { url: `${there.url}/mine` } as never;
  assertEquals((await ask("PATCH", `/webhooks/${webhook.id}`, elsewhere)).status, 403);
  assertEquals((await ask("POST", `/webhooks/${webhook.id}/rotate-secret`)).status, 403);
  const seen = answered(await ask("GET", `/webhooks/${webhook.id}/deliveries`), 200);
  assertEquals(seen.data, []);
  const [{ id }] = deliveries.data;
  const path = `/webhooks/${webhook.id}/deliveries/${id}/resend`;
  assertEquals((await ask("POST", path)).status, 404);
  const pages = await Promise.all(
    [cookie, null].map((one) =>
      one === null
        ? test.admin("GET", `/webhooks/${webhook.id}/deliveries`)
        : test.call("GET", `/admin/webhooks/${webhook.id}`, { headers: { cookie: one } })
    ),
  );
  assert(!pages[0]!.text.includes("sign_in_failed"), "The studio shows what is for administrators");
  assert(pages[1]!.text.includes("sign_in_failed"));
});

/** The events that wait for their webhook messages. */
async function waiting({ context }: TestApp): Promise<string[]> {
  return (await undeliveredAudit(context.store, 100)).map(({ value }) => value!.event);
}

/** Acts whose events are recorded alone, with a versioned write, and with another commit. */
async function act(test: TestApp): Promise<void> {
  await failedSignIn(test);
  answered(await test.admin("POST", "/tokens", { name: "ci", scopes: ["*"] }), 201);
  answered(await test.admin("POST", "/exports", {}), 202);
}

Deno.test("an event of the audit log waits for messages only if a webhook receives them", async () => {
  await using test = await webhookSite();
  await using there = receiver();
  await hook(test, there.url, { events: ["document.published"] });
  const { id } = await hook(test, there.url, { events: [AUDIT_EVENT], enabled: false });
  await fanOut(test);
  const before = await waiting(test);
  await act(test);
  assertEquals(await waiting(test), before);

  answered(await test.admin("PATCH", `/webhooks/${id}`, { enabled: true }), 200);
  await act(test);
  for (const event of ["sign_in_failed", "token_created", "export"]) {
    assert((await waiting(test)).includes(event), event);
  }
});

Deno.test("a process that has not seen a new webhook loses no event of the audit log for it", async () => {
  for (const [n, event] of ["sign_in_failed", "token_created", "export"].entries()) {
    await using test = await webhookSite();
    await using there = receiver();
    // A process whose cache says that no webhook receives them; the other one makes a webhook.
    const stale = secondApp(test.context);
    await stale.deps.content.schema.current();
    assert(stale.deps.content.context.unheardAuditAt!() !== null);
    await hook(test, there.url, { events: [AUDIT_EVENT] });
    const signedIn = await test.call("POST", "/api/admin/session", {
      body: { email: ADA.email, password: ADA.password },
    });
    const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
    const ask = async (path: string, body: never) =>
      await callApp(stale.app, "POST", `/api/admin${path}`, {
        body,
        headers: { cookie },
      });
    const answer = await [
      () => ask("/session", { email: "nobody@example.org", password: "wrong password" } as never),
      () => ask("/tokens", { name: "ci", scopes: ["*"] } as never),
      () => ask("/exports", {} as never),
    ][n]!();
    assertEquals(answer.status, [401, 201, 202][n], answer.text);
    assert((await waiting(test)).includes(event), event);
  }
});
