/** What a newsroom reads on its screens: words of the form, and what has come back from a reviewer. */
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { type TestApp, testApp } from "../../support/sites/app.ts";

const FIELDS = [
  { name: "lead", label: "Standfirst", type: "text", required: true },
  { name: "featured", label: "On the front page", type: "boolean" },
];

async function site(test: TestApp) {
  const setUp = await test.setUp();
  const ada = setUp.headers.get("set-cookie")!.split(";")[0]!;
  await test.collection({ slug: "notes", name: "Notes", fields: FIELDS });
  const body = { email: "bea@example.org", password: "a password of some length" };
  await test.admin("POST", "/users", { ...body, displayName: "Bea", roles: ["author"] });
  const session = await test.call("POST", "/api/admin/session", { body });
  const bea = session.headers.get("set-cookie")!.split(";")[0]!;
  const asBea = (method: string, path: string, given?: Record<string, string | boolean>) =>
    test.call(method, `/api/admin${path}`, {
      headers: { cookie: bea },
      ...(given !== undefined && { body: given }),
    });
  const page = async (path: string, cookie = ada) =>
    (await test.call("GET", `/admin${path}`, { headers: { cookie } })).text;
  const made = await asBea("POST", "/documents", {
    collection: "notes",
    title: "Harbour",
    featured: false,
  });
  assertEquals(made.status, 201, made.text);
  return { id: made.json.id as string, bea, asBea, page };
}

Deno.test("GET /admin shows authors returned documents first, and why; lists say so too", async () => {
  await using test = await testApp();
  const { id, bea, asBea, page } = await site(test);
  await asBea("POST", `/documents/${id}/review`, { note: "" });
  await asBea("POST", "/documents", { collection: "notes", title: "Newer" });
  assertStringIncludes(await page("/content"), "In review");

  const returned = await test.admin("POST", `/documents/${id}/review/return`, {
    note: "A picture is missing.",
  });
  assertEquals(returned.status, 200, returned.text);

  const overview = await page("", bea);
  assertStringIncludes(overview, "A picture is missing.");
  assert(overview.indexOf(">Harbour<") < overview.indexOf(">Newer<"));
  const list = await page("/content");
  assertStringIncludes(list, "Changes requested");
  assert(!list.includes("In review"));
});

Deno.test("GET /admin/documents/:id offers reviewers to approve, and withdrawing only to the user who asked", async () => {
  await using test = await testApp();
  const { id, bea, asBea, page } = await site(test);
  await test.admin("PATCH", `/documents/${id}`, { lead: "The sea is dark at night." });
  assertEquals((await asBea("POST", `/documents/${id}/review`, { note: "" })).status, 200);
  const offered = async (cookie?: string) => {
    const text = await page(`/documents/${id}`, cookie);
    const [, review] = /<section[^>]* aria-label="Review">(.*?)<\/section>/s.exec(text)!;
    return [...review!.matchAll(/<button([^>]*)>([^<]*)<\/button>/g)].map((
      [, attributes, label],
    ) => ({
      label: label!.trim(),
      action: / data-action="(\w+) \/api\/admin([^"]*)"/.exec(attributes!)?.slice(1) ?? [],
    }));
  };

  assertEquals((await offered(bea)).map(({ label }) => label), ["Withdraw"]);
  const [approve, ...others] = await offered();
  assertEquals([approve!.label, others.map(({ label }) => label)], [
    "Approve and publish",
    ["Request changes …"],
  ]);

  const [method, path] = approve!.action as [string, string];
  assertEquals((await asBea(method, path)).status, 403);
  assertEquals((await test.admin(method, path)).status, 202);
  await test.runner.drain();
  const { json } = await test.admin("GET", `/documents/${id}`);
  assertEquals([json.status, json.review ?? null], ["published", null]);
});

Deno.test("GET /admin/documents/:id/changes leaves out switches that were never turned on", async () => {
  await using test = await testApp();
  const { id, asBea, page } = await site(test);

  assert(!(await page(`/documents/${id}/changes`)).includes("On the front page"));
  await asBea("PATCH", `/documents/${id}`, { featured: true });
  assertStringIncludes(await page(`/documents/${id}/changes`), "On the front page");
});

Deno.test("GET /admin/releases/:id says what keeps documents back in the words of their form", async () => {
  await using test = await testApp();
  const { id, page } = await site(test);
  const { json: release } = await test.admin("POST", "/releases", { name: "Evening" });
  await test.admin("PUT", `/releases/${release.id}/documents/${id}`, { action: "publish" });

  assertStringIncludes(await page(`/releases/${release.id}`), "Standfirst is missing");
});
