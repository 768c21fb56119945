import { testApp } from "../../support/sites/app.ts";
import { assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";

Deno.test("a review leads to the next one in the queue, and from the last to the first", async () => {
  await using test = await testApp();
  const cookie = (await test.setUp()).headers.get("set-cookie")!.split(";")[0]!;
  await test.collection({ slug: "notes", name: "Notes", fields: [] });
  const ids: string[] = [];
  for (const title of ["First", "Second", "Third"]) {
    const { json } = await test.admin("POST", "/documents", { collection: "notes", title });
    test.context.advance(1_000);
    const asked = await test.admin("POST", `/documents/${json.id}/review`, { note: "" });
    assertEquals(asked.status, 200, asked.text);
    ids.push(json.id);
  }
  const page = async (id: string) =>
    (await test.call("GET", `/admin/documents/${id}/changes`, { headers: { cookie } })).text;
  const hrefOf = (id: string) => `/admin/documents/${id}/changes`;
  const [first, second, third] = ids as [string, string, string];

  for (const [id, next, title] of [[first, second, "Second"], [third, first, "First"]] as const) {
    const html = await page(id);
    assertStringIncludes(html, `<a href="${hrefOf(next)}" dir="auto">${title}</a>`);
    assertEquals(html.match(new RegExp(`data-(then|after)="${hrefOf(next)}"`, "g"))?.length, 2);
  }
  await test.admin("POST", `/documents/${second}/publish`);
  await test.admin("POST", `/documents/${third}/publish`);
  const last = await page(first);
  assertEquals(last.includes("Next in the queue"), false);
  assertStringIncludes(last, 'data-then="reload"');
});
