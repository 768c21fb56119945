/** Pictures that no codec here can change are served as they are, and offered in one size. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { cutsOf, srcsetOf } from "../../../jobs/render/views/srcset.ts";
import { findMedia } from "../../../kv/media/media.ts";
import { currentKey } from "../../../kv/keys.ts";
import { mediaPath } from "../../../kv/objects/paths.ts";
import { joinBytes } from "../../../kv/objects/object_bytes.ts";
import { malformedImage } from "../../../kv/model/values/malformed_image.ts";
import type { MediaState } from "../../../kv/model/entities/media.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testContext } from "../../support/harness/context.ts";
import { IMAGES, jpegSegment, pngChunk } from "../../support/sites/images.ts";
import { mediaApp, upload } from "../../support/sites/media_app.ts";

const ON = { "images.transform_enabled": true };

function animatedWebp(): Uint8Array<ArrayBuffer> {
  const webp = IMAGES["image/webp"];
  const chunk = new Uint8Array(14);
  chunk.set(new TextEncoder().encode("ANIM"));
  chunk[4] = 6;
  const bytes = joinBytes([webp, chunk]);
  new DataView(bytes.buffer).setUint32(4, bytes.length - 8, true);
  return bytes;
}

function animatedPng(): Uint8Array<ArrayBuffer> {
  const png = IMAGES["image/png"];
  const chunk = pngChunk("acTL", new Uint8Array(8));
  return joinBytes([png.subarray(0, 33), chunk, png.subarray(33)]);
}

/** A JPEG with four components: its scan is nonsense, as no codec comes to look at it. */
function cmykJpeg(): Uint8Array<ArrayBuffer> {
  const components = [1, 2, 3, 4].flatMap((id) => [id, 0x11, 0]);
  return joinBytes([
    Uint8Array.of(0xff, 0xd8),
    jpegSegment(0xee, new TextEncoder().encode("Adobe\0d\0\0\0\0\x02")),
    jpegSegment(0xc0, Uint8Array.of(8, 0, 40, 0, 60, 4, ...components)),
    jpegSegment(0xda, Uint8Array.of(4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0)),
    Uint8Array.of(1, 2, 3, 0xff, 0xd9),
  ]);
}

for (
  const [name, bytes] of [
    ["an animated WebP", animatedWebp()],
    ["an animated PNG", animatedPng()],
    ["a CMYK JPEG", cmykJpeg()],
  ] as const
) {
  Deno.test(`${name} is answered whole in every size, and has no srcset`, async () => {
    await using context = await testContext();
    const app = mediaApp(context, { settings: ON });
    const { id, url } = await upload(app, bytes);
    const stored = await context.objects.get(mediaPath((await findMedia(context, id))!.object));
    for (const query of ["?w=160", "?w=160&h=160", "?format=png"]) {
      const response = await app.request(url + query);
      assertEquals([query, response.status], [query, 200]);
      assertEquals(await response.bytes(), stored, query);
    }
    const medium = (await findMedia(context, id))!;
    assertEquals(medium.asIs, true);
    assertEquals(srcsetOf(url, { ...medium, width: 4_000 }), "");
    const cuts = cutsOf(url, { ...medium, width: 4_000, height: 3_000 }, true);
    assert(Object.values(cuts).every(({ path, srcset }) => path === url && srcset === ""));
  });
}

Deno.test("a medium of an earlier release, which does not say so, is answered whole, too", async () => {
  await using context = await testContext();
  const app = mediaApp(context, { settings: ON });
  const { id, url } = await upload(app, animatedPng());
  const key = currentKey("media_metadata", id);
  const { value } = await context.store.get<{ body: Uint8Array }>(key);
  const { asIs, ...state } = JSON.parse(new TextDecoder().decode(value!.body)) as MediaState;
  assertEquals(asIs, true);
  const body = new TextEncoder().encode(JSON.stringify(state));
  await context.store.commit(new Operation().set(key, { ...value, body }));

  const response = await app.request(`${url}?w=160`);
  assertEquals([response.status, response.headers.get("content-type")], [200, "image/png"]);
  await response.body?.cancel();
});

Deno.test("a picture that a codec refuses is answered as it is", async () => {
  await using context = await testContext();
  const codec = () => Promise.reject(malformedImage("a format that this codec does not know"));
  const app = mediaApp(context, { settings: ON, codec });
  const { url } = await upload(app, IMAGES["image/png"]);
  const response = await app.request(`${url}?w=160`);
  assertEquals([response.status, response.headers.get("content-type")], [200, "image/png"]);
  assertEquals(response.headers.get("cache-control"), "public, max-age=300");
  await response.body?.cancel();
});

Deno.test("an upload that was cut off is refused", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  for (const mime of ["image/png", "image/jpeg", "image/webp"] as const) {
    const form = new FormData();
    const bytes = IMAGES[mime];
    form.set("file", new File([bytes.slice(0, bytes.length - 14)], "cut"));
    const response = await app.request("/api/admin/media", { method: "POST", body: form });
    const { error } = await response.json();
    assertEquals([mime, response.status, error.code], [mime, 415, "UNSUPPORTED_MEDIA_TYPE"]);
  }
});
