/** Transfers of values in several languages. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { formOf, transferSite } from "../../../support/transfers/transfer_site.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

Deno.test("columns of languages become translations, and a second run writes nothing", async () => {
  await using site = await transferSite();
  const languages = [{ code: "en" }, { code: "fr", path: "fr" }];
  answered(await site.admin("PATCH", "/settings", { languages }), 200);
  const csv =
    "id,title,title:fr,note,note__fr,price,status\n1,Lamp,Lampe,Hello,Bonjour,3,published\n2,Chair,,Hi,,4,draft\n";
  const planned = await site.analysed([["things.csv", csv]]);
  assertEquals(planned.plan.languages, { fr: "fr" });
  const [things] = planned.plan.collections;
  assertEquals(
    things.fields.map((
      { to, localized }: { to: string; localized?: boolean },
    ) => [to, localized ?? false]),
    [["note", true], ["price", false]],
  );

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.failed, done.report.warnings], [2, 0, 0]);
  const [lamp] = (await site.documents("things")).filter(({ title }) => title === "Lamp");
  const french = answered(await site.admin("GET", `/documents/${lamp.id}/translations/fr`), 200);
  assertEquals([french.title, french.note], ["Lampe", "Bonjour"]);
  const token = await site.token();
  const shown = await site.call("GET", `/api/v1/things/${lamp.id}?language=fr`, { token });
  assertEquals([shown.json.title, shown.json.note, shown.json.price], ["Lampe", "Bonjour", 3]);
  const again = await site.run(planned.id);
  assertEquals([again.report.unchanged, again.report.updated], [2, 0]);
  const { jobId } = answered(await site.admin("POST", `/transfers/${planned.id}/undo`), 202);
  await site.runner.drain();
  const { result } = answered(await site.admin("GET", `/jobs/${jobId}`), 200);
  assertEquals(result.undo.left, []);
  assertEquals((await site.admin("GET", "/collections/things")).status, 404);
});

/** An export of WordPress with posts: language, group, id, title. */
function wordpress(posts: [string, string | null, number, string][], form: "polylang" | "wpml") {
  const items = posts.map(([language, group, id, title]) => {
    const marks = form === "polylang"
      ? `<category domain="language" nicename="${language}"><![CDATA[${language}]]></category>` +
        (group === null
          ? ""
          : `<category domain="post_translations" nicename="${group}"><![CDATA[${group}]]></category>`)
      : meta("_wpml_import_language_code", language) +
        (group === null ? "" : meta("_wpml_import_translation_group", group));
    return `<item><title>${title}</title><link>https://old.example/${language}/${id}/</link>
      <content:encoded><![CDATA[<p>Text of ${title}</p>]]></content:encoded>
      <wp:post_id>${id}</wp:post_id><wp:post_name>${title.toLowerCase()}</wp:post_name>
      <wp:post_date_gmt>2020-01-0${id % 9 + 1} 00:00:00</wp:post_date_gmt>
      <wp:status>publish</wp:status><wp:post_type>post</wp:post_type>${marks}</item>`;
  });
  return `<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"
    xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
    <wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://old.example</wp:base_blog_url>
    ${items.join("\n")}</channel></rss>`;
}

function meta(key: string, value: string): string {
  return `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;
}

const POSTS: [string, string | null, number, string][] = [
  ["fr", "pll_1", 12, "Bonjour"],
  ["en", "pll_1", 11, "Hello"],
  ["de", "pll_1", 13, "Hallo"],
  ["fr", "pll_2", 14, "Seul"],
  ["en", null, 15, "Alone"],
];

for (const form of ["polylang", "wpml"] as const) {
  Deno.test(`posts of WordPress in several languages are one document with translations: ${form}`, async () => {
    await using site = await transferSite();
    const languages = [{ code: "en" }, { code: "fr", path: "fr" }];
    answered(await site.admin("PATCH", "/settings", { languages }), 200);
    const planned = await site.analysed([["export.xml", wordpress(POSTS, form)]]);
    assertEquals(planned.plan.languages, { fr: "fr", en: null, de: null });
    const dry = await site.run(planned.id, { dryRun: true });
    assertEquals([dry.report.created, dry.report.failed], [5, 0]);

    const done = await site.run(planned.id);

    assertEquals([done.report.created, done.report.failed], [5, 0]);
    const posts = await site.documents("posts");
    assertEquals(posts.map(({ title }) => title).toSorted(), ["Alone", "Hallo", "Hello", "Seul"]);
    const { id } = posts.find(({ title }) => title === "Hello");
    const french = answered(await site.admin("GET", `/documents/${id}/translations/fr`), 200);
    assertEquals([french.title, french.slug, french.status], ["Bonjour", "bonjour", "published"]);
    const token = await site.token();
    const shown = await site.call("GET", "/api/v1/posts/by-slug/bonjour?language=fr", { token });
    assertEquals([shown.status, shown.json.body[0].children[0].text], [200, "Text of Bonjour"]);
    const again = await site.run(planned.id);
    assertEquals([again.report.unchanged, again.report.updated, again.report.created], [5, 0, 0]);
    const changed = POSTS.map((post): typeof post =>
      post[2] === 12 ? [...post.slice(0, 3), "Salut"] as typeof post : post
    );
    const form2 = formOf([["export.xml", wordpress(changed, form)]]);
    answered(
      await site.admin("POST", `/transfers/${planned.id}/files`, undefined, { raw: form2 }),
      202,
    );
    await site.runner.drain();
    const updated = await site.transfer(planned.id);
    assertEquals([updated.report.unchanged, updated.report.updated], [4, 1]);
    answered(await site.admin("POST", `/transfers/${planned.id}/undo`), 202);
    await site.runner.drain();
    assertEquals((await site.admin("GET", "/collections/posts")).status, 404);
    const anew = await site.run(planned.id);
    assertEquals([anew.report.created, anew.report.failed], [5, 0]);
  });
}

Deno.test("on a site with one language, posts in others stay documents", async () => {
  await using site = await transferSite();
  const planned = await site.analysed([["export.xml", wordpress(POSTS, "polylang")]]);
  await site.run(planned.id);
  assertEquals((await site.documents("posts")).length, 5);
});
