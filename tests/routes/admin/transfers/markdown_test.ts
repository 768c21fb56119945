/** Folders of Markdown of Hugo, Jekyll, Astro, Docusaurus and Obsidian, clause by clause. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { zipOf } from "../../../support/transfers/archives.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

interface Block {
  _type: string;
  html?: string;
  listItem?: string;
  style?: string;
  children?: { text: string; marks: string[] }[];
  markDefs?: { _key: string; href: string }[];
}

/** The words of each block, with the addresses of its links. */
function texts(blocks: Block[]): string[] {
  return blocks.map(({ _type, html, children = [], markDefs = [] }) => {
    const words = children.map(({ text }) => text).join("");
    const links = markDefs.map(({ href }) => ` -> ${href}`).join("");
    return _type === "block" ? words + links : `${_type} ${html ?? ""}`.trim();
  });
}

async function transferred(files: Record<string, string | Uint8Array>, name = "site.zip") {
  const site = await transferSite();
  const planned = await site.analysed([[name, await zipOf(files)]]);
  assertEquals(planned.kind, "markdown", planned.error);
  const done = await site.run(planned.id);
  const documents = async (collection: string) =>
    new Map((await site.documents(collection)).map((one) => [one.slug, one]));
  return Object.assign(site, { planned, done, bySlug: documents });
}

Deno.test("Hugo: front matter in JSON without fences, references in links, and nested addresses", async () => {
  await using site = await transferred({
    "site/content/posts/first.md":
      '{\n "title": "First {x}",\n "date": "2020-01-02",\n "draft": true\n}\nSee [next]({{< ref "second.md" >}}).\n',
    "site/content/posts/second.md": "---\ntitle: Second\nstatus: draft\n---\nText\n",
    "site/content/posts/broken.md": "---\ntitle: [x\n---\nText\n",
    "site/content/guide/deep/page.md":
      "---\ntitle: Deep\n---\n`[[code]]`\n\n```\n[[x]] [y](first.md)\n```\n",
  });
  const posts = await site.bySlug("posts");
  const first = posts.get("first");
  assertEquals([first.title, first.status], ["First {x}", "draft"]);
  assertEquals(texts(first.body), ["See next. -> /posts/second"]);
  assertEquals(posts.get("second").status, "draft");
  const [failed] = await site.report(site.planned.id, "?level=failed");
  assertEquals(failed.sourceId, "site/content/posts/broken.md");
  const path = "/redirects?path=/guide/deep/page/";
  const { match } = answered(await site.admin("GET", path), 200);
  assertEquals(match?.to, "/guide/page");
  const [, code] = (await site.bySlug("guide")).get("page").body;
  assertEquals(code.code, "[[x]] [y](first.md)");
});

Deno.test("Jekyll: words as lists, links to posts, and the addresses of posts", async () => {
  await using site = await transferred({
    "_posts/2019-05-06-hello-world.md":
      "---\ntitle: Hello\ncategories: news\ntags: a b\n---\n[next]({% post_url 2019-05-07-second %}) [home]({{ site.baseurl }}/about/)\n",
    "_posts/2019-05-07-second.md": "---\ntitle: Second\ndate: 2019-05-07 12:30:00 +0200\n---\nB\n",
  });
  assertEquals(site.planned.plan.sourceKey, "site.zip:markdown");
  const posts = await site.bySlug("posts");
  const hello = posts.get("hello-world");
  assertEquals([hello.tags, hello.categories], [["a", "b"], ["news"]]);
  assertEquals(texts(hello.body), ["next home -> /posts/second -> /about/"]);
  assertEquals(posts.get("second").publishedAt, Date.UTC(2019, 4, 7, 10, 30) / 1000);
  for (const path of ["/2019/05/06/hello-world.html", "/news/2019/05/06/hello-world.html"]) {
    const { match } = answered(await site.admin("GET", `/redirects?path=${path}`), 200);
    assertEquals(match?.to, "/posts/hello-world");
  }
});

Deno.test("Obsidian: notes by their names, from the root of the vault, and inside others", async () => {
  await using site = await transferred({
    "Notes/My First Note.md": "[[Other/Two|the second]] and ![[Two]] and [[#Part]]\n\n![[a.png]]\n",
    "Other/Two.md": "[[My First Note]] a ![x](../Notes/a.png) b [c](https://example.org)\n",
    "Notes/a.png": IMAGES["image/png"],
  });
  const notes = await site.bySlug("notes");
  const note = notes.get("my-first-note");
  assertEquals(note.title, "My First Note");
  assertEquals(texts(note.body), [
    "the second and Two and Part -> /other/two -> /other/two -> #part",
    "image",
  ]);
  const { body } = (await site.bySlug("other")).get("two");
  // Each part of a paragraph has the links of its own words.
  assertEquals(texts(body), [
    "My First Note a  -> /notes/my-first-note",
    "image",
    " b c -> https://example.org",
  ]);
});

Deno.test("Astro and MDX: dates with names of months, and the text inside of components", async () => {
  await using site = await transferred({
    "src/content/blog/one.mdx":
      "---\ntitle: One\npubDate: 'Jul 08 2022'\n---\nimport Box from './Box.astro'\n\n<Box kind=\"a\">\n\ninner **bold**\n\n</Box>\n\n:::tip\n\nMind this\n\n:::\n",
  });
  const one = (await site.bySlug("blog")).get("one");
  assertEquals(one.publishedAt, Date.UTC(2022, 6, 8) / 1000);
  assertEquals(texts(one.body), [
    "html import Box from './Box.astro'",
    'html <Box kind="a">',
    "inner bold",
    "html </Box>",
    "html :::tip",
    "Mind this",
    "html :::",
  ]);
  const [line] = await site.report(site.planned.id, "?level=warning");
  assert(line.problems.length >= 4, JSON.stringify(line.problems));
});

Deno.test("Docusaurus: texts in the folder of a language are translations", async () => {
  const site = await transferSite();
  await using _ = site;
  const languages = [{ code: "en" }, { code: "fr", path: "fr" }];
  answered(await site.admin("PATCH", "/settings", { languages }), 200);
  const archive = await zipOf({
    "docs/guide/intro.md": "# Introduction\n\nHello\n",
    "i18n/fr/docusaurus-plugin-content-docs/current/guide/intro.md": "# Présentation\n\nBonjour\n",
  });
  const planned = await site.analysed([["docs.zip", archive]]);
  assertEquals([planned.counts, planned.plan.languages], [{ guide: 1 }, { fr: "fr" }]);
  await site.run(planned.id);
  const [intro] = await site.documents("guide");
  const path = `/documents/${intro.id}/translations/fr`;
  assertEquals(answered(await site.admin("GET", path), 200).title, "Présentation");
});

Deno.test("front matter names images in lists and objects, and one that comes later stays an image", async () => {
  const page =
    "---\ntitle: One\ncover: {image: a.png, alt: A}\nshots: [a.png]\nhero: b.png\n---\nText\n";
  const files = {
    "site/content/posts/one.md": page,
    "site/content/posts/a.png": IMAGES["image/png"],
  };
  await using site = await transferred(files);
  const [{ fields }] = site.planned.plan.collections;
  assertEquals(
    fields.map(({ to, type }: { to: string; type: string }) => `${to} ${type}`),
    ["cover group", "shots repeater", "hero media", "body rich_text"],
  );
  const one = (await site.bySlug("posts")).get("one");
  assertEquals([typeof one.cover.image, one.cover.alt, one.shots.length, one.hero], [
    "string",
    "A",
    1,
    null,
  ]);
  const later = await zipOf({ ...files, "site/content/posts/b.png": IMAGES["image/webp"] });
  const form = new FormData();
  form.append("file", new File([later as Uint8Array<ArrayBuffer>], "site.zip"));
  const path = `/transfers/${site.planned.id}/files`;
  answered(await site.admin("POST", path, undefined, { raw: form }), 202);
  await site.runner.drain();
  assertEquals(typeof (await site.bySlug("posts")).get("one").hero, "string");
});
