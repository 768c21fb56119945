/** Step-up, and the rules for new passwords. */
import { PROOF_SECONDS } from "../../../../kv/people/sessions.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { ADA, testApp } from "../../../support/sites/app.ts";
import { BO } from "../../../support/sign_in/sign_in_site.ts";

Deno.test("with auth.stepUp, changes of what gives access need a recent proof", async () => {
  await using test = await testApp();
  const { user } = answered(await test.setUp(), 201);
  const bo = answered(await test.admin("POST", "/users", BO), 201);
  const changes = [
    () => test.admin("POST", "/tokens", { name: "t", scopes: ["*:read"] }),
    () => test.admin("PATCH", `/users/${bo.id}`, { displayName: "Bob" }),
    () => test.admin("PATCH", `/users/${user.id}`, { displayName: "A", roles: ["administrator"] }),
    () => test.admin("POST", `/users/${bo.id}/disable`),
    () => test.admin("POST", "/roles", { name: `r${test.context.now()}`, permissions: [] }),
  ];
  test.context.advance(PROOF_SECONDS * 1000);
  for (const change of changes) assertEquals((await change()).status < 300, true);
  answered(await test.admin("POST", "/session/prove", { password: ADA.password }), 200);
  answered(await test.admin("PATCH", "/settings", { "auth.stepUp": true }), 200);
  test.context.advance(PROOF_SECONDS * 1000);

  for (const change of changes) assertRefusal(await change(), 403, "PROOF_REQUIRED");
  answered(await test.admin("PATCH", `/users/${user.id}`, { displayName: "Ada L" }), 200);
  answered(await test.admin("GET", "/tokens"), 200);
  answered(await test.admin("DELETE", `/users/${bo.id}/sessions`), 204);
  answered(await test.admin("POST", "/collections", { slug: "notes", name: "Notes" }), 201);
  answered(await test.admin("POST", "/session/prove", { password: ADA.password }), 200);
  for (const change of changes) assertEquals((await change()).status < 300, true);
});

Deno.test("new passwords keep to auth.password.min and auth.password.blocklist", async () => {
  await using test = await testApp();
  answered(await test.setUp(), 201);
  const create = (password: string, email = "x@example.org") =>
    test.admin("POST", "/users", { ...BO, email, password });
  answered(await create("passwordpassword", "a@example.org"), 201);
  const changes = { "auth.password.min": 15, "auth.password.blocklist": true };
  answered(await test.admin("PATCH", "/settings", changes), 200);
  const short = await create("fourteen chars");
  assertRefusal(short, 422, "VALIDATION_FAILED");
  assertEquals(
    short.json.error.details.map(({ field, code }: Record<string, string>) => [
      field,
      code,
    ]),
    [["password", "TOO_SHORT"]],
  );
  const common = await create("passwordpassword");
  assertEquals(common.json.error.details[0].code, "PATTERN_MISMATCH");
  answered(await create("a long and rare one"), 201);
  const low = await test.admin("PATCH", "/settings", { "auth.password.min": 11 });
  assertRefusal(low, 422, "VALIDATION_FAILED");
});
