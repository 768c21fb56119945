import { assert, assertEquals, assertRejects } from "@std/assert";
import { MEDIA_BYTES_MAX } from "../../../kv/limits/media.ts";
import { UPLOAD_BYTES_PER_SECOND_MIN, UPLOAD_GRACE_MS } from "../../../kv/limits/requests.ts";

import { Refusal } from "../../../kv/refusals.ts";
import { readMultipart } from "../../../routes/input/multipart.ts";
import type { Pace } from "../../../routes/input/arrival.ts";

const encoder = new TextEncoder();
const HEAD = `--B\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;

function requestOf(body: ReadableStream<Uint8Array>): Request {
  const headers = { "content-type": "multipart/form-data; boundary=B" };
  return new Request("http://localhost/", { method: "POST", headers, body });
}

async function read(
  body: ReadableStream<Uint8Array>,
  options: { now: () => number; pace?: Pace },
): Promise<number> {
  let bytes = 0;
  await readMultipart(requestOf(body), {
    bytesMax: 1_000_000,
    fieldsMax: 1,
    onFile: async ({ stream }) => {
      for await (const piece of stream) bytes += piece.byteLength;
    },
    ...options,
  });
  return bytes;
}

/** A body of `pieces` bytes that takes `ms` for each of them, by the clock that it moves. */
function trickle(clock: { now: number }, pieces: number, ms: number) {
  let sent = -1;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      if (sent === 0) return controller.enqueue(encoder.encode(HEAD));
      clock.now += ms;
      if (sent <= pieces) return controller.enqueue(encoder.encode("x"));
      controller.enqueue(encoder.encode("\r\n--B--\r\n"));
      controller.close();
    },
    cancel: () => void (cancelled = true),
  }, { highWaterMark: 0 });
  return { body, wasCancelled: () => cancelled };
}

Deno.test("readMultipart() refuses who trickles, and lets the connection go", async () => {
  const clock = { now: 0 };
  const { body, wasCancelled } = trickle(clock, 1_000, 1_000);

  const refusal = await assertRejects(() => read(body, { now: () => clock.now }), Refusal);

  assertEquals(refusal.code, "BODY_INVALID");
  assertEquals(refusal.message.endsWith("multipart: it is arriving too slowly"), true);
  assertEquals(clock.now <= UPLOAD_GRACE_MS + 2_000, true, String(clock.now));
  assertEquals(wasCancelled(), true);
});

Deno.test("readMultipart() refuses who stands still, and does not cancel the read that waits", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(HEAD)),
    cancel: () => void (cancelled = true),
  });
  const pace = { graceMs: 10, bytesPerSecond: 1_000_000 };

  const refusal = await assertRejects(() => read(body, { now: () => 0, pace }), Refusal);

  assertEquals(refusal.code, "BODY_INVALID");
  // Deno would never close the connection of a read that was cancelled.
  assertEquals(cancelled, false);
});

Deno.test("readMultipart() waits for who is slow but fast enough", async () => {
  const clock = { now: 0 };
  const { body } = trickle(clock, 15, 1_000);

  assertEquals(await read(body, { now: () => clock.now }), 15);
});

Deno.test("the largest upload may take a quarter of an hour, and not much more", () => {
  const seconds = UPLOAD_GRACE_MS / 1_000 + MEDIA_BYTES_MAX / UPLOAD_BYTES_PER_SECOND_MIN;
  assertEquals(seconds > 900 && seconds < 1_200, true, String(seconds));
});

Deno.test("readMultipart() keeps no pieces of a file that it has passed on", async () => {
  const [pieces, pieceBytes] = [4_096, 65_536];
  let [sent, bytes, most] = [0, 0, 0];
  const before = Deno.memoryUsage().external;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      if (sent === 1) return controller.enqueue(encoder.encode(HEAD));
      if (sent <= pieces + 1) return controller.enqueue(new Uint8Array(pieceBytes));
      controller.enqueue(encoder.encode("\r\n--B--\r\n"));
      controller.close();
    },
  }, { highWaterMark: 0 });

  await readMultipart(requestOf(body), {
    bytesMax: 2 * pieces * pieceBytes,
    fieldsMax: 1,
    onFile: async ({ stream }) => {
      for await (const piece of stream) {
        bytes += piece.byteLength;
        most = Math.max(most, Deno.memoryUsage().external - before);
      }
    },
    now: Date.now,
  });

  assertEquals(bytes, pieces * pieceBytes);
  assert(most < bytes / 2, `${most} bytes were held`);
});
