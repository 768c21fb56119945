/** Sounds and films lose what is said about them, and nothing of what is heard and seen. */
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import fc from "fast-check";
import { sniffType } from "../../../../kv/media/file_bytes.ts";
import { isFilm, scrub } from "../../../../kv/media/formats/scrub.ts";
import type { MediaMime } from "../../../../kv/model/entities/media.ts";
import { joinBytes } from "../../../../kv/objects/object_bytes.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { SECRET_PLACE } from "../../../support/sites/images.ts";
import { streamOf } from "../../../support/stores/object_store_contract.ts";
import { RECORDINGS } from "../../../support/recordings.ts";

async function scrubbed(mime: MediaMime, bytes: Uint8Array, pieceBytes = 37): Promise<Uint8Array> {
  assert(isFilm(mime), `${mime} is published as it comes`);
  return joinBytes(await Array.fromAsync(scrub(mime, streamOf(bytes, { pieceBytes }))));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

/** The bytes of a WebM element or of a RIFF chunk that holds what is heard or seen. */
function soundIn(bytes: Uint8Array, start: string): string {
  const text = textOf(bytes);
  return text.slice(text.indexOf(start));
}

for (const [name, { mime, bytes }] of Object.entries(RECORDINGS)) {
  Deno.test(`scrub() takes title, artist, comment and place out of ${name}`, async () => {
    assert(textOf(bytes).includes(SECRET_PLACE));
    const clean = await scrubbed(mime, bytes);
    assert(!textOf(clean).includes("GPS"), "A place is left");
    // The first frame of an MP3 names its encoder, by which players know what to skip.
    if (mime !== "audio/mpeg") assert(!textOf(clean).includes("Lavf"), "A program is left");
    assertEquals(await sniffType(clean), mime);
    if (mime !== "audio/mpeg") assertEquals(clean.byteLength, bytes.byteLength);
    assertEquals(await scrubbed(mime, clean), clean, "What is clean stays as it is");
    assertEquals(await scrubbed(mime, bytes, 1), clean);
    assertEquals(await scrubbed(mime, bytes, 100_000), clean);
  });
}

Deno.test("scrub() leaves the sound of each recording as it was", async () => {
  const clean = async (name: keyof typeof RECORDINGS) => {
    const { mime, bytes } = RECORDINGS[name];
    return [bytes, await scrubbed(mime, bytes)] as const;
  };
  const [mp3, cleanMp3] = await clean("MP3");
  const sound = soundIn(cleanMp3, "\xff\xfb");
  assert(sound.length > 1_000 && textOf(mp3).includes(sound));
  for (
    const [name, start] of [
      ["WAV", "data"],
      ["FLAC", "\xff\xf8"],
      ["Opus in WebM", "\x1f\x43\xb6\x75"],
      ["VP8 in WebM", "\x1f\x43\xb6\x75"],
    ] as const
  ) {
    const [before, after] = await clean(name);
    // Tags may stand behind the sound, where they become zeros.
    const [wanted, found] = [soundIn(before, start), soundIn(after, start)];
    assert(found.length > 100 && found.slice(0, 300) === wanted.slice(0, 300), name);
  }
  for (const name of ["Opus", "Vorbis", "FLAC in Ogg"] as const) {
    const [before, after] = await clean(name);
    const last = (text: string) => text.slice(text.lastIndexOf("OggS"));
    assertEquals(last(textOf(after)), last(textOf(before)), name);
  }
});

Deno.test("the checksum of an Ogg page that is made again is that of its encoder", async () => {
  const { mime, bytes } = RECORDINGS["Opus"];
  const clean = await scrubbed(mime, bytes);
  const page = textOf(clean).indexOf("OggS", 1);
  // Scrubbing makes the checksum of the comments' page again; a wrong one comes out as the right one.
  const wrong = clean.slice();
  wrong.fill(0xee, page + 22, page + 26);
  assertEquals(await scrubbed(mime, wrong), clean);
  assert(!clean.subarray(page + 22, page + 26).every((byte) => byte === 0xee));
});

Deno.test("scrub() survives damaged recordings: bytes come out, or a refusal", async () => {
  const recordings = fc.constantFrom(...Object.values(RECORDINGS));
  const damage = fc.array(fc.tuple(fc.nat(2_000), fc.nat(255)), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(recordings, damage, fc.nat(3_000), async (recording, changes, length) => {
      const bytes = recording.bytes.slice(0, length);
      for (const [index, byte] of changes) if (index < bytes.length) bytes[index] = byte;
      await scrubbed(recording.mime, bytes).catch((error) => {
        if (!(error instanceof Refusal)) throw error;
      });
    }),
    { numRuns: 300 },
  );
});
