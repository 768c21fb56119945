/** Menus and settings of other systems: offered by the plan, written if chosen, undone with the rest. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { zipOf } from "../../../support/transfers/archives.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const meta = (values: Record<string, string>) =>
  Object.entries(values).map(([key, value]) =>
    `<wp:postmeta><wp:meta_key>_menu_item_${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:postmeta>`
  ).join("");

const entry = (id: number, title: string, order: number, values: Record<string, string>) =>
  `<item><title>${title}</title><wp:post_id>${id}</wp:post_id><wp:menu_order>${order}</wp:menu_order>
  <wp:status>publish</wp:status><wp:post_type>nav_menu_item</wp:post_type>
  <category domain="nav_menu" nicename="main"><![CDATA[Main menu]]></category>${
    meta(values)
  }</item>`;

const WXR = `<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<title>Old site</title><link>https://old.example</link><description>All about it</description>
<language>en-US</language><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>https://old.example</wp:base_blog_url>
<wp:category><wp:term_id>3</wp:term_id><wp:category_nicename>news</wp:category_nicename><wp:cat_name>News</wp:cat_name></wp:category>
${entry(20, "", 2, { type: "post_type", object: "page", object_id: "5", menu_item_parent: "0" })}
${entry(21, "Latest", 1, { type: "taxonomy", object: "category", object_id: "3" })}
${entry(22, "Shop", 3, { type: "custom", url: "https://shop.example/" })}
${entry(23, "More", 4, { type: "custom", url: "#" })}
<item><title>About us</title><link>https://old.example/about/</link><wp:post_id>5</wp:post_id>
<wp:post_name>about</wp:post_name><wp:post_date_gmt>2020-01-01 10:00:00</wp:post_date_gmt>
<wp:status>publish</wp:status><wp:post_type>page</wp:post_type></item>
</channel></rss>`;

Deno.test("a WXR file offers title, description, language and menus, and writes only those that were chosen", async () => {
  await using site = await transferSite();
  const settings = async () => answered(await site.admin("GET", "/settings"), 200);
  const before = await settings();
  const planned = await site.analysed([["blog.xml", WXR]]);
  assertEquals(planned.plan.settings, [
    { key: "site.title", source: "title", value: "Old site", apply: false },
    { key: "site.description", source: "description", value: "All about it", apply: false },
    { key: "site.language", source: "language", value: "en-US", apply: false },
    {
      key: "site.menu",
      source: "Main menu",
      value: [
        { label: "Latest", url: "/category/news/" },
        { label: "About us", url: "/about/" },
        { label: "Shop", url: "https://shop.example/" },
      ],
      apply: false,
    },
  ]);
  await site.run(planned.id);
  assertEquals(await settings(), before, "nothing was chosen");

  const { plan } = planned;
  for (const setting of plan.settings) {
    setting.apply = setting.key === "site.menu" || setting.key === "site.title";
  }
  answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan }), 200);
  const dry = await site.run(planned.id, { dryRun: true });
  assertEquals([dry.report.unchanged, await settings()], [2, before]);
  await site.run(planned.id);

  const after = await settings();
  assertEquals([after["site.title"], after["site.description"]], ["Old site", ""]);
  assertEquals(after["site.menu"], [
    { label: "Latest", url: "/categories/news" },
    { label: "About us", url: "/pages/about" },
    { label: "Shop", url: "https://shop.example/" },
  ]);
  const lines = (await site.report(planned.id)).filter(({ source }) => source === "settings");
  assertEquals(lines.map(({ sourceId, status }) => [sourceId, status]), [
    ["site.title", "updated"],
    ["site.menu", "created"],
  ]);

  answered(await site.admin("POST", `/transfers/${planned.id}/undo`), 202);
  await site.runner.drain();
  assertEquals(await settings(), before);
});

Deno.test("a setting that was changed since the transfer stays, and is named", async () => {
  await using site = await transferSite();
  const planned = await site.analysed([["blog.xml", WXR]]);
  const { plan } = planned;
  plan.settings[0].apply = true;
  answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan }), 200);
  await site.run(planned.id);
  answered(await site.admin("PATCH", "/settings", { "site.title": "Mine" }), 200);

  const { jobId } = answered(await site.admin("POST", `/transfers/${planned.id}/undo`), 202);
  await site.runner.drain();

  const { "site.title": title } = answered(await site.admin("GET", "/settings"), 200);
  assertEquals(title, "Mine");
  const { result } = answered(await site.admin("GET", `/jobs/${jobId}`), 200);
  assertEquals(result.undo.left.map(({ reason }: { reason: string }) => reason), [
    "Changed since",
  ]);
});

Deno.test("a plan refuses settings that cannot be: two values of one, and values that no setting has", async () => {
  await using site = await transferSite();
  const planned = await site.analysed([["blog.xml", WXR]]);
  const menu = planned.plan.settings[3];
  const refused = async (settings: unknown[]) => {
    const plan = { ...planned.plan, settings };
    const { status, json } = await site.admin("PATCH", `/transfers/${planned.id}`, { plan });
    return [
      status,
      json.error.details.map(({ field, code }: Record<string, string>) => [field, code]),
    ];
  };
  assertEquals(await refused([{ ...menu, apply: true }, { ...menu, apply: true }]), [422, [[
    "plan.settings.1.apply",
    "NOT_UNIQUE",
  ]]]);
  assertEquals(await refused([{ ...menu, value: [{ label: "A", url: "javascript:x" }] }]), [422, [[
    "plan.settings.0.value.0.url",
    "PATTERN_MISMATCH",
  ]]]);
  assertEquals(await refused([{ ...menu, key: "auth.password" }]), [422, [[
    "plan.settings.0.key",
    "INVALID_CHOICE",
  ]]]);
});

Deno.test("Ghost offers its settings, and its navigation leads to the documents", async () => {
  await using site = await transferSite();
  const settings = [
    { key: "title", value: "Ghost site" },
    { key: "accent_color", value: "#ff0066" },
    { key: "logo", value: "__GHOST_URL__/content/images/logo.png" },
    { key: "navigation", value: '[{"label":"About","url":"__GHOST_URL__/about/"}]' },
    { key: "members_signup_access", value: "all" },
  ];
  const posts = [{
    id: "1",
    title: "About",
    slug: "about",
    type: "page",
    status: "published",
    html: "<p>Hi</p>",
    published_at: "2020-01-01T00:00:00.000Z",
  }];
  const text = JSON.stringify({ db: [{ meta: {}, data: { posts, settings } }] });
  const archive = await zipOf({
    "ghost.json": text,
    "content/images/logo.png": IMAGES["image/png"],
  });
  const planned = await site.analysed([["ghost.zip", archive]]);
  const { plan } = planned;
  assertEquals(plan.settings.map(({ key }: { key: string }) => key), [
    "site.title",
    "site.accent",
    "site.logo",
    "site.menu",
  ]);
  for (const setting of plan.settings) setting.apply = true;
  answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan }), 200);
  await site.run(planned.id);

  const after = answered(await site.admin("GET", "/settings"), 200);
  assertEquals([after["site.title"], after["site.accent"], after["site.menu"]], [
    "Ghost site",
    "#ff0066",
    [{ label: "About", url: "/pages/about" }],
  ]);
  const { filename } = answered(await site.admin("GET", `/media/${after["site.logo"]}`), 200);
  assertEquals(filename, "logo.png");
});
