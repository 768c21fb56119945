import { ObjectStoreUnavailable } from "../../../kv/unavailable.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { S3Objects } from "../../../kv/objects/s3.ts";
import { sendInPieces } from "../../../kv/objects/sent_pieces.ts";
import { assertBytes, noise } from "../../support/stores/object_store_contract.ts";
import {
  type FaultyProxy,
  S3_CREDENTIALS,
  startFaultyProxy,
  startS3Server,
} from "../../support/stores/s3_server.ts";

const BODY = noise(1_500_000);

function listen(answer: (request: Request) => Promise<Response>) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, answer);
  const send = (query: Record<string, string> = {}) =>
    sendInPieces({
      method: "PUT",
      protocol: "http:",
      hostname: "127.0.0.1",
      port: server.addr.port,
      path: "/bucket/key",
      query,
      headers: { "x-facts": "kept" },
      body: BODY,
    }, { ms: 500 });
  return { send, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("sendInPieces() sends all bytes, with their length, and reads the answer", async () => {
  await using server = listen(async (request) => {
    const { search } = new URL(request.url);
    assertBytes(await request.bytes(), BODY);
    const facts = [request.headers.get("content-length"), request.headers.get("x-facts"), search];
    return new Response(JSON.stringify(facts), { status: 201, headers: { etag: '"1"' } });
  });

  const answer = await server.send({ uploadId: "a+b/c=(d)", partNumber: "1" });

  assertEquals([answer.statusCode, answer.headers.etag], [201, '"1"']);
  const [length, facts, search] = await new Response(answer.body).json();
  assertEquals([length, facts], [String(BODY.byteLength), "kept"]);
  assertEquals(search, "?uploadId=a%2Bb%2Fc%3D%28d%29&partNumber=1");
});

Deno.test("sendInPieces() gives up when nothing moves", async () => {
  const stopped = Promise.withResolvers<Response>();
  await using server = listen(() => stopped.promise);

  const error = await assertRejects(() => server.send(), Error);

  assertEquals(error.name, "TimeoutError");
  stopped.resolve(new Response());
});

Deno.test("sendInPieces() fails as one request if no server listens", async () => {
  const server = listen(async () => new Response());
  await server[Symbol.asyncDispose]();

  const error = await assertRejects(() => server.send(), Error);

  assert("$retryable" in error);
});

async function throughProxy(
  plan: FaultyProxy["plan"],
  run: (objects: S3Objects) => Promise<void>,
): Promise<number> {
  await using server = await startS3Server();
  await using proxy = startFaultyProxy(server.endpoint);
  proxy.plan = plan;
  const objects = new S3Objects({
    bucket: "objects",
    endpoint: proxy.endpoint,
    credentials: S3_CREDENTIALS,
    answerMs: 400,
  });
  await run(objects);
  await objects.close();
  return proxy.requests;
}

Deno.test("S3Objects.put() of a large object is tried again after a 500, a silence and a cut", async () => {
  for (const fault of ["500", "silence", "cut body"] as const) {
    const requests = await throughProxy(
      (_, count) => count === 1 ? fault : "pass",
      async (objects) => {
        await objects.put("media/large", BODY);
        assertBytes((await objects.get("media/large"))!, BODY);
      },
    );
    assert(requests >= 2, fault);
  }
});

Deno.test("S3Objects.put() of a large object fails as unavailable when it never gets through", async () => {
  for (const fault of ["403", "500", "silence"] as const) {
    await throughProxy(() => fault, async (objects) => {
      await assertRejects(() => objects.put("media/large", BODY), ObjectStoreUnavailable);
    });
  }
});
