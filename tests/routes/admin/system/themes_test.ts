import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  DEFAULT_THEME_MANIFEST,
  defaultThemeFiles,
  packPackage,
} from "../../../../jobs/packages/pack_package.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { packagePath } from "../../../../kv/objects/paths.ts";
import { restoreVersion } from "../../../../kv/history/restore/restore_version.ts";
import { secondApp, type TestApp, testApp } from "../../../support/sites/app.ts";
import {
  ACME,
  install,
  packageOf,
  publisher,
  themeParts,
  trust,
  trusting,
} from "../../../support/sites/packages.ts";

async function home(test: TestApp): Promise<string> {
  // The jobs that render the site leave some time between two runs.
  for (let round = 0; round < 3; round++) {
    await test.runner.drain();
    test.context.advance(3_000);
  }
  return (await test.call("GET", "/")).text;
}

async function installTheme(test: TestApp, word: string, facts: Record<string, unknown> = {}) {
  const job = await install(test, "themes", await packageOf(themeParts(word, facts)));
  assertEquals(job.error, null);
  return job.result.install.id as string;
}

/** A site with one published document. */
async function site(): Promise<TestApp> {
  const test = await testApp();
  await trusting(test);
  await test.collection({ slug: "posts", name: "Posts" });
  const body = { collection: "posts", title: "First", status: "published" };
  assertEquals((await test.admin("POST", "/documents", body)).status, 201);
  await test.runner.drain();
  return test;
}

Deno.test("POST /themes/{id}/activate renders the site with the theme; removing it brings the default back", async () => {
  await using test = await site();
  const id = await installTheme(test, "Midnight");
  assert(!(await home(test)).includes("Midnight"));

  const { status, json } = await test.admin("POST", `/themes/${id}/activate`);

  assertEquals([status, json.active], [200, true]);
  const page = await home(test);
  assertStringIncludes(page, "<title>Midnight</title><h1>The Lantern</h1>");
  const style = /href="([^"]+)"/.exec(page)![1]!;
  assertEquals((await test.call("GET", style)).text, "/* Midnight */");
  // What the theme does not bring comes from the default one.
  assertStringIncludes((await test.call("GET", "/posts/first")).text, "<article>");
  assertEquals((await test.admin("DELETE", `/themes/${id}`)).status, 204);
  assert(!(await home(test)).includes("Midnight"));
});

Deno.test("a built-in theme is previewed and activated by its id, and a restore puts the one before back", async () => {
  await using test = await site();
  const builtIn = async () => {
    const { json } = await test.admin("GET", "/themes/built-in");
    return json.data.map(({ id, active }: { id: string; active: boolean }) => [id, active]);
  };
  const before = await home(test);
  assertEquals(await builtIn(), [["default", true], ["ledger", false]]);
  const preview = await test.admin("GET", "/themes/ledger/preview?path=/posts");
  assertStringIncludes(preview.text, '<header class="rail">');
  const style = /href="([^"]+ledger.css)"/.exec(preview.text)![1]!;
  assertStringIncludes((await test.call("GET", style)).text, ".rail");
  assertEquals(await home(test), before);
  const then = Math.floor(test.context.now() / 1000);
  test.context.advance(2_000);

  const { status, json } = await test.admin("POST", "/themes/ledger/activate");

  assertEquals([status, Object.keys(json)], [200, ["jobId"]]);
  assertEquals(await builtIn(), [["default", false], ["ledger", true]]);
  assertEquals((await test.admin("GET", "/themes/ledger")).json.active, true);
  assertEquals((await test.admin("DELETE", "/themes/ledger")).status, 404);
  assertEquals((await test.admin("GET", "/settings")).json["theme.active"], "ledger");
  for (const path of ["/", "/posts", "/posts/first", "/search", "/nowhere"]) {
    await home(test);
    assertStringIncludes((await test.call("GET", path)).text, '<header class="rail">', path);
  }
  assertStringIncludes(await secondHome(test), '<header class="rail">');
  assertEquals((await test.admin("POST", "/restore", { timestamp: then })).status, 202);
  assertEquals(await home(test), before);
  assertEquals(await builtIn(), [["default", true], ["ledger", false]]);
});

/** The home page as another process renders it. */
async function secondHome(test: TestApp): Promise<string> {
  const { theme } = await secondApp(test.context).deps.publishing.rendering();
  return theme.render("not_found", { site: {}, page: {} });
}

Deno.test("GET /themes/{id}/preview renders a page without activating, and lets nothing run", async () => {
  await using test = await site();
  const id = await installTheme(test, "Midnight");
  const preview = (path: string) =>
    test.admin("GET", `/themes/${id}/preview?path=${encodeURIComponent(path)}`);

  const first = await preview("/");

  assertStringIncludes(first.text, "<title>Midnight</title>");
  const policy = first.headers.get("content-security-policy")!;
  assertStringIncludes(policy, "sandbox; default-src 'none'; style-src http://localhost");
  assert(!/allow-|unsafe|script-src/.test(policy));
  assertEquals(first.headers.get("cache-control"), "no-store");
  const style = /href="([^"]+)"/.exec(first.text)![1]!;
  assertEquals((await test.call("GET", style)).text, "/* Midnight */");
  assertStringIncludes((await preview("/posts/first")).text, "<h1>First</h1>");
  assertStringIncludes((await preview("/posts")).text, "First");
  assertStringIncludes((await preview("/nowhere")).text, "noindex");
  assert(!(await home(test)).includes("Midnight"));
  assertEquals((await test.call("GET", `/api/admin/themes/${id}/preview`)).status, 401);
});

Deno.test("INSTALL of a newer version of the active theme, and going back to the older one, render the site", async () => {
  await using test = await site();
  const id = await installTheme(test, "One");
  await test.admin("POST", "/themes/com.acme.look/activate");
  assertStringIncludes(await home(test), "<title>One");
  await installTheme(test, "Two", { version: "2.0.0" });
  assertStringIncludes(await home(test), "<title>Two");
  const { json } = await test.admin("GET", `/versions/theme/${id}`);
  const one = json.data.find((it: { version_number: number }) => it.version_number === 1);

  const restoring = { content: test.deps.content, access: test.deps.people.access };
  await restoreVersion(restoring, UNATTENDED, one.id);

  assertStringIncludes(await home(test), "<title>One");
  assertEquals((await test.admin("GET", `/themes/${id}`)).json.version, "1.0.0");
});

Deno.test("INSTALL refuses a theme with all the reasons", async () => {
  await using test = await testApp();
  await trusting(test);
  const refuse = async (files: Record<string, string>) => {
    const facts = { kind: "theme" };
    const { error, result } = await install(test, "themes", await packageOf({ files, facts }));
    return [error, ...(result.check?.reasons ?? [])].join("; ");
  };

  const reasons = await refuse({
    "theme.json": "{}",
    "templates/home.liquid": "{{ site.titel }} {% render 'missing' %}",
    "templates/document.liquid": `<script src="https://evil.example/x.js"></script>`,
    "templates/listing.liquid": "{{ documents | nosuch }}",
    "assets/site.css": "@import '//evil.example/a.css'; b { background: url(http://evil.example) }",
    "assets/x.js": "alert(1)",
  });
  for (
    const reason of [
      "home.liquid uses the unknown variable site.titel",
      "home cannot be rendered: ENOENT",
      "document.liquid loads a foreign address: https://evil.example/x.js",
      "listing cannot be",
      "site.css loads a foreign address: //evil.example/a.css",
      "site.css loads a foreign address: http://evil.example",
      "assets/x.js is neither a template nor an asset",
    ]
  ) assertStringIncludes(reasons, reason);
  assertStringIncludes(await refuse({ "templates/home.liquid": "" }), "theme.json is missing");
  assertStringIncludes(await refuse({ "theme.json": "[]" }), "theme.json is not an object");
  const large = { "theme.json": "{}", "assets/a.txt": "x".repeat(25_000_001) };
  assertStringIncludes(await refuse(large), "at most 25000000 bytes unpacked");
});

Deno.test("the default theme is a package: packed, installed and activated it looks the same", async () => {
  await using test = await site();
  await trust(test, [publisher(ACME, { prefix: "site.cms." })]);
  const before = await home(test);
  const packed = await packPackage(DEFAULT_THEME_MANIFEST, defaultThemeFiles(), ACME);

  const job = await install(test, "themes", packed);
  assertEquals(job.error, null);
  await test.admin("POST", `/themes/${job.result.install.id}/activate`);

  assertEquals(await home(test), before);
  assertEquals((await test.admin("POST", "/themes/default/activate")).status, 200);
  assertEquals(await home(test), before);
  assertEquals((await test.admin("GET", "/settings")).json["theme.active"], null);
});

Deno.test("an active theme whose bytes are lost leaves the default theme, in every process", async () => {
  await using test = await site();
  const id = await installTheme(test, "Midnight");
  await test.admin("POST", `/themes/${id}/activate`);
  assertStringIncludes(await home(test), "Midnight");
  for await (const { key } of test.context.objects.list(packagePath("").split(".")[0]!)) {
    await test.context.objects.delete(key);
  }
  const other = secondApp(test.context);

  const { theme } = await other.deps.publishing.rendering();

  assertStringIncludes(theme.render("not_found", { site: {}, page: {} }), "<html");
  assertEquals((await test.admin("GET", `/themes/${id}`)).json.active, true);
});
