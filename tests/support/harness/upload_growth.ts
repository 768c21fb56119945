/**
 * A process that uploads 25 MB into an object store and prints by how many megabytes it grew meanwhile: the
 * tests of one run share a process, and so its memory. Arguments: `files` and a folder, or `s3` and an endpoint.
 *
 * @module
 */
import { crc32 } from "node:zlib";
import { FileObjects } from "../../../kv/objects/files.ts";
import { joinBytes } from "../../../kv/objects/object_bytes.ts";
import type { ObjectStore } from "../../../kv/objects/object_store.ts";
import { S3Objects } from "../../../kv/objects/s3.ts";
import { assertEquals } from "./assert.ts";
import { NOON, testContext } from "./context.ts";
import { IMAGES } from "../sites/images.ts";
import { mediaApp, upload } from "../sites/media_app.ts";
import { noise } from "../stores/object_store_contract.ts";

const encoder = new TextEncoder();
/** Pieces that a picture of 24,969,216 bytes is padded with; all are the same array, so only copies cost memory. */
const PIECES = 381;

/** A form with a large PNG, which exists piece by piece only. */
function largeForm(): ReadableStream<Uint8Array> {
  const piece = noise(65_536);
  const png = IMAGES["image/png"];
  const chunk = new Uint8Array(8);
  new DataView(chunk.buffer).setUint32(0, PIECES * piece.byteLength);
  chunk.set(encoder.encode("sPLT"), 4);
  const part = `--B\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
  const first = joinBytes([encoder.encode(part), png.subarray(0, 33), chunk]);
  let sum = crc32(chunk.subarray(4));
  for (let n = 0; n < PIECES; n++) sum = crc32(piece, sum);
  const checksum = new Uint8Array(4);
  new DataView(checksum.buffer).setUint32(0, sum);
  const last = joinBytes([checksum, png.subarray(33), encoder.encode("\r\n--B--\r\n")]);
  let sent = -1;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === -1) controller.enqueue(first);
      else if (sent < PIECES) controller.enqueue(piece);
      else {
        controller.enqueue(last);
        controller.close();
      }
      sent += 1;
    },
  }, { highWaterMark: 0 });
}

async function growth(objects: ObjectStore): Promise<number> {
  await using context = await testContext();
  const app = mediaApp({ ...context, objects });
  await upload(app);
  const before = Deno.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => most = Math.max(most, Deno.memoryUsage().rss), 5);

  const response = await app.request("/api/admin/media", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=B" },
    body: largeForm(),
  });

  clearInterval(timer);
  assertEquals(response.status, 201);
  assertEquals((await response.json()).bytes > 24_900_000, true);
  return Math.round((most - before) / 1_000_000);
}

function objectsOf([kind, place]: string[]): ObjectStore {
  if (kind === "files") return new FileObjects(place!, { now: () => NOON });
  return new S3Objects({
    bucket: "objects",
    endpoint: place!,
    credentials: { accessKeyId: "sink", secretAccessKey: "sink" },
  });
}

console.log(await growth(objectsOf(Deno.args)));
Deno.exit();
