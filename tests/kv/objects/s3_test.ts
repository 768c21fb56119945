import { ObjectStoreUnavailable } from "../../../kv/unavailable.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { S3Objects, type S3Options } from "../../../kv/objects/s3.ts";
import {
  assertBytes,
  assertObjectStore,
  noise,
  streamOf,
} from "../../support/stores/object_store_contract.ts";
import {
  type FaultyProxy,
  S3_CREDENTIALS,
  startFaultyProxy,
  startS3Server,
} from "../../support/stores/s3_server.ts";

function clientOf(endpoint: string, options: Partial<S3Options> = {}): S3Objects {
  return new S3Objects({
    bucket: "objects",
    endpoint,
    credentials: S3_CREDENTIALS,
    answerMs: 20_000,
    waitMs: 20_000,
    ...options,
  });
}

/** How long an answer is waited for where none comes, and a busy machine still gives those that do. */
const SILENT_MS = 1_500;

async function throughProxy(
  run: (objects: S3Objects, proxy: FaultyProxy) => Promise<void>,
  options: Partial<S3Options> = {},
): Promise<void> {
  await using server = await startS3Server();
  await using proxy = startFaultyProxy(server.endpoint);
  const objects = clientOf(proxy.endpoint, options);
  try {
    await run(objects, proxy);
  } finally {
    await objects.close();
  }
}

Deno.test("S3Objects keeps the promises of an object store", async (t) => {
  await using server = await startS3Server();
  const objects = clientOf(server.endpoint);

  await objects.assertReady();
  await assertObjectStore(t, objects, { unordered: true, races: true });

  await objects.close();
});

Deno.test("S3Objects lists more objects than one page holds", async () => {
  const asked: (string | null)[] = [];
  const page = (key: string, next: string) =>
    `<ListBucketResult><Contents><Key>${key}</Key><Size>7</Size>` +
    `<LastModified>2026-11-21T04:00:00.000Z</LastModified></Contents>${next}</ListBucketResult>`;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const token = new URL(request.url).searchParams.get("continuation-token");
    asked.push(token);
    const next =
      "<IsTruncated>true</IsTruncated><NextContinuationToken>n+1</NextContinuationToken>";
    return new Response(token === null ? page("media/a&amp;b", next) : page("media/c", ""));
  });
  const objects = clientOf(`http://127.0.0.1:${server.addr.port}`);

  const listed = await Array.fromAsync(objects.list("media/"));

  const modifiedAt = Date.UTC(2026, 10, 21, 4);
  assertEquals(listed, [
    { key: "media/a&b", bytes: 7, modifiedAt },
    { key: "media/c", bytes: 7, modifiedAt },
  ]);
  assertEquals(asked, [null, "n+1"]);
  await objects.close();
  await server.shutdown();
});

Deno.test("S3Objects tries again after a 500 and after silence", async () => {
  for (const misbehaviour of ["500", "silence"] as const) {
    await throughProxy(async (objects, proxy) => {
      const wrong = new Set<string>();
      proxy.plan = ({ method }) => {
        if (wrong.has(method)) return "pass";
        wrong.add(method);
        return misbehaviour;
      };

      await objects.put("media/a", noise(1_000));
      const stored = await objects.get("media/a");

      assertBytes(stored, noise(1_000), misbehaviour);
      assertEquals([...wrong], ["PUT", "GET"]);
      assertEquals(proxy.requests, 4, misbehaviour);
    }, { answerMs: SILENT_MS });
  }
});

Deno.test("S3Objects gives up after a few attempts and says that the store is unavailable", async () => {
  for (const misbehaviour of ["500", "silence"] as const) {
    await throughProxy(async (objects, proxy) => {
      proxy.plan = () => misbehaviour;

      const error = await assertRejects(() => objects.get("media/a"), ObjectStoreUnavailable);

      assert(error.message.startsWith("S3 get media/a failed"), error.message);
      assertEquals(proxy.requests, 3, misbehaviour);
    }, { answerMs: SILENT_MS });
  }
});

Deno.test("S3Objects does not keep waiting for a server that stands still, and finds it again", async () => {
  await throughProxy(async (objects, proxy) => {
    // Another client, which waits for as long as a busy machine takes.
    const patient = clientOf(proxy.endpoint);
    await patient.put("media/a", noise(1_000));
    await patient.close();
    const large = noise(1_200_000);
    const asked: string[] = [];
    proxy.plan = ({ method }) => {
      asked.push(method);
      return method === "HEAD" ? "silence" : "pass";
    };
    await assertRejects(() => objects.head("media/a"), ObjectStoreUnavailable);

    // Nothing more is asked of it, although it would answer, but whether it is there.
    await assertRejects(() => objects.get("media/a"), ObjectStoreUnavailable);
    await assertRejects(() => objects.put("media/b", large), ObjectStoreUnavailable);
    assertEquals([...new Set(asked)], ["HEAD"]);

    proxy.plan = () => "pass";
    for (let attempt = 0; attempt < 100; attempt++) {
      const stored = await objects.get("media/a").catch(() => null);
      if (stored !== null) return assertBytes(stored, noise(1_000), "afterwards");
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error("It is not found again");
  }, { waitMs: SILENT_MS });
});

Deno.test("S3Objects is unavailable when connections are closed without an answer", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let connections = 0;
  const accepting = (async () => {
    for await (const connection of listener) {
      connections += 1;
      connection.close();
    }
  })();
  const objects = clientOf(`http://127.0.0.1:${listener.addr.port}`);

  await assertRejects(() => objects.put("media/a", noise(1)), ObjectStoreUnavailable, "no answer");

  assertEquals(connections, 3);
  await objects.close();
  listener.close();
  await accepting;
});

Deno.test("S3Objects refuses to take a refused request for an absent object", async () => {
  await throughProxy(async (objects, proxy) => {
    proxy.plan = () => "403";

    await assertRejects(() => objects.get("media/a"), ObjectStoreUnavailable, "403");
    await assertRejects(() => objects.head("media/a"), ObjectStoreUnavailable, "403");
    await assertRejects(() => objects.delete("media/a"), ObjectStoreUnavailable, "403");
    await assertRejects(() => objects.put("media/a", noise(1)), ObjectStoreUnavailable, "403");
    await assertRejects(() => Array.fromAsync(objects.list("")), ObjectStoreUnavailable, "403");
  });
});

Deno.test("S3Objects reads again when a body is cut or stands still", async () => {
  for (const misbehaviour of ["cut body", "slow body"] as const) {
    await throughProxy(async (objects, proxy) => {
      await objects.put("media/a", noise(200_000));
      proxy.plan = (_request, count) => count === 2 ? misbehaviour : "pass";

      const stored = await objects.get("media/a");

      assertBytes(stored, noise(200_000), misbehaviour);
      assertEquals(proxy.requests, 3, misbehaviour);
    }, { answerMs: SILENT_MS });
  }
});

Deno.test("S3Objects gives up a request whose response comes too late", async () => {
  const late = Promise.withResolvers<void>();
  const responses: Promise<void>[] = [];
  let requests = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (it) => {
    if (++requests > 1) return new Response("object");
    responses.push(it.signal.aborted ? Promise.resolve() : ended(it.signal));
    await late.promise;
    return new Response("object");
  });
  const objects = clientOf(`http://127.0.0.1:${server.addr.port}`, { answerMs: SILENT_MS });

  assertBytes((await objects.get("media/a"))!, new TextEncoder().encode("object"), "second");
  await Promise.all(responses);

  assertEquals(requests, 2);
  late.resolve();
  await objects.close();
  await server.shutdown();
});

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

Deno.test("S3Objects ends a stream with an error when its body never ends", async () => {
  await throughProxy(async (objects, proxy) => {
    await objects.put("media/a", noise(200_000));
    proxy.plan = () => "slow body";

    const stream = await objects.getStream("media/a");

    await assertRejects(() => Array.fromAsync(stream!), ObjectStoreUnavailable, "broke off");
  }, { answerMs: SILENT_MS });
});

Deno.test("S3Objects aborts a multipart upload whose part is refused", async () => {
  await throughProxy(async (objects, proxy) => {
    const methods: string[] = [];
    proxy.plan = (request) => {
      methods.push(`${request.method} ${new URL(request.url).searchParams.has("partNumber")}`);
      return new URL(request.url).searchParams.get("partNumber") === "2" ? "500" : "pass";
    };

    await assertRejects(
      () => objects.putStream("media/big", streamOf(noise(9_000_000))),
      ObjectStoreUnavailable,
    );

    assertEquals(methods.at(-1), "DELETE false");
    proxy.plan = () => "pass";
    assertEquals(await objects.head("media/big"), null);
  });
});

Deno.test("S3Objects survives a part that fails once", async () => {
  await throughProxy(async (objects, proxy) => {
    let failed = false;
    proxy.plan = (request) => {
      const second = new URL(request.url).searchParams.get("partNumber") === "2" && !failed;
      failed ||= second;
      return second ? "500" : "pass";
    };
    const body = noise(9_000_000);

    assertEquals(await objects.putStream("media/big", streamOf(body)), { bytes: 9_000_000 });

    assert(failed);
    assertBytes(await objects.get("media/big"), body);
  });
});

Deno.test("assertReady() names the variable at fault in one line", async () => {
  await using server = await startS3Server();
  await using proxy = startFaultyProxy(server.endpoint);
  proxy.plan = () => "403";
  const cases: [S3Objects, string][] = [
    [clientOf(server.endpoint, { bucket: "missing" }), 'S3_BUCKET: there is no bucket "missing"'],
    [clientOf(proxy.endpoint), "AWS_ACCESS_KEY_ID: "],
    [clientOf("http://127.0.0.1:1", { attemptsMax: 1 }), "S3_ENDPOINT: http://127.0.0.1:1 does"],
  ];

  for (const [objects, line] of cases) {
    const error = await assertRejects(() => objects.assertReady(), ObjectStoreUnavailable, line);
    assert(!error.message.includes("\n"));
    await objects.close();
  }
});

Deno.test("assertReady() blames the variable that the server's own error speaks of", async () => {
  const cases: [code: string, status: number, line: string][] = [
    ["InvalidAccessKeyId", 403, "AWS_ACCESS_KEY_ID: "],
    ["InvalidAccessKeyId", 400, "AWS_ACCESS_KEY_ID: "],
    ["SignatureDoesNotMatch", 403, "AWS_SECRET_ACCESS_KEY: "],
    ["AuthorizationHeaderMalformed", 400, "S3_REGION: "],
    ["AccessDenied", 403, "AWS_ACCESS_KEY_ID: "],
    ["InvalidBucketName", 400, "S3_BUCKET: "],
    ["NoSuchBucket", 404, "S3_BUCKET: "],
  ];
  let answer: [string, number] = ["", 500];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    ({ method }) => {
      const [code, status] = answer;
      const body = `<Error><Code>${code}</Code><Message>No</Message></Error>`;
      return new Response(method === "HEAD" ? null : body, { status });
    },
  );
  for (const [code, status, line] of cases) {
    answer = [code, status];
    const objects = clientOf(`http://127.0.0.1:${server.addr.port}`, { attemptsMax: 1 });
    const error = await assertRejects(() => objects.assertReady(), ObjectStoreUnavailable);
    assert(error.message.startsWith(line), `${code}, ${status}: ${error.message}`);
    await objects.close();
  }
  await server.shutdown();
});
