import { answered } from "../../support/sites/admin_answers.ts";
import { testApp } from "../../support/sites/app.ts";
import { assertEquals } from "../../support/harness/assert.ts";

Deno.test("GET /.well-known/security.txt says whom to tell of a weakness, once it is set", async () => {
  await using test = await testApp();
  await test.setUp();
  const path = "/.well-known/security.txt";
  assertEquals((await test.call("GET", path)).status, 404);
  const security = { contact: "security@example.org", expires: 1_800_000_000 };

  answered(await test.admin("PATCH", "/settings", { "site.security": security }), 200);

  const { status, text, headers } = await test.call("GET", path);
  assertEquals([status, headers.get("content-type")], [200, "text/plain; charset=utf-8"]);
  assertEquals(text, "Contact: mailto:security@example.org\nExpires: 2027-01-15T08:00:00.000Z\n");
  const policy = "https://example.org/policy";
  const whole = { contact: "https://example.org/report", expires: 1_800_000_000, policy };
  answered(await test.admin("PATCH", "/settings", { "site.security": whole }), 200);
  assertEquals(
    (await test.call("GET", path)).text,
    `Contact: https://example.org/report\nExpires: 2027-01-15T08:00:00.000Z\nPolicy: ${policy}\n`,
  );
});

Deno.test("site.security takes no line that its author did not mean", async () => {
  await using test = await testApp();
  await test.setUp();
  for (
    const wrong of [
      { contact: "https://a.example/\nPolicy: https://evil.example/", expires: 1 },
      { contact: "http://a.example/", expires: 1 },
      { contact: "nobody", expires: 1 },
      { contact: "a@example.org", expires: -1 },
      { contact: "a@example.org" },
      { contact: "a@example.org", expires: 1, more: 1 },
    ]
  ) {
    const { status } = await test.admin("PATCH", "/settings", { "site.security": wrong });
    assertEquals(status, 422, JSON.stringify(wrong));
  }
});

Deno.test("auth.session.hours ends a session however often it is used", async () => {
  await using test = await testApp();
  await test.setUp();
  answered(await test.admin("PATCH", "/settings", { "auth.session.hours": 24 }), 200);
  const body = { email: "ada@example.org", password: "correct horse battery" };
  const signedIn = await test.call("POST", "/api/admin/session", { body });
  const cookie = signedIn.headers.getSetCookie()[0]!.split(";")[0]!;
  const statuses: number[] = [];
  for (let hour = 0; hour <= 25; hour++) {
    statuses.push((await test.call("GET", "/api/admin/session", { headers: { cookie } })).status);
    test.context.advance(3_600_000);
  }

  assertEquals(statuses.lastIndexOf(200), 23);
  assertEquals(statuses.slice(24), [401, 401]);
});
