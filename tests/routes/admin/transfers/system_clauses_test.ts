/** Exports of Ghost, Sanity, Strapi, Directus and Payload, clause by clause. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { transferSite, type UploadedFile } from "../../../support/transfers/transfer_site.ts";
import { tarballOf, zipOf } from "../../../support/transfers/archives.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const PNG = IMAGES["image/png"];
const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n");

interface Block {
  _type: string;
  style?: string;
  children?: { text: string; marks: string[] }[];
  [name: string]: unknown;
}

/** The words of each block, and the types of the others. */
function texts(blocks: Block[]): string[] {
  return blocks.map(({ _type, children, style, caption, title }) =>
    _type === "block"
      ? `${style === "normal" ? "" : `${style} `}${children?.map(({ text }) => text).join("")}`
      : [_type, caption ?? title].filter(Boolean).join(" ")
  );
}

/** A site with what a source became. */
async function transferred(files: UploadedFile[], languages?: string[]) {
  const site = await transferSite();
  if (languages !== undefined) {
    const settings = languages.map((code) => code === "en" ? { code } : { code, path: code });
    answered(await site.admin("PATCH", "/settings", { languages: settings }), 200);
  }
  const planned = await site.analysed(files);
  assertEquals(planned.state, "planned", planned.error);
  const done = await site.run(planned.id);
  assertEquals(done.state, "done", done.error);
  return Object.assign(site, { planned, done });
}

Deno.test("Ghost: captions of cards, Markdown, headers, and the text of the image of a post", async () => {
  const src = "__GHOST_URL__/content/images/a.png";
  const children = [
    { type: "markdown", markdown: "**bold** text" },
    { type: "gallery", images: [{ src }], caption: "of a gallery" },
    { type: "codeblock", code: "x", language: "js", caption: "of code" },
    { type: "embed", url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ", caption: "of a film" },
    { type: "header", header: "Big", subheader: "Small", buttonText: "Go", buttonUrl: "/go" },
    {
      type: "bookmark",
      url: "https://b.example",
      metadata: { title: "Page", description: "About" },
      caption: "of a page",
    },
  ];
  const post = {
    id: "1",
    title: "One",
    slug: "one",
    status: "published",
    visibility: "paid",
    lexical: JSON.stringify({ root: { children } }),
    feature_image: src,
  };
  const data = { posts: [post], posts_meta: [{ post_id: "1", feature_image_alt: "A cat" }] };
  await using site = await transferred([[
    "g.zip",
    await zipOf({
      "blog.ghost.json": JSON.stringify({ db: [{ meta: { version: "5.0.0" }, data }] }),
      "content/images/a.png": PNG,
    }),
  ]]);
  const [one] = await site.documents("posts");
  assertEquals(texts(one.body), [
    ...["bold text", "image", "of a gallery", "code", "of code", "embed of a film"],
    ...["h2 Big", "Small", "Go", "Page", "About", "of a page"],
  ]);
  assertEquals(one.body[0].children[0].marks, ["strong"]);
  assertEquals((await site.admin("GET", "/media")).json.data[0].alt, "A cat");
  const said = (await site.report(site.planned.id, "?level=warning")).flatMap(({ problems }) =>
    problems.map(({ message }: { message: string }) => message)
  );
  assertEquals(said.filter((text) => /for members/.test(text)).length, 1);
  const fields = site.planned.plan.collections[0].fields.map(({ to }: { to: string }) => to);
  assertEquals(fields.includes("tags"), false);
});

Deno.test("Sanity: names and texts of assets, documents of releases, and the dataset", async () => {
  const folder = "production-export-2024-01-02t03-04-05-678z";
  const cover = { _type: "image", _sanityAsset: "image@file://./images/abc-1x1.png" };
  await using site = await transferred([[
    "x.tar.gz",
    await tarballOf({
      [`${folder}/data.ndjson`]: lines(
        { _id: "a", _type: "post", title: "One", cover: { ...cover, alt: "A cat" } },
        { _id: "versions.r1.a", _type: "post", title: "Later" },
      ),
      [`${folder}/images/abc-1x1.png`]: PNG,
      [`${folder}/assets.json`]: JSON.stringify({ "image-abc": { originalFilename: "cat.png" } }),
    }),
  ]]);
  assertEquals(site.planned.plan.sourceKey, "production:sanity");
  assertEquals((await site.documents("post")).map(({ title }) => title), ["One"]);
  const [{ filename, alt }] = (await site.admin("GET", "/media")).json.data;
  assertEquals([filename, alt], ["cat.png", "A cat"]);
});

Deno.test("Strapi 4: rows that are linked as localizations are one document; no passwords; single types", async () => {
  const article = "api::article.article";
  const attributes = { title: { type: "string" }, secret: { type: "password" } };
  const link = (from: number, to: number) => ({
    kind: "relation.circular",
    left: { type: article, ref: from, field: "localizations" },
    right: { type: article, ref: to },
  });
  const row = (id: number, locale: string, title: string) => ({
    type: article,
    id,
    data: { title, locale, secret: "$2a$", publishedAt: "2021-01-01T00:00:00.000Z" },
  });
  await using site = await transferred([[
    "s.tar.gz",
    await tarballOf({
      "schemas/schemas_00001.jsonl": lines(
        { uid: article, kind: "collectionType", info: { displayName: "Article" }, attributes },
        {
          uid: "api::home.home",
          kind: "singleType",
          info: { displayName: "Home" },
          attributes: { headline: { type: "string" } },
        },
      ),
      "entities/entities_00001.jsonl": lines(
        row(1, "en", "Hello"),
        row(2, "fr", "Bonjour"),
        row(3, "en", "Alone"),
        { type: "api::home.home", id: 1, data: { headline: "Welcome" } },
      ),
      "links/links_00001.jsonl": lines(link(1, 2), link(2, 1)),
    }),
  ]], ["en", "fr"]);
  assertEquals(site.planned.plan.sourceKey, "s.tar.gz:strapi");
  const articles = await site.documents("article");
  assertEquals(articles.map(({ title }) => title).sort(), ["Alone", "Hello"]);
  assertEquals("secret" in articles[0], false);
  const { id } = articles.find(({ title }) => title === "Hello");
  const french = await site.admin("GET", `/documents/${id}/translations/fr`);
  assertEquals(answered(french, 200).title, "Bonjour");
  assertEquals(answered(await site.admin("GET", "/collections/home"), 200).singleton, true);
});

Deno.test("Directus: a snapshot by another name, files without a folder, fields of blocks, and several choices", async () => {
  const field = (collection: string, name: string, shown: string, special?: string[]) => ({
    collection,
    field: name,
    type: shown === "tags" || shown.startsWith("select-multiple") ? "json" : "string",
    meta: {
      collection,
      field: name,
      interface: shown,
      special: special ?? null,
      options: shown.startsWith("select") ? { choices: [{ value: "x" }, { value: "y" }] } : null,
    },
  });
  const relation = (name: string, related: string | null, more: object) => ({
    collection: "pages_blocks",
    field: name,
    related_collection: related,
    meta: { many_collection: "pages_blocks", many_field: name, ...more },
  });
  const schema = {
    version: 1,
    directus: "11.0.0",
    collections: [],
    fields: [
      field("pages", "title", "input"),
      field("pages", "kinds", "select-multiple-dropdown", ["cast-json"]),
      field("pages", "labels", "tags", ["cast-json"]),
      field("pages", "parts", "list-m2a", ["m2a"]),
      field("hero", "picture", "file-image", ["file"]),
      field("hero", "words", "input-rich-text-html"),
      field("pages_blocks", "id", "input"),
    ],
    relations: [
      relation("pages_id", "pages", {
        one_collection: "pages",
        one_field: "parts",
        junction_field: "item",
      }),
      relation("item", null, { one_allowed_collections: ["hero"], junction_field: "pages_id" }),
    ],
  };
  await using site = await transferred([
    ["schema.json", JSON.stringify(schema, null, 2)],
    ["pages.json", JSON.stringify([{ id: 1, title: "One", kinds: ["x"], labels: ["a", "b"] }])],
    ["hero.json", JSON.stringify([{ id: 5, picture: "f1", words: "<p>Hi <b>you</b></p>" }])],
    ["pages_blocks.json", JSON.stringify([{ id: 1, pages_id: 1, item: "5", collection: "hero" }])],
    ["files.json", JSON.stringify([{ id: "f1", filename_disk: "f1.png" }])],
    ["archive.zip", await zipOf({ "assets/f1.png": PNG })],
  ]);
  assertEquals(site.planned.kind, "directus");
  const [page] = await site.documents("pages");
  assertEquals([page.kinds, page.labels], [["x"], ["a", "b"]]);
  assertEquals(
    site.planned.plan.collections[0].fields.map(({ to, type }: Record<string, unknown>) =>
      `${to} ${type}`
    ),
    ["kinds multi_select", "labels multi_select", "parts block"],
  );
  const [{ type, data }] = page.parts;
  assertEquals([type, typeof data.picture, texts(data.words)], ["hero", "string", ["Hi you"]]);
});

Deno.test("Payload: columns of lists, and rows without their ids", async () => {
  const csv =
    "id,title,_status,tags_0_label,tags_1_label,meta_title,links_0\n1,One,published,a,b,M,x\n";
  await using site = await transferSite();
  const { id } = await site.analysed([["posts.csv", csv]], "?kind=payload");
  await site.run(id);
  const [post] = await site.documents("posts");
  assertEquals([post.tags, post.meta_title, post.links], [
    [{ label: "a" }, { label: "b" }],
    "M",
    ["x"],
  ]);
  const row = { id: "66a1b2c3d4e5f60718293a4b", label: "a" };
  const list = { docs: [{ id: "1", title: "Two", rows: [row] }], totalDocs: 1 };
  const other = await site.analysed([["pages.json", JSON.stringify(list)]]);
  await site.run(other.id);
  assertEquals((await site.documents("pages"))[0].rows, [{ label: "a" }]);
});
