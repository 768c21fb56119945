/**
 * Streams of changes of started services: told within a second of what another process has written, and
 * closed with their last event whole when their own process stops.
 */
import { assert, assertEquals } from "@std/assert";
import { Client } from "../support/harness/client.ts";
import { startService } from "../tour.ts";

const POSTS = { slug: "posts", name: "Posts", fields: [] };
/** How soon another process tells of a change, milliseconds; the median of several, for machines are busy. */
const TOLD_MS_MAX = 1_000;
const TRIES = 5;

/** A stream of changes, event by event. */
async function streamOf({ origin, token }: Client) {
  const response = await fetch(`${origin}/api/v1/_changes?include=none`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    status: response.status,
    /** The id of the next change; null at the end. */
    next: async (): Promise<string | null> => {
      for (;;) {
        const event = /^event: change\ndata: (.*)\n\n/m.exec(text);
        if (event !== null) {
          text = text.slice(event.index + event[0].length);
          return JSON.parse(event[1]!).id;
        }
        const { value, done } = await reader.read();
        if (done) return null;
        text += value;
      }
    },
    /** What has come of an event that is not whole. */
    rest: () => text.replace(/^(id: \S+|:.*|retry: \d+|)\n/gm, ""),
  };
}

Deno.test("a stream receives the writes of another process, and ends gracefully with its own", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "streams-" });
  {
    await using one = await startService({}, dataDir);
    await using two = await startService({}, dataDir);
    const writer = new Client(one.origin);
    await writer.setUp(POSTS);
    const listener = new Client(two.origin);
    listener.token = writer.token;
    const stream = await streamOf(listener);
    assertEquals(stream.status, 200);

    const told: number[] = [];
    for (let n = 0; n < TRIES; n++) {
      const { json } = await writer.call("POST", "/api/v1/posts", { title: `Post ${n}` });
      const since = performance.now();
      assertEquals(await stream.next(), json.id);
      told.push(performance.now() - since);
    }
    const median = told.sort((a, b) => a - b)[TRIES >> 1]!;
    assert(median < TOLD_MS_MAX, `told after ${told.map(Math.round).join(", ")} ms`);

    two.kill("SIGTERM");
    assertEquals(await stream.next(), null, "the stream ends without an error");
    assertEquals(stream.rest(), "");
    const again = await streamOf(writer);
    assertEquals(await again.next() !== null, true, "another process goes on");
    one.kill("SIGTERM");
    while (await again.next() !== null);
  }
  await Deno.remove(dataDir, { recursive: true });
});
