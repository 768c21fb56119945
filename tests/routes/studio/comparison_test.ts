/** What comparisons of documents show of what these point to, and to whom. */
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { testApp } from "../../support/sites/app.ts";

Deno.test("Histories name what a document points to, unless one may not see that", async () => {
  await using test = await testApp();
  const ada = (await test.setUp()).headers.get("set-cookie")!.split(";")[0]!;
  await test.collection({ slug: "sources", name: "Sources", fields: [] });
  const source = { name: "source", label: "Source", type: "reference" };
  const sources = {
    name: "sources",
    label: "More",
    type: "repeater",
    options: { fields: [source] },
  };
  await test.collection({ slug: "notes", name: "Notes", fields: [source, sources] });
  const made = async (body: Record<string, unknown>) => {
    const answer = await test.admin("POST", "/documents", body as never);
    assertEquals(answer.status, 201, answer.text);
    return answer.json.id as string;
  };
  const secret = await made({ collection: "sources", title: "A keeper who talks" });
  const note = await made({
    collection: "notes",
    title: "Harbour",
    source: secret,
    sources: [{ source: secret }],
  });
  await test.admin("POST", "/roles", {
    name: "Notes only",
    permissions: ["versions.read"],
    collections: [{ collection: "notes", actions: ["read"] }],
  });
  const bea = { email: "bea@example.org", password: "a password of some length" };
  await test.admin("POST", "/users", { ...bea, displayName: "Bea", roles: ["Notes only"] });
  const session = await test.call("POST", "/api/admin/session", { body: bea });
  const own = session.headers.get("set-cookie")!.split(";")[0]!;
  const page = async (path: string, cookie: string) =>
    (await test.call("GET", `/admin${path}`, { headers: { cookie } })).text;

  for (const path of [`/versions/document/${note}`, `/documents/${note}/changes`]) {
    const seen = await page(path, ada);
    assertEquals(seen.match(/<ins>A keeper who talks<\/ins>/g)?.length, 2, seen);
    const hidden = await page(path, own);
    assertStringIncludes(hidden, "Restricted document");
    assert(!hidden.includes("A keeper who talks"), path);
  }
});
