/** `/api/v1/_meta` and `/api/v1/_meta/types.ts` over the real application. */
import { patchCollection } from "../../../kv/schema/collections.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "../../support/harness/assert.ts";
import { callApp, secondApp } from "../../support/sites/app.ts";
import { describedApp } from "../../contract/described_app.ts";

for (const path of ["/api/v1/_meta", "/api/v1/_meta/types.ts"]) {
  Deno.test(`GET ${path} answers 401 without a valid token`, async () => {
    await using test = await describedApp();
    const answer = await callApp(test.app, "GET", path);
    assertEquals([answer.status, answer.json.error.code], [401, "UNAUTHENTICATED"]);
    assertEquals(answer.headers.get("etag"), null);
  });

  Deno.test(`GET ${path} answers any valid token, and 304 while nothing changed`, async () => {
    await using test = await describedApp();
    await test.define({ slug: "posts" });
    const token = await test.token({ scopes: ["other:read"] });

    const first = await callApp(test.app, "GET", path, { token });
    const etag = first.headers.get("etag")!;
    const again = await callApp(test.app, "GET", path, {
      token,
      headers: { "if-none-match": etag },
    });
    await test.define({ slug: "pages" });
    const changed = await callApp(test.app, "GET", path, {
      token,
      headers: { "if-none-match": etag },
    });

    assertEquals(first.status, 200);
    assertMatch(etag, /^"[0-9a-f]{32}"$/);
    assertMatch(first.headers.get("vary")!, /\bOrigin\b/);
    assertEquals(first.headers.get("cache-control"), "private, no-cache");
    assertMatch(first.headers.get("ratelimit")!, /^"default";r=\d+;t=\d+$/);
    assertEquals([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
    assertEquals(changed.status, 200);
    assertNotEquals(changed.headers.get("etag"), etag);
    assert(changed.text.includes("pages"));
  });

  Deno.test(`HEAD ${path} answers the headers alone`, async () => {
    await using test = await describedApp();
    const token = await test.token();
    const answer = await callApp(test.app, "HEAD", path, { token });
    assertEquals([answer.status, answer.text], [200, ""]);
    assertMatch(answer.headers.get("etag")!, /^"/);
  });

  Deno.test(`GET ${path} is compressed for who takes it, under a tag of its own`, async () => {
    await using test = await describedApp();
    await test.define({ slug: "posts" });
    const token = await test.token();
    const ask = async (headers: Record<string, string>) =>
      await test.app.request(path, { headers: { authorization: `Bearer ${token}`, ...headers } });
    const plain = await ask({ "accept-encoding": "br, gzip;q=0, *" });
    const zipped = await ask({ "accept-encoding": "br;q=1.0, GZIP;q=0.8" });
    const [plainTag, zippedTag] = [plain, zipped].map(({ headers }) => headers.get("etag")!);
    const again = await ask({ "accept-encoding": "gzip", "if-none-match": zippedTag! });
    const other = await ask({ "if-none-match": zippedTag! });

    assertEquals(plain.headers.get("content-encoding"), null);
    assertEquals(zipped.headers.get("content-encoding"), "gzip");
    const unpacked = zipped.body!.pipeThrough(new DecompressionStream("gzip"));
    assertEquals(await new Response(unpacked).text(), await plain.text());
    assertEquals(zipped.headers.get("vary"), "Origin, Accept-Encoding");
    assertNotEquals(zippedTag, plainTag);
    assertEquals([again.status, again.headers.get("content-encoding")], [304, null]);
    assertEquals(other.status, 200);
    await other.body!.cancel();
  });

  Deno.test(`GET ${path} forgets a collection that is no longer exposed`, async () => {
    await using test = await describedApp();
    await test.define({ slug: "whispers" });
    const token = await test.token();
    assert((await callApp(test.app, "GET", path, { token })).text.includes("whispers"));
    await patchCollection(test.deps.content, UNATTENDED, "whispers", { exposed: false });
    assert(!(await callApp(test.app, "GET", path, { token })).text.includes("whispers"));
  });
}

Deno.test("GET /api/v1/_meta names BASE_URL as the server if it is set", async () => {
  await using test = await describedApp();
  const token = await test.token();
  const { app } = secondApp(test.context, { baseUrl: "https://cms.example.net/" });
  const { json } = await callApp(app, "GET", "/api/v1/_meta", { token });
  assertEquals(json.servers, [{ url: "https://cms.example.net" }]);
});

Deno.test("GET /api/v1/_meta names the server that was asked and the schema's version", async () => {
  await using test = await describedApp();
  const token = await test.token();
  const empty = (await callApp(test.app, "GET", "/api/v1/_meta", { token })).json;
  await test.define({ slug: "posts" });
  const described = (await callApp(test.app, "GET", "/api/v1/_meta", { token })).json;
  assertEquals(described.servers, [{ url: "http://localhost" }]);
  assertEquals(empty.info.version, "0");
  assertMatch(described.info.version, /^[0-9a-f]{20}$/);
});
