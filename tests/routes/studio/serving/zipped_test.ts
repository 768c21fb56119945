import { Hono } from "@hono/hono";
import { zipped } from "../../../../routes/studio/serving/zipped.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { testApp } from "../../../support/sites/app.ts";

const LONG = `<p>${"words ".repeat(1_000)}</p>`;

function app() {
  return new Hono()
    .use(zipped())
    .get("/long", (c) => {
      c.header("set-cookie", "a=1");
      c.header("set-cookie", "b=2", { append: true });
      return c.html(LONG, 404, { etag: '"1"' });
    })
    .get("/short", (c) => c.html("<p>few</p>"))
    .get("/json", (c) => c.json({ text: LONG }))
    .get("/packed", (c) => c.html(LONG, 200, { "content-encoding": "br" }))
    .get("/moved", (c) => c.redirect("/long"));
}

async function unzipped(response: Response): Promise<string> {
  return await new Response(response.body!.pipeThrough(new DecompressionStream("gzip"))).text();
}

Deno.test("zipped() compresses pages for clients that accept it, and keeps all else of the answer", async () => {
  for (const accepted of ["gzip", "br, gzip;q=0.5", "deflate, GZIP"]) {
    const headers = { "accept-encoding": accepted, "sec-fetch-site": "none" };
    const response = await app().request("/long", { headers });

    assertEquals([response.status, response.headers.get("content-encoding")], [404, "gzip"]);
    assertEquals(response.headers.get("vary"), "Accept-Encoding, Sec-Fetch-Site");
    assertEquals(response.headers.getSetCookie(), ["a=1", "b=2"]);
    assertEquals(response.headers.get("etag"), 'W/"1"');
    assertEquals(await unzipped(response), LONG);
  }
});

Deno.test("zipped() leaves alone small, packed and non-page answers, clients without gzip, and other sites", async () => {
  const gzip = { "accept-encoding": "gzip" };
  const cases: [path: string, headers: Record<string, string>][] = [
    ["/short", gzip],
    ["/json", gzip],
    ["/packed", gzip],
    ["/moved", gzip],
    ["/long", {}],
    ["/long", { "accept-encoding": "gzip;q=0" }],
    ["/long", { "accept-encoding": "notgzip" }],
    ["/long", { ...gzip, "sec-fetch-site": "cross-site" }],
    ["/long", { ...gzip, "sec-fetch-site": "same-site" }],
  ];
  for (const [path, headers] of cases) {
    const response = await app().request(path, { headers });
    assert(response.headers.get("content-encoding") !== "gzip", `${path} ${headers}`);
    const text = await response.text();
    if (path === "/long") assertEquals([text, response.headers.get("etag")], [LONG, '"1"']);
    if (path === "/short") assertEquals(text, "<p>few</p>");
  }
});

Deno.test("GET /admin is the same page compressed, under a nonce of its own", async () => {
  await using test = await testApp();
  const setUp = await test.setUp();
  const cookie = setUp.headers.get("set-cookie")!.split(";")[0]!;
  const ask = (headers: Record<string, string>) =>
    test.app.request("/admin", { headers: { cookie, ...headers } });

  const plain = await (await ask({})).text();
  const packed = await ask({ "accept-encoding": "gzip" });

  const size = Number((await packed.clone().arrayBuffer()).byteLength);
  assert(size < plain.length / 2.5, `${size} of ${plain.length}`);
  const nonce = /nonce-(\w+)/.exec(packed.headers.get("content-security-policy")!)![1]!;
  const text = await unzipped(packed);
  assert(text.includes(nonce) && !plain.includes(nonce));
  const own = /nonce="(\w+)"/.exec(plain)![1]!;
  assertEquals(text.replaceAll(nonce, own), plain);
});
