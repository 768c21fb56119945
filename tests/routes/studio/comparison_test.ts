/** What comparisons of documents show of what these point to, and to whom. */
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { testApp } from "../../support/sites/app.ts";
import { IMAGES } from "../../support/sites/images.ts";
import { formOf } from "../../support/sites/media_app.ts";

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

Deno.test("Comparisons show rich texts as the editor draws them, with unchanged passages folded", async () => {
  await using test = await testApp();
  const cookie = (await test.setUp()).headers.get("set-cookie")!.split(";")[0]!;
  const body = { name: "body", label: "Body", type: "rich_text" };
  await test.collection({ slug: "notes", name: "Notes", fields: [body] });
  const text = (...words: string[]) =>
    words.map((text, n) => ({
      _type: "block",
      _key: `k${n}`,
      style: n === 0 ? "h2" : "normal",
      children: [{ _type: "span", _key: `s${n}`, text, marks: n === 1 ? ["strong"] : [] }],
    }));
  const before = text("Lamps", "Bold", "Three", "Four", "Five", "An old lamp");
  const after = text("Lights", "Bold", "Three", "Four", "Five", "A new lamp");
  const made = await test.admin("POST", "/documents", {
    collection: "notes",
    title: "Harbour",
    body: before,
  });
  const { id } = made.json;
  await test.admin("POST", `/documents/${id}/publish`);
  await test.runner.drain();
  const changed = await test.admin("PATCH", `/documents/${id}/working-copy`, { body: after });
  assertEquals(changed.status, 200, changed.text);
  const page = async (path: string) =>
    (await test.call("GET", `/admin${path}`, { headers: { cookie } })).text;

  assertStringIncludes(await page(`/documents/${id}/changes`), "2 unpublished changes.");
  for (const path of [`/versions/document/${id}`, `/documents/${id}/changes`]) {
    const html = await page(path);
    assertStringIncludes(html, "2 changes");
    assertStringIncludes(
      html,
      '<h4 class="pt-h2" dir="auto"><del>Lamps</del><ins>Lights</ins></h4>',
    );
    assertStringIncludes(html, '<p dir="auto"><del>An old </del><ins>A new </ins>lamp</p>');
    assertStringIncludes(html, '<p dir="auto"><del>An old </del>lamp</p>');
    assertStringIncludes(html, "<strong>Bold</strong>");
    assertStringIncludes(html, "<summary>2 unchanged blocks</summary>");
    assertEquals(html.match(/<div class="diff-row changed" data-change/g)?.length, 2, html);
  }
});

Deno.test("Comparisons show the images in rich texts", async () => {
  await using test = await testApp();
  const cookie = (await test.setUp()).headers.get("set-cookie")!.split(";")[0]!;
  const headers = { cookie };
  const body = { name: "body", label: "Body", type: "rich_text" };
  await test.collection({ slug: "notes", name: "Notes", fields: [body] });
  const raw = formOf(IMAGES["image/png"], "lamp.png");
  const { json: medium } = await test.call("POST", "/api/admin/media", { raw, headers });
  const { json: note } = await test.admin("POST", "/documents", {
    collection: "notes",
    title: "Harbour",
    body: [{ _type: "image", _key: "i", media: medium.id }],
  });

  const { text } = await test.call("GET", `/admin/versions/document/${note.id}`, { headers });

  assertStringIncludes(text, '<img class="is" src="/media/');
});
