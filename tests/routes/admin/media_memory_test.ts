import { assert, assertEquals } from "@std/assert";
import { FileObjects } from "../../../kv/objects/files.ts";
import { joinBytes } from "../../../kv/objects/object_bytes.ts";
import type { ObjectStore } from "../../../kv/objects/object_store.ts";
import { S3Objects } from "../../../kv/objects/s3.ts";
import { NOON, testContext } from "../../support/context.ts";
import { IMAGES } from "../../support/images.ts";
import { mediaApp, upload } from "../../support/media_app.ts";
import { noise } from "../../support/object_store_contract.ts";
import { startS3Sink } from "../../support/s3_sink.ts";

const encoder = new TextEncoder();
/** Pieces that a picture of 24,969,216 bytes is padded with; all are the same array, so only copies cost memory. */
const PIECES = 381;

/** A form with a large PNG, which exists piece by piece only. */
function largeForm(): ReadableStream<Uint8Array> {
  const piece = noise(65_536);
  const png = IMAGES["image/png"];
  const chunk = new Uint8Array(8);
  new DataView(chunk.buffer).setUint32(0, PIECES * piece.byteLength);
  chunk.set(encoder.encode("paDd"), 4);
  const part = `--B\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
  const first = joinBytes([encoder.encode(part), png.subarray(0, 33), chunk]);
  const last = joinBytes([new Uint8Array(4), png.subarray(33), encoder.encode("\r\n--B--\r\n")]);
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

/** Uploads 25 MB into an object store; answers by how many megabytes the process grew meanwhile. */
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

Deno.test("POST /api/admin/media streams 25 MB while memory grows by less than 40 MB", async () => {
  const folder = await Deno.makeTempDir();

  const grownMb = await growth(new FileObjects(folder, { now: () => NOON }));

  assert(grownMb < 40, `memory grew by ${grownMb} MB`);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("POST /api/admin/media streams 25 MB into S3 while memory grows by less than 40 MB", async () => {
  await using sink = await startS3Sink();
  const objects = new S3Objects({
    bucket: "objects",
    endpoint: sink.endpoint,
    credentials: { accessKeyId: "sink", secretAccessKey: "sink" },
  });

  const grownMb = await growth(objects);

  assert(grownMb < 40, `memory grew by ${grownMb} MB`);
  await objects.close();
});
