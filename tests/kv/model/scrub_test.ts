import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { pictureSize } from "../../../kv/model/media_bytes.ts";
import type { MediaMime } from "../../../kv/model/media.ts";
import { scrub } from "../../../kv/model/scrub.ts";
import { joinBytes } from "../../../kv/objects/object_bytes.ts";
import { Refusal } from "../../../kv/refusals.ts";
import {
  exifPayload,
  IMAGES,
  pngChunk,
  SECRET_PLACE,
  talkativeJpeg,
} from "../../support/images.ts";
import { assertBytes, streamOf } from "../../support/object_store_contract.ts";

const encoder = new TextEncoder();

async function scrubbed(mime: MediaMime, bytes: Uint8Array, pieceBytes = 7): Promise<Uint8Array> {
  return joinBytes(await Array.fromAsync(scrub(mime, streamOf(bytes, { pieceBytes }))));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

function assertSilent(bytes: Uint8Array): void {
  assert(!textOf(bytes).includes("GPS"), "A place is left");
}

Deno.test("scrub() leaves a picture without metadata as it is, however it arrives", async () => {
  for (const [mime, bytes] of Object.entries(IMAGES)) {
    for (const pieceBytes of [1, 2, 3, 64, 10_000]) {
      assertBytes(await scrubbed(mime as MediaMime, bytes, pieceBytes), bytes, mime);
    }
  }
});

Deno.test("scrub() takes places, comments, thumbnails and trailers out of a JPEG", async () => {
  const bytes = await scrubbed("image/jpeg", talkativeJpeg());

  assertSilent(bytes);
  assert(textOf(bytes).includes("ICC_PROFILE\0kept"));
  assertEquals(bytes.at(-2), 0xff);
  assertEquals(bytes.at(-1), 0xd9);
  assertEquals(pictureSize(bytes), { width: 6, height: 4 });
});

Deno.test("scrub() keeps the orientation of a JPEG, and nothing else of its EXIF", async () => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    const bytes = await scrubbed("image/jpeg", talkativeJpeg(orientation), 5);

    assertSilent(bytes);
    assertEquals(textOf(bytes).includes("Exif"), orientation !== 1);
    const turned = orientation >= 5 ? { width: 4, height: 6 } : { width: 6, height: 4 };
    assertEquals(pictureSize(bytes), turned, `orientation ${orientation}`);
  }
});

Deno.test("scrub() takes a JFIF thumbnail out", async () => {
  const plain = IMAGES["image/jpeg"];
  const thumbnail = encoder.encode(SECRET_PLACE);
  const payload = joinBytes([plain.subarray(6, 18), Uint8Array.of(2, 3), thumbnail]);
  const length = Uint8Array.of(0, payload.byteLength + 2);
  const jfif = joinBytes([plain.subarray(0, 4), length, payload, plain.subarray(20)]);

  assertBytes(await scrubbed("image/jpeg", jfif), plain);
});

Deno.test("scrub() takes texts, EXIF, times and trailers out of a PNG", async () => {
  const plain = IMAGES["image/png"];
  const secrets = ["eXIf", "tEXt", "zTXt", "iTXt", "tIME"]
    .map((type) => pngChunk(type, encoder.encode(SECRET_PLACE)));
  const talkative = joinBytes([
    plain.subarray(0, 33),
    ...secrets,
    plain.subarray(33),
    encoder.encode(SECRET_PLACE),
  ]);

  assertBytes(await scrubbed("image/png", talkative), plain);
});

Deno.test("scrub() blanks EXIF and XMP in a WebP and keeps it readable", async () => {
  const plain = IMAGES["image/webp"];
  const chunk = (type: string, payload: Uint8Array) => {
    const head = new Uint8Array(8);
    head.set(encoder.encode(type));
    new DataView(head.buffer).setUint32(4, payload.byteLength, true);
    return joinBytes([head, payload, new Uint8Array(payload.byteLength % 2)]);
  };
  const vp8x = chunk("VP8X", Uint8Array.of(0b1100, 0, 0, 0, 5, 0, 0, 3, 0, 0));
  const body = joinBytes([
    encoder.encode("WEBP"),
    vp8x,
    plain.subarray(12),
    chunk("EXIF", exifPayload(1)),
    chunk("XMP ", encoder.encode(SECRET_PLACE)),
  ]);
  const webp = joinBytes([chunk("RIFF", body), encoder.encode(SECRET_PLACE)]);

  const bytes = await scrubbed("image/webp", webp);

  assertSilent(bytes);
  assertEquals(bytes[20], 0);
  assertEquals(bytes.byteLength, 8 + body.byteLength);
  assertEquals(pictureSize(bytes), { width: 6, height: 4 });
});

Deno.test("scrub() survives damaged pictures: bytes come out, or a refusal", async () => {
  const images = fc.constantFrom(
    ...Object.entries(IMAGES),
    ["image/jpeg", talkativeJpeg(6)] as const,
  );
  const damage = fc.array(fc.tuple(fc.nat(700), fc.nat(255)), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(images, damage, fc.nat(800), async ([mime, image], changes, length) => {
      const bytes = image.slice(0, length);
      for (const [place, byte] of changes) if (place < bytes.length) bytes[place] = byte;
      try {
        const result = await scrubbed(mime as MediaMime, bytes);
        assert(result.byteLength <= bytes.byteLength + 40);
      } catch (error) {
        assert(error instanceof Refusal, String(error));
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("scrub() refuses a JPEG that stops being one", async () => {
  const broken = joinBytes([IMAGES["image/jpeg"].subarray(0, 20), encoder.encode("<html>")]);

  const refusal = await assertRejects(() => scrubbed("image/jpeg", broken), Refusal);

  assertEquals(refusal.code, "UNSUPPORTED_MEDIA_TYPE");
});
