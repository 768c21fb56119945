import type { Mail } from "../../../jobs/mail/mail.ts";
import type { JobPayload, JobType } from "../../../kv/jobs/job_contracts.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AccountMail } from "../../../kv/jobs/payloads.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { MAILS_AT_ONCE_MAX } from "../../../jobs/limits.ts";
import { sendMailKind } from "../../../jobs/kinds/send_mail.ts";
import { createMailer } from "../../../jobs/mail/mailer.ts";
import { addJob } from "../../../kv/jobs/jobs.ts";
import { SchemaSource } from "../../../kv/sources/schema_source.ts";
import { SILENT } from "../../../kv/log.ts";
import { testContext } from "../../support/harness/context.ts";
import { Client, peopleOf, setUpSite, storeText } from "../../support/sites/people.ts";
import { hook, receiver, until, webhookSite } from "../../support/sites/webhooks.ts";

async function site(context: Awaited<ReturnType<typeof testContext>>) {
  const people = peopleOf(context);
  const { app, userId } = await setUpSite(people);
  const sent: Mail[] = [];
  const kind = sendMailKind({
    access: people.access,
    schema: new SchemaSource(context),
    sendMail: (mail) => Promise.resolve(void sent.push(mail)),
    site: () =>
      Promise.resolve({ url: "https://cms.example.org", title: "The Lantern", timezone: "UTC" }),
  });
  const send = async (payload: Json, cursor: Json = null) => {
    const outcome = await kind.steps.send!({
      context,
      jobId: "j",
      payload: kind.payload.parse(payload) as JobPayload<JobType>,
      cursor,
      results: {},
      attempt: 1,
      urgent: false,
      key: "j.send",
      operation: new Operation(),
      signal: new AbortController().signal,
      commitWith: (_operation, outcome) => outcome,
    });
    return { outcome, sent };
  };
  return { app, userId, send };
}

Deno.test("SEND_MAIL mails a link whose token sets the password", async () => {
  await using context = await testContext();
  const { app, userId, send } = await site(context);

  const { sent: [mail] } = await send({ kind: "password_reset", userId });

  assertEquals([mail!.key, mail!.to], ["j.send", { email: "Ada@Example.org", name: "Ada" }]);
  assertEquals(mail!.subject, "Reset your password for The Lantern");
  const token = /https:\/\/cms\.example\.org\/admin\/choose-password#token=(\w{32})\n/
    .exec(mail!.text)![1]!;
  const password = "an entirely new one";
  const { status } = await new Client(app).ask("POST", "/password-reset/confirm", {
    token,
    password,
  });
  assertEquals(status, 204);
});

Deno.test("SEND_MAIL words an invitation as one", async () => {
  await using context = await testContext();
  const { userId, send } = await site(context);

  const { sent: [mail] } = await send({ kind: "invitation", userId });

  assertEquals(mail!.subject, "Your invitation to The Lantern");
  assertStringIncludes(mail!.text, "you have been invited");
});

Deno.test("SEND_MAIL ends quietly when the user is gone", async () => {
  await using context = await testContext();
  const { send } = await site(context);

  const { outcome, sent } = await send({ kind: "invitation", userId: context.newId(0) });

  assertEquals(outcome, {
    kind: "finish",
    result: { sent: false, reason: "The user is gone" },
  });
  assertEquals(sent, []);
});

Deno.test("SEND_MAIL leaves no token in the outcome or the payload", async () => {
  await using context = await testContext();
  const { userId, send } = await site(context);

  const { outcome, sent: [mail] } = await send({ kind: "password_reset", userId });

  const token = /#token=(\w+)/.exec(mail!.text)![1]!;
  assert(!JSON.stringify(outcome).includes(token));
  const stored = await storeText(context);
  assert(stored.includes(userId) && !stored.includes(token));
  assertEquals(AccountMail.safeParse({ kind: "password_reset", userId, token }).success, false);
});

Deno.test("SEND_MAIL about a document reaches each user who may publish once, except the author of the change", async () => {
  await using context = await testContext();
  const { app, userId, send } = await site(context);
  const client = new Client(app);
  const { status } = await client.ask("POST", "/session", {
    email: "ada@example.org",
    password: "correct horse battery",
  });
  assertEquals(status, 200);
  const password = "a password of some length";
  for (const [name, role] of [["bea", "author"], ["cem", "editor"], ["dot", "editor"]]) {
    const user = { email: `${name}@example.org`, displayName: name!, password, roles: [role!] };
    await client.ask("POST", "/users", user);
  }
  const { body: { data } } = await client.ask("GET", "/users");
  const idOf = (name: string) =>
    data.find((one: { displayName: string }) => one.displayName === name).id;
  const documentId = context.newId(0);
  const about = {
    kind: "editorial",
    documentId,
    collectionId: documentId,
    title: "<One>",
    text: "Look\nhere",
  };

  const first = await send({ ...about, event: "review_asked", to: null, by: idOf("dot") });
  assertEquals(first.outcome, { kind: "again", cursor: userId });
  const last = await send(
    { ...about, event: "review_asked", to: null, by: idOf("dot") },
    userId,
  );

  assertEquals(last.outcome, { kind: "finish", result: { sent: true } });
  assertEquals(last.sent.map(({ to, key }) => [to.name, key]), [
    ["Ada", `j.send-${userId}`],
    ["cem", `j.send-${idOf("cem")}`],
  ]);
  const [mail] = last.sent;
  assertEquals(mail!.subject, "Review requested: <One>");
  assertStringIncludes(mail!.text, "dot asks you to review “<One>”:\n\n> Look\n> here\n");
  assertStringIncludes(mail!.text, `https://cms.example.org/admin/documents/${documentId}\n`);
  assertStringIncludes(mail!.html, "“&lt;One&gt;”");
  const none = await send({ ...about, event: "mentioned", to: [documentId], by: null });
  assertEquals(none.outcome, {
    kind: "finish",
    result: { sent: false, reason: "There is no recipient" },
  });
});

Deno.test("a mail server that stalls delays neither publishes nor webhooks, whatever waits for it", async () => {
  const server = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const connections: Deno.Conn[] = [];
  const accepting = (async () => {
    for await (const connection of server) connections.push(connection);
  })();
  const smtpUrl = `smtp://127.0.0.1:${(server.addr as Deno.NetAddr).port}`;
  const sendMail = createMailer({ smtpUrl, emailDomain: "", outbox: null, log: SILENT });
  await using test = await webhookSite({ sendMail });
  await using there = receiver();
  await hook(test, there.url);
  const operation = new Operation();
  const mail = { kind: "plugin" as const, plugin: "com.acme.sample", to: "a@example.org" };
  for (let n = 0; n < 60; n++) {
    const payload = { ...mail, subject: `${n}`, text: "Hello" };
    addJob(operation, test.context, { type: "SEND_MAIL", payload });
  }
  await test.context.store.commit(operation);
  test.runner.start();
  try {
    await until(test, () => connections.length === MAILS_AT_ONCE_MAX);
    const call = { token: await test.token(), body: { title: "One", status: "published" } };
    const { json } = await test.call("POST", "/api/v1/posts", call);
    await until(test, async () => (await test.call("GET", `/posts/${json.slug}`)).status === 200);
    await until(test, () => there.received.length === 1);
    assertEquals(connections.length, MAILS_AT_ONCE_MAX);
  } finally {
    server.close();
    await accepting.catch(() => {});
    for (const connection of connections) connection.close();
    await test.runner.stop();
  }
});
