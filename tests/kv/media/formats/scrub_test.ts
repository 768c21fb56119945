import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { pictureSize } from "../../../../kv/media/media_bytes.ts";
import type { PictureMime } from "../../../../kv/model/entities/media.ts";
import { scrub } from "../../../../kv/media/formats/scrub.ts";
import { joinBytes } from "../../../../kv/objects/object_bytes.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import {
  exifPayload,
  IMAGES,
  pngChunk,
  SECRET_PLACE,
  talkativeJpeg,
} from "../../../support/sites/images.ts";
import { assertBytes, streamOf } from "../../../support/stores/object_store_contract.ts";
import { PHOTOGRAPHS } from "../../../support/browser/photographs.ts";

const encoder = new TextEncoder();

async function scrubbed(mime: PictureMime, bytes: Uint8Array, pieceBytes = 7): Promise<Uint8Array> {
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
      assertBytes(await scrubbed(mime as PictureMime, bytes, pieceBytes), bytes, mime);
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

Deno.test("scrub() blanks what does not belong to a frame in an animated WebP", async () => {
  const plain = IMAGES["image/webp"];
  const chunk = (type: string, payload: Uint8Array) => {
    const head = new Uint8Array(8);
    head.set(encoder.encode(type));
    new DataView(head.buffer).setUint32(4, payload.byteLength, true);
    return joinBytes([head, payload, new Uint8Array(payload.byteLength % 2)]);
  };
  const frame = joinBytes([
    new Uint8Array(16),
    plain.subarray(12),
    chunk("EXIF", exifPayload(1)),
    chunk("NOTE", encoder.encode(SECRET_PLACE)),
  ]);
  const body = joinBytes([
    encoder.encode("WEBP"),
    chunk("VP8X", Uint8Array.of(0b10, 0, 0, 0, 5, 0, 0, 3, 0, 0)),
    chunk("ANIM", new Uint8Array(6)),
    chunk("ANMF", frame),
    chunk("ANMF", frame),
  ]);
  const webp = chunk("RIFF", body);

  for (const pieceBytes of [1, 7, 10_000]) {
    const bytes = await scrubbed("image/webp", webp, pieceBytes);
    assertSilent(bytes);
    assertEquals(bytes.byteLength, webp.byteLength);
    assertEquals(textOf(bytes).split("VP8 ").length, 3);
    assertEquals(textOf(bytes).split("JUNK").length, 5);
  }
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
      for (const [index, byte] of changes) if (index < bytes.length) bytes[index] = byte;
      try {
        const result = await scrubbed(mime as PictureMime, bytes);
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

Deno.test("scrub() leaves no place in photographs of any type, and a picture that decodes", async () => {
  const decoders = {
    "image/avif": async (bytes: ArrayBuffer) => await (await import("@jsquash/avif")).decode(bytes),
    "image/webp": async (bytes: ArrayBuffer) => await (await import("@jsquash/webp")).decode(bytes),
    "image/png": async (bytes: ArrayBuffer) => await (await import("@jsquash/png")).decode(bytes),
    "image/jpeg": async (bytes: ArrayBuffer) => await (await import("@jsquash/jpeg")).decode(bytes),
  };
  for (const [mime, bytes] of Object.entries(PHOTOGRAPHS)) {
    const decode = decoders[mime as keyof typeof decoders];
    assert(textOf(bytes).includes("GPS"), mime);
    const before = await decode(bytes.slice().buffer);
    for (const pieceBytes of [1, 13, 10_000]) {
      const clean = await scrubbed(mime as PictureMime, bytes, pieceBytes);

      assertSilent(clean);
      assert(!/xmpmeta|Secret|47,22/.test(textOf(clean)), mime);
      assertEquals(pictureSize(clean), { width: 8, height: 6 }, mime);
      const after = await decode(clean.slice().buffer);
      assertEquals(after?.data, before?.data, mime);
    }
  }
});

Deno.test("scrub() writes EXIF and XMP of an AVIF over in their places", async () => {
  const bytes = PHOTOGRAPHS["image/avif"];

  const clean = await scrubbed("image/avif", bytes);

  assertEquals(clean.byteLength, bytes.byteLength);
  // What decoders find is an EXIF without an entry.
  assert(textOf(clean).includes("\0\0\0\0MM\0*\0\0\0\b\0\0"));
});

/** An AVIF whose boxes are in another order: what says which bytes are metadata comes last. */
function metaLast(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ftyp = view.getUint32(0);
  const meta = bytes.slice(ftyp, ftyp + view.getUint32(ftyp));
  const mdat = bytes.slice(ftyp + meta.byteLength);
  const shift = meta.byteLength;
  const text = textOf(meta);
  const iloc = new DataView(meta.buffer, text.indexOf("iloc") + 4);
  const count = iloc.getUint16(6);
  // Version 0, all numbers of four bytes, and a base that each place is counted from.
  assertEquals([iloc.getUint8(0), iloc.getUint16(4)], [0, 0x4440]);
  for (let item = 0; item < count; item++) {
    const base = 8 + item * 18 + 4;
    assertEquals(iloc.getUint16(base + 4), 1);
    iloc.setUint32(base, iloc.getUint32(base) - shift);
  }
  return joinBytes([bytes.subarray(0, ftyp), mdat, meta]);
}

Deno.test("scrub() finds the metadata of an AVIF that names them last, and behind its end", async () => {
  const turned = metaLast(PHOTOGRAPHS["image/avif"]);
  const secret = encoder.encode(SECRET_PLACE);
  const size = Uint8Array.of(0, 0, 0, 8 + secret.byteLength);
  const box = (type: string) => joinBytes([size, encoder.encode(type), secret]);
  const talkative = joinBytes([turned, box("uuid"), box("free"), box("what"), secret]);

  const clean = await scrubbed("image/avif", talkative);

  assertSilent(clean);
  assert(!textOf(clean).includes("xmpmeta"));
  assertEquals(pictureSize(clean), { width: 8, height: 6 });
  const { decode } = await import("@jsquash/avif");
  const picture = await decode(clean.slice().buffer as ArrayBuffer);
  const { data: pixels } = (await decode(PHOTOGRAPHS["image/avif"].slice().buffer))!;
  assertEquals(picture?.data, pixels);
});

Deno.test("scrub() takes comments, XMP and trailers out of a GIF, and keeps its animation", async () => {
  const plain = IMAGES["image/gif"];
  const secret = encoder.encode(SECRET_PLACE);
  const blocks = (payload: Uint8Array) =>
    joinBytes([Uint8Array.of(payload.byteLength), payload, Uint8Array.of(0)]);
  const application = (name: string, payload: Uint8Array) =>
    joinBytes([Uint8Array.of(0x21, 0xff, 11), encoder.encode(name), blocks(payload)]);
  const loop = application("NETSCAPE2.0", Uint8Array.of(1, 0, 0));
  const start = 13 + 6;
  const silent = joinBytes([plain.subarray(0, start), loop, plain.subarray(start)]);
  const talkative = joinBytes([
    plain.subarray(0, start),
    joinBytes([Uint8Array.of(0x21, 0xfe), blocks(secret)]),
    application("XMP DataXMP", secret),
    loop,
    application("ICCRGBG1013", secret),
    plain.subarray(start),
    secret,
  ]);
  for (const pieceBytes of [1, 5, 1_000]) {
    assertBytes(await scrubbed("image/gif", talkative, pieceBytes), silent);
  }
});

Deno.test("scrub() keeps the chunks of the picture itself alone, in PNG and WebP", async () => {
  const secret = encoder.encode(SECRET_PLACE);
  const png = IMAGES["image/png"];
  const end = png.byteLength - 12;
  const chunks = ["prVt", "caBX", "vpAg", "tEXt", "zzZz"].map((type) => pngChunk(type, secret));
  const kept = pngChunk("sPLT", encoder.encode("palette"));
  const talkative = joinBytes([png.subarray(0, end), ...chunks, kept, png.subarray(end)]);
  const clean = joinBytes([png.subarray(0, end), kept, png.subarray(end)]);
  assertBytes(await scrubbed("image/png", talkative), clean, "PNG");

  const webp = IMAGES["image/webp"];
  const unknown = joinBytes([
    encoder.encode("C2PA"),
    Uint8Array.of(secret.byteLength, 0, 0, 0),
    secret,
    new Uint8Array(secret.byteLength % 2),
  ]);
  const longer = joinBytes([webp, unknown]);
  new DataView(longer.buffer).setUint32(4, longer.byteLength - 8, true);
  assertSilent(await scrubbed("image/webp", longer));
});

function box(type: string, ...inside: Uint8Array[]): Uint8Array {
  const content = joinBytes(inside);
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, content.byteLength + 8);
  head.set(encoder.encode(type), 4);
  return joinBytes([head, content]);
}

Deno.test("scrub() takes places and names out of films, and moves nothing", async () => {
  const secret = encoder.encode(SECRET_PLACE);
  const media = encoder.encode("frames and sound");
  const trak = (more: Uint8Array[]) =>
    box("trak", box("tkhd", media), box("mdia", box("mdhd", media), box("minf", media)), ...more);
  const film = (hidden: boolean) => {
    const blank = new Uint8Array(secret.byteLength);
    const hide = (type: string) => box(hidden ? type : "free", hidden ? secret : blank);
    return joinBytes([
      box("ftyp", encoder.encode("qt  0000qt  ")),
      hide("uuid"),
      box(
        "moov",
        box("mvhd", media),
        trak([hide("udta"), hide("meta")]),
        hide("udta"),
        hide("meta"),
      ),
      hide("meta"),
      box("mdat", media),
      hide("free"),
    ]);
  };

  for (const pieceBytes of [1, 7, 10_000]) {
    const bytes = joinBytes(
      await Array.fromAsync(scrub("video/quicktime", streamOf(film(true), { pieceBytes }))),
    );
    assertBytes(bytes, film(false), `pieces of ${pieceBytes}`);
  }
});
