/**
 * What every object store promises, as test steps that each implementation runs.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { ObjectStore } from "../../../kv/objects/object_store.ts";
import { documentPartPath, mediaPath, snapshotPath } from "../../../kv/objects/paths.ts";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/** Keys that would leave the folder, or that some store could not hold. */
export const HOSTILE_KEYS = [
  "",
  "/",
  "/etc/passwd",
  "media/",
  "media//a",
  ".",
  "..",
  "../outside",
  "media/../../outside",
  "media/./a",
  "media/a\u0000b",
  "media/a\nb",
  "media/\ud800",
  `media/${"a".repeat(256)}`,
  "a/".repeat(512) + "a",
];

/** Keys that look dangerous and must simply work. */
export const ODD_KEYS = [
  "media/.hidden",
  "media/trailing.",
  "media/...",
  "media/..%2F..%2Foutside",
  "media/%2e%2e",
  "media/a b+c&d=e?f#g",
  "media/back\\slash",
  "media/C:",
  "media/näïve-日本-🙂",
  "media/\ufeffmark",
  "media/~",
  "media/'\"<>|*",
];

/** Bytes that no text codec leaves as they are. */
export function noise(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let index = 0; index < length; index++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    bytes[index] = state >> 16;
  }
  return bytes;
}

/** `bytes` in pieces; with `failAfter`, an error instead of the piece with that number. */
export function streamOf(
  bytes: Uint8Array,
  options: { pieceBytes?: number; failAfter?: number } = {},
): ReadableStream<Uint8Array> {
  const pieceBytes = options.pieceBytes ?? 65_536;
  let piece = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (piece === options.failAfter) {
        controller.error(new Error("The stream broke"));
        return;
      }
      const start = piece++ * pieceBytes;
      if (start < bytes.byteLength) controller.enqueue(bytes.slice(start, start + pieceBytes));
      else controller.close();
    },
  }, { highWaterMark: 0 });
}

/** Fails unless both hold the same bytes; quick for large ones, unlike a deep comparison. */
export function assertBytes(actual: Uint8Array | null, expected: Uint8Array, message = ""): void {
  assertEquals(actual?.byteLength, expected.byteLength, `${message}: length differs`);
  const i = expected.findIndex((byte, index) => byte !== actual![index]);
  assertEquals(i, -1, `${message}: byte ${i} differs`);
}

async function keysOf(objects: ObjectStore, prefix: string, after?: string): Promise<string[]> {
  return (await Array.fromAsync(objects.list(prefix, after))).map(({ key }) => key);
}

async function bytesOf(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  return stream === null ? null : await new Response(stream as BodyInit).bytes();
}

/** What an S3 server used in tests gets wrong, so that the client cannot be blamed for it. */
export interface ServerQuirks {
  /** Lists folder by folder instead of key by key. */
  unordered?: true;
  /** Fails when a key is also a folder. */
  folders?: true;
  /** Fails, or mixes the bodies, when a key is put twice at once. */
  races?: true;
}

/** Runs every promise as a step of `t`. */
export async function assertObjectStore(
  t: Deno.TestContext,
  objects: ObjectStore,
  quirks: ServerQuirks = {},
): Promise<void> {
  await t.step("put() and get() keep the bytes and replace what was there", async () => {
    const key = documentPartPath(ID, "data");
    const body = noise(300_000);

    await objects.put(key, noise(10, 7));
    await objects.put(key, body, { contentType: "application/json" });

    assertBytes(await objects.get(key), body);
    assertEquals((await objects.head(key))?.bytes, 300_000);
  });

  await t.step("put() keeps an empty object, which is not an absent one", async () => {
    await objects.put("media/empty", new Uint8Array());

    assertEquals(await objects.get("media/empty"), new Uint8Array());
    assertEquals((await objects.head("media/empty"))?.bytes, 0);
  });

  await t.step("get(), getStream() and head() answer null for what is absent", async () => {
    assertEquals(await objects.get("media/absent"), null);
    assertEquals(await objects.getStream("media/absent"), null);
    assertEquals(await objects.getStream("media/absent", { start: 0, end: 5 }), null);
    assertEquals(await objects.head("media/absent"), null);
    if (!quirks.folders) assertEquals(await objects.get("media"), null);
  });

  await t.step("putStream() stores a stream of unknown length exactly", async () => {
    for (const length of [0, 1, 65_536, 11_000_003]) {
      const body = noise(length, length + 1);
      const { bytes } = await objects.putStream(mediaPath(`stream-${length}`), streamOf(body));

      assertEquals(bytes, length);
      assertBytes(await objects.get(mediaPath(`stream-${length}`)), body);
    }
  });

  await t.step("putStream() leaves nothing when the stream fails", async () => {
    for (const pieceBytes of [1_000, 3_000_000]) {
      const body = noise(9_000_000);
      const broken = streamOf(body, { pieceBytes, failAfter: 2 });

      await assertRejects(() => objects.putStream("media/broken", broken), Error, "stream broke");
      assertEquals(await objects.head("media/broken"), null);
    }
  });

  await t.step("putStream() that fails keeps the object that was there", async () => {
    await objects.put("media/kept", noise(5));
    const broken = streamOf(noise(100), { pieceBytes: 10, failAfter: 3 });

    await assertRejects(() => objects.putStream("media/kept", broken), Error, "stream broke");

    assertEquals(await objects.get("media/kept"), noise(5));
    await objects.delete("media/kept");
  });

  await t.step("getStream() answers ranges with an exclusive end", async () => {
    const body = noise(200_000);
    await objects.put("media/range", body);
    const range = async (start: number, end?: number) =>
      await bytesOf(
        await objects.getStream("media/range", end === undefined ? { start } : { start, end }),
      );

    assertBytes(await bytesOf(await objects.getStream("media/range")), body);
    assertBytes(await range(0, 1), body.slice(0, 1));
    assertBytes(await range(70_000, 140_001), body.slice(70_000, 140_001));
    assertBytes(await range(199_999), body.slice(199_999));
    assertBytes(await range(150_000, 900_000), body.slice(150_000));
    assertBytes(await range(7, 7), new Uint8Array());
    assertBytes(await range(300_000), new Uint8Array());
  });

  await t.step("getStream() may be left half-read", async () => {
    for (const range of [undefined, { start: 10 }, { start: 10, end: 190_000 }]) {
      const reader = (await objects.getStream("media/range", range))!.getReader();
      await reader.read();
      await reader.cancel();
    }
  });

  await t.step("delete() removes, and is content when there is nothing", async () => {
    await objects.put("media/gone/deep", noise(3));

    await objects.delete("media/gone/deep");
    await objects.delete("media/gone/deep");

    assertEquals(await objects.head("media/gone/deep"), null);
    await objects.put("media/gone/deep", noise(4));
    assertEquals(await objects.get("media/gone/deep"), noise(4));
    await objects.delete("media/gone/deep");
  });

  await t.step("list() answers every key below a prefix in the order of bytes", async () => {
    const keys = ["list/b/2", "list/b-1", "list/b/10", "list/a", "list/B", "list/b.x", "lists/no"];
    for (const key of keys) await objects.put(key, noise(key.length));

    const listed = await keysOf(objects, "list/");
    assertEquals(quirks.unordered ? listed.sort() : listed, [
      "list/B",
      "list/a",
      "list/b-1",
      "list/b.x",
      "list/b/10",
      "list/b/2",
    ]);
    assertEquals(await keysOf(objects, "list/b/1"), ["list/b/10"]);
    assertEquals(await keysOf(objects, "nothing/"), []);
    if (!quirks.unordered) {
      assertEquals(await keysOf(objects, "list/", "list/b.x"), ["list/b/10", "list/b/2"]);
      assertEquals(await keysOf(objects, "list/", "list/b/10"), ["list/b/2"]);
      assertEquals(await keysOf(objects, "list/", "list/b/2"), []);
    }
    const [info] = await Array.fromAsync(objects.list("list/B"));
    assertEquals(info?.bytes, 6);
    for (const key of keys) await objects.delete(key);
  });

  await t.step("odd keys are kept apart and listed as they were given", async () => {
    for (const [index, key] of ODD_KEYS.entries()) await objects.put(key, noise(index + 1));

    for (const [index, key] of ODD_KEYS.entries()) {
      assertEquals(await objects.get(key), noise(index + 1), key);
    }
    const listed = new Set(await keysOf(objects, "media/"));
    assertEquals(ODD_KEYS.filter((key) => !listed.has(key)), []);
    for (const key of ODD_KEYS) await objects.delete(key);
  });

  await t.step("hostile keys are refused by every method", async () => {
    for (const key of HOSTILE_KEYS) {
      await assertRejects(() => objects.put(key, noise(1)), RangeError, "key");
      await assertRejects(() => objects.putStream(key, streamOf(noise(1))), RangeError, "key");
      await assertRejects(() => objects.get(key), RangeError, "key");
      await assertRejects(() => objects.getStream(key), RangeError, "key");
      await assertRejects(() => objects.head(key), RangeError, "key");
      await assertRejects(() => objects.delete(key), RangeError, "key");
    }
  });

  if (quirks.races) return;
  await t.step("concurrent puts of one key leave one of them whole", async () => {
    const key = snapshotPath("document", ID, ID);
    const bodies = [1, 2, 3, 4].map((seed) => noise(50_000, seed));

    await Promise.all(bodies.map((body) => objects.put(key, body)));

    const stored = await objects.get(key);
    assert(bodies.some((body) => body.every((byte, index) => byte === stored?.[index])));
  });
}
