/** A collection of one document on the public site: its address leads to the document, the first page leaves it out. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { headless } from "../../support/sites/headless.ts";

Deno.test("a collection of one leads to its document, wherever that goes, and stands in the menu alone", async () => {
  await using site = await headless();
  await site.setUp();
  const settle = async () => {
    for (let n = 0; n < 4; n++) {
      await site.runner.drain();
      site.context.advance(3_000);
    }
  };
  const made = { slug: "imprint", name: "Imprint", singleton: true, fields: [] };
  await site.admin("POST", "/collections", made);
  const { json } = await site.v1("POST", "/imprint", {
    body: { title: "Who we are", status: "published" },
  });
  await site.post({ title: "A story", status: "published" });
  await settle();
  const get = (path: string) => site.call("GET", path, { headers: { accept: "text/html" } });

  const led = await get("/imprint");
  assertEquals([led.status, led.headers.get("location")], [301, "/imprint/who-we-are"]);
  assert(led.headers.get("deno-cache-tag")!.includes("listing-imprint"));
  const page = (await get("/imprint/who-we-are")).text;
  const main = page.slice(page.indexOf("<main"), page.indexOf("</main>"));
  assert(main.includes("<h1>Who we are</h1>"));
  assert(!main.includes("<time") && !main.includes('class="kicker"'), main);
  assert(page.includes('<a href="/imprint" aria-current="true">Imprint</a>'));
  const home = (await get("/")).text;
  assert(home.includes('id="section-posts"') && !home.includes('id="section-imprint"'));
  const sitemap = (await get("/sitemap.xml")).text;
  assert(sitemap.includes("/imprint/who-we-are</loc>") && !sitemap.includes("/imprint</loc>"));

  await site.v1("PATCH", `/imprint/${json.id}`, { body: { slug: "about-us" } });
  await settle();
  assertEquals((await get("/imprint")).headers.get("location"), "/imprint/about-us");
  await site.v1("DELETE", `/imprint/${json.id}`);
  await settle();
  assertEquals((await get("/imprint")).status, 200);
});
