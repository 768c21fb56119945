import { gzipSync } from "node:zlib";
import { Assets } from "../../../../routes/studio/serving/assets.ts";
import { BUILT, sourceDigest } from "../../../../routes/studio/serving/browser_digest.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "../../../support/harness/assert.ts";
import { callApp, testApp } from "../../../support/sites/app.ts";

const ROOT = new URL("../../../../", import.meta.url);
/** Compressed bytes of JavaScript that a page without the text editor may cost. */
const SCRIPT_BYTES_MAX = 60_000;
/** The same for the text editor, which pages load that have a text to edit. */
const EDITOR_BYTES_MAX = 180_000;

Deno.test("the built browser code is that of the sources; `deno task build` makes it", async () => {
  const manifest = JSON.parse(await Deno.readTextFile(new URL(`${BUILT}manifest.json`, ROOT)));
  assertEquals(manifest.digest, await sourceDigest(ROOT));
});

Deno.test("the notices of all packages in the browser code are in the same folder", async () => {
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const notices = await Deno.readTextFile(new URL(`${BUILT}licenses.txt`, ROOT));
  for (const name of ["prosemirror-view", "@codemirror/state", "lowlight", "zod"]) {
    const [, version] = /@([^@/]+)$/.exec(imports[name])!;
    assert(notices.includes(`\n${name} ${version}\n\n`), name);
  }
  // What they depend on counts as well.
  assertMatch(notices, /^w3c-keyname \d[^]*?Permission is hereby granted/m);
});

/** The compressed bytes of a script with all that it imports at once. */
async function weigh(name: string, seen = new Set<string>()): Promise<number> {
  if (seen.has(name)) return 0;
  seen.add(name);
  const source = await Deno.readTextFile(new URL(BUILT + name, ROOT));
  let bytes = gzipSync(source, { level: 9 }).byteLength;
  for (const [, other] of source.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
    bytes += await weigh(other!, seen);
  }
  return bytes;
}

Deno.test("the script of every page stays small, with all that it imports at once", async () => {
  const bytes = await weigh("studio.js");
  assert(bytes < SCRIPT_BYTES_MAX, `${bytes} bytes`);
});

Deno.test("the text editor stays small, with all that it imports at once", async () => {
  const names = await Array.fromAsync(Deno.readDir(new URL(BUILT, ROOT)), ({ name }) => name);
  const editor = names.find((name) => name.startsWith("portable_text_editor"))!;
  const bytes = await weigh(editor);
  assert(bytes < EDITOR_BYTES_MAX, `${bytes} bytes`);
});

Deno.test("GET /admin/assets/… is immutable, compressed when wanted, and 404 for other names", async () => {
  await using test = await testApp();
  const { text } = await test.call("GET", "/admin/sign-in", {});
  assertEquals(text, "");
  const page = await test.call("GET", "/admin/setup");
  const address = /src="(\/admin\/assets\/studio-[0-9a-f]{12}\.js)"/.exec(page.text)![1]!;

  const plain = await callApp(test.app, "GET", address);
  const zipped = await callApp(test.app, "GET", address, {
    headers: { "accept-encoding": "gzip" },
  });
  const missing = await callApp(test.app, "GET", "/admin/assets/studio-000000000000.js");
  const outside = await callApp(test.app, "GET", "/admin/assets/..%2Fassets.ts");

  assertEquals(plain.status, 200);
  assertEquals(plain.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assertEquals(plain.headers.get("content-type"), "text/javascript; charset=utf-8");
  assertEquals(plain.headers.get("content-encoding"), null);
  assertEquals(zipped.headers.get("content-encoding"), "gzip");
  assertNotEquals(zipped.text, plain.text);
  assertEquals([missing.status, outside.status], [404, 404]);
});

Deno.test("pages carry a policy that lets only their own script run", async () => {
  await using test = await testApp();
  const first = await test.call("GET", "/admin/setup");
  const second = await test.call("GET", "/admin/setup");

  const policy = first.headers.get("content-security-policy")!;
  const nonce = /script-src 'nonce-([A-Za-z0-9]{22})' 'strict-dynamic';/.exec(policy)![1]!;
  assertMatch(policy, /default-src 'none';.*frame-ancestors 'none'/);
  assert(!policy.includes("unsafe"));
  assert(!second.text.includes(nonce));
  assertEquals(first.headers.get("cache-control"), "no-store");
  assertEquals(first.headers.get("x-frame-options"), "DENY");
  const scripts = [...first.text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
  assert(
    scripts.every((tag) => tag.includes(`nonce="${nonce}"`) || tag.includes("application/json")),
  );
  assert(!/ on\w+="/.test(first.text) && !/ style="/.test(first.text));
  for (const [, address] of first.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
    assertMatch(address!, /^(\/(?!\/)|data:image)/);
  }
});

Deno.test("the files are read and compressed once in a process, however many apps it has", async () => {
  assert(await new Assets().names() === await new Assets().names());
});
