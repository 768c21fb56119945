/** Transfers from Ghost, Contentful, Sanity and folders of Markdown. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { tarballOf, zipOf } from "../../../support/transfers/archives.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

/** The text of blocks, one line each. */
function lines(blocks: Record<string, unknown>[]): string[] {
  return blocks.map(({ _type, children, media, src, alt, code, content }) =>
    _type === "block"
      ? (children as { text: string }[]).map(({ text }) => text).join("")
      : [_type, media ? "medium" : src, alt, code, content && lines(content as never).join()]
        .filter(Boolean).join(" ")
  );
}

Deno.test("a Ghost export with its images becomes posts, pages, tags and authors", async () => {
  await using site = await transferSite();
  const lexical = JSON.stringify({
    root: {
      children: [
        {
          type: "paragraph",
          children: [{ type: "text", text: "Hi ", format: 0 }, {
            type: "text",
            text: "you",
            format: 3,
          }],
        },
        {
          type: "image",
          src: "__GHOST_URL__/content/images/2020/a.png",
          alt: "Alt",
          caption: "Cap",
        },
        { type: "codeblock", code: "x = 1", language: "js" },
        { type: "callout", calloutEmoji: "!", calloutText: "<b>Mind</b>" },
        { type: "signup" },
      ],
    },
  });
  const mobiledoc = JSON.stringify({
    version: "0.3.1",
    atoms: [],
    cards: [["hr", {}]],
    markups: [["strong"]],
    sections: [[1, "p", [[0, [0], 1, "Bold"], [0, [], 0, " text"]]], [10, 0], [3, "ul", [[[
      0,
      [],
      0,
      "item",
    ]]]]],
  });
  const post = (id: string, more: object) => ({
    id,
    title: `T${id}`,
    slug: `t${id}`,
    status: "published",
    published_at: "2020-01-01T00:00:00.000Z",
    ...more,
  });
  const data = {
    posts: [
      post("1", { lexical, feature_image: "__GHOST_URL__/content/images/2020/a.png" }),
      post("2", { mobiledoc, status: "draft" }),
      post("3", { html: "<p>Html</p>", type: "page" }),
      post("4", { title: "" }),
    ],
    tags: [{ id: "g", name: "Tag", slug: "tag" }],
    users: [{ id: "u", name: "User", slug: "user", email: "u@example.org" }],
    posts_tags: [{ post_id: "1", tag_id: "g", sort_order: 0 }],
    posts_authors: [{ post_id: "1", author_id: "u", sort_order: 0 }],
  };
  const archive = await zipOf({
    "blog.ghost.2024.json": JSON.stringify({ db: [{ meta: { version: "5.0.0" }, data }] }),
    "content/images/2020/a.png": IMAGES["image/png"],
  });
  const planned = await site.analysed([["export.zip", archive]]);
  assertEquals([planned.kind, planned.counts], ["ghost", {
    tags: 1,
    authors: 1,
    posts: 3,
    pages: 1,
  }]);

  const done = await site.run(planned.id);

  assertEquals([done.state, done.report.created, done.report.failed], ["done", 6, 0]);
  const posts = new Map((await site.documents("posts")).map((one) => [one.slug, one]));
  const [first, second] = [posts.get("t1"), posts.get("t2")];
  assertEquals(lines(first.body), ["Hi you", "image medium Alt", "code x = 1", "callout ! Mind"]);
  assertEquals([typeof first.cover, first.tags.length, first.authors.length], ["string", 1, 1]);
  assertEquals([second.status, ...lines(second.body)], [
    "draft",
    "Bold text",
    "horizontal-rule",
    "item",
  ]);
  assertEquals(posts.get("t4").title, "t4");
  assertEquals(lines((await site.documents("pages"))[0].body), ["Html"]);
  const again = await site.run(planned.id);
  assertEquals([again.report.unchanged, again.report.updated], [6, 0]);
  const { data: media } = (await site.admin("GET", "/media")).json;
  assertEquals(media.length, 1);
});

Deno.test("a Contentful export keeps its types, links, validations and states", async () => {
  await using site = await transferSite();
  const link = (linkType: string, id: string) => ({ sys: { type: "Link", linkType, id } });
  const sys = (id: string, type: string, more: object) => ({
    id,
    contentType: link("ContentType", type),
    space: link("Space", "space1"),
    environment: link("Environment", "master"),
    createdAt: "2020-01-01T00:00:00Z",
    ...more,
  });
  const field = (id: string, type: string, more: object = {}) => ({ id, name: id, type, ...more });
  const rich = {
    nodeType: "document",
    content: [
      { nodeType: "heading-2", content: [{ nodeType: "text", value: "Head", marks: [] }] },
      {
        nodeType: "unordered-list",
        content: [{
          nodeType: "list-item",
          content: [{
            nodeType: "paragraph",
            content: [{ nodeType: "text", value: "One", marks: [{ type: "bold" }] }],
          }],
        }],
      },
    ],
  };
  const text = JSON.stringify({
    contentTypes: [
      {
        sys: { id: "post" },
        name: "Blog post",
        displayField: "title",
        fields: [
          field("title", "Symbol"),
          field("slug", "Symbol"),
          field("body", "RichText"),
          field("kind", "Symbol", { validations: [{ in: ["a", "b"] }] }),
          field("short", "Symbol", { validations: [{ size: { max: 5 } }] }),
          field("writer", "Link", {
            linkType: "Entry",
            validations: [{ linkContentType: ["person"] }],
          }),
          field("related", "Array", {
            items: {
              type: "Link",
              linkType: "Entry",
              validations: [{ linkContentType: ["post"] }],
            },
          }),
          field("place", "Location"),
        ],
      },
      {
        sys: { id: "person" },
        name: "Person",
        displayField: "name",
        fields: [field("name", "Symbol")],
      },
    ],
    entries: [
      {
        sys: sys("p1", "post", {
          version: 5,
          publishedVersion: 4,
          firstPublishedAt: "2020-02-01T00:00:00Z",
        }),
        fields: {
          title: { "en-US": "Hello", "de-DE": "Hallo" },
          slug: { "en-US": "hello" },
          body: { "en-US": rich },
          kind: { "en-US": "a" },
          short: { "en-US": "abc" },
          writer: { "en-US": link("Entry", "w1") },
          related: { "en-US": [link("Entry", "p2")] },
          place: { "en-US": { lat: 1, lon: 2 } },
        },
      },
      {
        sys: sys("p2", "post", { version: 1 }),
        fields: { title: { "en-US": "Draft" }, short: { "en-US": "too long" } },
      },
      {
        sys: sys("w1", "person", { version: 2, publishedVersion: 1 }),
        fields: { name: { "en-US": "Ada" } },
      },
      { sys: sys("x", "ghost", { version: 1 }), fields: {} },
    ],
    assets: [{ sys: { id: "empty" }, fields: {} }],
    locales: [{ code: "en-US", default: true }, { code: "de-DE", fallbackCode: "en-US" }],
  });
  const planned = await site.analysed([["export.json", text]]);
  assertEquals([planned.kind, planned.plan.sourceKey], ["contentful", "space1/master"]);
  const [post] = planned.plan.collections;
  assertEquals(
    post.fields.map((
      { to, type, options }: { to: string; type: string; options: object },
    ) => [to, type, options]),
    [
      ["body", "rich_text", {}],
      ["kind", "select", { choices: ["a", "b"] }],
      ["short", "text", { maxLength: 5 }],
      ["writer", "reference", { collection: "person" }],
      ["related", "repeater", {
        fields: [{ name: "item", type: "reference", options: { collection: "blog-post" } }],
      }],
      ["place", "json", {}],
    ],
  );

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed], [2, 1]);
  const [document] = await site.documents("blog-post");
  const [person] = await site.documents("person");
  assertEquals([document.status, document.writer, document.place], ["published", person.id, {
    lat: 1,
    lon: 2,
  }]);
  assertEquals(lines(document.body), ["Head", "One"]);
  const failed = await site.report(planned.id, "?level=failed");
  assertEquals(
    failed.map((
      { sourceId, problems },
    ) => [sourceId, problems[0].path, problems[0].code, problems[0].value]),
    [
      ["p2", "short", "TOO_LONG", "too long"],
    ],
  );
});

Deno.test("a Sanity export keeps Portable Text, references and images", async () => {
  await using site = await transferSite();
  const body = [{
    _type: "block",
    _key: "k1",
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: "s1", text: "Text", marks: [] }],
  }];
  const documents = [
    { _id: "a1", _type: "author", name: "Ada", _createdAt: "2020-01-01T00:00:00Z" },
    {
      _id: "p1",
      _type: "post",
      title: "Post",
      slug: { _type: "slug", current: "the-post" },
      author: { _type: "reference", _ref: "a1" },
      body,
      cover: {
        _type: "image",
        _sanityAsset: "image@file://./images/x.png",
        hotspot: { _type: "sanity.imageHotspot", x: 0.25, y: 0.75, height: 0.5, width: 0.5 },
      },
      _createdAt: "2020-01-02T00:00:00Z",
    },
    { _id: "drafts.p1", _type: "post", title: "Changed" },
    { _id: "drafts.p2", _type: "post", title: "New", _createdAt: "2020-01-03T00:00:00Z" },
    { _id: "s", _type: "sanity.imageAsset" },
  ];
  const archive = await tarballOf({
    "production/data.ndjson": documents.map((one) => JSON.stringify(one)).join("\n"),
    "production/images/x.png": IMAGES["image/png"],
  });
  const planned = await site.analysed([["production.tar.gz", archive]]);
  assertEquals([planned.kind, planned.counts], ["sanity", { author: 1, post: 2 }]);

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed], [3, 0]);
  const posts = new Map((await site.documents("post")).map((one) => [one.title, one]));
  const [author] = await site.documents("author");
  const post = posts.get("Post");
  assertEquals([post.slug, post.status, post.author, post.body], [
    "the-post",
    "published",
    author.id,
    body,
  ]);
  assertEquals(posts.get("New").status, "draft");
  const { focus } = (await site.admin("GET", `/media/${post.cover}`)).json;
  assertEquals(focus, { x: 0.25, y: 0.75 });
  const edited = await site.admin("GET", `/documents/${post.id}/working-copy`);
  assertEquals([post.hasWorkingCopy, edited.json.title, edited.json.author], [
    true,
    "Changed",
    null,
  ]);
  const again = await site.run(planned.id);
  assertEquals([again.report.unchanged, again.report.updated], [3, 0]);
  const { jobId } = answered(await site.admin("POST", `/transfers/${planned.id}/undo`), 202);
  await site.runner.drain();
  assertEquals((await site.admin("GET", `/jobs/${jobId}`)).json.result.undo.left, []);
});

Deno.test("a folder of Markdown becomes a collection for each folder, with its images and links", async () => {
  await using site = await transferSite();
  const archive = await zipOf({
    "site/content/posts/first.md":
      "---\ntitle: First\ndate: 2020-01-01\ntags: [a, b]\nimage: ./a.png\n---\n# Head\n\nText with [a link](second.md) and ![pic](a.png)\n\n{{< youtube x >}}\n",
    "site/content/posts/second.md": '+++\ntitle = "Second"\ndraft = true\n+++\nBody',
    "site/content/posts/third/index.md": '---json\n{"title": 1}\n---\nNo front matter',
    "site/content/posts/first.fr.md": "---\ntitle: Premier\n---\nTexte",
    "site/content/posts/bomb.md":
      "---\na: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n---\n",
    "site/content/posts/a.png": IMAGES["image/png"],
    "site/content/about.md": "---\ntitle: About\n---\nHello",
  });
  const planned = await site.analysed([["site.zip", archive]]);
  assertEquals([planned.kind, planned.counts], ["markdown", { posts: 4, pages: 1 }]);

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed], [4, 1]);
  const posts = new Map((await site.documents("posts")).map((one) => [one.slug, one]));
  const first = posts.get("first");
  assertEquals(lines(first.body), ["Head", "Text with a link and ", "image medium pic", "html"]);
  assertEquals(first.body[1].markDefs[0].href, "/posts/second");
  assertEquals([typeof first.image, first.status, posts.get("second").status], [
    "string",
    "published",
    "draft",
  ]);
  assertEquals(first.publishedAt, Date.UTC(2020, 0, 1) / 1000);
  const [failed] = await site.report(planned.id, "?level=failed");
  assertEquals(failed.sourceId, "site/content/posts/bomb.md");
  assertEquals(Object.keys(planned.plan.languages), ["fr"]);
});

Deno.test("a dry run reports files that the site does not take, like the run", async () => {
  await using site = await transferSite();
  const image = { _type: "image", _sanityAsset: "image@file://./images/a.svg" };
  const archive = await tarballOf({
    "data.ndjson": JSON.stringify({ _id: "p1", _type: "person", title: "Ada", picture: image }),
    "images/a.svg": '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
  });
  const planned = await site.analysed([["export.tar.gz", archive]]);
  const dry = await site.run(planned.id, { dryRun: true });
  const done = await site.run(planned.id);
  assertEquals(dry.report, done.report);
  assertEquals([done.report.created, done.report.warnings], [1, 1]);
});
