/** Stalled bodies and unread answers are aborted. */
import { linesOf } from "../../../routes/input/lines.ts";
import { Arrival, pacedBody } from "../../../routes/input/arrival.ts";
import { pacedAnswer } from "../../../routes/answers/paced_answer.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { assert, assertEquals, assertRejects } from "../../support/harness/assert.ts";

const PACE = { graceMs: 30, bytesPerSecond: 1_000 };
const never = <T>() => new Promise<T>(() => {});

/** Gives each piece when it is read, and then nothing more. */
function stalling(pieces: string[], cancelled: () => void = () => {}): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) return never();
      controller.enqueue(new TextEncoder().encode(next));
    },
    cancel: cancelled,
  }, { highWaterMark: 0 });
}

Deno.test("Arrival.wait() gives a body its grace, and more for the bytes that have come", async () => {
  const short = new Arrival({ pace: PACE });
  const begun = performance.now();
  const refusal = await assertRejects(() => short.wait(never), Refusal);
  assertEquals([refusal.code, refusal.message], [
    "BODY_INVALID",
    "The body must be a JSON object: it is arriving too slowly",
  ]);
  assert(performance.now() - begun < 1_000);
  const long = new Arrival({ pace: PACE });
  long.count(200);
  assertEquals(
    await long.wait(() => new Promise((done) => setTimeout(() => done("came"), 80))),
    "came",
  );
  await assertRejects(() => short.wait(() => Promise.resolve("late")), Refusal);
});

Deno.test("pacedBody() fails when its sender stalls", async () => {
  const body = pacedBody(stalling(["a", "b"]), PACE);
  await assertRejects(() => new Response(body).text(), Refusal);
  const whole = new Blob(["whole"]).stream() as ReadableStream<Uint8Array>;
  assertEquals(await new Response(pacedBody(whole, PACE)).text(), "whole");
});

Deno.test("lines of a body that stalls are a refusal of their own", async () => {
  const limits = { lineBytesMax: 100, bytesMax: 1_000 };
  const lines = linesOf(pacedBody(stalling(["one\ntwo"]), PACE), limits);
  const refusal = await assertRejects(() => Array.fromAsync(lines), Refusal);
  assert(refusal.message.includes("it is arriving too slowly"), refusal.message);
});

Deno.test("pacedAnswer() ends when its reader takes nothing for a while", async () => {
  let cancelled = false;
  const answer = pacedAnswer(stalling(["a", "b", "c"], () => cancelled = true), 30);
  const reader = answer.getReader();
  assertEquals((await reader.read()).value!.length, 1);
  assertEquals((await reader.read()).value!.length, 1);
  await new Promise((done) => setTimeout(done, 80));
  await assertRejects(() => reader.read(), Error, "not read");
  assert(cancelled);
});
