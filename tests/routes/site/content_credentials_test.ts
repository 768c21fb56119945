/** Content Credentials (C2PA) are found before a file is cleaned, kept beside it, and served. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { SWEEP_START, sweepMedia, type SweepPosition } from "../../../jobs/kinds/sweep_media.ts";
import type { Context } from "../../../kv/context.ts";
import { isManifestStore } from "../../../kv/media/formats/content_credentials.ts";
import { deleteMedia, findMedia } from "../../../kv/media/media.ts";
import { PictureStructure } from "../../../kv/media/formats/picture_structure.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { type MediaView, type PictureMime, renamedFor } from "../../../kv/model/entities/media.ts";
import { joinBytes } from "../../../kv/objects/object_bytes.ts";
import { mediaPath } from "../../../kv/objects/paths.ts";
import { testContext } from "../../support/harness/context.ts";
import { IMAGES, jpegSegment } from "../../support/sites/images.ts";
import { formOf, mediaApp, objectKeys, upload } from "../../support/sites/media_app.ts";
import { MANIFEST_BYTES, SIGNED_PICTURES } from "../../support/signed_pictures.ts";

const DAY = 86_400_000;
const SIGNED = Object.entries(SIGNED_PICTURES) as [PictureMime, Uint8Array<ArrayBuffer>][];

async function bytesOf(context: Context, { id }: MediaView): Promise<Uint8Array> {
  return (await context.objects.get(mediaPath((await findMedia(context, id))!.object)))!;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

async function sweep(context: Context): Promise<void> {
  for (let place: SweepPosition | null = SWEEP_START; place !== null;) {
    place = (await sweepMedia(context, place)).next;
  }
}

for (const [mime, signed] of SIGNED) {
  Deno.test(`${mime}: a manifest is taken out of the file whole, kept, and served`, async () => {
    await using context = await testContext();
    const app = mediaApp(context);

    const medium = await upload(app, signed, renamedFor("lake.png", mime));

    const stored = await bytesOf(context, medium);
    assert(!/c2pa|C2PA|caBX|jumb/.test(textOf(stored)), "Something of the manifest is left");
    assert(stored.byteLength < 1_000 || mime === "image/avif", `${stored.byteLength} bytes`);
    const structure = new PictureStructure(mime);
    structure.push(stored);
    assert(structure.facts().isWhole);
    assertEquals(medium.credentials, {
      url: `/media/${medium.id}/credentials.c2pa`,
      bytes: MANIFEST_BYTES[mime as keyof typeof MANIFEST_BYTES],
      embedded: false,
      signer: "Photo Desk",
      organization: "Example News",
      generator: "Example Camera 2.1",
      verified: false,
    });

    const file = await app.request(medium.url);
    await file.body?.cancel();
    const link = `</media/${medium.id}/credentials.c2pa>; rel="c2pa-manifest"`;
    assertEquals(file.headers.get("link"), link);
    const manifest = await app.request(medium.credentials!.url);
    const bytes = await manifest.bytes();
    assertEquals(
      [manifest.status, manifest.headers.get("content-type"), bytes.byteLength],
      [200, "application/c2pa", medium.credentials!.bytes],
    );
    assert(isManifestStore(bytes));
    const etag = manifest.headers.get("etag")!;
    const again = await app.request(medium.credentials!.url, {
      headers: { "if-none-match": etag },
    });
    assertEquals(again.status, 304);
  });

  Deno.test(`${mime}: media.keepCredentials keeps a signed file as it came`, async () => {
    await using context = await testContext();
    const app = mediaApp(context, { settings: { "media.keepCredentials": true } });

    const medium = await upload(app, signed, renamedFor("lake.png", mime));

    assertEquals(await bytesOf(context, medium), signed);
    assertEquals([medium.credentials?.embedded, medium.bytes], [true, signed.byteLength]);
    assertEquals((await objectKeys(context, "media/")).length, 2);
  });
}

Deno.test("media.keepCredentials cleans what carries no credentials, and leaves one object", async () => {
  await using context = await testContext();
  const app = mediaApp(context, { settings: { "media.keepCredentials": true } });
  const plain = IMAGES["image/jpeg"];
  const secret = jpegSegment(0xfe, new TextEncoder().encode("GPS 47.3"));
  const medium = await upload(app, joinBytes([plain.subarray(0, 2), secret, plain.subarray(2)]));
  assertEquals(await bytesOf(context, medium), plain);
  assertEquals(medium.credentials, undefined);
  assertEquals((await objectKeys(context, "media/")).length, 1);
});

Deno.test("a JPEG manifest in many segments, in any order, is put together", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const signed = SIGNED_PICTURES["image/jpeg"];
  const { credentials } = await upload(app, signed, "a.jpg");
  const manifest = await (await app.request(credentials!.url)).bytes();
  const segments: Uint8Array[] = [];
  for (let at = 8, n = 1; at < manifest.length; at += 3_000, n++) {
    const head = Uint8Array.of(0x4a, 0x50, 0, 7, 0, 0, 0, n);
    const parts = [head, manifest.subarray(0, 8), manifest.subarray(at, at + 3_000)];
    segments.push(jpegSegment(0xeb, joinBytes(parts)));
  }
  const [first, second, ...others] = segments;
  const plain = IMAGES["image/jpeg"];
  // The first segment tells what the box is; the others follow as they like.
  const split = [plain.subarray(0, 2), first!, ...others.toReversed(), second!, plain.subarray(2)];
  const medium = await upload(app, joinBytes(split), "b.jpg");
  assertEquals(medium.credentials?.signer, "Photo Desk");
  assertEquals(await (await app.request(medium.credentials!.url)).bytes(), manifest);
});

Deno.test("JUMBF boxes of other types, and manifests that cannot be read, name no signer", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const plain = IMAGES["image/jpeg"];
  const other = new TextEncoder().encode("JP\0\x01\0\0\0\x01\0\0\0\x28jumb\0\0\0\x18jumdJPEG");
  const foreign = await upload(
    app,
    joinBytes([plain.subarray(0, 2), jpegSegment(0xeb, other), plain.subarray(2)]),
    "other.jpg",
  );
  assertEquals(foreign.credentials, undefined);

  const broken = SIGNED_PICTURES["image/png"].slice();
  // Behind the head of the store everything is damaged, the chunk itself is not.
  broken.fill(0xff, 120, broken.length - 200);
  const { credentials } = await upload(app, broken, "broken.png");
  assertEquals([credentials?.signer, credentials?.verified], [null, false]);
});

Deno.test("a sweep keeps a manifest as long as its medium, and no longer", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const kept = await upload(app, SIGNED_PICTURES["image/png"], "kept.png");
  const doomed = await upload(app, SIGNED_PICTURES["image/jpeg"], "doomed.jpg");
  await deleteMedia(context, UNATTENDED, doomed.id);
  assertEquals((await objectKeys(context, "media/")).length, 4);
  context.advance(32 * DAY);
  await sweep(context);
  const manifest = (await findMedia(context, kept.id))!.credentials!;
  const keys = await objectKeys(context, "media/");
  assertEquals(keys.length, 2);
  assert(keys.includes(mediaPath(manifest.object)));
  assertEquals((await app.request(doomed.credentials!.url)).status, 404);
});

Deno.test("an equal file with other credentials shares the bytes and keeps its own manifest", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const plain = await upload(app, IMAGES["image/png"], "plain.png");
  const signed = await upload(app, SIGNED_PICTURES["image/png"], "signed.png");
  const [first, second] = [await findMedia(context, plain.id), await findMedia(context, signed.id)];
  assertEquals(first!.object, second!.object);
  assertEquals([plain.credentials, signed.credentials?.signer], [undefined, "Photo Desk"]);

  // Its credentials come later, with the same bytes; and go with other bytes.
  const put = async (bytes: Uint8Array, name: string) => {
    const body = formOf(bytes, name);
    const address = `/api/admin/media/${plain.id}/file`;
    return await (await app.request(address, { method: "PUT", body })).json() as MediaView;
  };
  const later = await put(SIGNED_PICTURES["image/png"], "plain.png");
  assertEquals(later.credentials?.signer, "Photo Desk");
  assertEquals((await put(IMAGES["image/jpeg"], "plain.jpg")).credentials, undefined);
});
