import { assertEquals } from "@std/assert";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import {
  ADA,
  type Call,
  callApp,
  secondApp,
  type TestApp,
  testApp,
} from "../../../support/sites/app.ts";
import { storeText } from "../../../support/sites/people.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

async function signIn(test: TestApp, who: { email: string; password: string } = ADA) {
  const { email, password } = who;
  const call: Call = { body: { email, password }, headers: { "user-agent": FIREFOX } };
  const answer = await test.call("POST", "/api/admin/session", call);
  answered(answer, 200);
  const cookie = answer.headers.get("set-cookie")!.split(";")[0]!;
  return {
    cookie,
    ask: (method: string, path: string) =>
      test.call(method, `/api/admin${path}`, { headers: { cookie } }),
  };
}

Deno.test("GET /api/admin/sessions lists one's own, newest first, and tells no secret", async () => {
  await using test = await testApp();
  await test.setUp();
  test.context.advance(60_000);
  const second = await signIn(test);

  const { data, meta } = answered(await second.ask("GET", "/sessions"), 200);

  assertEquals(meta.total, 2);
  assertEquals(data.map(({ current }: { current: boolean }) => current), [true, false]);
  const { id, createdAt, usedAt, expiresAt, agent, address } = data[0];
  assertEquals([agent, address], [FIREFOX, "192.0.2.1"]);
  assertEquals([usedAt, expiresAt - createdAt], [createdAt, 12 * 60 * 60]);
  assertEquals((await storeText(test.context)).includes(id), false);
});

Deno.test("DELETE /api/admin/sessions/{id} ends that session, in every process", async () => {
  await using test = await testApp();
  await test.setUp();
  const second = await signIn(test);
  const { data } = answered(await second.ask("GET", "/sessions"), 200);
  const first = data.find(({ current }: { current: boolean }) => !current);

  answered(await second.ask("DELETE", `/sessions/${first.id}`), 204);

  assertRefusal(await test.admin("GET", "/session"), 401, "UNAUTHENTICATED");
  assertEquals((await second.ask("GET", "/sessions")).json.meta.total, 1);
  assertRefusal(await second.ask("DELETE", `/sessions/${first.id}`), 404, "NOT_FOUND");
  const own = (await second.ask("GET", "/sessions")).json.data[0].id;
  const ended = await second.ask("DELETE", `/sessions/${own}`);
  assertEquals(ended.headers.get("set-cookie")?.includes("Max-Age=0"), true);
  const headers = { cookie: second.cookie };
  const { app } = secondApp(test.context);
  assertEquals((await callApp(app, "GET", "/api/admin/session", { headers })).status, 401);
});

Deno.test("DELETE /api/admin/sessions ends all others, however many", async () => {
  await using test = await testApp();
  await test.setUp();
  const others = [];
  for (let n = 0; n < 8; n++) others.push(await signIn(test));

  answered(await test.admin("DELETE", "/sessions"), 204);

  for (const { ask } of others) assertEquals((await ask("GET", "/session")).status, 401);
  assertEquals((await test.admin("GET", "/sessions")).json.meta.total, 1);
});

Deno.test("/api/admin/users/{id}/sessions is for who manages users, and stops at those above them", async () => {
  await using test = await testApp();
  const { json } = await test.setUp();
  await test.admin("POST", "/roles", {
    name: "clerk",
    permissions: ["users.read", "users.manage", "roles.manage"],
  });
  const password = "a password of some length";
  const make = async (name: string, role: string) =>
    answered(
      await test.admin("POST", "/users", {
        email: `${name}@example.org`,
        displayName: name,
        password,
        roles: [role],
      }),
      201,
    ).id;
  const viewerId = await make("viewer", "viewer");
  await make("clerk", "clerk");
  const viewer = await signIn(test, { email: "viewer@example.org", password });
  const clerk = await signIn(test, { email: "clerk@example.org", password });
  const ada = json.user.id;

  assertRefusal(await viewer.ask("GET", `/users/${ada}/sessions`), 403, "FORBIDDEN");
  assertRefusal(await clerk.ask("DELETE", `/users/${ada}/sessions`), 403, "FORBIDDEN");
  assertRefusal(await clerk.ask("GET", `/users/${ada}/sessions`), 403, "FORBIDDEN");
  const { data } = answered(await test.admin("GET", `/users/${viewerId}/sessions`), 200);
  assertEquals(data.length, 1);
  answered(await test.admin("DELETE", `/users/${viewerId}/sessions/${data[0].id}`), 204);
  assertEquals((await viewer.ask("GET", "/session")).status, 401);
  const again = await signIn(test, { email: "viewer@example.org", password });
  answered(await test.admin("DELETE", `/users/${viewerId}/sessions`), 204);
  assertEquals((await again.ask("GET", "/session")).status, 401);
  const nobody = "/users/01ARZ3NDEKTSV4RRFFQ69G5FAV/sessions";
  assertRefusal(await test.admin("GET", nobody), 404, "NOT_FOUND");
});
