/** Every format twice: the same documents and no second version; undone, the site is as it was before. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { tarballOf, zipOf } from "../../../support/transfers/archives.ts";
import {
  type TransferSite,
  transferSite,
  type UploadedFile,
} from "../../../support/transfers/transfer_site.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { TRANSFER_KINDS, type TransferKind } from "../../../../kv/model/transfers/plan.ts";

const json = (value: unknown) => JSON.stringify(value);
const lines = (...rows: unknown[]) => rows.map(json).join("\n");
const png = IMAGES["image/png"];
const uid = "api::note.note";

const FILES: Record<TransferKind, () => Promise<UploadedFile> | UploadedFile> = {
  csv: () => ["rows.csv", "id,title,price\n1,One,2.5\n2,Two,3\n"],
  tsv: () => ["rows.tsv", "id\ttitle\n1\tOne\n"],
  json: () => ["rows.json", json([{ id: 1, title: "One", tags: ["a"], size: { w: 1 } }])],
  ndjson: () => ["rows.ndjson", lines({ id: 1, title: "One", status: "published" })],
  markdown: async () => [
    "site.zip",
    await zipOf({
      "content/posts/one.md": "---\ntitle: One\n---\nText ![a](a.png) [two](two.md)\n",
      "content/posts/two.md": "---\ntitle: Two\n---\nText\n",
      "content/posts/a.png": png,
    }),
  ],
  wxr: () => [
    "blog.xml",
    `<rss xmlns:wp="http://wordpress.org/export/1.2/" xmlns:dc="d"><channel><title>Old</title>
    <wp:base_blog_url>https://old.example</wp:base_blog_url><item><title>One</title>
    <link>https://old.example/one/</link><dc:creator>ann</dc:creator><wp:post_id>1</wp:post_id>
    <wp:post_name>one</wp:post_name><wp:post_date_gmt>2020-01-01 10:00:00</wp:post_date_gmt>
    <wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item></channel></rss>`,
  ],
  ghost: async () => [
    "ghost.zip",
    await zipOf({
      "ghost.json": json({
        db: [{
          meta: {},
          data: {
            posts: [{
              id: "1",
              title: "One",
              slug: "one",
              status: "published",
              html: '<p>Hi</p><img src="__GHOST_URL__/content/images/a.png">',
            }],
            settings: [{ key: "title", value: "Ghost" }],
          },
        }],
      }),
      "content/images/a.png": png,
    }),
  ],
  contentful: () => [
    "export.json",
    json({
      contentTypes: [{
        sys: { id: "post" },
        name: "Post",
        displayField: "title",
        fields: [{ id: "title", type: "Symbol" }, { id: "next", type: "Link", linkType: "Entry" }],
      }],
      entries: ["a", "b"].map((id) => ({
        sys: { id, contentType: { sys: { id: "post" } }, publishedVersion: 1, version: 2 },
        fields: { title: { en: id }, next: { en: { sys: { id: id === "a" ? "b" : "a" } } } },
      })),
      assets: [],
      locales: [{ code: "en", default: true }],
    }),
  ],
  sanity: async () => [
    "export.tar.gz",
    await tarballOf({
      "data.ndjson": lines({
        _id: "p",
        _type: "post",
        title: "One",
        parts: [{ _type: "hero", _key: "a", text: "x" }, { _type: "cta", _key: "b", text: "y" }],
        picture: { _type: "image", _sanityAsset: "image@file://./images/a.png" },
      }),
      "images/a.png": png,
    }),
  ],
  strapi: async () => [
    "export.tar.gz",
    await tarballOf({
      "schemas/schemas_00001.jsonl": lines(
        {
          uid,
          options: {},
          attributes: {
            title: { type: "string" },
            zone: { type: "dynamiczone", components: ["a.quote"] },
          },
        },
        { uid: "a.quote", attributes: { text: { type: "string" } } },
      ),
      "entities/entities_00001.jsonl": lines({
        type: uid,
        id: 1,
        data: { title: "One", zone: [{ __component: "a.quote", id: 1, text: "x" }] },
      }),
    }),
  ],
  directus: async () => [
    "site.tar.gz",
    await tarballOf({
      "src/fields.json": json([
        { collection: "posts", field: "title", type: "string", meta: { interface: "input" } },
      ]),
      "src/content/posts.csv": "id,title,status\n1,One,published\n",
    }),
  ],
  payload: () => [
    "posts.json",
    json({
      docs: [{ id: "1", title: "One", layout: [{ id: "b1", blockType: "cta", text: "x" }] }],
      totalDocs: 1,
    }),
  ],
  cms: () => [
    "bulk.ndjson",
    lines({ op: "create", body: { title: "One", status: "published" } }),
  ],
};

/** Everything that undo has to give back. */
async function stateOf(site: TransferSite) {
  const paths = ["/collections", "/blocks", "/settings", "/redirects", "/media"];
  const answers = await Promise.all(paths.map((path) => site.admin("GET", path)));
  return answers.map((answer) => answered(answer, 200));
}

for (const kind of TRANSFER_KINDS) {
  Deno.test(`${kind}: a second run writes nothing, and undo leaves the site as it was`, async () => {
    await using site = await transferSite();
    const before = await stateOf(site);
    const planned = await site.analysed([await FILES[kind]()]);
    assertEquals([planned.kind, planned.state], [kind, "planned"], planned.error);
    const { plan } = planned;
    for (const setting of plan.settings) setting.apply = true;
    answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan }), 200);
    const versions = async () =>
      answered(await site.admin("GET", "/documents?perPage=100"), 200).data
        .map(({ id, updatedAt }: Record<string, string>) => [id, updatedAt]);

    const first = await site.run(planned.id);
    assertEquals([first.state, first.report.failed], ["done", 0]);
    const [total, written] = [first.report.created, await versions()];
    site.context.advance(5_000);
    const second = await site.run(planned.id);

    const { created, updated, unchanged } = second.report;
    assertEquals([created, updated, unchanged], [0, 0, total]);
    assertEquals(await versions(), written);
    answered(await site.admin("POST", `/transfers/${planned.id}/undo`), 202);
    await site.runner.drain();
    assertEquals(await stateOf(site), before);
  });
}
