/** Disabled users: nothing that they have opens anything, until they are enabled again. */
import { issueReset } from "../../../../kv/people/resets.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { testApp } from "../../../support/sites/app.ts";
import { seconds } from "../../../../kv/context.ts";

const BO = {
  email: "bo@example.org",
  displayName: "Bo",
  password: "twelve chars",
  roles: ["editor"],
};

async function siteWithBo() {
  const test = await testApp();
  const { user: ada } = answered(await test.setUp(), 201);
  const bo = answered(await test.admin("POST", "/users", BO), 201);
  const signIn = () =>
    test.call("POST", "/api/admin/session", {
      body: { email: BO.email, password: BO.password },
      address: "198.51.100.7",
    });
  const signedIn = await signIn();
  const cookie = signedIn.headers.getSetCookie()[0]!.split(";")[0]!;
  const asBo = (method: string, path: string) =>
    test.call(method, `/api/admin${path}`, { headers: { cookie } });
  return { test, ada, bo, signIn, asBo };
}

Deno.test("disable ends sessions, resets and invitations, and refuses to sign in", async () => {
  const { test, bo, signIn, asBo } = await siteWithBo();
  await using _ = test;
  const { people } = test.deps;
  const reset = await issueReset(people, bo.id);
  const invited = answered(
    await test.admin("POST", "/users", {
      email: "in@example.org",
      displayName: "In",
      roles: ["editor"],
    }),
    201,
  );
  const invitation = await issueReset(people, invited.id);
  assertEquals((await asBo("GET", "/session")).status, 200);

  const disabled = answered(await test.admin("POST", `/users/${bo.id}/disable`), 200);
  answered(await test.admin("POST", `/users/${invited.id}/disable`), 200);

  assertEquals(disabled.disabledAt, seconds(test.context));
  assertEquals(answered(await test.admin("POST", `/users/${bo.id}/disable`), 200), disabled);
  assertEquals((await test.admin("GET", `/users/${bo.id}`)).json, disabled);
  assertEquals((await asBo("GET", "/session")).status, 401);
  assertRefusal(await signIn(), 401, "UNAUTHENTICATED");
  for (const { token } of [reset!, invitation!]) {
    const confirmation = await test.call("POST", "/api/admin/password-reset/confirm", {
      body: { token, password: "another password" },
    });
    assertRefusal(confirmation, 422, "VALIDATION_FAILED");
  }
  assertEquals(await issueReset(people, bo.id), null);
  assertRefusal(await test.admin("POST", `/users/${invited.id}/invitation`, {}), 409, "CONFLICT");

  const enabled = answered(await test.admin("POST", `/users/${bo.id}/enable`), 200);
  assertEquals(enabled.disabledAt, null);
  assertEquals((await asBo("GET", "/session")).status, 401, "an ended session stays ended");
  assertEquals((await signIn()).status, 200);
  const versions = (await test.admin("GET", `/versions/user/${bo.id}`)).json.data;
  const summaries = versions.map((version: { change_summary: string }) => version.change_summary);
  assertEquals(summaries.slice(0, 2), ["user enabled", "user disabled"]);
});

Deno.test("the last administrator who is not disabled cannot be disabled, removed or demoted", async () => {
  const { test, ada, bo } = await siteWithBo();
  await using _ = test;
  assertRefusal(await test.admin("POST", `/users/${ada.id}/disable`), 409, "CONFLICT");
  answered(await test.admin("PATCH", `/users/${bo.id}`, { roles: ["administrator"] }), 200);
  answered(await test.admin("POST", `/users/${bo.id}/disable`), 200);

  assertRefusal(await test.admin("POST", `/users/${ada.id}/disable`), 409, "CONFLICT");
  assertRefusal(await test.admin("DELETE", `/users/${ada.id}`), 409, "CONFLICT");
  assertRefusal(await test.admin("PATCH", `/users/${ada.id}`, { roles: [] }), 409, "CONFLICT");
});

Deno.test("users are disabled by those who may manage them and have all of their rights", async () => {
  const { test, ada, bo, asBo } = await siteWithBo();
  await using _ = test;
  assertRefusal(await asBo("POST", `/users/${ada.id}/disable`), 403, "FORBIDDEN");
  assertRefusal(await asBo("POST", `/users/${bo.id}/enable`), 403, "FORBIDDEN");
  assertRefusal(await test.admin("POST", "/users/none/disable"), 404, "NOT_FOUND");
});

Deno.test("a restore of the site or of a version leaves a disabled user disabled", async () => {
  const { test, bo, signIn } = await siteWithBo();
  await using _ = test;
  const then = seconds(test.context);
  const version = (await test.admin("GET", `/versions/user/${bo.id}`)).json.data[0].id;
  test.context.advance(5_000);
  answered(await test.admin("POST", `/users/${bo.id}/disable`), 200);
  answered(await test.admin("PATCH", `/users/${bo.id}`, { displayName: "Bob" }), 200);

  answered(await test.admin("POST", `/versions/${version}/restore`, {}), 200);
  let user = answered(await test.admin("GET", `/users/${bo.id}`), 200);
  assert(user.displayName === "Bo" && user.disabledAt !== null);

  answered(await test.admin("PATCH", `/users/${bo.id}`, { displayName: "Bob" }), 200);
  test.context.advance(5_000);
  answered(await test.admin("POST", "/restore", { timestamp: then }), 202);
  await test.runner.drain();
  user = answered(await test.admin("GET", `/users/${bo.id}`), 200);
  assert(user.displayName === "Bo" && user.disabledAt !== null);

  answered(await test.admin("DELETE", `/users/${bo.id}`), 204);
  answered(await test.admin("POST", `/versions/${version}/restore`, {}), 200);
  user = answered(await test.admin("GET", `/users/${bo.id}`), 200);
  assert(user.disabledAt !== null, "also after a deletion");
  assertRefusal(await signIn(), 401, "UNAUTHENTICATED");
});

Deno.test("previews of a disabled user end", async () => {
  const { test, bo, asBo } = await siteWithBo();
  await using _ = test;
  answered(await test.admin("POST", "/collections", { slug: "notes", name: "Notes" }), 201);
  const document = answered(
    await test.admin("POST", "/documents", { collection: "notes", title: "A" }),
    201,
  );
  const preview = answered(await asBo("POST", `/documents/${document.id}/preview`), 201);
  const open = () => test.call("GET", new URL(preview.url).pathname);
  assertEquals((await open()).status, 200);

  answered(await test.admin("POST", `/users/${bo.id}/disable`), 200);

  assertEquals((await open()).status, 404);
});
