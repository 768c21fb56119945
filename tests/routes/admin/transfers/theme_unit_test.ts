/**
 * Every kind of item that WordPress's theme unit test has, compared field by field with what arrived. What differs is a
 * change that is meant, and the report lists it.
 */
import { IMAGES } from "../../../support/sites/images.ts";
import { zipOf } from "../../../support/transfers/archives.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { compareWxr } from "../../../support/transfers/wxr_comparison.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const XML = await Deno.readTextFile(
  new URL("../../../support/transfers/theme_unit.xml", import.meta.url),
);

/** What is changed or left out. */
const MEANT = [
  // Every document has a title.
  ["post 13", "title", "", "no-title"],
  // The slugs of a site are ASCII unless its settings say otherwise; the old address leads on.
  ["post 38", "slug", "ελληνικά-greek", "ellinika-greek"],
  // A button that repeats the link before it.
  [
    "post 42",
    "words",
    "cover The manual Download film mp4 A caption of a film",
    "cover The manual film mp4 A caption of a film",
  ],
  // Files come with what shows them.
  ["attachment 105", "file", "unused.png", undefined],
  [
    "post_tag %ce%b5%ce%bb%ce%bb%ce%b7%ce%bd%ce%b9%ce%ba%ce%ac",
    "slug",
    "ελληνικά",
    "ellinika",
  ],
];

/** Everything that the report says about it. */
const LISTED = [
  "wxr : 2 comments are not taken",
  "wxr : Page orders, not kept: 2",
  "wxr : Page templates, not kept: 1",
  "wxr : Items with a password, kept as drafts: 1",
  "wxr : Sticky posts, kept like others: 1",
  "wxr : Private items, kept as drafts: 1",
  "wxr : Post formats, not kept: 3",
  "wxr : Files that no item shows, not taken (1): unused.png",
  "post 13: Has no title: its name stands in for it",
  "post 28: A film or sound is kept as a link",
  "post 30: The shortcode [wpvideo tFnqC9XQ w=640] is kept as text",
  'post 38: The slugs of the site have no other letters than a to z: it becomes "ellinika-greek"',
  "post 42: A film or sound is kept as a link",
  "post 45: A player of elsewhere.example is kept as a link",
  "post 46: The block archives is kept as HTML, which is not shown",
  "post 46: The block latest-posts is kept as HTML, which is not shown",
  'post 46: The shortcode [contact-form id="1"] is kept as text',
  "post_tag %ce%b5%ce%bb%ce%bb%ce%b7%ce%bd%ce%b9%ce%ba%ce%ac: " +
  'The slugs of the site have no other letters than a to z: it becomes "ellinika"',
];

/** Different bytes for each file, because equal ones become one asset. */
function pictureOf(n: number): Uint8Array {
  const bytes = IMAGES["image/png"];
  return n === 0 ? bytes : Object.values(IMAGES)[n] ?? bytes;
}

Deno.test("every item of an export arrives whole, but for what the report lists", async () => {
  await using site = await transferSite();
  const uploads = "wp-content/uploads/2019/01";
  const archive = await zipOf({
    "theme.xml": XML,
    [`${uploads}/boardwalk.png`]: pictureOf(0),
    [`${uploads}/bridge.png`]: pictureOf(1),
    [`${uploads}/unused.png`]: pictureOf(3),
  });
  const planned = await site.analysed([["theme.zip", archive]]);
  assertEquals([planned.kind, planned.error], ["wxr", undefined]);
  const done = await site.run(planned.id);
  assertEquals([done.state, done.report.failed], ["done", 0]);

  const { compared, differences } = await compareWxr(site, XML, planned.id);

  assertEquals(compared, {
    page: 6,
    post: 37,
    attachment: 3,
    nav_menu_item: 5,
    category: 10,
    post_tag: 3,
  });
  assertEquals(
    differences.map(({ item, field, expected, found }) => [item, field, expected, found]),
    MEANT,
  );
  const lines = await site.report(planned.id, "?level=warning");
  const listed = lines.flatMap(({ source, sourceId, problems }) =>
    problems.map(({ message }: { message: string }) => `${source} ${sourceId}: ${message}`)
  );
  assertEquals(listed, LISTED);
});
