/** The REST API of Payload: its collections, pages, locales, uploads and drafts. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { type ApiHandler, apiServer, pageOf } from "../../../support/transfers/api_server.ts";
import { type TransferSite, transferSite } from "../../../support/transfers/transfer_site.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";

const objectId = (n: number) => `65a1b2c3d4e5f6071829${String(n).padStart(4, "0")}`;
const IMAGE = objectId(9_000);
const AUTHOR = objectId(9_001);

/** A document as a page with drafts has it. */
function post(n: number) {
  return {
    id: objectId(n),
    title: { en: `Post ${n}`, fr: `Texte ${n}` },
    slug: `post-${n}`,
    hero: IMAGE,
    author: AUTHOR,
    related: n === 0 ? [objectId(1), objectId(2)] : [],
    tagged: { relationTo: "users", value: AUTHOR },
    layout: [{ blockType: "banner", image: IMAGE, heading: { en: "Hello", fr: "Bonjour" } }],
    content: {
      root: {
        type: "root",
        children: [
          { type: "paragraph", children: [{ type: "text", text: `Words ${n}` }] },
          { type: "upload", relationTo: "media", value: IMAGE, fields: {} },
        ],
      },
    },
    _status: n === 1 ? "draft" : "published",
    createdAt: "2020-01-02T03:04:05.000Z",
    updatedAt: "2020-01-03T03:04:05.000Z",
  };
}

/** The API, for a user with an API key. */
const payload: ApiHandler = ({ pathname, searchParams }, request) => {
  if (pathname === "/api/media/file/dot.png") {
    return new Response(IMAGES["image/png"], { headers: { "content-type": "image/png" } });
  }
  if (request.headers.get("authorization") !== "admins API-Key secret-key") {
    return Response.json({}, { status: 401 });
  }
  const read = { create: { permission: false }, read: { permission: true } };
  const users = {
    id: AUTHOR,
    name: "Ann",
    email: "ann@old.example",
    apiKey: "never",
    sessions: [{ id: "s1" }],
  };
  const lists: Record<string, Json[]> = {
    posts: Array.from({ length: 130 }, (_, n) => post(n)),
    media: [{
      id: IMAGE,
      alt: { en: "A dot" },
      filename: "dot.png",
      mimeType: "image/png",
      url: "/api/media/file/dot.png",
      filesize: 10,
      width: 6,
      createdAt: "2020-01-02T03:04:05.000Z",
    }],
    users: [users],
    "payload-preferences": [{ id: "x" }],
  };
  if (pathname === "/api/access") {
    return {
      canAccessAdmin: true,
      collections: {
        posts: read,
        media: { read: true },
        users: { ...read, unlock: { permission: true } },
        hidden: { read: { permission: false } },
        "payload-preferences": read,
      },
    };
  }
  const list = lists[pathname.replace("/api/", "")];
  if (list === undefined) return undefined;
  assertEquals([searchParams.get("depth"), searchParams.get("locale")], ["0", "all"]);
  if (searchParams.get("draft") === "false") {
    // What is public of a document with a newer draft.
    assertEquals(searchParams.get("where[id][in]"), objectId(1));
    return { docs: [{ ...post(1), title: { en: "Public", fr: "Public" }, _status: "published" }] };
  }
  const page = Number(searchParams.get("page"));
  const limit = Number(searchParams.get("limit"));
  const docs = pageOf(list, page, limit);
  return { docs, totalDocs: list.length, hasNextPage: page * limit < list.length };
};

async function analysed(site: TransferSite, url: string) {
  const body = { kind: "payload", url, token: "admins:secret-key" };
  const { id } = answered(await site.admin("POST", "/transfers", body), 202);
  await site.runner.drain();
  return await site.transfer(id);
}

Deno.test("the API of Payload is read with its references, uploads, drafts and locales, and a second run writes nothing", async () => {
  await using site = await transferSite({ guard: { allowLocal: true } });
  const languages = [{ code: "en" }, { code: "fr", path: "fr" }];
  answered(await site.admin("PATCH", "/settings", { languages }), 200);
  await using server = apiServer(payload);

  const planned = await analysed(site, `${server.origin}/admin`);

  assertEquals([planned.kind, planned.state], ["payload", "planned"], planned.error);
  assertEquals(planned.counts, { posts: 130, media: 1, users: 1 });
  const [, host = ""] = server.origin.split("//");
  assertEquals(planned.plan.sourceKey, `${host.replace(":", "-")}:payload`);
  assertEquals(planned.plan.media.hosts, [host]);
  assert(server.asked.some((path) => path.startsWith("/api/posts?limit=100&page=2&depth=0")));
  assert(!server.asked.some((path) => /hidden|preferences/.test(path)), server.asked.join());
  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed], [132, 0]);
  const documents = new Map<string, Record<string, never>>();
  for (const page of [1, 2]) {
    const path = `/documents?collection=posts&perPage=100&page=${page}`;
    const { data } = answered(await site.admin("GET", path), 200);
    for (const one of data) documents.set(one.title, one);
  }
  const first = documents.get("Post 0") as never as Record<string, Json>;
  const [ann] = await site.documents("users");
  assertEquals([ann.title, ann.status, "email" in ann, "apiKey" in ann], [
    "Ann",
    "draft",
    false,
    false,
  ]);
  assertEquals([first.slug, first.status, first.author, first.tagged], [
    "post-0",
    "published",
    ann.id,
    ann.id,
  ]);
  assertEquals((first.related as string[]).length, 2);
  const { json: media } = await site.admin("GET", `/media/${first.hero}`);
  assertEquals([media.filename, media.alt], ["dot.png", "A dot"]);
  const [banner] = first.layout as { data: Record<string, Json> }[];
  assertEquals(banner?.data, { image: first.hero ?? null, heading: "Hello" });
  const images = (first.content as Record<string, Json>[]).filter(({ _type }) => _type === "image");
  assertEquals(images.map((one) => one.media), [first.hero]);
  const changed = documents.get("Public") as never as Record<string, Json>;
  assertEquals(changed.status, "published");
  const { json: copy } = await site.admin("GET", `/documents/${changed.id}/working-copy`);
  assertEquals(copy.title, "Post 1");
  const { json: french } = await site.admin("GET", `/documents/${first.id}/translations/fr`);
  assertEquals(french.title, "Texte 0", JSON.stringify(french).slice(0, 500));

  answered(await site.admin("POST", `/transfers/${planned.id}/files`, {}), 202);
  await site.runner.drain();
  const again = await site.transfer(planned.id);
  assertEquals([again.state, again.report.unchanged, again.report.updated], ["done", 132, 0]);
});

Deno.test("lists of Payload whose ids are numbers refer to each other by the names of fields", async () => {
  await using site = await transferSite();
  const posts = [{ id: 1, title: "One", category: 2, rating: 2, _status: "published" }];
  const categories = [{ id: 1, title: "Other" }, { id: 2, title: "News" }];
  const planned = await site.analysed([
    ["posts.json", JSON.stringify({ docs: posts, totalDocs: 1 })],
    ["categories.json", JSON.stringify({ docs: categories, totalDocs: 2 })],
  ], "?kind=payload");
  const done = await site.run(planned.id);
  assertEquals([done.report.created, done.report.failed], [3, 0]);
  const [one] = await site.documents("posts");
  const news = (await site.documents("categories")).find(({ title }) => title === "News");
  assertEquals([one.category, one.rating, news.status], [news.id, 2, "published"]);
});
