/** Transfers from Strapi, Directus and Payload. */
import { Buffer } from "node:buffer";
import { createCipheriv, scryptSync } from "node:crypto";
import { formOf, transferSite } from "../../../support/transfers/transfer_site.ts";
import { tarballOf } from "../../../support/transfers/archives.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const linesOf = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n");

function words(blocks: { children?: { text: string }[] }[]): string[] {
  return blocks.map(({ children = [] }) => children.map(({ text }) => text).join(""));
}

Deno.test("a Strapi archive keeps its types, components, relations and media; a newer draft of a published row is its working copy", async () => {
  await using site = await transferSite();
  const article = "api::article.article";
  const author = "api::author.author";
  const schemas = [
    {
      uid: article,
      info: { displayName: "Article" },
      options: { draftAndPublish: true },
      attributes: {
        title: { type: "string" },
        slug: { type: "uid" },
        body: { type: "blocks" },
        kind: { type: "enumeration", enum: ["a", "b"] },
        cover: { type: "media" },
        author: { type: "relation", relation: "manyToOne", target: author },
        seo: { type: "component", component: "shared.seo" },
        parts: { type: "component", component: "shared.seo", repeatable: true },
      },
    },
    {
      uid: author,
      info: { displayName: "Author" },
      options: { draftAndPublish: false },
      attributes: { name: { type: "string" } },
    },
    {
      uid: "shared.seo",
      modelType: "component",
      attributes: { metaTitle: { type: "string" }, score: { type: "integer" } },
    },
  ];
  const body = [
    { type: "heading", level: 2, children: [{ type: "text", text: "Head" }] },
    {
      type: "list",
      format: "ordered",
      children: [{ type: "list-item", children: [{ type: "text", text: "One", bold: true }] }],
    },
  ];
  const common = {
    documentId: "d1",
    locale: "en",
    slug: "hello",
    body,
    kind: "a",
    seo: { metaTitle: "M", score: 3 },
    parts: [{ metaTitle: "P" }],
  };
  const entities = [
    {
      type: article,
      id: 1,
      data: { ...common, title: "Draft", publishedAt: null, updatedAt: "2020-02-01T00:00:00.000Z" },
    },
    {
      type: article,
      id: 2,
      data: {
        ...common,
        title: "Hello",
        publishedAt: "2020-01-01T00:00:00.000Z",
        updatedAt: "2020-01-01T00:00:00.000Z",
      },
    },
    {
      type: article,
      id: 3,
      data: { ...common, title: "Bonjour", locale: "fr", publishedAt: "2020-01-01T00:00:00.000Z" },
    },
    { type: author, id: 1, data: { documentId: "a1", name: "Ada" } },
    {
      type: "plugin::upload.file",
      id: 5,
      data: {
        name: "Pic.png",
        hash: "pic_1",
        ext: ".png",
        url: "/uploads/pic_1.png",
        alternativeText: "Alt",
      },
    },
  ];
  const links = [
    {
      kind: "relation.basic",
      left: { type: article, ref: 2, field: "author" },
      right: { type: author, ref: 1 },
    },
    {
      kind: "relation.morph",
      left: { type: "plugin::upload.file", ref: 5, field: "related" },
      right: { type: article, ref: 2, field: "cover" },
    },
  ];
  const archive = await tarballOf({
    "metadata.json": "{}",
    "schemas/schemas_00001.jsonl": linesOf(schemas),
    "entities/entities_00001.jsonl": linesOf(entities),
    "links/links_00001.jsonl": linesOf(links),
    "assets/uploads/pic_1.png": IMAGES["image/png"],
  });
  const planned = await site.analysed([["export.tar.gz", archive]]);
  assertEquals([planned.kind, planned.counts], ["strapi", { [article]: 2, [author]: 1 }]);

  const done = await site.run(planned.id);

  const { created, skipped, failed } = done.report;
  assertEquals([created, skipped, failed], [2, 1, 0], "French is skipped");
  const [one] = await site.documents("article");
  const [ada] = await site.documents("author");
  assertEquals([one.title, one.slug, one.status, one.author, one.kind], [
    "Hello",
    "hello",
    "published",
    ada.id,
    "a",
  ]);
  const edited = await site.admin("GET", `/documents/${one.id}/working-copy`);
  assertEquals([edited.json.title, edited.json.slug], ["Draft", "hello"]);
  assertEquals([one.seo, one.parts], [{ metaTitle: "M", score: 3 }, [{
    metaTitle: "P",
  }]]);
  assertEquals(words(one.body), ["Head", "One"]);
  const medium = (await site.admin("GET", `/media/${one.cover}`)).json;
  assertEquals([medium.filename, medium.alt], ["Pic.png", "Alt"]);
  assertEquals(done.plan.languages, { en: null, fr: null });
});

Deno.test("an encrypted archive of Strapi is opened with its key alone", async () => {
  await using site = await transferSite();
  const uid = "api::note.note";
  const schema = { uid, options: {}, attributes: { title: { type: "string" } } };
  const archive = await tarballOf({
    "schemas/schemas_00001.jsonl": linesOf([schema]),
    "entities/entities_00001.jsonl": linesOf([{ type: uid, id: 1, data: { title: "One" } }]),
  });
  // As `strapi export --key` encrypts.
  const cipher = createCipheriv("aes-128-ecb", scryptSync("secret", "", 16), null);
  const packed = new Uint8Array(Buffer.concat([cipher.update(archive), cipher.final()]));
  const analysed = async (key: string | null) => {
    const form = formOf([["export.tar.gz.enc", packed]]);
    if (key !== null) form.append("key", key);
    const { json } = await site.admin("POST", "/transfers", undefined, { raw: form });
    await site.runner.drain();
    return await site.transfer(json.id);
  };
  const { counts, kind } = await analysed("secret");
  assertEquals([kind, counts], ["strapi", { [uid]: 1 }]);
  assertEquals((await analysed("wrong")).error, "The key of the archive is wrong");
  assertEquals(
    (await analysed(null)).error,
    "The archive is encrypted: send its key, or export it with --no-encrypt",
  );
});

Deno.test("a folder of Directus keeps its interfaces, relations and files; texts come from the first language", async () => {
  await using site = await transferSite();
  const field = (collection: string, field: string, type: string, meta: object = {}) => ({
    collection,
    field,
    type,
    meta: { interface: null, special: null, ...meta },
  });
  const fields = [
    field("posts", "id", "integer"),
    field("posts", "content", "text", { interface: "input-rich-text-html" }),
    field("posts", "image", "uuid", { interface: "file-image", special: ["file"] }),
    field("posts", "author", "integer", { interface: "select-dropdown-m2o", special: ["m2o"] }),
    field("posts", "translations", "alias", { special: ["translations"] }),
    field("authors", "name", "string"),
    field("posts_translations", "title", "string"),
  ];
  const relations = [
    { collection: "posts", field: "author", related_collection: "authors", meta: {} },
    {
      collection: "posts_translations",
      field: "posts_id",
      related_collection: "posts",
      meta: {
        many_collection: "posts_translations",
        many_field: "posts_id",
        one_collection: "posts",
        one_field: "translations",
      },
    },
  ];
  const archive = await tarballOf({
    "site/src/fields.json": JSON.stringify(fields),
    "site/src/relations.json": JSON.stringify(relations),
    "site/src/files.json": JSON.stringify([{
      id: "f1",
      filename_disk: "f1.png",
      filename_download: "Pic.png",
      description: "Alt",
    }]),
    "site/src/assets/f1.png": IMAGES["image/png"],
    "site/src/content/posts.json": JSON.stringify([{
      id: 1,
      status: "published",
      content: "<p>Hi</p>",
      image: "f1",
      author: 7,
      translations: [1, 2],
    }]),
    "site/src/content/authors.json": JSON.stringify([{ id: 7, name: "Ada" }]),
    "site/src/content/posts_translations.json": JSON.stringify([
      { id: 1, posts_id: 1, languages_code: "en-US", title: "Hello" },
      { id: 2, posts_id: 1, languages_code: "fr-FR", title: "Bonjour" },
    ]),
  });
  const planned = await site.analysed([["site.tar.gz", archive]]);
  assertEquals([planned.kind, planned.counts], ["directus", { posts: 1, authors: 1 }]);

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed], [2, 0]);
  const [post] = await site.documents("posts");
  const [ada] = await site.documents("authors");
  assertEquals([post.title, post.status, post.author, words(post.content)], [
    "Hello",
    "published",
    ada.id,
    ["Hi"],
  ]);
  assertEquals(typeof post.image, "string");
  assertEquals(Object.keys(done.plan.languages), ["fr-FR"]);
});

Deno.test("a list of Payload becomes documents with rich text and states", async () => {
  await using site = await transferSite();
  const content = {
    root: {
      type: "root",
      children: [{ type: "paragraph", children: [{ type: "text", text: "Hi", format: 1 }] }],
    },
  };
  const docs = [
    {
      id: "p1",
      title: "One",
      _status: "published",
      content,
      tags: ["a"],
      layout: [{ blockType: "hero", text: "x" }],
    },
    { id: "p2", title: "Two", _status: "draft", content, tags: [], layout: [] },
  ];
  const planned = await site.analysed([["posts.json", JSON.stringify({ docs, totalDocs: 2 })]]);
  assertEquals([planned.kind, planned.counts], ["payload", { posts: 2 }]);

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed], [2, 0]);
  const posts = new Map((await site.documents("posts")).map((one) => [one.title, one]));
  assertEquals([posts.get("One").status, posts.get("Two").status], ["published", "draft"]);
  assertEquals(words(posts.get("One").content), ["Hi"]);
  const [{ type, data }] = posts.get("One").layout;
  assertEquals([type, data], ["hero", { text: "x" }]);
});
