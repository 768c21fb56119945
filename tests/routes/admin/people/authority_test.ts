/** A user hands out no more than they have: scopes, events, capabilities, settings. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { type Answer, type TestApp, testApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { packageOf, publisher, trust } from "../../../support/sites/packages.ts";

type Ask = (method: string, path: string, body?: Json, raw?: BodyInit) => Promise<Answer>;

let people = 0;

/** Signs in a user whose only role has these permissions and rights. */
async function person(
  test: TestApp,
  permissions: string[],
  collections: { collection: string; actions: string[] }[] = [],
): Promise<Ask> {
  const name = `role-${++people}`;
  answered(await test.admin("POST", "/roles", { name, permissions, collections }), 201);
  const email = `${name}@example.org`;
  const password = "a password of some length";
  const user = { email, displayName: name, password, roles: [name] };
  answered(await test.admin("POST", "/users", user), 201);
  const address = `198.51.100.${people}`;
  const signedIn = await test.call("POST", "/api/admin/session", {
    body: { email, password },
    address,
  });
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
  return (method, path, body, raw) =>
    test.call(method, `/api/admin${path}`, {
      ...(body !== undefined && { body }),
      ...(raw !== undefined && { raw }),
      headers: { cookie },
    });
}

async function site(): Promise<TestApp> {
  const test = await testApp();
  await test.setUp();
  await test.collection({ slug: "posts", name: "Posts", fields: [] });
  await test.collection({ slug: "pages", name: "Pages", fields: [] });
  return test;
}

const ALL = ["read", "create", "editOwn", "edit", "publish", "delete"];
const WRITER = ["documents.read", "documents.write", "documents.publish"];
const MEDIA = ["media.read", "media.write"];

/** Who may mint which scopes. */
const MINTING: [string, string[], { collection: string; actions: string[] }[], string[], number][] =
  [
    ["tokens alone", [], [], ["*"], 403],
    ["tokens alone", [], [], ["posts:read"], 403],
    ["tokens alone", [], [], ["media:read"], 403],
    ["readers", ["documents.read"], [], ["*:read", "*:read-drafts"], 201],
    ["readers", ["documents.read"], [], ["*:write"], 403],
    ["readers", ["documents.read"], [], ["posts:read-history"], 403],
    ["readers", ["documents.read", "versions.read"], [], ["posts:read-history"], 201],
    ["writers who do not publish", ["documents.read", "documents.write"], [], ["*:write"], 403],
    ["writers", WRITER, [], ["*:write"], 201],
    ["writers", WRITER, [], ["*"], 403],
    ["writers with media and history", [...WRITER, ...MEDIA, "versions.read"], [], ["*"], 201],
    ["people of posts", [], [{ collection: "posts", actions: ALL }], ["posts:write"], 201],
    ["people of posts", [], [{ collection: "posts", actions: ALL }], ["pages:read"], 403],
    ["people of posts", [], [{ collection: "posts", actions: ALL }], ["*:read"], 403],
    ["media readers", ["media.read"], [], ["media:read"], 201],
    ["media readers", ["media.read"], [], ["media:write"], 403],
  ];

for (const [who, permissions, collections, scopes, status] of MINTING) {
  const verb = status === 201 ? "may" : "may not";
  Deno.test(`${who} ${verb} mint ${scopes.join(" and ")} with ${permissions.join(", ") || "no permission"} and ${collections.length} collections`, async () => {
    await using test = await site();
    const ask = await person(test, ["tokens.manage", ...permissions], collections);

    assertEquals((await ask("POST", "/tokens", { name: "T", scopes })).status, status);
    // The same holds for a token that exists: taking it over is minting it.
    const { id } = answered(await test.admin("POST", "/tokens", { name: "A", scopes }), 201);
    const existing = status === 201 ? 200 : 403;
    assertEquals((await ask("PATCH", `/tokens/${id}`, { name: "B" })).status, existing);
    assertEquals((await ask("POST", `/tokens/${id}/rotate`, {})).status, existing);
    const own = answered(await test.admin("POST", "/tokens", { name: "C", scopes }), 201).id;
    assertEquals((await ask("PATCH", `/tokens/${own}`, { scopes })).status, existing);
    // Taking a token away gives nothing.
    assertEquals((await ask("DELETE", `/tokens/${id}`)).status, 204);
  });
}

Deno.test("a webhook is sent nothing that its author may not see", async () => {
  await using test = await site();
  const own = [{ collection: "posts", actions: ["read"] }];
  const ask = await person(test, ["tokens.manage"], own);
  const hook = (collections: Json, events: string[] = ["document.published"]) => ({
    name: "W",
    url: "https://hooks.example.org/",
    collections,
    events,
    filter: { status: "draft" },
  });
  const statusOf = async (body: Json) => (await ask("POST", "/webhooks", body)).status;

  assertEquals(await statusOf(hook(["posts"])), 201);
  assertEquals(await statusOf(hook(["posts", "pages"])), 403);
  assertEquals(await statusOf(hook(null)), 403);
  assertEquals(await statusOf(hook(["posts"], ["media.changed"])), 403);
  assertEquals(await statusOf(hook(["posts"], ["schema.changed"])), 403);
  const { id } = answered(await test.admin("POST", "/webhooks", hook(["pages"])), 201);
  for (
    const [method, path, body] of [
      ["PATCH", "", { filter: { title: { startsWith: "A" } } }],
      ["PATCH", "", { collections: ["posts"] }],
      ["POST", "/rotate-secret", {}],
      ["POST", "/replay", { since: 0 }],
    ] as [string, string, Json][]
  ) {
    assertRefusal(await ask(method, `/webhooks/${id}${path}`, body), 403, "FORBIDDEN");
  }
});

Deno.test("a user cannot accept a capability that their own rights do not cover", async () => {
  await using test = await site();
  await trust(test, [publisher()]);
  const capabilities = ["content:read", "content:write:posts", "media:read"];
  const packed = await packageOf({ facts: { capabilities } });
  const install = async (permissions: string[]) => {
    const ask = await person(test, ["packages.manage", ...permissions]);
    const form = new FormData();
    for (const capability of capabilities) form.append("accept", capability);
    form.append("package", new Blob([packed]), "package.tar.gz");
    return await ask("POST", "/plugins", undefined, form);
  };

  assertRefusal(await install([]), 403, "FORBIDDEN");
  assertRefusal(await install(["documents.read", "documents.write"]), 403, "FORBIDDEN");
  assertRefusal(await install(["documents.read", "media.read"]), 403, "FORBIDDEN");
  assertEquals(
    (await install(["documents.read", "documents.write", "media.read"])).status,
    202,
  );
});

Deno.test("a setting that decides about more than settings takes the permission for it", async () => {
  await using test = await site();
  const publishers = [{
    id: "acme",
    publicKey: btoa("k".repeat(32)),
    label: "Acme",
    prefix: "com.acme.",
    from: 0,
    until: null,
    revoked: false,
  }];
  const changes: [string, Json, string | null][] = [
    ["site.url", "https://thief.example", null],
    ["packages.publishers", publishers, "packages.manage"],
    ["preview.url", "https://thief.example/{token}", "tokens.manage"],
    ["theme.active", "01JD0000000000000000000000", "packages.manage"],
  ];
  const plain = await person(test, ["settings.read", "settings.write"]);
  const before = (await plain("GET", "/settings")).json;
  // A form sends everything back.
  assertEquals((await plain("PATCH", "/settings", { ...before, "site.title": "New" })).status, 200);
  for (const [key, value, permission] of changes) {
    assertRefusal(await plain("PATCH", "/settings", { [key]: value }), 403, "FORBIDDEN");
    const with_ = permission ?? "users.manage";
    const ask = await person(test, ["settings.read", "settings.write", with_]);
    const { status } = await ask("PATCH", "/settings", { [key]: value });
    assertEquals(status, permission === null ? 403 : 200, key);
  }
  answered(await test.admin("PATCH", "/settings", { "site.url": "https://own.example" }), 200);
});

Deno.test("an invitation's link leads to the address that is set, not to that of the request", async () => {
  await using test = await site();
  answered(await test.admin("PATCH", "/settings", { "site.url": "https://own.example" }), 200);
  const user = { email: "in@example.org", displayName: "In", roles: ["editor"] };
  const { id } = answered(await test.admin("POST", "/users", user), 201);
  const invite = (at: TestApp) =>
    at.admin("POST", `/users/${id}/invitation`, {}, { headers: { host: "thief.example" } });

  assertEquals((await invite(test)).json.url.split("/admin")[0], "https://own.example");
});
