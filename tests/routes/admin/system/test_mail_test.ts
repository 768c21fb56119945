import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Mail } from "../../../../jobs/mail/mail.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { ADA, testApp } from "../../../support/sites/app.ts";

Deno.test("POST /api/admin/settings/test-mail sends one to who asks, and says who took it", async () => {
  const mails: Mail[] = [];
  await using test = await testApp({
    sendMail: (mail) => {
      mails.push(mail);
      return Promise.resolve("smtp");
    },
  });
  await test.setUp();
  await test.admin("PATCH", "/settings", { "site.title": "<b>Lamps" });

  const answer = await test.admin("POST", "/settings/test-mail");

  assertEquals(answered(answer, 200), { sent: true, to: ADA.email, via: "smtp", error: null });
  assertEquals(mails.length, 1);
  assertEquals(mails[0]!.to, { email: ADA.email, name: ADA.displayName });
  assertStringIncludes(mails[0]!.subject, "<b>Lamps");
  assertStringIncludes(mails[0]!.html, "Ada");
});

Deno.test("POST /api/admin/settings/test-mail tells what a server complains about", async () => {
  await using test = await testApp({
    sendMail: () => Promise.reject(new Error("connect ECONNREFUSED 127.0.0.1:25")),
  });
  await test.setUp();

  const { sent, via, error } = answered(await test.admin("POST", "/settings/test-mail"), 200);

  assertEquals([sent, via, error], [false, null, "connect ECONNREFUSED 127.0.0.1:25"]);
});

Deno.test("POST /api/admin/settings/test-mail without a server reports that the mail was not accepted", async () => {
  await using test = await testApp();
  await test.setUp();

  const { sent, via } = answered(await test.admin("POST", "/settings/test-mail"), 200);

  assertEquals([sent, via], [false, "log"]);
});

Deno.test("POST /api/admin/setup takes the site's time zone, and none that does not exist", async () => {
  await using test = await testApp();
  const body = { code: "setup-code", siteTitle: "The Lantern", ...ADA };

  const refused = await test.admin("POST", "/setup", { ...body, timezone: "Mars/Olympus" });
  assertRefusal(refused, 422, "VALIDATION_FAILED");
  assertEquals(refused.json.error.details[0].field, "timezone");
  assertEquals(refused.json.error.details[0].code, "INVALID_CHOICE");
  const made = await test.admin("POST", "/setup", { ...body, timezone: "Europe/Zurich" });

  answered(made, 201);
  const headers = { cookie: made.headers.get("set-cookie")!.split(";")[0]! };
  const settings = await test.admin("GET", "/settings", undefined, { headers });
  assertEquals(settings.json["site.timezone"], "Europe/Zurich");
});
