import { answered } from "../../../support/sites/admin_answers.ts";
import { ADA, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

type Event = { at: number; event: string; userId: string | null; tokenId: string | null };

Deno.test("the audit log has sign-ins, failures, sensitive acts and reads of secrets, and no secret", async () => {
  await using test = await testApp();
  const { user } = answered(await test.setUp(), 201);
  const { email, password } = ADA;
  const signIn = (body: { email: string; password: string }) =>
    test.call("POST", "/api/admin/session", { body, address: "198.51.100.9" });
  await signIn({ email, password });
  test.context.advance(1_000);
  await signIn({ email, password: "hush wrong password" });
  await signIn({ email: "nobody@example.org", password: "hush wrong password" });
  test.context.advance(1_000);
  const { id: tokenId, token } = answered(
    await test.admin("POST", "/tokens", { name: "T", scopes: ["*"] }),
    201,
  );
  answered(await test.admin("POST", "/exports", {}), 202);
  assertEquals((await test.admin("PATCH", `/users/${user.id}`, { email: "not one" })).status, 422);
  answered(await test.admin("PATCH", "/settings", { "site.url": "https://cms.example" }), 200);

  const { data, meta } = (await test.admin("GET", "/audit")).json;

  const named = (events: Event[]) => events.map(({ event, userId }) => [event, userId]);
  assertEquals(named(data), [
    ["siteUrl", user.id],
    ["export", user.id],
    ["token_created", user.id],
    ["sign_in_failed", null],
    ["sign_in_failed", user.id],
    ["sign_in", user.id],
  ]);
  assertEquals(meta.total, 6);
  assertEquals(Object.keys(data[5]), ["at", "event", "userId", "tokenId", "address", "details"]);
  assertEquals([data[5].address, data[2].tokenId], ["198.51.100.9", tokenId]);
  const text = JSON.stringify(data);
  assert(!text.includes(token) && !text.includes("hush") && !text.includes(password));
});

Deno.test("the audit log filters, pages and is exported as lines, for administrators alone", async () => {
  await using test = await testApp();
  const { user } = answered(await test.setUp(), 201);
  const from = Math.floor(test.context.now() / 1000) + 10;
  test.context.advance(10_000);
  for (let n = 0; n < 5; n++) {
    answered(await test.admin("POST", "/exports", { redacted: true }), 202);
    test.context.advance(10_000);
  }
  const list = async (query: string) => (await test.admin("GET", `/audit?${query}`)).json;

  assertEquals((await list("event=export&perPage=2&page=3")).meta, {
    page: 3,
    perPage: 2,
    total: 5,
  });
  assertEquals((await list(`from=${from + 10}&to=${from + 20}`)).data.length, 2);
  assertEquals((await list(`userId=${user.id}&event=sign_in`)).data, []);
  assertEquals((await test.admin("GET", "/audit?from=x")).status, 422);
  const headers = { accept: "application/x-ndjson" };
  const lines = await test.admin("GET", "/audit?event=export", undefined, { headers });
  assertEquals(lines.headers.get("content-type"), "application/x-ndjson");
  assertEquals(lines.text.trim().split("\n").map((line) => JSON.parse(line).event), [
    "export",
    "export",
    "export",
    "export",
    "export",
  ]);
});
