import { assertEquals } from "@std/assert";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { HistorySite } from "../../../support/harness/history_site.ts";

const FIELDS = [
  { name: "rating", label: "Rating", type: "number" },
  { name: "kind", label: "Kind", type: "select", options: { choices: ["a", "b"] } },
  { name: "cover", label: "Cover", type: "media" },
  { name: "note", label: "Note", type: "text" },
];

/** A published document whose values a later definition would refuse. */
async function narrowed(site: HistorySite) {
  await site.want(201, "POST", "/collections", { slug: "posts", name: "Posts", fields: FIELDS });
  const body = { collection: "posts", title: "One", rating: 9, kind: "b" };
  const { id } = await site.want(201, "POST", "/documents", body);
  await site.want(202, "POST", `/documents/${id}/publish`);
  const fields = "/collections/posts/fields";
  await site.want(200, "PATCH", `${fields}/rating`, { options: { max: 5 } });
  await site.want(200, "PATCH", `${fields}/kind`, { options: { choices: ["a"] } });
  await site.want(200, "PATCH", `${fields}/note`, { required: true });
  return { id, path: `/documents/${id}` };
}

Deno.test("PATCH with the body of a GET changes nothing, however the definition was narrowed since", async () => {
  await using site = await HistorySite.open();
  const { id, path } = await narrowed(site);
  const before = await site.versions("document", id);

  const sent = await site.want(200, "GET", path);
  assertEquals((await site.ask("PATCH", path, sent)).status, 200);
  assertEquals((await site.ask("PATCH", path, { rating: 9, kind: "b", note: null })).status, 200);

  assertEquals(await site.versions("document", id), before);
  const { status, json } = await site.ask("PATCH", path, { rating: 9, nonsense: 1 });
  assertEquals([status, json.error.details[0].code], [422, "UNKNOWN_KEY"]);
});

Deno.test("PATCH checks what it changes, and required values of a published document, nothing else", async () => {
  await using site = await HistorySite.open();
  const { path } = await narrowed(site);
  const codes = async (body: Record<string, string | number>) => {
    const { status, json } = await site.ask("PATCH", path, body);
    return [
      status,
      json.error?.details.map(({ field, code }: { field: string; code: string }) => [field, code]),
    ];
  };

  assertEquals(await codes({ title: "Two", rating: 9 }), [422, [["note", "REQUIRED"]]]);
  assertEquals(await codes({ rating: 8, note: "x" }), [422, [["rating", "TOO_LARGE"]]]);
  assertEquals(await codes({ rating: 9, kind: "b", note: "x" }), [200, undefined]);
  assertEquals(await codes({ kind: "b", title: "Two" }), [200, undefined]);
});

/** A document with values inside of others that later definitions would refuse. */
async function narrowedInside(site: HistorySite) {
  const text = (name: string, options: Record<string, Json> = {}) => ({
    name,
    type: "text",
    options,
  });
  const parts = (fields: Json[]) => ({ options: { fields } });
  await site.want(201, "POST", "/collections", {
    slug: "posts",
    name: "Posts",
    fields: [
      { name: "rows", type: "repeater", ...parts([text("cap"), text("gone")]) },
      { name: "seo", type: "group", ...parts([text("head"), text("gone"), text("foot")]) },
      { name: "tags", type: "multi_select", options: { choices: ["a", "b", "c"] } },
    ],
  });
  const { id } = await site.want(201, "POST", "/documents", {
    collection: "posts",
    title: "One",
    rows: [{ cap: "long", gone: "1" }, { cap: "longer" }],
    seo: { head: "long", gone: "2", foot: "x" },
    tags: ["a", "b"],
  });
  const fields = "/collections/posts/fields";
  const short = { maxLength: 3 };
  await site.want(200, "PATCH", `${fields}/rows`, parts([text("cap", short)]));
  await site.want(200, "PATCH", `${fields}/seo`, parts([text("head", short), text("foot")]));
  await site.want(200, "PATCH", `${fields}/tags`, { options: { choices: ["b", "c"] } });
  return `/documents/${id}`;
}

Deno.test("PATCH refuses nothing inside of a value that is sent back as it is stored", async () => {
  await using site = await HistorySite.open();
  const path = await narrowedInside(site);
  const { rows, seo } = await site.want(200, "GET", path);
  const send = async (body: Record<string, unknown>) => {
    const { status, json } = await site.ask("PATCH", path, body as Record<string, Json>);
    return json.error?.details.map((one: { field: string; code: string }) =>
      `${one.field} ${one.code}`
    ) ?? status;
  };

  assertEquals(await send({ rows: [{ cap: "new" }, ...rows] }), 200, "rows have moved");
  assertEquals(await send({ rows: [...rows.toReversed()] }), 200);
  assertEquals(await send({ rows: [{ ...rows[1], cap: "other" }] }), ["rows.0.cap TOO_LONG"]);
  assertEquals(await send({ seo: { ...seo, foot: "y" } }), 200, "others in it are changed");
  assertEquals(await send({ seo: { ...seo, gone: "3" } }), ["seo.gone UNKNOWN_KEY"]);
  assertEquals(await send({ seo: { ...seo, head: "wrong" } }), ["seo.head TOO_LONG"]);
  assertEquals(await send({ seo: { foot: "z" } }), 200);
  assertEquals(await send({ tags: ["a", "b", "c"] }), 200);
  assertEquals(await send({ tags: ["b"] }), 200);
  assertEquals(await send({ tags: ["a", "b"] }), ["tags.0 INVALID_CHOICE"]);
});

Deno.test("a title with NUL is refused with a message of its own", async () => {
  await using site = await HistorySite.open();
  await site.want(201, "POST", "/collections", { slug: "posts", name: "Posts" });
  const body = { collection: "posts", title: "a\u0000b" };
  const { status, json } = await site.ask("POST", "/documents", body);
  assertEquals([status, json.error.details[0]], [422, {
    field: "title",
    code: "INVALID_TYPE",
    message: "Must be text without NUL and lone surrogates",
  }]);
});
