import { assertEquals } from "@std/assert";
import { HistorySite } from "../../support/harness/history_site.ts";
import { patchField } from "../../../kv/schema/fields.ts";
import { contentOf } from "../../support/harness/simulated_site.ts";

const POSTS = {
  slug: "posts",
  name: "Posts",
  fields: [
    { name: "body", label: "Body", type: "text" },
    { name: "price", label: "Price", type: "number" },
  ],
};

Deno.test("a restored collection has the field that a process ahead of its time had changed", async () => {
  await using site = await HistorySite.open();
  const { id } = await site.want(201, "POST", "/collections", POSTS);
  const { context } = site.app;
  const ahead = contentOf({ ...context, now: () => context.now() + 5_000 });
  await patchField(ahead, { userId: null }, "posts", "price", { label: "Cost" });
  await site.want(204, "DELETE", "/collections/posts");
  site.pass();

  assertEquals((await site.restore("collection", id, 1)).status, 200);

  const { fields } = await site.want(200, "GET", "/collections/posts");
  assertEquals(fields.map(({ name }: { name: string }) => name), ["body", "price"]);
});

Deno.test("the newest version of a deleted entity can be restored, and the last version before the deletion", async () => {
  await using site = await HistorySite.open();
  const { id } = await site.want(201, "POST", "/collections", POSTS);
  await site.want(204, "DELETE", "/collections/posts");
  site.pass();

  assertEquals((await site.restore("collection", id, 2)).status, 200);
  site.pass();
  assertEquals((await site.restore("collection", id, 1)).status, 200);

  const { fields } = await site.want(200, "GET", "/collections/posts");
  assertEquals(fields.map(({ name }: { name: string }) => name), ["body", "price"]);
});
