import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const quote = { type: "quote", data: { words: "So" } };

/** Two posts and a page; three documents have a quote somewhere, one of them in the trash. */
async function site(): Promise<TestApp> {
  const test = await testApp();
  await test.setUp();
  const fields = [{ name: "words", type: "text" }];
  await test.admin("POST", "/blocks", { name: "quote", label: "Quote", fields });
  await test.collection({
    slug: "posts",
    name: "Posts",
    fields: [
      { name: "teaser", type: "text" },
      { name: "body", type: "rich_text" },
      { name: "parts", type: "block", options: { allowed: ["quote"] } },
    ],
  });
  await test.collection({
    slug: "pages",
    name: "Pages",
    fields: [{
      name: "rows",
      type: "repeater",
      options: { fields: [{ name: "post", type: "reference", options: { collection: "posts" } }] },
    }],
  });
  const make = async (collection: string, values: Record<string, unknown>) =>
    answered(await test.admin("POST", "/documents", { collection, ...values } as never), 201).id;
  const body = [{ _type: "quote", words: "In text" }];
  await make("posts", { title: "In a field", parts: [quote], status: "published" });
  await make("posts", { title: "In text", body, teaser: "Short" });
  await make("pages", { title: "In the tree", blocks: [quote] });
  const trashed = await make("pages", { title: "Gone", blocks: [quote] });
  await test.admin("DELETE", `/documents/${trashed}`);
  for (const scopes of [["posts:read"], ["*:read"], ["pages:read", "posts:write"]]) {
    await test.admin("POST", "/tokens", { name: `for ${scopes.join(" ")}`, scopes });
  }
  return test;
}

Deno.test("DELETE /blocks/{name}?dryRun=true tells who has such blocks, and removes nothing", async () => {
  await using test = await site();
  const impact = answered(await test.admin("DELETE", "/blocks/quote?dryRun=true"), 200);
  assertEquals([impact.documents, impact.published], [3, 1]);
  assertEquals(
    impact.examples.map(({ title }: { title: string }) => title).sort(),
    ["In a field", "In text", "In the tree"],
  );
  assertEquals([impact.definitions, impact.tokens], [["posts.parts"], []]);
  answered(await test.admin("GET", "/blocks/quote"), 200);
  assertRefusal(await test.admin("DELETE", "/blocks/nothing?dryRun=true"), 404, "NOT_FOUND");
  assertEquals((await test.admin("DELETE", "/blocks/quote?dryRun=maybe")).status, 422);
});

Deno.test("DELETE of fields and collections as a dry run tells documents, tokens and references", async () => {
  await using test = await site();
  const field = answered(
    await test.admin("DELETE", "/collections/posts/fields/teaser?dryRun=true"),
    200,
  );
  assertEquals([field.documents, field.published], [1, 0]);
  assertEquals(field.tokens.sort(), ["for pages:read posts:write", "for posts:read"]);
  const whole = answered(await test.admin("DELETE", "/collections/posts?dryRun=true"), 200);
  assertEquals([whole.documents, whole.definitions], [2, ["pages.rows.post"]]);
  answered(await test.admin("GET", "/collections/posts/fields/teaser"), 200);
});
