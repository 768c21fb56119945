import { deflateSync } from "node:zlib";
import { assert, assertEquals } from "@std/assert";
import { pictureSize, sniffMime } from "../../../kv/media/media_bytes.ts";
import { testContext } from "../../support/harness/context.ts";
import { joinBytes } from "../../../kv/objects/object_bytes.ts";
import { IMAGES, pngChunk } from "../../support/sites/images.ts";
import { mediaApp, objectKeys, upload } from "../../support/sites/media_app.ts";

const PNG = IMAGES["image/png"];
const ON = { "images.transform_enabled": true };

Deno.test("GET /media/{id}/{filename} answers the bytes, for ever, and lets nothing run", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const { url, id } = await upload(app, PNG, "日本 (1).png");

  const response = await app.request(url);

  assertEquals(response.status, 200);
  assertEquals(await response.bytes(), PNG);
  const headers = Object.fromEntries(response.headers);
  assertEquals(headers, {
    "content-type": "image/png",
    "content-length": String(PNG.byteLength),
    "cache-control": "public, max-age=31536000, immutable",
    etag: headers.etag!,
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "content-disposition": "inline; filename*=UTF-8''%E6%97%A5%E6%9C%AC%20%281%29.png",
    "deno-cache-tag": `media-${id}`,
  });
  assert(/^"[0-9a-f]{64}"$/.test(headers.etag!));
});

Deno.test("HEAD /media/{id}/{filename} answers the headers of GET", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const { url } = await upload(app);

  const get = await app.request(url);
  const head = await app.request(url, { method: "HEAD" });

  assertEquals(head.status, 200);
  assertEquals(Object.fromEntries(head.headers), Object.fromEntries(get.headers));
  assertEquals(await head.text(), "");
  await get.body?.cancel();
});

Deno.test("GET /media/{id}/{filename} answers 304 to who has it", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const { url } = await upload(app);
  const etag = (await app.request(url, { method: "HEAD" })).headers.get("etag")!;
  const status = async (tag: string) => {
    const response = await app.request(url, { headers: { "if-none-match": tag } });
    await response.body?.cancel();
    return response.status;
  };

  assertEquals(await status(etag), 304);
  assertEquals(await status(`W/${etag}, "x"`), 304);
  assertEquals(await status("*"), 304);
  assertEquals(await status('"x"'), 200);
});

Deno.test("GET /media/{id}/{filename} answers ranges", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const { url } = await upload(app);
  const etag = (await app.request(url, { method: "HEAD" })).headers.get("etag")!;
  const get = async (headers: Record<string, string>) => {
    const response = await app.request(url, { headers });
    const range = response.headers.get("content-range");
    return { status: response.status, range, bytes: await response.bytes() };
  };
  const size = PNG.byteLength;

  const part = { status: 206, range: `bytes 10-19/${size}`, bytes: PNG.slice(10, 20) };
  const whole = { status: 200, range: null, bytes: PNG.slice() };
  assertEquals(await get({ range: "bytes=10-19" }), part);
  assertEquals(await get({ range: "bytes=10-19", "if-range": etag }), part);
  assertEquals(await get({ range: "bytes=10-19", "if-range": '"old"' }), whole);
  assertEquals(await get({ range: "bytes=1-2,4-5" }), whole);
  assertEquals(await get({ range: `bytes=${size}-` }), {
    status: 416,
    range: `bytes */${size}`,
    bytes: new Uint8Array(),
  });
});

Deno.test("GET /media/{id}/{other name} leads to the present name", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const { url, id } = await upload(app);

  const response = await app.request(`/media/${id}/evil.html?w=320`);

  assertEquals(response.status, 301);
  assertEquals(response.headers.get("location"), `${url}?w=320`);
});

Deno.test("GET /media/{unknown} answers 404", async () => {
  await using context = await testContext();
  const app = mediaApp(context);

  for (const id of ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "..%2f..", "x", "%00"]) {
    assertEquals((await app.request(`/media/${id}/a.png`)).status, 404, id);
  }
});

Deno.test("GET /media/…?w= serves the original, briefly, while transforms are off", async () => {
  await using context = await testContext();
  const app = mediaApp(context, { settings: { "images.transform_enabled": false } });
  const { url } = await upload(app);

  const response = await app.request(`${url}?w=320&junk=1`);

  assertEquals(await response.bytes(), PNG);
  assertEquals(response.headers.get("cache-control"), "public, max-age=300");
});

Deno.test("GET /media/…?w= makes a transform once, and keeps it", async () => {
  await using context = await testContext();
  const work: unknown[] = [];
  const codec = (one: { bytes: Uint8Array }) => {
    work.push(one.bytes.byteLength);
    return Promise.resolve(Uint8Array.of(1, 2, 3));
  };
  const app = mediaApp(context, { settings: ON, codec });
  const { url } = await upload(app);

  const answers = await Promise.all(
    ["?w=320", "?w=320&fit=cover", "?w=320&q=75"].map((query) => app.request(url + query)),
  );
  const again = await app.request(`${url}?w=320`, { headers: { range: "bytes=1-1" } });

  assertEquals(work, [PNG.byteLength]);
  for (const answer of answers) {
    assertEquals(await answer.bytes(), Uint8Array.of(1, 2, 3));
    assertEquals(answer.headers.get("content-type"), "image/webp");
    assertEquals(answer.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert(answer.headers.get("etag")!.endsWith('-w320-h0-contain-q75.webp"'));
  }
  assertEquals(again.status, 206);
  assertEquals(await again.bytes(), Uint8Array.of(2));
  assertEquals((await objectKeys(context, "transforms/")).length, 1);
});

Deno.test("GET /media/…?w= refuses sizes outside the set without any work", async () => {
  await using context = await testContext();
  const codec = () => Promise.reject(new Error("The codec must not be asked"));
  const app = mediaApp(context, { settings: ON, codec });
  const { url } = await upload(app);

  for (const query of ["w=4001", "w=320&h=4001", "q=0", "format=exe", "fit=x", "h=0"]) {
    const response = await app.request(`${url}?${query}`);

    assertEquals(response.status, 422, query);
    assertEquals((await response.json()).error.details[0].code, "INVALID_CHOICE");
  }
});

Deno.test("GET /media/…?w= serves an animation as it is", async () => {
  await using context = await testContext();
  const app = mediaApp(context, { settings: ON });
  const { url } = await upload(app, IMAGES["image/gif"], "a.gif");

  const response = await app.request(`${url}?w=320`);

  assertEquals(response.headers.get("content-type"), "image/gif");
  assertEquals(await response.bytes(), IMAGES["image/gif"].slice());
});

Deno.test("GET /media/…?w= works after a transform that failed", async () => {
  await using context = await testContext();
  let calls = 0;
  const codec = () =>
    ++calls === 1 ? Promise.reject(new Error("out of memory")) : Promise.resolve(Uint8Array.of(9));
  const app = mediaApp(context, { settings: ON, codec });
  const { url } = await upload(app);

  assertEquals((await app.request(`${url}?w=320`)).status, 500);
  assertEquals(await (await app.request(`${url}?w=320`)).bytes(), Uint8Array.of(9));
});

Deno.test("GET /media/…?format= re-encodes every type but GIF with the real codecs", async () => {
  await using context = await testContext();
  const app = mediaApp(context, { settings: ON });
  for (const mime of ["image/jpeg", "image/png", "image/webp", "image/avif"] as const) {
    const { url } = await upload(app, IMAGES[mime], "a.img");
    for (const format of ["webp", "jpeg", "png"]) {
      const response = await app.request(`${url}?w=160&h=160&format=${format}`);

      const bytes = await response.bytes();
      assertEquals(response.status, 200, `${mime} to ${format}`);
      assertEquals(sniffMime(bytes), `image/${format}`);
      assertEquals(pictureSize(bytes), { width: 4, height: 4 });
    }
  }
});

Deno.test("GET and HEAD /media/{id}/{filename} are 404 while the bytes are missing", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const { url } = await upload(app);
  for (const key of await objectKeys(context, "media/")) await context.objects.delete(key);

  for (const method of ["GET", "HEAD"]) {
    const { status, headers } = await app.request(url, { method });
    assertEquals([status, headers.get("etag"), headers.get("cache-control")], [
      404,
      null,
      "no-store",
    ]);
  }
});

/** A black picture of few bytes, with one bit per pixel; only the first `rows` are there. */
function blackPng(width: number, height: number, rows = height): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = 1;
  const packed = deflateSync(new Uint8Array(rows * (1 + Math.ceil(width / 8))));
  return joinBytes([
    PNG.subarray(0, 8),
    pngChunk("IHDR", header),
    pngChunk("IDAT", packed),
    pngChunk("IEND", new Uint8Array()),
  ]);
}

Deno.test("a picture of over 100 megapixels is refused, however few bytes it has", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const post = async (bytes: Uint8Array<ArrayBuffer>) => {
    const body = new FormData();
    body.append("file", new Blob([bytes]), "a.png");
    const response = await app.request("/api/admin/media", { method: "POST", body });
    await response.body?.cancel();
    return response.status;
  };

  assertEquals(await post(blackPng(65_000, 65_000, 1)), 413);
  assertEquals(await post(blackPng(20_000, 14_000)), 413);
  assertEquals(await post(blackPng(10_000, 10_000, 9_999)), 415);
  assertEquals(await post(blackPng(10_000, 10_000)), 201);
  assertEquals((await objectKeys(context, "")).length, 1);
});

Deno.test("a picture too large to be transformed has an empty thumbnail, never itself", async () => {
  await using context = await testContext();
  const app = mediaApp(context, { settings: ON });
  const { url } = await upload(app, blackPng(9_000, 6_000), "large.png");

  const response = await app.request(`${url}?w=480&h=360`);

  const text = await response.text();
  assertEquals([response.status, response.headers.get("content-type")], [200, "image/svg+xml"]);
  assertEquals(response.headers.get("content-length"), String(text.length));
  assert(text.includes('width="480" height="360"') && text.length < 200, text);
  assertEquals(await (await app.request(url)).bytes(), blackPng(9_000, 6_000));
});
