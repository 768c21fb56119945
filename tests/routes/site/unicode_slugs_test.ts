/** Slugs in the letters of every script, where the site's setting says so. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { type Headless, headless } from "../../support/sites/headless.ts";

const LAMP = {
  name: "lamp",
  type: "reference",
  indexed: true,
  options: { collection: "lamps", role: "tags" },
};
const HTML = { headers: { accept: "text/html" } };

/** Runs all jobs, those too that leave time between two runs. */
async function settle(site: Headless): Promise<void> {
  for (let n = 0; n < 4; n++) {
    await site.runner.drain();
    site.context.advance(3_000);
  }
}

async function open(slugs: string | null): Promise<Headless> {
  const site = await headless([]);
  await site.setUp();
  await site.collection({ slug: "lamps", name: "Lamps", fields: [] });
  const field = await site.admin("POST", "/collections/posts/fields", LAMP);
  assertEquals(field.status, 201, field.text);
  assertEquals((await site.admin("PATCH", "/settings", { slugs })).status, 200);
  return site;
}

async function made(
  site: Headless,
  title: string,
  more = {},
): Promise<{ id: string; slug: string }> {
  const answer = await site.v1("POST", "/posts", { body: { title, status: "published", ...more } });
  assertEquals(answer.status, 201, answer.text);
  return answer.json as { id: string; slug: string };
}

Deno.test("slugs keep the letters of their title where the site has them so, and only there", async () => {
  await using site = await open("unicode");
  const slugs = async (...titles: string[]) => {
    const all = [];
    for (const title of titles) all.push((await made(site, title)).slug);
    return all;
  };
  assertEquals(await slugs("Привет, мир", "Привет, мир", "Crème Brûlée", "日本語"), [
    "привет-мир",
    "привет-мир-2",
    "creme-brulee",
    "日本語",
  ]);
  const given = (slug: string) => site.v1("POST", "/posts", { body: { title: "A", slug } });
  assertEquals((await given("свет")).json.slug, "свет");
  assertEquals((await given("свет")).status, 409);
  for (const slug of ["Свет", "свет--1", "-свет", "и\u0306", "a b", "a/b", "я".repeat(129)]) {
    assertEquals([slug, (await given(slug)).status], [slug, 422]);
  }
  const put = await site.v1("PUT", `/posts/by-slug/${encodeURIComponent("тень")}`, {
    body: { title: "Shade" },
  });
  assertEquals([put.status, put.json.slug], [201, "тень"]);

  assertEquals((await site.admin("PATCH", "/settings", { slugs: null })).status, 200);
  assertEquals(await slugs("Привет, мир"), ["privet-mir"]);
  assertEquals((await given("свет-2")).status, 422);
  const kept = await site.v1("GET", `/posts/by-slug/${encodeURIComponent("свет")}`);
  assertEquals([kept.status, kept.json.slug], [200, "свет"]);
});

Deno.test("a slug of another script is read in either of its spellings", async () => {
  await using site = await open("unicode");
  await made(site, "Йод");
  for (const slug of ["йод", "и\u0306од"]) {
    const answer = await site.v1("GET", `/posts/by-slug/${encodeURIComponent(slug)}`);
    assertEquals([slug, answer.status, answer.json.slug], [slug, 200, "йод"]);
  }
});

Deno.test("pages of such slugs are at their percent-encoded addresses, and lead on from former ones", async () => {
  await using site = await open("unicode");
  const lamp = (await site.v1("POST", "/lamps", {
    body: { title: "Лампа", status: "published" },
  })).json as { id: string };
  const { id } = await made(site, "Свет", { lamp: lamp.id });
  await settle(site);
  const light = `/posts/${encodeURIComponent("свет")}`;
  const shade = `/posts/${encodeURIComponent("тень")}`;

  const page = await site.call("GET", light, HTML);
  assertEquals(page.status, 200);
  const tag = `/posts/lamp/${encodeURIComponent("лампа")}`;
  assert(page.text.includes(`href="${tag}"`), page.text);
  assertEquals((await site.call("GET", tag, HTML)).status, 200);
  assert((await site.call("GET", "/sitemap.xml")).text.includes(light));
  assert((await site.call("GET", "/posts", HTML)).text.includes(`href="${light}"`));
  assert((await site.call("GET", "/feed.xml")).text.includes(light));
  assertEquals((await site.call("GET", `${light}.md`)).status, 200);
  assertEquals((await site.call("GET", light.toLowerCase(), HTML)).status, 200);

  await site.v1("PATCH", `/posts/${id}`, { body: { slug: "тень" } });
  await site.v1("PATCH", `/lamps/${lamp.id}`, { body: { slug: "огонь" } });
  await settle(site);
  const leadsTo = async (path: string) => {
    const { status, headers } = await site.call("GET", path, HTML);
    return [status, headers.get("location")];
  };
  assertEquals(await leadsTo(light), [301, shade]);
  assertEquals(await leadsTo(`/posts/${id}`), [301, shade]);
  assertEquals(await leadsTo(tag), [301, `/posts/lamp/${encodeURIComponent("огонь")}`]);
  assertEquals((await site.call("GET", shade, HTML)).status, 200);
  for (const path of ["/posts/%FF", "/posts/lamp/%D0", "/posts/%E0%A4%A"]) {
    assertEquals([path, (await site.call("GET", path, HTML)).status], [path, 404]);
  }
});

Deno.test("the description of the API states how slugs are spelled", async () => {
  await using site = await open("unicode");
  const patternOf = async () => {
    const { json } = await site.v1("GET", "/_meta");
    const { components } = json as { components: Record<string, Record<string, never>> };
    const { schemas, parameters } = components as Record<
      string,
      Record<string, {
        schema: { pattern: string };
        properties: { slug: { pattern: string } };
      }>
    >;
    return [parameters!.NewSlug!.schema.pattern, schemas!.PostPatch!.properties.slug.pattern];
  };
  const [parameter, body] = await patternOf();
  assertEquals(parameter, body);
  assert(new RegExp(parameter!, "u").test("привет-мир"));

  await site.admin("PATCH", "/settings", { slugs: "ascii" });
  const [narrow] = await patternOf();
  assert(!new RegExp(narrow!, "u").test("привет-мир") && new RegExp(narrow!, "u").test("a-1"));
});
