/** Transfers from WordPress. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { phpValue } from "../../../../jobs/transfers/text/php_value.ts";
import { gutenbergToBlocks } from "../../../../jobs/transfers/text/gutenberg.ts";

const item = (id: number, inner: string, type = "post", status = "publish") =>
  `<item>
  <title>Post ${id}</title><link>https://old.example/2019/05/post-${id}/</link>
  <dc:creator><![CDATA[alice]]></dc:creator>
  <wp:post_id>${id}</wp:post_id><wp:post_name>post-${id}</wp:post_name>
  <wp:post_date_gmt>2019-05-0${id} 10:00:00</wp:post_date_gmt>
  <wp:status>${status}</wp:status><wp:post_type>${type}</wp:post_type>${inner}</item>`;

const wxrOf = (...items: string[]) =>
  `<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE rss [<!ENTITY lol "lol"><!ENTITY bomb "&lol;&lol;&lol;&lol;"><!ENTITY file SYSTEM "file:///etc/passwd">]>
<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="c" xmlns:dc="d" xmlns:excerpt="e"><channel>
<wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://old.example</wp:base_blog_url>
<wp:author><wp:author_login>alice</wp:author_login><wp:author_email>alice@old.example</wp:author_email><wp:author_display_name><![CDATA[Alice A]]></wp:author_display_name></wp:author>
<wp:category><wp:category_nicename>news</wp:category_nicename><wp:cat_name><![CDATA[News]]></wp:cat_name></wp:category>
${items.join("\n")}</channel></rss>`;

const CONTENT = `<content:encoded><![CDATA[<!-- wp:paragraph -->
<p>Hello <strong>world</strong></p>
<!-- /wp:paragraph -->
<!-- wp:image {"id":9} --><figure><img src="https://old.example/a-300x200.png" alt="A"/><figcaption>Cap</figcaption></figure><!-- /wp:image -->
<!-- wp:embed {"url":"https://youtu.be/dQw4w9WgXcQ"} --><figure>x</figure><!-- /wp:embed -->
<!-- wp:acme/chart {"title":"say \\u0022hi\\u0022"} /-->]]></content:encoded>
<category domain="category" nicename="news"><![CDATA[News]]></category>
<category domain="post_tag" nicename="t1"><![CDATA[T 1]]></category>
<wp:postmeta><wp:meta_key>price</wp:meta_key><wp:meta_value>12</wp:meta_value></wp:postmeta>
<wp:postmeta><wp:meta_key>_price</wp:meta_key><wp:meta_value>field_1</wp:meta_value></wp:postmeta>
<wp:postmeta><wp:meta_key>evil</wp:meta_key><wp:meta_value>O:8:"stdClass":0:{}</wp:meta_value></wp:postmeta>
<wp:postmeta><wp:meta_key>_yoast_wpseo_title</wp:meta_key><wp:meta_value>SEO title</wp:meta_value></wp:postmeta>
<wp:postmeta><wp:meta_key>_yoast_wpseo_meta-robots-noindex</wp:meta_key><wp:meta_value>1</wp:meta_value></wp:postmeta>`;

Deno.test("a WXR file becomes posts, categories, tags and authors, with their times and former addresses", async () => {
  await using site = await transferSite();
  const text = wxrOf(
    item(1, CONTENT),
    item(2, "<content:encoded>One\n\nTwo &file; &bomb;</content:encoded>", "post", "private"),
    item(3, "<wp:comment></wp:comment>", "page", "draft"),
    item(4, "", "nav_menu_item"),
  );
  const planned = await site.analysed([["blog.xml", text]]);
  assertEquals([planned.kind, planned.plan.sourceKey], ["wxr", "https://old.example"]);
  assertEquals(planned.counts, { post: 2, page: 1, category: 1, post_tag: 1, authors: 1 });
  planned.plan.media.hosts = [];
  answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan: planned.plan }), 200);

  const done = await site.run(planned.id);

  assertEquals([done.state, done.report.created, done.report.failed], ["done", 6, 0]);
  const [first, second] = await site.documents("posts");
  const byId = new Map<string, string>();
  for (const slug of ["categories", "tags", "authors"]) {
    for (const { id, title } of await site.documents(slug)) byId.set(id, title);
  }
  assertEquals([first.title, first.slug, first.status], ["Post 1", "post-1", "published"]);
  const at = Date.UTC(2019, 4, 1, 10) / 1000;
  assertEquals([first.createdAt, first.publishedAt], [at, at]);
  assertEquals([first.category, first.post_tag].flat().map((id) => byId.get(id)), ["News", "T 1"]);
  assertEquals([byId.get(first.author), first.price, first.seo], ["Alice A", 12, {
    noindex: true,
    title: "SEO title",
  }]);
  assertEquals(first.evil, 'O:8:"stdClass":0:{}');
  assertEquals(
    first.body.map(({ _type, src, caption, url, html, children }: Record<string, unknown>) =>
      [
        _type,
        src ?? url ?? html ?? (children as { text: string }[]).map(({ text }) => text).join("|"),
        caption,
      ]
        .filter((one) => one !== undefined)
    ),
    [
      ["block", "Hello |world"],
      ["image", "https://old.example/a-300x200.png", "Cap"],
      ["embed", "https://youtu.be/dQw4w9WgXcQ"],
      ["html", '<!-- wp:acme/chart {"title":"say \\u0022hi\\u0022"} /-->'],
    ],
  );
  // A private post is a draft; undefined entities stay as text, and nothing was read from the machine.
  assertEquals([second.status, second.body.length], ["draft", 2]);
  assertEquals(JSON.stringify(second.body).includes("root:"), false);
  const lines = await site.report(planned.id, "?level=warning");
  const messages = lines.flatMap(({ problems }) =>
    problems.map(({ message }: { message: string }) => message)
  );
  assert(messages.includes("1 comments are not taken"), messages.join());
  const menus = '1 entries of the menu "" have no place in a menu';
  assert(messages.includes(menus), messages.join());
  for (const path of ["/2019/05/post-1/", "/?p=1"]) {
    const { status, headers } = await site.call("GET", path);
    assertEquals([status, headers.get("location")], [301, "/posts/post-1"]);
  }
  assertEquals((await site.call("GET", "/2019/05/post-2/")).status, 404);

  const again = await site.run(planned.id);
  assertEquals([again.report.unchanged, again.report.updated], [6, 0]);
  answered(await site.admin("POST", `/transfers/${planned.id}/undo`), 202);
  await site.runner.drain();
  assertEquals((await site.call("GET", "/?p=1")).status, 200);
  assertEquals(answered(await site.admin("GET", "/redirects"), 200).meta.total, 0);
});

Deno.test("phpValue() reads scalars and arrays, and no objects", () => {
  assertEquals(phpValue('a:2:{s:1:"a";i:1;s:1:"b";a:1:{i:0;b:1;}}'), { a: 1, b: [true] });
  assertEquals(phpValue('s:5:"¯x"'), undefined);
  assertEquals(phpValue('s:3:"¯x";'), "¯x");
  for (
    const wrong of [
      'O:8:"stdClass":0:{}',
      'a:1:{i:0;O:1:"A":0:{}}',
      'C:1:"A":0:{}',
      "a:99999999:{}",
      's:99999999:"x";',
      "a:".repeat(100),
      "plain",
    ]
  ) {
    assertEquals(phpValue(wrong), undefined, wrong);
  }
});

Deno.test("gutenbergToBlocks() separates paragraphs of classic content by lines, and knows its shortcodes", () => {
  const texts = (content: string) =>
    gutenbergToBlocks(content, { attachment: (id) => ({ url: `https://a.example/${id}.png` }) })
      .blocks.map(
        (block) => {
          const { _type, children, src, caption } = block as Record<string, unknown>;
          return _type === "block"
            ? (children as { text: string }[]).map(({ text }) => text).join("")
            : [_type, src, caption].filter(Boolean).join(" ");
        },
      );
  assertEquals(texts("One\nline\n\nTwo <em>x</em>"), ["One\nline", "Two x"]);
  assertEquals(texts('[caption id="a"]<img src="b.png"> Words[/caption]'), ["image b.png Words"]);
  assertEquals(texts('[gallery ids="1,2"]'), [
    "image https://a.example/1.png",
    "image https://a.example/2.png",
  ]);
});
