/** The programs in docs/ run as they stand: the mirror, and the starter of a site. */
import { Webhook } from "standardwebhooks";
import { assert, assertEquals, assertStringIncludes } from "./support/harness/assert.ts";
import { type Headless, headless } from "./support/sites/headless.ts";
import { multilingual, paragraph } from "./support/sites/multilingual.ts";
import { STARTERS, startStarter } from "./support/sites/starters.ts";

/** The app on a port of this machine. */
function serve(test: Headless) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, test.app.fetch);
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function temporaryFolder() {
  const path = await Deno.makeTempDir({ prefix: "starters-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** The titles of a mirror's documents, by collection and id. */
async function mirrored(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { name: collection, isDirectory } of Deno.readDir(folder)) {
    if (!isDirectory) continue;
    for await (const { name } of Deno.readDir(`${folder}/${collection}`)) {
      const document = JSON.parse(await Deno.readTextFile(`${folder}/${collection}/${name}`));
      found.set(`${collection}/${name.replace(".json", "")}`, document.title);
    }
  }
  return found;
}

Deno.test("docs/mirror.ts keeps exactly what its token sees, from run to run", async () => {
  await using test = await headless();
  await test.setUp();
  await using there = serve(test);
  await using folder = await temporaryFolder();
  const token = await test.token({ scopes: ["posts:read"] });
  const run = async () => {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-config", "docs/mirror.ts", folder.path, "--once"],
      env: { CMS_URL: there.origin, CMS_TOKEN: token, NO_COLOR: "1" },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    return await mirrored(folder.path);
  };
  const kept = await test.post({ title: "Kept", status: "published" });
  const gone = await test.post({ title: "Gone", status: "published" });
  const draft = await test.post({ title: "Draft" });
  const at = (collection: string, ...documents: [string, string][]) =>
    new Map(documents.map(([id, title]) => [`${collection}/${id}`, title]));
  assertEquals(await run(), at("posts", [kept.id, "Kept"], [gone.id, "Gone"]));

  await test.v1("PATCH", `/posts/${kept.id}`, { body: { title: "Changed" } });
  await test.v1("DELETE", `/posts/${gone.id}`);
  await test.v1("PATCH", `/posts/${draft.id}`, { body: { title: "Still a draft" } });
  const late = await test.post({ title: "Late", status: "published" });
  assertEquals(await run(), at("posts", [kept.id, "Changed"], [late.id, "Late"]));

  // One whose cursor is lost begins anew: what has gone meanwhile goes.
  await Deno.remove(`${folder.path}/.cursor`);
  await test.v1("DELETE", `/posts/${late.id}`);
  assertEquals(await run(), at("posts", [kept.id, "Changed"]));

  // Any name may be that of a collection.
  await test.admin("PATCH", "/collections/posts", { slug: "cursor" });
  assertEquals(await run(), at("cursor", [kept.id, "Changed"]));
  await test.admin("PATCH", "/collections/cursor", { exposed: false });
  assertEquals(await run(), new Map());
});

/** Runs a starter against a site: it lists, shows, searches, previews, and refreshes on a webhook. */
async function tryStarter(command: string, args: string[]): Promise<void> {
  await using test = await headless();
  await test.setUp();
  await using there = serve(test);
  const secret = `whsec_${btoa("a secret of thirty-two bytes, ok")}`;
  await using site = startStarter(command, args, {
    CMS_URL: there.origin,
    CMS_TOKEN: await test.token({ scopes: ["posts:read"] }),
    CMS_WEBHOOK_SECRET: secret,
  });
  const { get } = site;
  // Next.js keeps pages in its folder: those of an earlier run have other addresses.
  const name = `lighthouse ${crypto.randomUUID().slice(0, 8)}`;
  const path = `/posts/a-${name.replace(" ", "-")}`;
  const body = [{
    _type: "block",
    _key: "a",
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: "b", text: "The <lamp> is lit", marks: ["strong"] }],
  }];
  const { id } = await test.post({ title: `A ${name}`, body, status: "published" });
  await test.runner.drain();
  assertStringIncludes((await get("/")).text, `<a href="${path}">A ${name}</a>`);
  const shown = await get(path);
  assertStringIncludes(shown.text, "<strong>The &lt;lamp&gt; is lit</strong>");
  assertStringIncludes((await get("/search?q=lamp")).text, `A ${name}`);
  assertEquals((await get("/posts/nothing")).status, 404);

  await test.v1("PATCH", `/posts/${id}`, { body: { title: "A beacon" } });
  assertStringIncludes((await get(path)).text, `A ${name}`);
  const hook = async (signed: string) => {
    const message = JSON.stringify({ type: "document.updated" });
    const at = new Date();
    const headers = {
      "webhook-id": "1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(signed).sign("1", at, message),
    };
    const address = `${site.origin}/hooks/content`;
    const response = await fetch(address, { method: "POST", headers, body: message });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await hook(`whsec_${btoa("another secret, of other bytes!!")}`), 401);
  assertStringIncludes((await get(path)).text, `A ${name}`);
  assertEquals(await hook(secret), 204);
  assertStringIncludes((await get(path)).text, "A beacon");

  const { id: draft } = await test.post({ title: "A draft", body });
  const preview = await test.admin("POST", `/documents/${draft}/preview`, {});
  const { token } = preview.json;
  const query = `token=${encodeURIComponent(token)}&id=`;
  assertStringIncludes((await get(`/preview?${query}${draft}`)).text, "<h1>A draft</h1>");
  assertEquals((await get(`/preview?${query}${id}`)).status, 404);
}

for (const { name, command, args, ignore } of STARTERS) {
  Deno.test({
    name: `docs/starters/${name} is a site that follows its content`,
    ignore,
    fn: () => tryStarter(command, args),
  });
}

const astro = STARTERS.filter(({ name }) => name === "astro");
for (const { name, command, args, ignore } of astro) {
  Deno.test({
    name: `docs/starters/${name} shows its languages`,
    ignore,
    fn: () => tryLanguages(command, args),
  });
}

/** Runs a starter on a site in several languages, two of which it shows: its pages, menus and fallbacks. */
async function tryLanguages(command: string, args: string[]): Promise<void> {
  await using test = await multilingual();
  await using there = serve(test);
  await using site = startStarter(command, args, {
    CMS_URL: there.origin,
    CMS_TOKEN: test.reader,
    CMS_LANGUAGES: "en,fr",
    SITE_URL: "https://www.example.org",
  });
  const { get } = site;
  const { id } = await test.post({
    title: "Apple",
    body: paragraph("An apple a day"),
    status: "published",
  });
  await test.translate(id, "fr", {
    title: "Pomme",
    body: paragraph("Une pomme par jour"),
    status: "published",
  });
  await test.post({ title: "Pear", body: paragraph("A pear"), status: "published" });
  const { json: draft } = await test.translate(id, "de", { title: "Apfel" });
  assertEquals(draft.status, "draft");
  await test.runner.drain();

  // A home page and a search for each language; what is not translated is shown in another one.
  const home = (await get("/fr")).text;
  assertStringIncludes(home, '<html lang="fr" dir="ltr">');
  assertStringIncludes(home, '<a href="/fr/posts/pomme">Pomme</a>');
  assertStringIncludes(home, '<a href="/fr/posts/pear" lang="en">Pear</a>');
  assertStringIncludes((await get("/")).text, '<a href="/posts/apple">Apple</a>');
  assertStringIncludes((await get("/fr/search?q=pomme")).text, '<a href="/fr/posts/pomme">');
  assertEquals((await get("/de")).status, 404);
  assertEquals((await get("/de/posts/apfel")).status, 404);

  // A document leads to itself in its languages, for people and for search engines.
  const french = (await get("/fr/posts/pomme")).text;
  assertStringIncludes(french, "Une pomme par jour");
  const address = (path: string) => `href="https://www.example.org${path}"`;
  for (const [code, path] of [["en", "/posts/apple"], ["fr", "/fr/posts/pomme"]] as const) {
    assertStringIncludes(french, `<link rel="alternate" hreflang="${code}" ${address(path)}>`);
    assertStringIncludes(french, `<a href="${path}" lang="${code}" hreflang="${code}"`);
  }
  assertStringIncludes(french, `hreflang="x-default" ${address("/posts/apple")}`);
  assert(!french.includes("Apfel") && !french.includes("noindex"));

  // A page without a translation names its language, and where its text stands; its menu leads to the home page.
  const pear = (await get("/fr/posts/pear")).text;
  assertStringIncludes(pear, `<link rel="canonical" ${address("/posts/pear")}>`);
  assertStringIncludes(pear, 'content="noindex"');
  assertStringIncludes(pear, '<article lang="en" dir="ltr">');
  assertStringIncludes((await get("/posts/pear")).text, '<a href="/fr" lang="fr"');
  assert(!pear.includes('rel="alternate"'));
}
