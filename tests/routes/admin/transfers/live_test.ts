/** APIs of other systems, read page by page, over servers that answer as they do. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { type ApiHandler, apiServer, pageOf } from "../../../support/transfers/api_server.ts";
import { type TransferSite, transferSite } from "../../../support/transfers/transfer_site.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";

const localSite = () => transferSite({ guard: { allowLocal: true } });

async function analysed(site: TransferSite, body: Json) {
  const { id } = answered(await site.admin("POST", "/transfers", body), 202);
  await site.runner.drain();
  return await site.transfer(id);
}

/** The REST API of WordPress with 150 posts. */
const wordpress: ApiHandler = ({ pathname, searchParams }, request) => {
  const posts = Array.from({ length: 150 }, (_, n) => ({
    id: n + 10,
    slug: `post-${n}`,
    status: "publish",
    type: "post",
    link: `https://old.example/post-${n}/`,
    date_gmt: "2020-01-02T03:04:05",
    title: { rendered: `Post &amp; ${n}` },
    content: { rendered: `<p>Text <strong>${n}</strong></p>` },
    excerpt: { rendered: "<p>Short</p>" },
    author: 1,
    featured_media: 0,
    categories: [3],
    tags: [],
    meta: { rating: 5 },
  }));
  const page = Number(searchParams.get("page") ?? 1);
  const path = pathname.replace("/wp-json", "");
  const list = (rows: Json[]) =>
    Response.json(pageOf(rows, page, 100), {
      headers: { "x-wp-totalpages": String(Math.ceil(rows.length / 100)) },
    });
  switch (path) {
    case "/":
      return { name: "Old &#8211; site", description: "All", home: "https://old.example" };
    case "/wp/v2/types":
      return {
        post: { slug: "post", rest_base: "posts" },
        attachment: { slug: "attachment", rest_base: "media" },
        wp_block: { slug: "wp_block", rest_base: "blocks" },
      };
    case "/wp/v2/taxonomies":
      return { category: { slug: "category", rest_base: "categories" } };
    case "/wp/v2/categories":
      return list([{ id: 3, slug: "news", name: "News", description: "", parent: 0 }]);
    case "/wp/v2/users":
      return list([{ id: 1, slug: "ann", name: "Ann" }]);
    case "/wp/v2/media":
      return list([]);
    case "/wp/v2/posts":
      // Drafts need a password, as WordPress has it.
      return searchParams.has("context") && !request.headers.has("authorization")
        ? Response.json({}, { status: 401 })
        : list(posts);
  }
};

Deno.test("the REST API of WordPress is read page by page, and a second run writes nothing", async () => {
  await using site = await localSite();
  await using server = apiServer(wordpress);
  const planned = await analysed(site, { kind: "wordpress", url: server.origin });
  assertEquals([planned.kind, planned.state], ["wxr", "planned"], planned.error);
  assertEquals(planned.counts, { category: 1, post: 150, authors: 1 });
  assertEquals(planned.plan.sourceKey, "https://old.example");
  assertEquals(planned.plan.settings[0].value, "Old – site");
  assert(server.asked.some((path) => path.includes("/wp/v2/posts?per_page=100&page=2")));

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed], [152, 0]);
  const [post] = await site.documents("posts");
  assert(/^Post & \d+$/.test(post.title), post.title);
  assertEquals([post.status, post.rating], ["published", 5]);
  const moved = await site.call("GET", "/post-3/");
  assertEquals([moved.status, moved.headers.get("location")], [301, "/posts/post-3"]);
  // The API is read again, and nothing has changed.
  answered(await site.admin("POST", `/transfers/${planned.id}/files`, {}), 202);
  await site.runner.drain();
  const again = await site.transfer(planned.id);
  assertEquals([again.state, again.report.unchanged, again.report.updated], ["done", 152, 0]);
});

Deno.test("a busy API is asked again, and a cut off analysis continues at its page", async () => {
  await using site = await localSite();
  let busy = 7;
  await using server = apiServer((url, request) => {
    const isSecond = url.pathname.endsWith("/posts") && url.searchParams.get("page") === "2";
    if (isSecond && busy-- > 0) {
      return Response.json({}, { status: 503, headers: { "retry-after": "0" } });
    }
    return wordpress(url, request);
  });
  const { id } = await analysed(site, { kind: "wordpress", url: `${server.origin}/wp-json/` });
  // Five attempts are busy, then the job is tried again.
  site.context.advance(3_600_000);
  await site.runner.drain();
  const planned = await site.transfer(id);
  assertEquals([planned.state, planned.counts.post], ["planned", 150], planned.error);
  const asked = (page: number) =>
    server.asked.filter((path) => path.includes(`/posts?per_page=100&page=${page}&`)).length;
  assertEquals([asked(1), asked(2)], [1, 8]);
});

Deno.test("a token that is refused fails the transfer, and is never shown", async () => {
  await using site = await localSite();
  await using server = apiServer((_, request) =>
    Response.json({}, {
      status: request.headers.get("authorization") === "Bearer secret-1" ? 403 : 200,
    })
  );
  const body = { kind: "directus", url: server.origin, token: "secret-1" };
  const failed = await analysed(site, body);
  assertEquals([failed.state, failed.error], [
    "failed",
    "The source does not accept the token for /fields",
  ]);
  assertEquals(JSON.stringify(failed).includes("secret-1"), false);
  const unknown = await site.admin("POST", "/transfers", { url: server.origin, token: "x" });
  assertEquals([unknown.status, unknown.json.error.details[0].field], [422, "kind"]);
  const csv = { kind: "csv", url: server.origin, token: "x" };
  const wrong = await site.admin("POST", "/transfers", csv);
  assertEquals([wrong.status, wrong.json.error.details[0].code], [422, "INVALID_CHOICE"]);
});

Deno.test("a token is sent to no host that an API leads to", async () => {
  await using site = await localSite();
  const tokens: (string | null)[] = [];
  await using other = apiServer((_, request) => {
    tokens.push(request.headers.get("authorization"));
    return { data: [] };
  });
  // The same machine under another name.
  const elsewhere = other.origin.replace("127.0.0.1", "localhost");
  await using server = apiServer(() => Response.redirect(`${elsewhere}/fields`));
  const failed = await analysed(site, { kind: "directus", url: server.origin, token: "t" });
  assertEquals([failed.state, failed.error, tokens], [
    "failed",
    "The source leads to another host: use its address",
    [],
  ]);
});

Deno.test("addresses of private networks are not read", async () => {
  await using site = await transferSite();
  const failed = await analysed(site, { kind: "ghost", url: "https://127.0.0.1", token: "x" });
  assertEquals(failed.state, "failed");
});

Deno.test("the Admin API of Ghost is read with a signed token", async () => {
  await using site = await localSite();
  const post = (n: number) => ({
    id: `p${n}`,
    title: `Post ${n}`,
    slug: `post-${n}`,
    status: n === 0 ? "draft" : "published",
    lexical:
      '{"root":{"children":[{"type":"paragraph","children":[{"type":"text","text":"Hi"}]}]}}',
    published_at: "2020-01-02T03:04:05.000Z",
    tags: [{ id: "t1" }],
    authors: [{ id: "u1" }],
  });
  const posts = Array.from({ length: 120 }, (_, n) => post(n));
  await using server = apiServer(({ pathname, searchParams }, request) => {
    if (!/^Ghost ey/.test(request.headers.get("authorization") ?? "")) {
      return Response.json({}, { status: 401 });
    }
    const name = pathname.split("/").at(-2) ?? "";
    const page = Number(searchParams.get("page") ?? 1);
    const rows: Record<string, Json[]> = {
      posts,
      pages: [],
      tags: [{ id: "t1", name: "News", slug: "news" }],
      users: [{ id: "u1", name: "Ann", slug: "ann" }],
    };
    if (name === "settings") return { settings: [{ key: "title", value: "Ghost site" }] };
    const own = rows[name] ?? [];
    const next = page * 100 < own.length ? page + 1 : null;
    return { [name]: pageOf(own, page, 100), meta: { pagination: { page, next } } };
  });
  const token = `65a1b2c3d4e5f60718293a4b:${"ab".repeat(32)}`;
  const planned = await analysed(site, { kind: "ghost", url: `${server.origin}/ghost/`, token });
  assertEquals(planned.counts, { tags: 1, authors: 1, posts: 120 }, planned.error);
  assertEquals(planned.plan.settings[0].value, "Ghost site");

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed], [122, 0]);
  const [first] = await site.documents("posts");
  assertEquals([first.tags.length, first.authors.length], [1, 1]);
});

Deno.test("Contentful: types, locales, entries and assets of an environment", async () => {
  await using site = await localSite();
  const link = (id: string) => ({ sys: { id } });
  const entries = Array.from({ length: 1_100 }, (_, n) => ({
    sys: {
      id: `e${n}`,
      type: "Entry",
      contentType: link("post"),
      space: link("s1"),
      environment: link("master"),
      ...(n > 0 && { publishedVersion: 1 }),
      version: 2,
    },
    fields: { title: { "en-US": `Entry ${n}` } },
  }));
  const lists: Record<string, Json[]> = {
    content_types: [{
      sys: { id: "post" },
      name: "Post",
      displayField: "title",
      fields: [{ id: "title", type: "Symbol" }],
    }],
    locales: [{ code: "en-US", default: true }],
    entries: entries as Json[],
    assets: [],
  };
  await using server = apiServer(({ pathname, searchParams }) => {
    const [, space, environment, name = ""] =
      /^\/spaces\/([^/]+)\/environments\/([^/]+)\/(\w+)$/.exec(pathname) ?? [];
    const items = lists[name];
    if (space !== "s1" || environment !== "master" || items === undefined) return undefined;
    const skip = Number(searchParams.get("skip"));
    return { total: items.length, skip, limit: 1_000, items: items.slice(skip, skip + 1_000) };
  });
  const planned = await analysed(site, {
    kind: "contentful",
    url: `${server.origin}/spaces/s1`,
    token: "CFPAT-1",
  });
  assertEquals([planned.counts, planned.plan.sourceKey], [{ post: 1_100 }, "s1/master"]);
  const dry = await site.run(planned.id, { dryRun: true });
  assertEquals([dry.report.created, dry.report.failed], [1_100, 0]);
});

Deno.test("Strapi: types, components, relations, files and drafts of both versions", async () => {
  await using site = await localSite();
  const article = "api::article.article";
  const author = "api::author.author";
  const types = [
    {
      uid: article,
      apiID: "article",
      schema: {
        displayName: "Article",
        pluralName: "articles",
        draftAndPublish: true,
        attributes: {
          title: { type: "string" },
          author: { type: "relation", relation: "manyToOne", target: author },
          zone: { type: "dynamiczone", components: ["shared.quote"] },
        },
      },
    },
    {
      uid: author,
      apiID: "author",
      schema: {
        displayName: "Author",
        pluralName: "authors",
        draftAndPublish: false,
        attributes: { name: { type: "string" } },
      },
    },
  ];
  const quote = {
    uid: "shared.quote",
    schema: { displayName: "Quote", attributes: { body: { type: "text" } } },
  };
  const entry = (id: number, isPublic: boolean) => ({
    id,
    documentId: "d1",
    title: isPublic ? "Hello" : "Changed",
    publishedAt: isPublic ? "2020-01-01T00:00:00.000Z" : null,
    updatedAt: isPublic ? "2020-01-01T00:00:00.000Z" : "2020-02-01T00:00:00.000Z",
    author: { id: 7, documentId: "a1", name: "Ann" },
    zone: [{ __component: "shared.quote", id: 1, body: "Words" }],
  });
  await using server = apiServer(({ pathname, searchParams }) => {
    const isDraft = searchParams.get("status") === "draft";
    const list = (data: Json[]) => ({ data, meta: { pagination: { page: 1, pageCount: 1 } } });
    switch (pathname) {
      case "/api/content-type-builder/content-types":
        return { data: types as Json };
      case "/api/content-type-builder/components":
        return { data: [quote] as Json };
      case "/api/articles":
        assertEquals(searchParams.get("populate[zone][on][shared.quote][populate]"), "*");
        return list([entry(isDraft ? 1 : 2, !isDraft)]);
      case "/api/authors":
        // As version 4 answers.
        return list([{ id: 7, attributes: { name: "Ann", documentId: "a1" } }]);
    }
  });
  const planned = await analysed(site, { kind: "strapi", url: server.origin, token: "t" });
  assertEquals(planned.counts, { [article]: 1, [author]: 1 }, planned.error);

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed], [2, 0]);
  const [one] = await site.documents("article");
  const [ann] = await site.documents("author");
  assertEquals([one.title, one.author, one.zone[0].data], ["Hello", ann.id, { body: "Words" }]);
  const { json: copy } = await site.admin("GET", `/documents/${one.id}/working-copy`);
  assertEquals(copy.title, "Changed");
});

Deno.test("Directus and Sanity: lists with pages of their own", async () => {
  await using site = await localSite();
  const posts = Array.from({ length: 130 }, (_, n) => ({ id: n + 1, title: `Post ${n}` }));
  await using directus = apiServer(({ pathname, searchParams }) => {
    const page = Number(searchParams.get("page") ?? 1);
    const field = { collection: "posts", field: "title", type: "string", meta: {} };
    const lists: Record<string, Json[]> = {
      "/fields": [field, { ...field, collection: "directus_users" }],
      "/relations": [],
      "/files": [],
      "/items/posts": posts as Json[],
    };
    const rows = lists[pathname];
    return rows && { data: searchParams.has("page") ? pageOf(rows, page, 100) : rows };
  });
  const first = await analysed(site, { kind: "directus", url: directus.origin, token: "t" });
  assertEquals([first.kind, first.counts], ["directus", { posts: 130 }], first.error);

  const documents = Array.from({ length: 1_200 }, (_, n) => ({
    _id: `d${String(n).padStart(5, "0")}`,
    _type: "post",
    title: `Text ${n}`,
  }));
  await using sanity = apiServer(({ pathname, searchParams }) => {
    if (pathname !== "/v2025-02-19/data/query/production") return undefined;
    const last = JSON.parse(searchParams.get("$last") ?? '""');
    return { result: documents.filter(({ _id }) => _id > last).slice(0, 1_000) };
  });
  const second = await analysed(site, {
    kind: "sanity",
    url: `${sanity.origin}/v2021-06-07/data/export/production`,
    token: "t",
  });
  assertEquals([second.kind, second.counts], ["sanity", { post: 1_200 }], second.error);
});
