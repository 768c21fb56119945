/** Pictures are decoded at upload: broken ones are refused, unreadable ones have no variants. */
import { encode as encodeJpeg } from "@jsquash/jpeg";
import { encode as encodeWebp } from "@jsquash/webp";
import { cutsOf, srcsetOf } from "../../../jobs/render/views/srcset.ts";
import type { CheckCodec } from "../../../jobs/images/codec_thread.ts";
import { findMedia } from "../../../kv/media/media.ts";
import { TRANSFORM_PIXELS_MAX } from "../../../kv/limits/media.ts";
import type { MediaState } from "../../../kv/model/entities/media.ts";
import { malformedImage } from "../../../kv/model/values/malformed_image.ts";
import { joinBytes } from "../../../kv/objects/object_bytes.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { testContext } from "../../support/harness/context.ts";
import { headless } from "../../support/sites/headless.ts";
import { IMAGES, jpegSegment } from "../../support/sites/images.ts";
import { formOf, mediaApp, objectKeys, upload } from "../../support/sites/media_app.ts";

const ON = { "images.transform_enabled": true };

/** Pixels that do not compress well. */
function noise(width: number, height: number): ImageData {
  const data = new Uint8ClampedArray(width * height * 4);
  let seed = 1;
  for (let index = 0; index < data.length; index++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    data[index] = index % 4 === 3 ? 255 : seed >> 16;
  }
  return new ImageData(data, width, height);
}

/** A JPEG whose data ends in the middle, closed with the marker of its end. */
function cutJpeg(bytes: Uint8Array): Uint8Array {
  return joinBytes([bytes.subarray(0, bytes.length >> 1), Uint8Array.of(0xff, 0xd9)]);
}

/** A WebP with half of its pixels, and the lengths of what is left. */
function cutWebp(bytes: Uint8Array): Uint8Array {
  const cut = bytes.slice(0, (bytes.length >> 2) * 2);
  const view = new DataView(cut.buffer);
  view.setUint32(4, cut.length - 8, true);
  view.setUint32(16, cut.length - 20, true);
  return cut;
}

/** An AVIF whose pixels were overwritten in the middle. */
function damagedAvif(): Uint8Array {
  const bytes = IMAGES["image/avif"].slice();
  return bytes.fill(0, bytes.length - 40);
}

async function statusOf(bytes: Uint8Array, check?: CheckCodec): Promise<[number, string]> {
  await using context = await testContext();
  const app = mediaApp(context, { ...(check && { check }) });
  const body = formOf(bytes, "photo.jpg");
  const response = await app.request("/api/admin/media", { method: "POST", body });
  const answer = await response.json();
  if (response.status !== 201) assertEquals(await objectKeys(context, ""), []);
  return [response.status, answer.error?.code ?? ""];
}

const REFUSED: [number, string] = [415, "UNSUPPORTED_MEDIA_TYPE"];

Deno.test("a picture whose pixels end too early is refused, and nothing of it is stored", async () => {
  const small = new Uint8Array(await encodeJpeg(noise(60, 40), { quality: 80 }));
  const large = new Uint8Array(await encodeJpeg(noise(400, 300), { quality: 80 }));
  const steps = new Uint8Array(await encodeJpeg(noise(400, 300), { progressive: true }));
  const webp = new Uint8Array(await encodeWebp(noise(400, 300), { quality: 90 }));
  for (const bytes of [small, large, steps, webp]) assertEquals((await statusOf(bytes))[0], 201);
  for (const bytes of [small, large, steps]) assertEquals(await statusOf(cutJpeg(bytes)), REFUSED);
  assertEquals(await statusOf(cutWebp(webp)), REFUSED);
  assertEquals(await statusOf(damagedAvif()), REFUSED);
});

Deno.test("an AVIF and a GIF that end inside a part are refused whatever their size", async () => {
  for (const mime of ["image/avif", "image/gif"] as const) {
    const bytes = IMAGES[mime];
    const check = () => Promise.resolve("readable" as const);
    assertEquals((await statusOf(bytes, check))[0], 201);
    assertEquals(await statusOf(bytes.subarray(0, bytes.length - 4), check), REFUSED);
  }
});

Deno.test("the API and the import from a URL refuse broken pictures, too", async () => {
  await using test = await headless();
  const cut = cutJpeg(new Uint8Array(await encodeJpeg(noise(60, 40), { quality: 80 })));
  const answer = await test.app.request("http://localhost/api/v1/media", {
    method: "POST",
    headers: { authorization: `Bearer ${test.full}` },
    body: formOf(cut, "photo.jpg"),
  });
  assertEquals([answer.status, (await answer.json()).error.code], REFUSED);
  test.deps.packages.request = () => Promise.resolve({ status: 200, headers: {}, body: cut });
  const body = { url: "https://example.com/photo.jpg" };
  const { status, json } = await test.v1("POST", "/media", { body });
  assertEquals([status, json.error.details[0].field], [422, "url"]);
});

Deno.test("an AVIF that only the codec cannot read is stored without variants", async () => {
  await using context = await testContext();
  const app = mediaApp(context, { settings: ON });
  const bytes = IMAGES["image/avif"].slice();
  const at = new TextDecoder("latin1").decode(bytes).indexOf("pixi");
  bytes.set(new TextEncoder().encode("pixj"), at);
  const { id } = await upload(app, bytes, "old.avif");
  assertEquals((await findMedia(context, id))!.asIs, true);
});

Deno.test("a JPEG with a precision that the codec does not support is stored without variants", async () => {
  await using context = await testContext();
  const app = mediaApp(context, { settings: ON });
  const deep = joinBytes([
    Uint8Array.of(0xff, 0xd8),
    jpegSegment(0xe0, new TextEncoder().encode("JFIF\0\x01\x01\0\0\x01\0\x01\0\0")),
    jpegSegment(0xc0, Uint8Array.of(12, 0, 40, 0, 60, 1, 1, 0x11, 0)),
    jpegSegment(0xda, Uint8Array.of(1, 1, 0, 0, 63, 0)),
    Uint8Array.of(1, 2, 3, 0xff, 0xd9),
  ]);
  const { id, url } = await upload(app, deep, "scan.jpg");
  const medium = (await findMedia(context, id))!;
  assertEquals(medium.asIs, true);
  assertEquals(srcsetOf(url, { ...medium, width: 4_000 }), "");
  const cuts = Object.values(cutsOf(url, { ...medium, width: 4_000, height: 3_000 }, true));
  assert(cuts.every(({ path, srcset }) => path === url && srcset === ""));
  const response = await app.request(`${url}?w=160`);
  assertEquals(response.headers.get("content-type"), "image/jpeg");
  assertEquals((await response.bytes()).length, medium.bytes);
});

Deno.test("the same bytes are decoded once, and a picture too large for transforms never", async () => {
  await using context = await testContext();
  const decoded: string[] = [];
  const check: CheckCodec = ({ mime }) => {
    decoded.push(mime);
    return Promise.resolve("readable");
  };
  const app = mediaApp(context, { check });
  await Promise.all([upload(app, IMAGES["image/webp"]), upload(app, IMAGES["image/webp"])]);
  await upload(app, IMAGES["image/webp"]);
  assertEquals(decoded, ["image/webp"]);

  const large = IMAGES["image/jpeg"].slice();
  const frame = large.findIndex((byte, at) =>
    byte === 0xff && [0xc0, 0xc2].includes(large[at + 1]!)
  );
  const height = TRANSFORM_PIXELS_MAX / 4_000 + 1;
  large.set([height >> 8, height & 255, 4_000 >> 8, 4_000 & 255], frame + 5);
  const { id } = await upload(app, large, "large.jpg");
  const medium = (await findMedia(context, id))!;
  assertEquals([decoded.length, medium.height], [1, height]);
  assertEquals(srcsetOf("/media/x", medium), "");
});

Deno.test("an upload is accepted if the codec itself fails; the image has no variants", async () => {
  await using context = await testContext();
  const app = mediaApp(context, { check: () => Promise.reject(new Error("too slow")) });
  const { id } = await upload(app);
  assertEquals((await findMedia(context, id))!.asIs, true);
});

Deno.test("a medium of an earlier release that the codec refuses stops being offered in sizes", async () => {
  await using context = await testContext();
  let asked = 0;
  const codec = () => {
    asked += 1;
    return Promise.reject(malformedImage("a format that this codec does not know"));
  };
  const app = mediaApp(context, { settings: ON, codec });
  const { id, url } = await upload(app, IMAGES["image/png"]);
  const before = (await findMedia(context, id)) as MediaState;
  assertEquals(before.asIs, undefined);
  for (const _ of [1, 2]) {
    const response = await app.request(`${url}?w=160`);
    assertEquals(response.headers.get("content-type"), "image/png");
    await response.body?.cancel();
  }
  assertEquals([asked, (await findMedia(context, id))!.asIs], [1, true]);
});
