/** Reviews of translations in the queue, the bell and emails, and the rights of reviewers in languages. */
import type { Mail } from "../../../../../jobs/mail/mail.ts";
import { nextMorning } from "../../../../../kv/documents/mail_digest.ts";
import { assert, assertEquals, assertStringIncludes } from "../../../../support/harness/assert.ts";
import { answered } from "../../../../support/sites/admin_answers.ts";
import {
  type Ask,
  LANGUAGES,
  multilingual,
  paragraph,
  signedIn,
} from "../../../../support/sites/multilingual.ts";

const TEXT = { body: paragraph("Text") };
const PUBLISHER = ["documents.read", "documents.write", "documents.publish"];

/** A site with a French publisher, a German publisher and an author. */
async function newsroom() {
  const sent: Mail[] = [];
  const test = await multilingual({ sendMail: (mail) => Promise.resolve(void sent.push(mail)) });
  for (const code of ["fr", "de"]) {
    const role = { name: `${code} publisher`, permissions: PUBLISHER, languages: [code] };
    answered(await test.admin("POST", "/roles", role), 201);
  }
  const join = async (name: string, ...roles: string[]) => {
    const ask = await signedIn(test, name, roles);
    const { id } = answered(await ask("GET", "/session"), 200).user;
    return { ask, id: id as string };
  };
  const fleur = await join("fleur", "fr publisher");
  // Writes in any language, and publishes in one.
  const dirk = await join("dirk", "de publisher", "author");
  const author = await join("author", "author");
  const { id } = await test.post({ title: "Apple", ...TEXT, status: "published" });
  answered(await test.translate(id, "fr", { title: "Pomme", ...TEXT }), 201);
  answered(await test.translate(id, "de", { title: "Apfel", ...TEXT }), 201);
  return {
    ...{ test, fleur, dirk, author, id, sent },
    path: (code: string) => `/documents/${id}/translations/${code}`,
    /** The emails that were sent since the last call: addresses with subjects. */
    async mails() {
      await test.runner.drain();
      return sent.splice(0).map(({ to, subject }) => `${to.email} ${subject}`).sort();
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

/** What a user is notified of, in short. */
async function noticed(ask: Ask): Promise<string[]> {
  const { data } = answered(await ask("GET", "/notifications"), 200);
  return data.map(({ kind, title, language = "-", text }: Record<string, string>) =>
    `${kind} ${title} ${language}: ${text}`
  );
}

const listed = async (ask: Ask) =>
  answered(await ask("GET", "/documents?review=asked"), 200).data.length as number;

Deno.test("a requested review of a translation notifies users who may publish its language", async () => {
  await using site = await newsroom();
  const { test, author, fleur, dirk, path } = site;
  answered(await author.ask("POST", `${path("fr")}/review`, { note: "Look" }), 200);
  assertEquals(await noticed(fleur.ask), ["review_requested Pomme fr: Look"]);
  assertEquals(await noticed(test.admin), ["review_requested Pomme fr: Look"]);
  assertEquals(await noticed(dirk.ask), []);
  assertEquals([await listed(fleur.ask), await listed(test.admin)], [1, 1]);
  assertEquals(await site.mails(), [
    "ada@example.org Review requested: Pomme · French",
    "fleur@example.org Review requested: Pomme · French",
  ]);

  const refused = await dirk.ask("POST", `${path("fr")}/review/return`, { note: "No" });
  assertEquals(refused.status, 403, refused.text);
  answered(await fleur.ask("POST", `${path("fr")}/review/return`, { note: "Shorter" }), 200);
  assertEquals(await noticed(author.ask), ["changes_requested Pomme fr: Shorter"]);
  assertEquals([await noticed(fleur.ask), await listed(fleur.ask)], [[], 0]);
  assertEquals(await site.mails(), ["author@example.org Changes requested: Pomme · French"]);

  answered(await author.ask("POST", `${path("fr")}/review`, {}), 200);
  assertEquals(await noticed(author.ask), []);
  await site.mails();
  answered(await fleur.ask("POST", `${path("fr")}/publish`), 202);
  assertEquals([await noticed(test.admin), await listed(test.admin)], [[], 0]);
  assertEquals(await site.mails(), ["author@example.org Published: Pomme · French"]);
});

Deno.test("reviewers of a translation are chosen among users who may publish its language", async () => {
  await using site = await newsroom();
  const { test, author, fleur, dirk, path } = site;
  const wrong = await author.ask("POST", `${path("fr")}/review`, { reviewers: [dirk.id] });
  assertEquals([wrong.status, wrong.json.error.details[0].code], [422, "INVALID_REFERENCE"]);
  const original = `/documents/${site.id}`;
  answered(await author.ask("PATCH", `${original}/working-copy`, { title: "Apples" }), 200);
  const french = await author.ask("POST", `${original}/review`, { reviewers: [fleur.id] });
  assertEquals(french.status, 422, "the original is English");

  const asked = await author.ask("POST", `${path("fr")}/review`, { reviewers: [fleur.id] });
  assertEquals(answered(asked, 200)._review.reviewers, [fleur.id]);
  assertEquals((await noticed(fleur.ask)).length, 1);
  assertEquals(await noticed(test.admin), []);
  assertEquals(await site.mails(), ["fleur@example.org Review requested: Pomme · French"]);

  // Without a chosen reviewer who may still publish it, everyone who may is asked.
  answered(await test.admin("DELETE", `/users/${fleur.id}`), 204);
  assertEquals((await noticed(test.admin)).length, 1);
  assertEquals(await noticed(dirk.ask), []);
});

Deno.test("a daily summary has the reviews of translations that still wait", async () => {
  await using site = await newsroom();
  const { test, author, fleur, path } = site;
  const daily = { notificationEmails: "daily" };
  answered(await fleur.ask("PATCH", `/users/${fleur.id}`, daily), 200);
  answered(await author.ask("POST", `${path("fr")}/review`, { note: "Look" }), 200);
  answered(await author.ask("POST", `${path("de")}/review`, { note: "Schau" }), 200);
  await test.runner.drain();
  site.sent.splice(0);
  test.context.advance(nextMorning(test.context.now(), "UTC") - test.context.now());
  await test.runner.drain();
  const [mail, ...others] = site.sent;
  assert(mail !== undefined && others.length === 0);
  assertStringIncludes(mail.text, "- author asks you to review “Pomme · French”:\n  > Look\n");
  assertStringIncludes(mail.text, `/admin/documents/${site.id}/translations/fr`);
  assertEquals(mail.text.includes("Apfel"), false);
});

Deno.test("the reviews of an original and of its translations end one by one", async () => {
  await using site = await newsroom();
  const { test, author, path } = site;
  const original = `/documents/${site.id}`;
  answered(await author.ask("PATCH", `${original}/working-copy`, { title: "Apples" }), 200);
  for (const one of [original, path("fr"), path("de")]) {
    answered(await author.ask("POST", `${one}/review`, {}), 200);
  }
  const waiting = async () => (await noticed(test.admin)).map((line) => line.split(" ")[1]).sort();
  assertEquals(await waiting(), ["Apfel", "Apples", "Pomme"]);
  answered(await test.admin("POST", `${original}/publish`), 202);
  assertEquals([await waiting(), await listed(test.admin)], [["Apfel", "Pomme"], 1]);
  answered(await author.ask("DELETE", `${path("de")}/review`), 204);
  assertEquals(await waiting(), ["Pomme"]);
  answered(await test.admin("DELETE", original), 204);
  assertEquals([await waiting(), await listed(test.admin)], [[], 0]);
  answered(await test.admin("POST", `${original}/untrash`), 200);
  assertEquals([await waiting(), await listed(test.admin)], [[], 0]);
  assertEquals((await author.ask("DELETE", `${path("fr")}/review`)).status, 404);
});

Deno.test("a review in a language that the site no longer has waits until the language is back", async () => {
  await using site = await newsroom();
  const { test, author, path } = site;
  answered(await author.ask("POST", `${path("de")}/review`, {}), 200);
  const without = LANGUAGES.filter((one) => (one as { code: string }).code !== "de");
  answered(await test.admin("PATCH", "/settings", { languages: without }), 200);
  assertEquals(await noticed(test.admin), []);
  answered(await test.admin("PATCH", "/settings", { languages: LANGUAGES }), 200);
  assertEquals(await noticed(test.admin), ["review_requested Apfel de: "]);
});

Deno.test("a swap of the original takes the reviews of both languages along", async () => {
  await using site = await newsroom();
  const { test, author, path } = site;
  const original = `/documents/${site.id}`;
  answered(await author.ask("PATCH", `${original}/working-copy`, { title: "Apples" }), 200);
  for (const one of [original, path("fr")]) {
    answered(await author.ask("POST", `${one}/review`, {}), 200);
  }
  await site.mails();
  answered(await test.admin("POST", `${original}/original`, { language: "fr" }), 200);
  assertEquals((await noticed(test.admin)).sort(), [
    "review_requested Apples en: ",
    "review_requested Pomme -: ",
  ]);
  assertEquals(await site.mails(), []);

  answered(await author.ask("DELETE", `${original}/review`), 204);
  answered(await test.admin("POST", `${original}/publish`), 202);
  answered(await author.ask("PATCH", `${original}/working-copy`, { title: "Pommes" }), 200);
  answered(await author.ask("POST", `${original}/review`, {}), 200);
  await site.mails();
  answered(await test.admin("POST", `${path("de")}/publish`), 202);
  answered(await test.admin("POST", `${original}/original`, { language: "de" }), 200);
  assertEquals(await site.mails(), [], "nothing that was to be reviewed is published");
});

Deno.test("a mention in a comment on a translation leads to it, and to the document once it is removed", async () => {
  await using site = await newsroom();
  const { test, fleur, author, id, path, sent } = site;
  const say = async (language: string, text: string) => {
    const body = { text, language, field: "title", mentions: [fleur.id] };
    answered(await author.ask("POST", `/documents/${id}/comments`, body), 201);
  };
  await say("fr", "@fleur, une pomme?");
  await say("en", "@fleur, an apple?");
  await test.runner.drain();
  assertEquals((await noticed(fleur.ask)).toSorted(), [
    "mentioned Apple -: @fleur, an apple?",
    "mentioned Pomme fr: @fleur, une pomme?",
  ]);
  const [french, english] = sent.splice(0).toSorted((a, b) => b.text.length - a.text.length);
  assertStringIncludes(french!.text, `/admin/documents/${id}/translations/fr`);
  assertStringIncludes(french!.text, "Pomme · French");
  assert(!english!.text.includes("/translations/"));

  answered(await test.admin("DELETE", path("fr")), 204);
  assertEquals((await noticed(fleur.ask)).toSorted(), [
    "mentioned Apple -: @fleur, an apple?",
    "mentioned Apple -: @fleur, une pomme?",
  ]);
});
