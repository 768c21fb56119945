/** Daily summaries of reviews and mentions: who gets one, when, and what it leaves out. */
import type { Mail } from "../../../../jobs/mail/mail.ts";
import { nextMorning } from "../../../../kv/documents/mail_digest.ts";
import { assert, assertEquals, assertStringIncludes } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { testApp } from "../../../support/sites/app.ts";
import { ADMIN, type Admin, setUpAdmin, signIn } from "../../../support/sites/backups.ts";

const HOUR_MS = 3_600_000;
const PASSWORD = "a password of some length";

async function newsroom() {
  const sent: Mail[] = [];
  const app = await testApp({ sendMail: (mail) => Promise.resolve(void sent.push(mail)) });
  await setUpAdmin(app);
  const user = (facts: typeof ADMIN): Pick<Admin, "ask"> => {
    let session: Admin | null = null;
    return {
      async ask(...request) {
        session ??= await signIn(app, facts);
        const answer = await session.ask(...request);
        if (answer.status !== 401) return answer;
        // Sessions end overnight.
        session = await signIn(app, facts);
        return await session.ask(...request);
      },
    };
  };
  const ada = user(ADMIN);
  await ada.ask("POST", "/collections", { slug: "notes", name: "Notes", fields: [] });
  const join = async (name: string, role: string, notificationEmails: string) => {
    const facts = { email: `${name}@example.org`, password: PASSWORD, displayName: name };
    const { id } = answered(await ada.ask("POST", "/users", { ...facts, roles: [role] }), 201);
    const person = user(facts);
    answered(await person.ask("PATCH", `/users/${id}`, { notificationEmails }), 200);
    return { ...person, id: id as string };
  };
  const bea = await join("bea", "editor", "daily");
  const cem = await join("cem", "editor", "never");
  const dot = await join("dot", "author", "immediate");
  const newDraft = async (title: string) => {
    const body = { collection: "notes", title };
    return answered(await dot.ask("POST", "/documents", body), 201).id as string;
  };
  return {
    ...{ app, ada, bea, cem, dot, newDraft },
    /** The mails that are sent within so many milliseconds. */
    async mailsAfter(ms: number) {
      app.context.advance(ms);
      await app.runner.drain();
      return sent.splice(0);
    },
    askFor: (id: string, note: string) => dot.ask("POST", `/documents/${id}/review`, { note }),
    mention: (by: Pick<Admin, "ask">, id: string, text: string) =>
      by.ask("POST", `/documents/${id}/comments`, { text, mentions: [bea.id, cem.id] }),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

const addressesOf = (mails: Mail[]) => mails.map(({ to }) => to.email).sort();

/** Milliseconds until the next summary of a site in UTC. */
const untilMorning = (now: number) => nextMorning(now, "UTC") - now;

Deno.test("each user gets emails as they happen, once a day, or never", async () => {
  await using site = await newsroom();
  const { app, ada, bea } = site;
  const id = await site.newDraft("One");
  answered(await site.askFor(id, "Please\nlook"), 200);
  answered(await site.mention(ada, id, "@bea and @cem?"), 201);
  assertEquals(addressesOf(await site.mailsAfter(0)), ["ada@example.org"]);

  assertEquals(await site.mailsAfter(untilMorning(app.context.now()) - 1_000), []);
  const [mail, ...others] = await site.mailsAfter(1_000);

  assertEquals([mail!.to.email, others], ["bea@example.org", []]);
  assertEquals(mail!.subject, "Your summary of The Lantern: 2 updates");
  const url = `/admin/documents/${id}`;
  assertStringIncludes(mail!.text, "- dot asks you to review “One”:\n  > Please look\n");
  assertStringIncludes(
    mail!.text,
    "- Ada mentioned you in a comment on “One”:\n  > @bea and @cem?",
  );
  assert(mail!.text.includes(url) && mail!.html.includes(url));
  assertStringIncludes(mail!.text, "/admin/account\n");
  assertEquals(await site.mailsAfter(48 * HOUR_MS), []);
  assertEquals(
    answered(await bea.ask("GET", `/users/${bea.id}`), 200).notificationEmails,
    "daily",
  );
});

Deno.test("a summary leaves out what was read or settled, and nothing new is no mail", async () => {
  await using site = await newsroom();
  const { app, ada, bea, dot } = site;
  const [settled, open] = [await site.newDraft("Settled"), await site.newDraft("Open")];
  for (const id of [settled, open]) answered(await site.askFor(id, ""), 200);
  answered(await dot.ask("DELETE", `/documents/${settled}/review`), 204);
  await site.mailsAfter(0);
  const [first] = await site.mailsAfter(untilMorning(app.context.now()));
  assertEquals(first!.subject, "Your summary of The Lantern: 1 update");
  assertStringIncludes(first!.text, "“Open”");

  answered(await site.mention(ada, open, "@bea now?"), 201);
  await site.mailsAfter(1_000);
  const until = Math.floor(app.context.now() / 1_000);
  answered(await bea.ask("POST", "/notifications/read", { until }), 204);
  assertEquals(addressesOf(await site.mailsAfter(24 * HOUR_MS)), []);

  // What was published is no notification, so it is part of the summary whatever was read.
  const published = await site.newDraft("Published");
  answered(await bea.ask("POST", `/documents/${published}/review`), 200);
  answered(await ada.ask("POST", `/documents/${published}/publish`), 202);
  await site.mailsAfter(0);
  const mails = await site.mailsAfter(24 * HOUR_MS);
  const summary = mails.find(({ to }) => to.email === "bea@example.org")!;
  assertStringIncludes(summary.text, "- Ada reviewed and published “Published”.");
});

Deno.test("a summary of a user who chose otherwise in the meantime, or is disabled, is not sent", async () => {
  await using site = await newsroom();
  const { app, ada, bea } = site;
  const id = await site.newDraft("One");
  const mention = async () => {
    answered(await site.mention(ada, id, "@bea?"), 201);
    await site.mailsAfter(0);
  };
  await mention();
  answered(await bea.ask("PATCH", `/users/${bea.id}`, { notificationEmails: "never" }), 200);
  assertEquals(await site.mailsAfter(untilMorning(app.context.now())), []);

  answered(await bea.ask("PATCH", `/users/${bea.id}`, { notificationEmails: "daily" }), 200);
  await mention();
  // An earlier mention that was never mailed is not made up for.
  const [mail] = await site.mailsAfter(untilMorning(app.context.now()));
  assertEquals(mail!.subject, "Your summary of The Lantern: 1 update");
  await mention();
  answered(await ada.ask("POST", `/users/${bea.id}/disable`), 200);
  const mails = await site.mailsAfter(untilMorning(app.context.now()));
  assertEquals(mails.filter(({ subject }) => subject.includes("summary")), []);
});

Deno.test("summaries are sent at eight in the site's time zone, also when clocks change", () => {
  const at = (text: string) => Date.parse(text);
  const next = (text: string, zone: string) => new Date(nextMorning(at(text), zone)).toISOString();
  assertEquals(next("2026-01-10T07:59:59.500Z", "UTC"), "2026-01-10T08:00:00.000Z");
  assertEquals(next("2026-01-10T08:00:00Z", "UTC"), "2026-01-11T08:00:00.000Z");
  assertEquals(next("2026-01-10T08:00:00Z", "Asia/Kolkata"), "2026-01-11T02:30:00.000Z");
  // Clocks go forward at night on 2026-03-29 in Berlin, and back on 2026-10-25.
  assertEquals(next("2026-03-28T12:00:00Z", "Europe/Berlin"), "2026-03-29T06:00:00.000Z");
  assertEquals(next("2026-10-24T12:00:00Z", "Europe/Berlin"), "2026-10-25T07:00:00.000Z");
});
