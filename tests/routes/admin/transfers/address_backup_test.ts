/** Backups hold the former addresses that transfers have brought. */
import { testApp } from "../../../support/sites/app.ts";
import {
  ADMIN,
  download,
  importTarball,
  setUpAdmin,
  signIn,
  tablesOf,
} from "../../../support/sites/backups.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const WXR = `<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<wp:base_blog_url>https://old.example</wp:base_blog_url>
<item><title>Hello</title><link>https://old.example/2019/05/hello/</link><wp:post_id>1</wp:post_id>
<wp:post_name>hello</wp:post_name><wp:post_date_gmt>2019-05-01 10:00:00</wp:post_date_gmt>
<wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item></channel></rss>`;

Deno.test("a backup of a transferred site leads its former addresses on where it is imported", async () => {
  await using from = await transferSite();
  const { id } = await from.analysed([["blog.xml", WXR]]);
  await from.run(id);
  const tarball = await download(from, await signIn(from, ADMIN));
  const { "tables/former_address.jsonl": rows = "" } = await tablesOf(tarball);
  assertEquals(
    rows.trim().split("\n").map((line) => JSON.parse(line).address),
    ["/2019/05/hello", "/?p=1"],
  );
  await using to = await testApp();
  const admin = await setUpAdmin(to);

  const job = await importTarball(to, admin, tarball);

  assertEquals(job.error, null);
  assertEquals(await tablesOf(await download(to, admin)), await tablesOf(tarball));
  for (const path of ["/2019/05/hello/", "/?p=1"]) {
    const { status, headers } = await to.call("GET", path);
    assertEquals([status, headers.get("location")], [301, "/posts/hello"], path);
  }
});
