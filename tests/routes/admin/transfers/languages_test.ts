/** Transfers of values in several languages. */
import { tarballOf } from "../../../support/transfers/archives.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import {
  formOf,
  transferSite,
  type UploadedFile,
} from "../../../support/transfers/transfer_site.ts";
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
    const alone = posts.find(({ title }) => title === "Seul");
    const own = answered(await site.admin("GET", `/documents/${alone.id}/translations`), 200);
    assertEquals(own.data[0].language, "fr", "a group of one is a document in its language");
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

for (const form of ["polylang", "wpml"] as const) {
  Deno.test(`terms of WordPress in several languages are one document with translations: ${form}`, async () => {
    await using site = await transferSite();
    const languages = [{ code: "en" }, { code: "fr", path: "fr" }];
    answered(await site.admin("PATCH", "/settings", { languages }), 200);
    const wpml = (code: string) =>
      form === "polylang"
        ? ""
        : ["language_code", "translation_group"].map((key, n) =>
          `<wp:termmeta><wp:meta_key>_wpml_import_${key}</wp:meta_key><wp:meta_value>${
            n === 0 ? code : "g1"
          }</wp:meta_value></wp:termmeta>`
        ).join("");
    const term = (id: number, slug: string, name: string, code: string) =>
      `<wp:category><wp:term_id>${id}</wp:term_id><wp:category_nicename>${slug}</wp:category_nicename>
      <wp:cat_name>${name}</wp:cat_name>${wpml(code)}</wp:category>`;
    const group = form === "wpml"
      ? ""
      : `<wp:term><wp:term_id>9</wp:term_id><wp:term_taxonomy>term_translations</wp:term_taxonomy>
        <wp:term_slug>pll_9</wp:term_slug><wp:term_description><![CDATA[a:2:{s:2:"en";i:3;s:2:"fr";i:4;}]]></wp:term_description></wp:term>`;
    const channel = term(3, "news", "News", "en") + term(4, "actualites", "Actualités", "fr") +
      term(5, "other", "Other", "en").replace("g1", "g2") + group;
    const text = wordpress(POSTS.slice(0, 2), form).replace(
      "</wp:base_blog_url>",
      (end) => end + channel,
    ).replace(
      "<item>",
      '<item><category domain="category" nicename="actualites">Actualités</category>',
    );
    const planned = await site.analysed([["export.xml", text]]);
    assertEquals([planned.counts.category, planned.plan.languages.fr], [3, "fr"]);

    const done = await site.run(planned.id);

    assertEquals([done.report.created, done.report.failed], [5, 0]);
    const terms = await site.documents("categories");
    assertEquals(terms.map(({ title }) => title).toSorted(), ["News", "Other"]);
    const { id } = terms.find(({ title }) => title === "News");
    const french = answered(await site.admin("GET", `/documents/${id}/translations/fr`), 200);
    assertEquals([french.title, french.slug], ["Actualités", "actualites"]);
    const again = await site.run(planned.id);
    assertEquals([again.report.unchanged, again.report.updated], [5, 0]);
  });
}

Deno.test("on a site with one language, posts in others stay documents", async () => {
  await using site = await transferSite();
  const planned = await site.analysed([["export.xml", wordpress(POSTS, "polylang")]]);
  await site.run(planned.id);
  assertEquals((await site.documents("posts")).length, 5);
});

/** Transfers files into a site in English and French; answers its documents and their French. */
async function inFrench(files: UploadedFile[], collection: string) {
  const site = await transferSite();
  const languages = [{ code: "en" }, { code: "fr", path: "fr" }];
  answered(await site.admin("PATCH", "/settings", { languages }), 200);
  const planned = await site.analysed(files);
  const done = await site.run(planned.id);
  const documents = await site.documents(collection);
  const french = await Promise.all(
    documents.map(async ({ id }) =>
      (await site.admin("GET", `/documents/${id}/translations/fr`)).json
    ),
  );
  const again = await site.run(planned.id);
  await site[Symbol.asyncDispose]();
  assertEquals([done.report.failed, again.report.created, again.report.updated], [0, 0, 0]);
  return { done, documents, french };
}

function lines(values: object[]): string {
  return values.map((value) => JSON.stringify(value)).join("\n");
}

Deno.test("Sanity: documents that metadata holds together, and values with a language each", async () => {
  const text = (code: string, value: string) => ({
    _key: code,
    _type: "internationalizedArrayStringValue",
    value,
  });
  const data = lines([
    { _id: "a", _type: "post", title: "Hello", language: "en", note: "One", author: { _ref: "p" } },
    { _id: "b", _type: "post", title: "Bonjour", language: "fr", note: "Un" },
    {
      _id: "m",
      _type: "translation.metadata",
      translations: [
        { _key: "en", value: { _ref: "a" } },
        { _key: "fr", value: { _ref: "b" } },
      ],
    },
    { _id: "p", _type: "person", name: "Ada", motto: [text("fr", "Salut"), text("en", "Hi")] },
  ]);
  const posts = await inFrench([["data.ndjson", data]], "post");
  assertEquals(posts.documents.map(({ title, note }) => [title, note]), [["Hello", "One"]]);
  assertEquals(posts.french.map(({ title, note }) => [title, note]), [["Bonjour", "Un"]]);
  const people = await inFrench([["data.ndjson", data]], "person");
  assertEquals(people.documents.map(({ motto }) => motto), ["Hi"]);
  assertEquals(people.french.map(({ motto }) => motto), ["Salut"]);
});

Deno.test("Strapi: rows of one document in several locales", async () => {
  const uid = "api::article.article";
  const schema = {
    uid,
    info: { displayName: "Article" },
    options: { draftAndPublish: true },
    attributes: {
      title: { type: "string" },
      slug: { type: "uid" },
      rank: { type: "integer", pluginOptions: { i18n: { localized: true } } },
      size: { type: "integer" },
    },
  };
  const row = (id: number, locale: string, title: string, rank: number) => ({
    type: uid,
    id,
    data: {
      documentId: "d1",
      locale,
      title,
      slug: title.toLowerCase(),
      rank,
      size: 9,
      publishedAt: "2020-01-01T00:00:00.000Z",
    },
  });
  const archive = await tarballOf({
    "metadata.json": "{}",
    "schemas/schemas_00001.jsonl": lines([schema]),
    "entities/entities_00001.jsonl": lines([
      row(1, "fr", "Bonjour", 2),
      row(2, "en", "Hello", 1),
      row(3, "de", "Hallo", 3),
    ]),
  });
  const { done, documents, french } = await inFrench([["export.tar.gz", archive]], "article");
  assertEquals([done.report.created, done.report.skipped], [2, 1]);
  assertEquals(documents.map(({ title, rank, size, slug }) => [title, rank, size, slug]), [[
    "Hello",
    1,
    9,
    "hello",
  ]]);
  assertEquals(french.map(({ title, rank, slug, status }) => [title, rank, slug, status]), [[
    "Bonjour",
    2,
    "bonjour",
    "published",
  ]]);
});

Deno.test("Directus: tables of translations", async () => {
  const field = (collection: string, field: string, type: string, meta: object = {}) => ({
    collection,
    field,
    type,
    meta: { interface: null, special: null, ...meta },
  });
  const relation = {
    collection: "posts_translations",
    field: "posts_id",
    related_collection: "posts",
    meta: {
      many_collection: "posts_translations",
      many_field: "posts_id",
      one_collection: "posts",
      one_field: "translations",
    },
  };
  const text = (code: string, title: string, note: string) => ({
    posts_id: 1,
    languages_code: code,
    title,
    note,
  });
  const archive = await tarballOf({
    "src/fields.json": JSON.stringify([
      field("posts", "id", "integer"),
      field("posts", "translations", "alias", { special: ["translations"] }),
      field("posts_translations", "title", "string"),
      field("posts_translations", "note", "text", { interface: "input-multiline" }),
    ]),
    "src/relations.json": JSON.stringify([relation]),
    "src/content/posts.json": JSON.stringify([{ id: 1, status: "published" }]),
    "src/content/posts_translations.json": JSON.stringify([
      text("fr-FR", "Bonjour", "Un"),
      text("en-US", "Hello", "One"),
    ]),
  });
  const { documents, french } = await inFrench([["template.tar.gz", archive]], "posts");
  assertEquals(documents.map(({ title, note }) => [title, note]), [["Hello", "One"]]);
  assertEquals(french.map(({ title, note }) => [title, note]), [["Bonjour", "Un"]]);
});

Deno.test("Markdown: files with a language beside their original", async () => {
  const page = (title: string, text: string) => `---\ntitle: ${title}\n---\n${text}\n`;
  const archive = await tarballOf({
    "site/content/posts/hello.md": page("Hello", "One"),
    "site/content/posts/hello.fr.md": page("Bonjour", "Un"),
    "site/content/posts/alone.fr.md": page("Seul", "Deux"),
  });
  const { documents, french } = await inFrench([["site.tar.gz", archive]], "posts");
  assertEquals(documents.map(({ title }) => title).toSorted(), ["Hello", "Seul"]);
  const [translated] = french.filter(({ title }) => title === "Bonjour");
  assertEquals(translated.body[0].children[0].text, "Un");
});

Deno.test("a collection whose titles alone are in several languages is localized", async () => {
  const csv = "id,title,title:fr\n1,Lamp,Lampe\n2,Chair,Chaise\n";
  const { french } = await inFrench([["things.csv", csv]], "things");
  assertEquals(french.map(({ title }) => title).toSorted(), ["Chaise", "Lampe"]);
});

Deno.test("Payload: values with all locales, in a list and in a table", async () => {
  const docs = [{
    id: "p1",
    _status: "published",
    title: { en: "Hello", fr: "Bonjour" },
    note: { en: "One", fr: "Un" },
    seo: { title: "Both" },
  }];
  const { documents, french } = await inFrench(
    [["posts.json", JSON.stringify({ docs, totalDocs: 1 })]],
    "posts",
  );
  assertEquals([documents[0].title, documents[0].note, documents[0].seo], ["Hello", "One", {
    title: "Both",
  }]);
  assertEquals([french[0].title, french[0].note], ["Bonjour", "Un"]);
  await using other = await transferSite();
  const csv = "id,title,_status,meta_title\np1,Hello,published,M\n";
  const planned = await other.analysed([["posts.csv", csv]], "?kind=payload");
  assertEquals([planned.kind, planned.counts], ["payload", { posts: 1 }]);
  await other.run(planned.id);
  const [post] = await other.documents("posts");
  assertEquals([post.title, post.status, post.meta_title], ["Hello", "published", "M"]);
});
