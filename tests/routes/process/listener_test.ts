/** Connections whose request was answered before its body was read. */
import { assertEquals, assertMatch } from "@std/assert";
import { closing } from "../../../routes/process/listener.ts";
import { DISCARDED_BODY_BYTES_MAX } from "../../../routes/input/limits.ts";

/** Sends a request with a body of `announced` bytes in pieces; answers what came back until the connection closed. */
async function exchange(
  announced: number,
  pieces: number[],
): Promise<{ text: string; closed: number }> {
  let closed = 0;
  const needsServer = Promise.withResolvers<void>();
  const onClosed = () => {
    closed++;
    needsServer.resolve();
  };
  const refuse = closing(() => new Response("no", { status: 429 }), onClosed);
  const aborting = new AbortController();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", signal: aborting.signal, onListen() {} },
    refuse,
  );
  const { hostname, port } = server.addr;
  using connection = await Deno.connect({ hostname, port });
  const encoder = new TextEncoder();
  await connection.write(
    encoder.encode(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${announced}\r\n\r\n`),
  );
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(4096);
  let text = decoder.decode(buffer.subarray(0, await connection.read(buffer) ?? 0));
  for (const bytes of pieces) await connection.write(new Uint8Array(bytes)).catch(() => 0);
  const ended = (async () => {
    for (let read; (read = await connection.read(buffer)) !== null;) {
      text += decoder.decode(buffer.subarray(0, read));
    }
  })();
  await Promise.race([ended, needsServer.promise]);
  aborting.abort();
  await ended.catch(() => {});
  await server.finished;
  return { text, closed };
}

Deno.test("a response to a request whose body was not read closes the connection once the body is there", async () => {
  const { text, closed } = await exchange(10, [4, 6]);
  assertMatch(text, /^HTTP\/1.1 429 /);
  assertMatch(text, /^connection: close\r$/m);
  assertEquals(closed, 0);
});

Deno.test("a response that reads the body while it is sent keeps it", async () => {
  const echo = closing((request) => new Response(request.body), () => {});
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, echo);
  const response = await fetch(`http://127.0.0.1:${server.addr.port}/`, {
    method: "POST",
    body: "sent back",
  });
  assertEquals(response.headers.get("connection"), null);
  assertEquals(await response.text(), "sent back");
});

Deno.test("a long body that was not read needs a new server to close its connection", async () => {
  const { text, closed } = await exchange(2 * DISCARDED_BODY_BYTES_MAX, [
    DISCARDED_BODY_BYTES_MAX,
    1_000,
  ]);
  assertMatch(text, /^connection: close\r$/m);
  assertEquals(closed, 1);
});
