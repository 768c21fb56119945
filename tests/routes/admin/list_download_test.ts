/** Lists of the admin API as CSV and NDJSON, as the studio downloads them. */
import { testApp } from "../../support/sites/app.ts";
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";

Deno.test("a list of one collection is downloaded whole, with its filters and drafts", async () => {
  await using test = await testApp();
  await test.setUp();
  const fields = [{ name: "kind", label: "Kind", type: "text", indexed: true }];
  await test.admin("POST", "/collections", { slug: "notes", name: "Notes", fields });
  for (const [title, kind] of [["=SUM(A1)", "a"], ["Second", "a"], ["Third", "b"]]) {
    await test.admin("POST", "/documents", { collection: "notes", title: title!, kind: kind! });
  }
  const list = (query: string) => test.admin("GET", `/documents?collection=notes&${query}`);

  const csv = await list("format=csv&sort=title&perPage=1&field.kind=a");
  const ndjson = await list("format=ndjson&sort=title&page=2&perPage=1");

  assertEquals(csv.headers.get("content-disposition"), 'attachment; filename="notes.csv"');
  assertStringIncludes(csv.headers.get("content-type")!, "text/csv");
  const [head = "", ...rows] = csv.text.trimEnd().split("\r\n");
  assertStringIncludes(head, "title,status");
  assertEquals(rows.length, 2);
  assert(rows[0]!.includes("'=SUM(A1)"));
  const titles = ndjson.text.trimEnd().split("\n").map((line) => JSON.parse(line).title);
  assertEquals(titles, ["=SUM(A1)", "Second", "Third"]);
});

Deno.test("a download is of one collection, in a known format", async () => {
  await using test = await testApp();
  await test.setUp();
  for (const slug of ["notes", "posts"]) {
    await test.admin("POST", "/collections", { slug, name: slug });
  }

  for (const query of ["format=csv", "collection=notes&format=xlsx"]) {
    const { status, json } = await test.admin("GET", `/documents?${query}`);
    assertEquals([status, json.error.code], [400, "PARAMETER_INVALID"], query);
  }
});
