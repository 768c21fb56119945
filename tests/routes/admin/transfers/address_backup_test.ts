/** Backups hold the former addresses that transfers have brought. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { testApp } from "../../../support/sites/app.ts";
import {
  ADMIN,
  download,
  importTarball,
  setUpAdmin,
  signIn,
  tablesOf,
} from "../../../support/sites/backups.ts";
import { type TransferSite, transferSite } from "../../../support/transfers/transfer_site.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const WXR = `<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<wp:base_blog_url>https://old.example</wp:base_blog_url>
<item><title>Hello</title><link>https://old.example/2019/05/hello/</link><wp:post_id>1</wp:post_id>
<wp:post_name>hello</wp:post_name><wp:post_date_gmt>2019-05-01 10:00:00</wp:post_date_gmt>
<wp:status>publish</wp:status><wp:post_type>post</wp:post_type>
<category domain="language" nicename="en">English</category>
<category domain="post_translations" nicename="pll_1">pll_1</category></item>
<item><title>Bonjour</title><link>https://old.example/fr/bonjour/</link><wp:post_id>2</wp:post_id>
<wp:post_name>bonjour</wp:post_name><wp:post_date_gmt>2019-05-02 10:00:00</wp:post_date_gmt>
<wp:status>publish</wp:status><wp:post_type>post</wp:post_type>
<category domain="language" nicename="fr">Français</category>
<category domain="post_translations" nicename="pll_1">pll_1</category></item></channel></rss>`;

const ADDRESSES = [
  ["/2019/05/hello/", "/posts/hello"],
  ["/?p=1", "/posts/hello"],
  ["/?p=2", "/french/posts/bonjour"],
  ["/fr/bonjour/", "/french/posts/bonjour"],
];

async function documentOf(site: TransferSite): Promise<string> {
  const [{ id }] = await site.documents("posts");
  return id;
}

Deno.test("a backup of a transferred site leads its former addresses on where it is imported", async () => {
  await using from = await transferSite();
  const languages = [{ code: "en" }, { code: "fr", path: "french" }];
  answered(await from.admin("PATCH", "/settings", { languages }), 200);
  const { id } = await from.analysed([["blog.xml", WXR]]);
  await from.run(id);
  const tarball = await download(from, await signIn(from, ADMIN));
  const { "tables/former_address.jsonl": rows = "" } = await tablesOf(tarball);
  assertEquals(
    rows.trim().split("\n").map((line) => JSON.parse(line).address),
    ["/2019/05/hello", "/?p=1", "/?p=2", "/fr/bonjour"],
  );
  await using to = await testApp();
  const admin = await setUpAdmin(to);

  const job = await importTarball(to, admin, tarball);

  assertEquals(job.error, null);
  assertEquals(await tablesOf(await download(to, admin)), await tablesOf(tarball));
  for (const site of [from, to]) {
    for (const [path, page] of ADDRESSES) {
      const { status, headers } = await site.call("GET", path!);
      assertEquals([status, headers.get("location")], [301, page], path);
    }
  }
  const original = await documentOf(from);
  answered(await from.admin("POST", `/documents/${original}/translations/fr/unpublish`), 202);
  const { headers } = await from.call("GET", "/?p=2");
  assertEquals(headers.get("location"), "/posts/hello", "without its page, to the original");
});
