import { assertEquals } from "../../../support/harness/assert.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";

async function site(test: TestApp) {
  const setUp = await test.setUp();
  const cookie = setUp.headers.get("set-cookie")!.split(";")[0]!;
  for (const [slug, name] of [["posts", "Posts"], ["secrets", "Secrets"]] as const) {
    const body = { name: "body", label: "Body", type: "text" };
    await test.collection({ slug, name, exposed: true, fields: [body] });
  }
  const write = async (collection: string, title: string, body: string, isPublic: boolean) => {
    const { json } = await test.admin("POST", "/documents", { collection, title, body });
    if (isPublic) await test.admin("POST", `/documents/${json.id}/publish`);
    return json.id as string;
  };
  await write("posts", "The lighthouse", "Nothing of note.", false);
  await write("posts", "Storms", "Seen from a lighthouse.", true);
  await write("secrets", "Hidden lighthouse", "A lighthouse, too.", true);
  const gone = await write("posts", "Old lighthouse", "", false);
  await test.admin("DELETE", `/documents/${gone}`);
  await test.runner.drain();
  const find = async (query: string, own = cookie) => {
    const answer = await test.call("GET", `/admin/find${query}`, { headers: { cookie: own } });
    assertEquals(answer.status, 200);
    return answer.json.entries.map(({ label, hint }: Record<string, string>) =>
      `${label} (${hint})`
    );
  };
  return { find };
}

Deno.test("GET /admin/find finds titles, then texts, each document once", async () => {
  await using test = await testApp();
  const { find } = await site(test);

  assertEquals((await find("?q=lighthouse")).toSorted(), [
    "Hidden lighthouse (Secrets · Published)",
    "Storms (Posts · in the text)",
    "The lighthouse (Posts · Draft)",
  ]);
  assertEquals((await find("?q=lighthouse")).at(-1), "Storms (Posts · in the text)");
  assertEquals(await find("?q=nothingatall"), []);
  assertEquals(await find(`?q=${"x".repeat(5_000)}`), []);
  assertEquals((await find("")).length, 3);
});

Deno.test("GET /admin/find says what each thing is: a heading, and the icon of its collection", async () => {
  await using test = await testApp();
  const setUp = await test.setUp();
  const cookie = setUp.headers.get("set-cookie")!.split(";")[0]!;
  await test.collection({ slug: "posts", name: "Posts", icon: "camera" });
  await test.admin("POST", "/documents", { collection: "posts", title: "Lamps" });
  const find = async (query: string) => {
    const { json } = await test.call("GET", `/admin/find?q=${query}`, { headers: { cookie } });
    return json.entries.map(({ icon, group }: Record<string, string>) => [icon, group]);
  };

  assertEquals(await find(""), [["camera", "Recent documents"]]);
  assertEquals(await find("lamps"), [["camera", "Documents"]]);
});

Deno.test("GET /admin/find shows only what the user may read", async () => {
  await using test = await testApp();
  const { find } = await site(test);
  const { json: role } = await test.admin("POST", "/roles", {
    name: "reader",
    permissions: [],
    collections: [{ collection: "posts", actions: ["read"] }],
  });
  const user = { email: "grace@example.org", password: "another correct horse" };
  const made = await test.admin("POST", "/users", {
    ...user,
    displayName: "Grace",
    roles: [role.name],
  });
  assertEquals(made.status, 201, made.text);
  const session = await test.call("POST", "/api/admin/session", { body: user });
  const own = session.headers.get("set-cookie")!.split(";")[0]!;

  assertEquals((await find("?q=lighthouse", own)).toSorted(), [
    "Storms (Posts · in the text)",
    "The lighthouse (Posts · Draft)",
  ]);
  assertEquals((await find("", own)).length, 2);
});

Deno.test("GET /admin/find limits documents by collection and creator", async () => {
  await using test = await testApp();
  const { find } = await site(test);
  const grace = { email: "grace@example.org", password: "another correct horse" };
  await test.admin("POST", "/users", { ...grace, displayName: "Grace Hopper", roles: ["editor"] });
  const session = await test.call("POST", "/api/admin/session", { body: grace });
  const own = session.headers.get("set-cookie")!.split(";")[0]!;
  const body = { collection: "posts", title: "Compilers", body: "Written near a lighthouse." };
  const headers = { cookie: own };
  const { json } = await test.call("POST", "/api/admin/documents", { body, headers });
  await test.admin("POST", `/documents/${json.id}/publish`);
  await test.runner.drain();

  assertEquals(await find("?q=in:secrets+lighthouse"), ["Hidden lighthouse (Secrets · Published)"]);
  assertEquals((await find("?q=lighthouse+in:posts")).toSorted(), [
    "Compilers (Posts · in the text)",
    "Storms (Posts · in the text)",
    "The lighthouse (Posts · Draft)",
  ]);
  assertEquals(await find("?q=in:secrets+"), ["Hidden lighthouse (Secrets · Published)"]);
  assertEquals(await find("?q=@grace-hopper"), [
    "Compilers (Posts · Published)",
    "All documents by Grace Hopper (1)",
  ]);
  assertEquals(await find("?q=@grace-hopper+lighthouse"), ["Compilers (Posts · in the text)"]);
  assertEquals(await find("?q=@hop"), [
    "@grace-hopper (Grace Hopper)",
    "Compilers (Posts · Published)",
    "All documents by Grace Hopper (1)",
  ]);
  assertEquals(await find("?q=in:secrets+@grace-hopper"), []);
  assertEquals(await find("?q=in:nothing"), []);
  assertEquals(await find("?q=@stranger"), []);
});

Deno.test("GET /admin/find suggests only collections that the user may read", async () => {
  await using test = await testApp();
  const { find } = await site(test);
  await test.admin("POST", "/roles", {
    name: "reader",
    permissions: [],
    collections: [{ collection: "posts", actions: ["read"] }],
  });
  const user = { email: "grace@example.org", password: "another correct horse" };
  await test.admin("POST", "/users", { ...user, displayName: "Grace", roles: ["reader"] });
  const session = await test.call("POST", "/api/admin/session", { body: user });
  const own = session.headers.get("set-cookie")!.split(";")[0]!;

  assertEquals((await find("?q=in:", own)).slice(0, 1), ["in:posts (Posts)"]);
  assertEquals(await find("?q=in:secrets", own), []);
});
