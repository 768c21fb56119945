import { assertEquals } from "@std/assert";
import { HistorySite } from "../../../support/harness/history_site.ts";

const POSTS = { slug: "posts", name: "Posts" };

Deno.test("POST /api/admin/tokens takes scopes of collections that exist, of media, and of all", async () => {
  await using site = await HistorySite.open();
  await site.want(201, "POST", "/collections", POSTS);
  const good = ["posts:read", "posts:read-history", "*:read-history", "media:read", "media:write"];
  const minted = await site.want(201, "POST", "/tokens", { name: "t", scopes: good });
  const scopes = ["posts:write", "pages:read", "media:read-drafts", "media:read-history", "*:*"];

  const refused = await site.ask("POST", "/tokens", { name: "t", scopes });
  const unknown = await site.ask("POST", "/tokens", {
    name: "t",
    scopes: ["posts:read", "pages:read"],
  });

  assertEquals(minted.scopes, good);
  const fields = ({ json }: typeof refused) =>
    json.error.details.map(({ field, code }: { field: string; code: string }) => [field, code])
      .sort();
  assertEquals([refused.status, fields(refused)], [422, [
    ["scopes.1", "INVALID_SCOPE"],
    ["scopes.2", "INVALID_SCOPE"],
    ["scopes.3", "INVALID_SCOPE"],
    ["scopes.4", "INVALID_SCOPE"],
  ]]);
  assertEquals([unknown.status, fields(unknown)], [422, [["scopes.1", "INVALID_SCOPE"]]]);
});

Deno.test("PATCH /api/admin/tokens/{id} refuses added scopes of no collection, and takes those it has", async () => {
  await using site = await HistorySite.open();
  await site.want(201, "POST", "/collections", POSTS);
  const { id } = await site.want(201, "POST", "/tokens", { name: "t", scopes: ["posts:read"] });
  await site.want(204, "DELETE", "/collections/posts");

  const scopes = ["posts:read", "*:write"];
  assertEquals((await site.want(200, "PATCH", `/tokens/${id}`, { scopes })).scopes, scopes);
  const { status } = await site.ask("PATCH", `/tokens/${id}`, { scopes: ["posts:write"] });
  assertEquals(status, 422);
});

Deno.test("PATCH /api/admin/collections/{slug} renames a collection in the scopes of its tokens", async () => {
  await using site = await HistorySite.open();
  const { id } = await site.want(201, "POST", "/collections", POSTS);
  await site.want(201, "POST", "/collections", { slug: "posts-2", name: "Others" });
  const mint = (name: string, scopes: string[]) =>
    site.want(201, "POST", "/tokens", { name, scopes });
  const own = await mint("own", ["posts:read", "posts-2:read", "*:write"]);
  const other = await mint("other", ["posts-2:read", "*"]);
  const many = await Promise.all(
    Array.from({ length: 30 }, (_, n) => mint(`t${n}`, ["posts:write"])),
  );
  site.pass();

  await site.want(200, "PATCH", "/collections/posts", { slug: "articles" });

  const scopesOf = async ({ id }: { id: string }) =>
    (await site.want(200, "GET", `/tokens/${id}`)).scopes;
  assertEquals(await scopesOf(own), ["articles:read", "posts-2:read", "*:write"]);
  assertEquals(await scopesOf(other), ["posts-2:read", "*"]);
  for (const token of many) assertEquals(await scopesOf(token), ["articles:write"]);
  assertEquals((await site.versions("api_token", other.id)).length, 1);
  assertEquals((await site.restore("collection", id, 1)).status, 200);
  assertEquals(await scopesOf(own), ["posts:read", "posts-2:read", "*:write"]);
});

Deno.test("POST /api/admin/collections refuses the reserved slugs", async () => {
  await using site = await HistorySite.open();
  for (const slug of ["preview", "mcp", "llms", "media", "search"]) {
    assertEquals(await site.refusal("POST", "/collections", { slug, name: "X" }), [
      422,
      "VALIDATION_FAILED",
    ]);
  }
});
