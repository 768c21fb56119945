/** Receivers of webhooks that stall, redirect and lie, over real connections. */
import { assertEquals, assertMatch } from "@std/assert";
import type { TestApp } from "../../support/sites/app.ts";
import { hook, receiver, until, webhookSite } from "../../support/sites/webhooks.ts";

const STALLED = 6;

/** A receiver that answers every connection with these bytes, whatever is asked, and closes it. */
function liar(answer: string) {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  let connections = 0;
  const serving = (async () => {
    for await (const connection of listener) {
      connections += 1;
      try {
        await connection.read(new Uint8Array(65_536));
        const bytes = new TextEncoder().encode(answer);
        for (let sent = 0; sent < bytes.length;) {
          sent += await connection.write(bytes.subarray(sent));
        }
      } catch {
        // The caller has hung up.
      } finally {
        connection.close();
      }
    }
  })();
  return {
    url: `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}/hook`,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await serving;
    },
  };
}

/** Publishes a document as a program does. */
async function publish(test: TestApp, token: string, title: string): Promise<string> {
  const call = { token, body: { title, status: "published" } };
  return (await test.call("POST", "/api/v1/posts", call)).json.id;
}

/** Tells a webhook of a publication; answers how the message stands and its only attempt. */
async function attemptAt(test: TestApp, url: string) {
  const { id } = await hook(test, url);
  await publish(test, await test.token(), "One");
  await test.runner.drain();
  const { json } = await test.admin("GET", `/webhooks/${id}/deliveries`);
  const [delivery, ...others] = json.data;
  assertEquals([others.length, delivery.attempts.length], [0, 1]);
  return { state: delivery.state, ...delivery.attempts[0] };
}

Deno.test("receivers that stall delay neither publishes nor other receivers", async () => {
  await using test = await webhookSite();
  await using stalls = receiver();
  await using answers = receiver();
  const released = Promise.withResolvers<void>();
  stalls.answer.with = async () => {
    await released.promise;
    return new Response(null);
  };
  for (let n = 0; n < STALLED; n++) await hook(test, stalls.url);
  await hook(test, answers.url);
  const token = await test.token();
  test.runner.start();
  try {
    await publish(test, token, "First");
    await until(test, () => stalls.received.length === STALLED);
    await until(test, () => answers.received.length === 1);

    await publish(test, token, "Second");
    await until(test, () => answers.received.length === 2);
    await until(test, async () => {
      const { json } = await test.admin("GET", "/jobs?type=PUBLISH");
      return json.data.length === 2 &&
        json.data.every(({ state }: { state: string }) => state === "done");
    });
    assertEquals(stalls.received.length, STALLED);
  } finally {
    released.resolve();
    await test.runner.stop();
  }
});

Deno.test("a redirect is not followed, wherever it leads, and counts as a failure", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    await using test = await webhookSite();
    await using elsewhere = receiver();
    await using there = receiver();
    there.answer.with = () => new Response(null, { status, headers: { location: elsewhere.url } });

    const attempt = await attemptAt(test, there.url);

    assertEquals([attempt.state, attempt.status, attempt.error], [
      "pending",
      status,
      `The receiver answered ${status}`,
    ]);
    assertEquals([there.received.length, elsewhere.received.length], [1, 0]);
  }
});

Deno.test("an answer that is too long, cut off or no HTTP is a failure, and tried again", async () => {
  const lies: [string, RegExp][] = [
    [`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(4_000_000)}`, /over 64000 bytes/],
    ["HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\ncut off", /./],
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfff\r\ncut off", /./],
    ["HTTP/1.1 200 OK\r\ncontent-le", /./],
    ["I am no web server\r\n\r\n", /./],
    ["", /./],
  ];
  for (const [answer, error] of lies) {
    await using test = await webhookSite();
    await using there = liar(answer);

    const attempt = await attemptAt(test, there.url);

    const what = answer.slice(0, 80);
    assertEquals([attempt.state, attempt.status, there.connections()], ["pending", null, 1], what);
    assertMatch(attempt.error, error, what);
    test.context.advance(5_000);
    await test.runner.drain();
    assertEquals(there.connections(), 2, what);
  }
});

Deno.test("what comes while a refused message waits for its next attempt does not wait with it", async () => {
  await using test = await webhookSite();
  await using there = receiver();
  await hook(test, there.url);
  const token = await test.token();
  const refused = await publish(test, token, "Refused");
  there.answer.with = ({ json }) =>
    new Response(null, { status: json.data.id === refused ? 503 : 200 });
  await test.runner.drain();
  const taken = await publish(test, token, "Taken");
  await test.runner.drain();
  assertEquals(there.received.map(({ json }) => json.data.id), [refused, taken]);

  test.context.advance(5_000);
  await test.runner.drain();
  assertEquals(there.received.map(({ json }) => json.data.id), [refused, taken, refused]);
});
