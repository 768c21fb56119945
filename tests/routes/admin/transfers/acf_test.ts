/** Fields of Advanced Custom Fields: every type in an export with its definitions, and in what the REST API shows. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { apiServer } from "../../../support/transfers/api_server.ts";
import { type TransferSite, transferSite } from "../../../support/transfers/transfer_site.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";

/** A value as PHP serializes it. */
function php(value: Json): string {
  if (typeof value === "number") return `i:${value};`;
  if (typeof value === "string") {
    return `s:${new TextEncoder().encode(value).length}:"${value}";`;
  }
  const entries = Array.isArray(value) ? value.map((one, n) => [n, one] as const) : Object
    .entries(value ?? {});
  return `a:${entries.length}:{${
    entries.map(([key, one]) => php(key as Json) + php(one as Json)).join("")
  }}`;
}

const cdata = (text: string) => `<![CDATA[${text}]]>`;

interface Item {
  id: number;
  type: string;
  title?: string;
  name?: string;
  excerpt?: string;
  content?: string;
  parent?: number;
  meta?: Record<string, string>;
  more?: string;
}

function item({ id, type, title = "", name = `p${id}`, ...rest }: Item): string {
  const meta = Object.entries(rest.meta ?? {}).map(([key, value]) =>
    `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${
      cdata(value)
    }</wp:meta_value></wp:postmeta>`
  );
  return `<item><title>${title}</title><link>https://o.example/${name}/</link>
<content:encoded>${cdata(rest.content ?? "")}</content:encoded>
<excerpt:encoded>${cdata(rest.excerpt ?? "")}</excerpt:encoded>
<wp:post_id>${id}</wp:post_id><wp:post_name>${name}</wp:post_name><wp:status>publish</wp:status>
<wp:post_parent>${rest.parent ?? 0}</wp:post_parent><wp:post_type>${type}</wp:post_type>
${rest.more ?? ""}${meta.join("")}</item>`;
}

/** The definition of a field as WordPress exports it. */
const field = (id: number, name: string, type: string, parent = 100, settings: Json = {}) =>
  item({
    id,
    type: "acf-field",
    title: name,
    name: `field_${id}`,
    excerpt: name,
    parent,
    content: php({ type, ...settings as Record<string, Json> }),
  });

const DEFINITIONS = [
  ...[
    "text",
    "textarea",
    "number",
    "range",
    "email",
    "url",
    "password",
    "image",
    "file",
    "wysiwyg",
  ],
  ...["oembed", "gallery", "true_false", "link", "google_map", "date_picker", "date_time_picker"],
  ...["time_picker", "color_picker", "icon_picker"],
].map((type, n) => field(200 + n, `a_${type}`, type));

const CHOICES = { choices: { red: "Red", blue: "Blue" } };
const MORE = [
  field(300, "a_select", "select", 100, { ...CHOICES, multiple: 0 }),
  field(301, "a_selects", "select", 100, { ...CHOICES, multiple: 1 }),
  field(302, "a_checkbox", "checkbox", 100, CHOICES),
  field(303, "a_radio", "radio", 100, CHOICES),
  field(304, "a_button_group", "button_group", 100, CHOICES),
  field(305, "a_post", "post_object", 100, { post_type: ["page"], multiple: 0 }),
  field(306, "a_related", "relationship", 100, { post_type: "" }),
  field(307, "a_page_link", "page_link", 100, { post_type: ["page"] }),
  field(308, "a_terms", "taxonomy", 100, { taxonomy: "category", field_type: "checkbox" }),
  field(309, "a_user", "user"),
  field(310, "rows", "repeater"),
  field(311, "picture", "image", 310),
  field(312, "text", "wysiwyg", 310),
  field(313, "inner", "repeater", 310),
  field(314, "label", "text", 313),
  field(315, "box", "group"),
  field(316, "height", "number", 315),
  field(317, "parts", "flexible_content", 100, {
    layouts: { layout_1: { key: "layout_1", name: "hero", label: "Hero" } },
  }),
  field(318, "heading", "text", 317, { parent_layout: "layout_1" }),
  field(319, "cover", "image", 317, { parent_layout: "layout_1" }),
  field(320, "tab", "tab"),
];

const VALUES: [name: string, key: number, value: string][] = [
  ["a_text", 200, "Words"],
  ["a_textarea", 201, "One\nTwo"],
  ["a_number", 202, "12.5"],
  ["a_range", 203, "7"],
  ["a_email", 204, "a@o.example"],
  ["a_url", 205, "https://o.example/x"],
  ["a_password", 206, "never"],
  ["a_image", 207, "50"],
  ["a_file", 208, "51"],
  ["a_wysiwyg", 209, "First <b>bold</b>\n\nSecond"],
  ["a_oembed", 210, "https://youtu.be/dQw4w9WgXcQ"],
  ["a_gallery", 211, php(["50", "51"])],
  ["a_true_false", 212, "0"],
  ["a_link", 213, php({ title: "T", url: "https://o.example", target: "_blank" })],
  ["a_google_map", 214, php({ address: "Bergen", lat: "60.39", lng: "5.32" })],
  ["a_date_picker", 215, "20240506"],
  ["a_date_time_picker", 216, "2024-05-06 07:08:09"],
  ["a_time_picker", 217, "10:11:12"],
  ["a_color_picker", 218, "#ff0000"],
  ["a_icon_picker", 219, php({ type: "dashicons", value: "dashicons-star" })],
  ["a_select", 300, "red"],
  ["a_selects", 301, php(["red", "blue"])],
  ["a_checkbox", 302, php(["blue"])],
  ["a_radio", 303, "blue"],
  ["a_button_group", 304, "red"],
  ["a_post", 305, "60"],
  ["a_related", 306, php(["60", "2"])],
  ["a_page_link", 307, "60"],
  ["a_terms", 308, php(["5"])],
  ["a_user", 309, "3"],
  ["rows", 310, "2"],
  ["rows_0_picture", 311, "50"],
  ["rows_0_text", 312, "In <i>rows</i>"],
  ["rows_0_inner", 313, "1"],
  ["rows_0_inner_0_label", 314, "Deep"],
  ["rows_1_picture", 311, ""],
  ["rows_1_text", 312, ""],
  ["rows_1_inner", 313, "0"],
  ["box", 315, ""],
  ["box_height", 316, "3"],
  ["parts", 317, php(["hero"])],
  ["parts_0_heading", 318, "Big"],
  ["parts_0_cover", 319, "50"],
];

function wxr(definitions: readonly string[]): string {
  const meta = Object.fromEntries(
    VALUES.flatMap(([name, key, value]) => [[name, value], [`_${name}`, `field_${key}`]]),
  );
  const file = (id: number) =>
    item({
      id,
      type: "attachment",
      more: `<wp:attachment_url>https://o.example/${id}.png</wp:attachment_url>`,
    });
  return `<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://o.example</wp:base_blog_url>
<wp:author><wp:author_id>3</wp:author_id><wp:author_login>ann</wp:author_login></wp:author>
<wp:category><wp:term_id>5</wp:term_id><wp:category_nicename>news</wp:category_nicename>
<wp:cat_name>News</wp:cat_name></wp:category>
${item({ id: 1, type: "post", title: "All", meta })}${item({ id: 2, type: "post", title: "Other" })}
${item({ id: 60, type: "page", title: "Page" })}${file(50)}${file(51)}
${definitions.join("")}</channel></rss>`;
}

/** The types of the fields of posts by the names in the source. */
// deno-lint-ignore no-explicit-any
const typesOf = (plan: any): Record<string, string> => {
  const { fields } = plan.collections.find(({ source }: { source: string }) => source === "post");
  return Object.fromEntries(
    fields.map(({ from, type }: { from: string; type: string }) => [from.slice(5), type]),
  );
};

async function idsOf(site: TransferSite): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const collection of ["posts", "pages", "categories", "authors"]) {
    for (const { title, id } of await site.documents(collection)) ids.set(title, id);
  }
  return ids;
}

// deno-lint-ignore no-explicit-any
const plain = (blocks: any[]) => blocks.map(({ children }) => children.map((c: any) => c.text));

Deno.test("every type of field of ACF in an export with its definitions", async () => {
  await using site = await transferSite();
  const planned = await site.analysed([["a.xml", wxr([...DEFINITIONS, ...MORE])]]);
  assertEquals(planned.state, "planned", planned.error);
  const types = typesOf(planned.plan);
  assertEquals(
    ["a_image", "a_gallery", "a_wysiwyg", "a_related", "a_terms", "a_link", "rows", "parts"]
      .map((name) => types[name]),
    ["media", "repeater", "rich_text", "references", "references", "group", "repeater", "block"],
  );
  assertEquals(types.a_password, undefined);
  planned.plan.media.hosts = [];
  answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan: planned.plan }), 200);
  const done = await site.run(planned.id);
  assertEquals(done.report.failed, 0);
  const [all] = (await site.documents("posts")).filter(({ title }) => title === "All");
  const ids = await idsOf(site);
  assertEquals([all.a_text, all.a_textarea, all.a_number, all.a_range, all.a_true_false], [
    ...["Words", "One\nTwo", 12.5, 7, false],
  ]);
  assertEquals([all.a_email, all.a_url, all.a_oembed, all.a_time_picker, all.a_color_picker], [
    ...[
      "a@o.example",
      "https://o.example/x",
      "https://youtu.be/dQw4w9WgXcQ",
      "10:11:12",
      "#ff0000",
    ],
  ]);
  assertEquals([all.a_date_picker, all.a_date_time_picker], [
    Date.UTC(2024, 4, 6) / 1000,
    Date.UTC(2024, 4, 6, 7, 8, 9) / 1000,
  ]);
  assertEquals(plain(all.a_wysiwyg), [["First ", "bold"], ["Second"]]);
  assertEquals(all.a_link, { title: "T", url: "https://o.example", target: "_blank" });
  assertEquals(all.a_google_map, { address: "Bergen", lat: "60.39", lng: "5.32" });
  assertEquals([all.a_icon_picker, all.a_select, all.a_radio, all.a_button_group], [
    ...["dashicons-star", "red", "blue", "red"],
  ]);
  assertEquals([all.a_selects, all.a_checkbox], [["red", "blue"], ["blue"]]);
  assertEquals([all.a_post, all.a_page_link, all.a_related], [
    ids.get("Page"),
    ids.get("Page"),
    [ids.get("Page"), ids.get("Other")],
  ]);
  assertEquals([all.a_terms, all.a_user], [[ids.get("News")], ids.get("ann")]);
  assertEquals(all.box, { height: 3 });
  assertEquals(all.rows.length, 2);
  assertEquals([plain(all.rows[0].text), all.rows[0].inner], [[["In ", "rows"]], [
    { label: "Deep" },
  ]]);
  assertEquals(all.parts.map(({ type, data }: Record<string, Json>) => [type, data]), [
    ["hero", { heading: "Big", cover: null }],
  ]);
  // Files that were not fetched are named with the place that shows them.
  const [{ problems }] = (await site.report(done.id, "?level=warning"))
    .filter(({ sourceId, source }) => source === "post" && sourceId === "1");
  assertEquals(problems.map(({ path }: { path: string }) => path).sort(), [
    ...["a_file", "a_gallery.0.file", "a_gallery.1.file", "a_image", "parts.0.cover"],
    "rows.0.picture",
  ]);
});

Deno.test("without their definitions, fields of ACF are put together by their names", async () => {
  await using site = await transferSite();
  const planned = await site.analysed([["a.xml", wxr([])]]);
  const types = typesOf(planned.plan);
  assertEquals([types.rows, types.box, types.parts], ["repeater", "group", "block"]);
  planned.plan.media.hosts = [];
  answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan: planned.plan }), 200);
  const done = await site.run(planned.id);
  assertEquals(done.report.failed, 0);
  const [all] = (await site.documents("posts")).filter(({ title }) => title === "All");
  assertEquals([all.rows[0].inner, all.box], [[{ label: "Deep" }], { height: 3 }]);
  assertEquals(all.rows_0_picture, undefined);
});

Deno.test("fields of ACF that the REST API shows: numbers are what the links of the answer say", async () => {
  await using site = await transferSite({ guard: { allowLocal: true } });
  const links = (...paths: string[]) => paths.map((path) => ({ href: `https://o.example${path}` }));
  const page = (id: number, acf: Json, more: Record<string, Json> = {}) => ({
    id,
    slug: `page-${id}`,
    status: "publish",
    title: { rendered: `Page ${id}` },
    content: { rendered: "" },
    author: 3,
    acf,
    ...more,
  });
  const lists: Record<string, Json[]> = {
    pages: [
      page(9, { portrait: false, related: false, open: false, rows: false, size: 4 }),
      page(
        10,
        {
          portrait: 50,
          related: [9],
          topic: 5,
          editor: 3,
          open: true,
          size: 50,
          rows: [{ picture: 50, label: "One" }],
          parts: [{ acf_fc_layout: "hero", heading: "Big" }],
        },
        {
          _links: {
            "acf:attachment": links("/wp-json/wp/v2/media/50"),
            "acf:post": links("/wp-json/wp/v2/pages/9"),
            "acf:term": links("/wp-json/wp/v2/categories/5"),
            "acf:user": links("/wp-json/wp/v2/users/3"),
          },
        },
      ),
    ],
    categories: [{ id: 5, slug: "news", name: "News" }],
    users: [{ id: 3, slug: "ann", name: "Ann" }],
    media: [{ id: 50, source_url: "https://o.example/50.png" }],
  };
  await using server = apiServer(({ pathname }) => {
    const path = pathname.replace("/wp-json", "");
    if (path === "/") return { name: "Site", home: "https://o.example" };
    if (path === "/wp/v2/types") {
      return { page: { slug: "page", rest_base: "pages", name: "Pages" } };
    }
    if (path === "/wp/v2/taxonomies") {
      return { category: { slug: "category", rest_base: "categories", name: "Categories" } };
    }
    return lists[path.replace("/wp/v2/", "")];
  });
  const body = { kind: "wordpress", url: server.origin };
  const { id } = answered(await site.admin("POST", "/transfers", body), 202);
  await site.runner.drain();
  const planned = await site.transfer(id);
  const { fields } = planned.plan.collections.find(({ source }: { source: string }) =>
    source === "page"
  );
  const types = Object.fromEntries(
    fields.map(({ to, type }: { to: string; type: string }) => [to, type]),
  );
  const rows = fields.find(({ to }: { to: string }) => to === "rows").options.fields;
  assertEquals(rows.map(({ name, type }: Record<string, Json>) => [name, type]), [
    ["picture", "media"],
    ["label", "text"],
  ]);
  assertEquals([types.portrait, types.related, types.topic, types.editor, types.open, types.size], [
    ...["media", "references", "reference", "reference", "boolean", "number"],
  ]);
  planned.plan.media.hosts = [];
  answered(await site.admin("PATCH", `/transfers/${id}`, { plan: planned.plan }), 200);
  const done = await site.run(id);
  assertEquals(done.report.failed, 0);
  const pages = await site.documents("pages");
  const [empty, full] = [9, 10].map((n) => pages.find(({ title }) => title === `Page ${n}`));
  const [news] = await site.documents("categories");
  const [ann] = await site.documents("authors");
  assertEquals([empty.open, empty.related, empty.rows, empty.size], [false, null, null, 4]);
  assertEquals([full.related, full.topic, full.editor], [[empty.id], news.id, ann.id]);
  assertEquals(full.parts[0].data, { heading: "Big" });
  assertEquals([full.open, full.size, full.rows[0].label], [true, 50, "One"]);
});
