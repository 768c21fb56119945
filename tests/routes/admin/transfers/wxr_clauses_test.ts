/** Exports of WordPress, clause by clause: damaged CDATA, states, blocks, galleries, and languages without a plugin. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

interface Item {
  id: number;
  title: string;
  content?: string;
  status?: string;
  parent?: number;
  type?: string;
  link?: string;
  slug?: string;
  meta?: Record<string, string>;
  more?: string;
}

function item({ id, title, ...rest }: Item): string {
  const meta = Object.entries(rest.meta ?? {}).map(([key, value]) =>
    `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`
  );
  return `<item><title>${title}</title><link>${rest.link ?? `https://o.example/p${id}/`}</link>
<content:encoded><![CDATA[${rest.content ?? ""}]]></content:encoded><wp:post_id>${id}</wp:post_id>
<wp:post_name>${rest.slug ?? `p${id}`}</wp:post_name><wp:status>${
    rest.status ?? "publish"
  }</wp:status>
<wp:post_parent>${rest.parent ?? 0}</wp:post_parent><wp:post_type>${
    rest.type ?? "post"
  }</wp:post_type>
${rest.more ?? ""}${meta.join("")}</item>`;
}

function wxr(...items: Item[]): string {
  return `<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<language>en-US</language><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>https://o.example</wp:base_blog_url>${items.map(item).join("")}</channel></rss>`;
}

const LANGUAGES = { languages: [{ code: "en" }, { code: "fr", path: "fr" }] };

Deno.test("CDATA with other CDATA in it is read as it was written", async () => {
  await using site = await transferSite();
  const { id } = await site.analysed([[
    "a.xml",
    wxr({
      id: 1,
      title: "One",
      content: "Nested <![CDATA[ tags ]]> :)",
      meta: {
        all: "an <![CDATA[ opening and ]]> closing <![CDATA[ tags: ]]>",
        end: "]]>",
        plain: "x",
      },
    }),
  ]]);
  await site.run(id);
  const [one] = await site.documents("posts");
  assertEquals(one.body[0].children[0].text, "Nested  :)");
  assertEquals([one.all, one.end, one.plain], [
    "an <![CDATA[ opening and ]]> closing <![CDATA[ tags: ]]>",
    "]]>",
    "x",
  ]);
});

Deno.test("an item that inherits its state has that of its parent, wherever that stands", async () => {
  await using site = await transferSite();
  const { id } = await site.analysed([[
    "a.xml",
    wxr(
      { id: 1, title: "Of public", type: "page", status: "inherit", parent: 3 },
      { id: 2, title: "Of private", type: "page", status: "inherit", parent: 4 },
      { id: 3, title: "Public", type: "page" },
      { id: 4, title: "Private", type: "page", status: "private" },
      { id: 5, title: "Of nothing", type: "page", status: "inherit", parent: 9 },
    ),
  ]]);
  await site.run(id);
  const states = (await site.documents("pages")).map(({ title, status }) => `${title} ${status}`);
  assertEquals(states.sort(), [
    "Of nothing draft",
    "Of private draft",
    "Of public published",
    "Private draft",
    "Public published",
  ]);
});

Deno.test("a block that is not known is its text, and itself as HTML that is not shown", async () => {
  await using site = await transferSite();
  const inner = "<!-- wp:foo/bar --><p>deep</p><!-- /wp:foo/bar -->";
  const whole = `<!-- wp:foo/bar {"a":"x\\u0022y"} --><div>text ${inner}</div><!-- /wp:foo/bar -->`;
  const content =
    `<!-- wp:paragraph --><p>before</p><!-- /wp:paragraph -->${whole}<!-- wp:paragraph --><p>after</p><!-- /wp:paragraph -->`;
  const { id } = await site.analysed([["a.xml", wxr({ id: 1, title: "One", content })]]);
  await site.run(id);
  const [{ body }] = await site.documents("posts");
  assertEquals(
    body.map(({ html, children }: { html?: string; children?: { text: string }[] }) =>
      html ?? children?.[0]?.text
    ),
    ["before", "text", "deep", whole, "after"],
  );
  const [line] = await site.report(id, "?level=warning");
  assertEquals(line.problems.length, 1);
});

Deno.test("a gallery has the captions and texts of its attachments", async () => {
  await using site = await transferSite();
  const attachment = {
    id: 7,
    title: "Picture",
    type: "attachment",
    status: "inherit",
    meta: { _wp_attachment_image_alt: 'A "cat"' },
    more: `<excerpt:encoded><![CDATA[On the roof]]></excerpt:encoded>
<wp:attachment_url>https://o.example/cat.png</wp:attachment_url>`,
  };
  const post = { id: 1, title: "One", content: '[gallery ids="7"]' };
  const { id } = await site.analysed([["a.xml", wxr(post, attachment)]]);
  await site.run(id);
  const [{ body: [image] }] = await site.documents("posts");
  assertEquals([image._type, image.alt, image.caption], ["image", 'A "cat"', "On the roof"]);
});

Deno.test("without a plugin, languages are those in addresses, if several pages share one", async () => {
  await using site = await transferSite();
  answered(await site.admin("PATCH", "/settings", LANGUAGES), 200);
  const base = "https://o.example";
  const { id, plan } = await site.analysed([[
    "a.xml",
    wxr(
      { id: 1, title: "About", type: "page", slug: "about", link: `${base}/about/` },
      { id: 2, title: "À propos", type: "page", slug: "a-propos", link: `${base}/fr/about/` },
      { id: 3, title: "Team", type: "page", slug: "team", link: `${base}/team/` },
      { id: 4, title: "Équipe", type: "page", slug: "equipe", link: `${base}/team/?lang=fr` },
      { id: 5, title: "Alone", type: "page", slug: "alone", link: `${base}/it/alone/` },
    ),
  ]]);
  assertEquals(plan.languages, { "en-US": null, fr: "fr" });
  await site.run(id);
  const pages = new Map((await site.documents("pages")).map((one) => [one.title, one.id]));
  assertEquals([...pages.keys()].sort(), ["About", "Alone", "Team"]);
  for (const [title, french] of [["About", "À propos"], ["Team", "Équipe"]] as const) {
    const path = `/documents/${pages.get(title)}/translations/fr`;
    assertEquals(answered(await site.admin("GET", path), 200).title, french);
  }
});

Deno.test("a duplicate that WPML has made is the translation of its original", async () => {
  await using site = await transferSite();
  answered(await site.admin("PATCH", "/settings", LANGUAGES), 200);
  const code = "_wpml_import_language_code";
  const { id } = await site.analysed([[
    "a.xml",
    wxr(
      { id: 1, title: "Hello", meta: { [code]: "en" } },
      { id: 2, title: "Bonjour", meta: { [code]: "fr", _icl_lang_duplicate_of: "1" } },
    ),
  ]]);
  await site.run(id);
  const [post, ...others] = await site.documents("posts");
  assertEquals(others, []);
  const path = `/documents/${post.id}/translations/fr`;
  assertEquals(answered(await site.admin("GET", path), 200).title, "Bonjour");
});

Deno.test("reusable blocks and patterns stand where they are shown, whatever their attributes", async () => {
  await using site = await transferSite();
  const reused = {
    id: 50,
    title: "Reused",
    type: "wp_block",
    slug: "hero",
    content: "<!-- wp:paragraph --><p>reused</p><!-- /wp:paragraph -->",
  };
  const content = `<!-- wp:block {"ref":50,"content":{"a":{"b":"c"}}} /-->
<!-- wp:pattern {"slug":"theme/hero"} /-->
<!-- wp:video --><video><source src="a.mp4"><source src="a.webm"></video><!-- /wp:video -->`;
  const { id } = await site.analysed([["a.xml", wxr({ id: 1, title: "One", content }, reused)]]);
  await site.run(id);
  const [{ body }] = await site.documents("posts");
  assertEquals(
    body.map(({ children }: { children: { text: string }[] }) => children[0]?.text),
    ["reused", "reused", "a.mp4"],
  );
});
