/** Blocks of other systems: in fields and in rich text, as the plan says. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { transferSite, type UploadedFile } from "../../../support/transfers/transfer_site.ts";
import { tarballOf } from "../../../support/transfers/archives.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const linesOf = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n");

/** The blocks of a value without their ids. */
// deno-lint-ignore no-explicit-any
const plain = (blocks: any[]) => blocks.map(({ type, data }) => [type, data]);

const ARTICLE = "api::article.article";

async function strapiArchive(): Promise<UploadedFile> {
  const schemas = [
    {
      uid: ARTICLE,
      info: { displayName: "Article" },
      options: { draftAndPublish: false },
      attributes: {
        title: { type: "string" },
        zone: {
          type: "dynamiczone",
          components: ["shared.quote", "shared.media", "shared.rich-text", "shared.slider"],
        },
      },
    },
    {
      uid: "shared.quote",
      info: { displayName: "Quote" },
      attributes: { title: { type: "string" }, body: { type: "text" } },
    },
    { uid: "shared.media", attributes: { file: { type: "media" } } },
    { uid: "shared.rich-text", attributes: { body: { type: "richtext" } } },
    { uid: "shared.slider", attributes: { files: { type: "media", multiple: true } } },
  ];
  const zone = [
    { __component: "shared.rich-text", id: 1, body: "## Head\n\nText" },
    { __component: "shared.quote", id: 1, title: "Ada", body: "Words" },
    { __component: "shared.media", id: 3 },
    { __component: "shared.slider", id: 4 },
  ];
  const file = { name: "Pic.png", hash: "pic_1", ext: ".png", url: "/uploads/pic_1.png" };
  const link = (type: string, ref: number, field: string) => ({
    left: { type: "plugin::upload.file", ref: 5, field: "related" },
    right: { type, ref, field },
  });
  return [
    "export.tar.gz",
    await tarballOf({
      "schemas/schemas_00001.jsonl": linesOf(schemas),
      "entities/entities_00001.jsonl": linesOf([
        { type: ARTICLE, id: 1, data: { title: "Hello", zone } },
        { type: "plugin::upload.file", id: 5, data: file },
      ]),
      "links/links_00001.jsonl": linesOf([
        link("shared.media", 3, "file"),
        link("shared.slider", 4, "files"),
      ]),
      "assets/uploads/pic_1.png": IMAGES["image/png"],
    }),
  ];
}

Deno.test("dynamic zones of Strapi become blocks with their definitions, and undo takes those back", async () => {
  await using site = await transferSite();
  const planned = await site.analysed([await strapiArchive()]);
  assertEquals(planned.plan.blocks, [
    { source: "shared.quote", target: "quote" },
    { source: "shared.media", target: "media" },
    { source: "shared.rich-text", target: "rich-text" },
    { source: "shared.slider", target: "slider" },
  ]);
  assertEquals(planned.plan.collections[0].fields, [{
    from: "zone",
    to: "zone",
    type: "block",
    options: { allowed: ["quote", "media", "rich-text", "slider"] },
  }]);
  const dry = await site.run(planned.id, { dryRun: true });
  assertEquals([dry.report.created, dry.report.failed], [1, 0]);
  assertEquals(answered(await site.admin("GET", "/blocks"), 200).data, []);

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed], [1, 0]);
  const [{ id, zone }] = await site.documents("article");
  const [text, quote, media, slider] = plain(zone);
  assertEquals(text?.[0], "rich-text");
  assertEquals(text?.[1].body.map(({ style }: { style: string }) => style), ["h2", "normal"]);
  assertEquals(quote, ["quote", { title: "Ada", body: "Words" }]);
  assertEquals(media, ["media", { file: slider?.[1].files[0].file }]);
  const { data } = answered(await site.admin("GET", "/blocks"), 200);
  assertEquals(data.map(({ name, label }: Record<string, string>) => [name, label]).sort(), [
    ["media", "Media"],
    ["quote", "Quote"],
    ["rich-text", "Rich text"],
    ["slider", "Slider"],
  ]);
  const again = await site.run(planned.id);
  assertEquals([again.report.unchanged, again.report.updated], [1, 0]);
  const { meta } = answered(await site.admin("GET", `/versions/document/${id}`), 200);
  assertEquals(meta.total, 2, "created and published");

  answered(await site.admin("POST", `/transfers/${planned.id}/undo`), 202);
  await site.runner.drain();
  assertEquals(answered(await site.admin("GET", "/blocks"), 200).data, []);
});

Deno.test("a plan drops kinds of blocks, keeps them as JSON, or maps them to definitions that exist", async () => {
  await using site = await transferSite();
  answered(
    await site.admin("POST", "/blocks", {
      name: "saying",
      fields: [{ name: "body", type: "text" }],
    }),
    201,
  );
  const planned = await site.analysed([await strapiArchive()]);
  const { plan } = planned;
  const targets: Record<string, string> = {
    "shared.quote": "saying",
    "shared.media": "drop",
    "shared.rich-text": "json",
    "shared.slider": "drop",
  };
  for (const block of plan.blocks) block.target = targets[block.source];
  const left = await site.admin("PATCH", `/transfers/${planned.id}`, { plan });
  assertEquals([left.status, left.json.error.details[0].field], [
    422,
    "plan.collections.0.fields.0.options.allowed",
  ]);
  plan.collections[0].fields[0].options = {};
  const wrong = { ...plan, blocks: [{ source: "shared.quote", target: "No name" }] };
  const refused = await site.admin("PATCH", `/transfers/${planned.id}`, { plan: wrong });
  assertEquals([refused.status, refused.json.error.details[0].field], [
    422,
    "plan.blocks.0.target",
  ]);
  answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan }), 200);

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed, done.report.warnings], [1, 0, 1]);
  const [{ zone }] = await site.documents("article");
  assertEquals(plain(zone), [
    ["json", {
      source: "shared.rich-text",
      value: { body: { _markdown: "## Head\n\nText" } },
    }],
    ["saying", { body: "Words" }],
  ]);
  const [line] = await site.report(planned.id, "?level=warning");
  assertEquals(line.problems.map(({ code, message }: Record<string, string>) => [code, message]), [
    ["NOT_CONVERTED", 'A block "shared.rich-text" is kept as JSON'],
    ["LEFT_OUT", 'A block "shared.media" is left out'],
    ["LEFT_OUT", 'A block "shared.slider" is left out'],
  ]);
});

Deno.test("blocks of Payload become blocks, in fields and in rich text", async () => {
  await using site = await transferSite();
  const paragraph = {
    type: "paragraph",
    children: [{ type: "text", text: "Before", format: 0 }],
  };
  const docs = [
    {
      id: "65a1b2c3d4e5f60718293a4b",
      title: "Home",
      _status: "published",
      layout: [
        { id: "65a1b2c3d4e5f60718293a4c", blockType: "cta", heading: "Join", count: 3 },
        {
          id: "65a1b2c3d4e5f60718293a4d",
          blockType: "content",
          columns: [{ size: "half", text: { root: { type: "root", children: [paragraph] } } }],
        },
      ],
      content: {
        root: {
          type: "root",
          children: [paragraph, { type: "block", fields: { blockType: "cta", heading: "Inside" } }],
        },
      },
    },
  ];
  const planned = await site.analysed([["pages.json", JSON.stringify({ docs, totalDocs: 1 })]]);
  assertEquals(planned.kind, "payload");
  assertEquals(planned.plan.blocks, [
    { source: "cta", target: "cta" },
    { source: "content", target: "content" },
  ]);

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed], [1, 0]);
  const [{ layout, content }] = await site.documents("pages");
  const [cta, columns] = plain(layout);
  assertEquals(cta, ["cta", { heading: "Join", count: 3 }]);
  assertEquals(layout[0].id, "65a1b2c3d4e5f60718293a4c");
  assertEquals(columns?.[1].columns[0].size, "half");
  assertEquals(columns?.[1].columns[0].text[0].children[0].text, "Before");
  assertEquals(content.map(({ _type, heading }: Record<string, string>) => [_type, heading]), [
    ["block", undefined],
    ["cta", "Inside"],
  ]);
});

Deno.test("Directus: many to any becomes blocks, many to many references", async () => {
  await using site = await transferSite();
  const field = (collection: string, field: string, special: string[] | null = null) => ({
    collection,
    field,
    type: special === null ? "string" : "alias",
    meta: { interface: null, special },
  });
  const meta = (one: string, oneField: string | null, table: string, by: string, to: string) => ({
    one_collection: one,
    one_field: oneField,
    many_collection: table,
    many_field: by,
    junction_field: to,
  });
  const fields = [
    field("pages", "sections", ["m2a"]),
    field("pages", "tags", ["m2m"]),
    field("pages", "title"),
    field("hero", "headline"),
    field("tags", "name"),
    field("pages_blocks", "item"),
    field("pages_tags", "tags_id"),
  ];
  const relations = [
    {
      collection: "pages_blocks",
      field: "pages_id",
      related_collection: "pages",
      meta: meta("pages", "sections", "pages_blocks", "pages_id", "item"),
    },
    {
      collection: "pages_blocks",
      field: "item",
      related_collection: null,
      meta: { one_allowed_collections: ["hero"], one_collection_field: "collection" },
    },
    {
      collection: "pages_tags",
      field: "pages_id",
      related_collection: "pages",
      meta: meta("pages", "tags", "pages_tags", "pages_id", "tags_id"),
    },
    { collection: "pages_tags", field: "tags_id", related_collection: "tags", meta: {} },
  ];
  const content = {
    pages: [{ id: 1, status: "published", title: "Home", sections: [9], tags: [4] }],
    hero: [{ id: "h1", headline: "Welcome" }],
    tags: [{ id: 7, name: "News", status: "published" }],
    pages_blocks: [{ id: 9, pages_id: 1, item: "h1", collection: "hero", sort: 1 }],
    pages_tags: [{ id: 4, pages_id: 1, tags_id: 7 }],
  };
  const archive = await tarballOf({
    "src/fields.json": JSON.stringify(fields).replace('"interface":null', '"interface":"x"'),
    "src/relations.json": JSON.stringify(relations),
    ...Object.fromEntries(
      Object.entries(content).map(([name, rows]) => [
        `src/content/${name}.json`,
        JSON.stringify(rows),
      ]),
    ),
  });
  const planned = await site.analysed([["site.tar.gz", archive]]);
  assertEquals(planned.counts, { pages: 1, hero: 1, tags: 1 });

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed], [2, 0]);
  const [page] = await site.documents("pages");
  const [tag] = await site.documents("tags");
  assertEquals([plain(page.sections), page.tags], [[["hero", { headline: "Welcome" }]], [tag.id]]);
});

Deno.test("entries in rich text of Contentful become blocks that refer to their documents", async () => {
  await using site = await transferSite();
  const sys = (id: string, type: string) => ({
    id,
    contentType: { sys: { id: type } },
    space: { sys: { id: "space" } },
    publishedVersion: 1,
    version: 2,
  });
  const target = (id: string) => ({ target: { sys: { id, type: "Link", linkType: "Entry" } } });
  const body = {
    nodeType: "document",
    content: [
      {
        nodeType: "paragraph",
        content: [
          { nodeType: "text", value: "See ", marks: [] },
          { nodeType: "embedded-entry-inline", data: target("v1"), content: [] },
          { nodeType: "text", value: " now", marks: [] },
        ],
      },
      { nodeType: "embedded-entry-block", data: target("v1"), content: [] },
    ],
  };
  const text = {
    contentTypes: [
      {
        sys: { id: "post" },
        name: "Post",
        displayField: "title",
        fields: [{ id: "title", type: "Symbol" }, { id: "body", type: "RichText" }],
      },
      {
        sys: { id: "video" },
        name: "Video",
        displayField: "title",
        fields: [{ id: "title", type: "Symbol" }],
      },
    ],
    entries: [
      { sys: sys("p1", "post"), fields: { title: { en: "Post" }, body: { en: body } } },
      { sys: sys("v1", "video"), fields: { title: { en: "Video" } } },
    ],
    assets: [],
    locales: [{ code: "en", default: true }],
  };
  const planned = await site.analysed([["export.json", JSON.stringify(text)]]);
  assertEquals(planned.plan.blocks, [{ source: "video", target: "video" }]);

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed], [2, 0]);
  const [post] = await site.documents("post");
  const [video] = await site.documents("video");
  const [first, second] = post.body;
  assertEquals([second._type, second.entry], ["video", video.id]);
  assertEquals(
    first.children.map(({ _type, text, entry }: Record<string, string>) => [_type, text ?? entry]),
    [["span", "See "], ["video", video.id], ["span", " now"]],
  );
  const { data } = answered(await site.admin("GET", "/blocks"), 200);
  assertEquals(data[0].fields.map(({ type }: { type: string }) => type), ["reference"]);
});

Deno.test("an array of several types in Sanity becomes blocks, with images, links and rich text in them", async () => {
  await using site = await transferSite();
  const block = (text: string) => ({
    _type: "block",
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", text, marks: [] }],
  });
  const documents = [
    {
      _id: "page1",
      _type: "page",
      title: "Home",
      sections: [
        {
          _type: "hero",
          _key: "k1",
          heading: "Hi",
          image: { _type: "image", _sanityAsset: "image@file://./images/a.png" },
        },
        {
          _type: "info",
          _key: "k2",
          content: [block("Text")],
          about: { _type: "reference", _ref: "p1" },
        },
      ],
      faq: [{ _type: "faq", _key: "k3", question: "Why?" }],
    },
    { _id: "p1", _type: "person", title: "Ada" },
  ];
  const archive = await tarballOf({
    "data.ndjson": linesOf(documents),
    "images/a.png": IMAGES["image/png"],
  });
  const planned = await site.analysed([["export.tar.gz", archive]]);
  assertEquals([planned.kind, planned.plan.blocks], ["sanity", [
    { source: "hero", target: "hero" },
    { source: "info", target: "info" },
  ]]);

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed, done.report.warnings], [2, 0, 0]);
  const [page] = await site.documents("pages");
  const [ada] = await site.documents("person");
  const [hero, info] = plain(page.sections);
  assertEquals([hero?.[0], hero?.[1].heading, typeof hero?.[1].image], ["hero", "Hi", "string"]);
  assertEquals([info?.[1].about, info?.[1].content[0].children[0].text], [ada.id, "Text"]);
  assertEquals(page.faq, [{ question: "Why?" }]);
});
