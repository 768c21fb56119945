import type { JobPayload, JobType } from "../../kv/jobs/job_contracts.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AccountMail } from "../../kv/jobs/payloads.ts";
import type { Json } from "../../kv/model/entity.ts";
import { Operation } from "../../kv/store/operation.ts";
import { type Mail, sendMailKind } from "../../jobs/send_mail.ts";
import { testContext } from "../support/context.ts";
import { Client, peopleOf, setUpSite, storeText } from "../support/people.ts";

async function site(context: Awaited<ReturnType<typeof testContext>>) {
  const people = peopleOf(context);
  const { app, userId } = await setUpSite(people);
  const sent: Mail[] = [];
  const kind = sendMailKind({
    access: people.access,
    sendMail: (mail) => Promise.resolve(void sent.push(mail)),
    site: () => Promise.resolve({ url: "https://cms.example.org", title: "The Lantern" }),
  });
  const send = async (payload: Json) => {
    const outcome = await kind.steps.send!({
      context,
      jobId: "j",
      payload: kind.payload.parse(payload) as JobPayload<JobType>,
      cursor: null,
      results: {},
      attempt: 1,
      key: "j.send",
      operation: new Operation(),
      signal: new AbortController().signal,
      seal: (_operation, outcome) => outcome,
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
  assertEquals(mail!.subject, "A new password for The Lantern");
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
  assertStringIncludes(mail!.text, "you were invited");
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
