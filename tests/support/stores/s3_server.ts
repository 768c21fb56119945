/**
 * An S3 server on loopback with one bucket, and a proxy in front of a server that misbehaves on demand.
 *
 * @module
 */
import S3rver from "s3rver";

/** A running server and how to reach it. */
export interface S3Server extends AsyncDisposable {
  endpoint: string;
  bucket: string;
}

/** The only credentials that the server knows. */
export const S3_CREDENTIALS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

/** Starts a server on a free port over a temporary folder. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await Deno.makeTempDir();
  const bucket = "objects";
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    async [Symbol.asyncDispose]() {
      const closed = server.close();
      // It waits for connections that clients keep open, or have left half-read.
      server.httpServer.closeAllConnections();
      await closed;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** What the proxy does with one request. */
export type Misbehaviour =
  | "pass"
  | "500"
  | "403"
  | "silence"
  | "cut body"
  | "slow body";

/** Stands between client and server; `plan` decides for each request, `requests` counts them. */
export interface FaultyProxy extends AsyncDisposable {
  endpoint: string;
  requests: number;
  plan: (request: Request, count: number) => Misbehaviour;
}

/** Starts a proxy in front of `target`. */
export function startFaultyProxy(target: string): FaultyProxy {
  const stopped = new AbortController();
  const server = Deno.serve(
    {
      hostname: "127.0.0.1",
      port: 0,
      signal: stopped.signal,
      onListen: () => {},
      onError: () => new Response("<Error/>", { status: 502 }),
    },
    (request) => answer(request),
  );
  const proxy: FaultyProxy = {
    endpoint: `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}`,
    requests: 0,
    plan: () => "pass",
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await server.finished;
    },
  };

  async function answer(request: Request): Promise<Response> {
    proxy.requests += 1;
    const misbehaviour = proxy.plan(request, proxy.requests);
    const body = await request.bytes();
    if (misbehaviour === "500") return new Response("<Error/>", { status: 500 });
    if (misbehaviour === "403") return new Response("<Error/>", { status: 403 });
    if (misbehaviour === "silence") return await untilStopped();
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("host", new URL(target).host);
    const passed = await fetch(target + pathname + search, {
      method: request.method,
      headers,
      ...(body.byteLength > 0 ? { body } : {}),
    });
    // Read to the end even if the client has disconnected.
    const bytes = await passed.bytes();
    if (misbehaviour !== "pass") return spoiled(passed, bytes, misbehaviour === "slow body");
    const { status, headers: answered } = passed;
    return new Response(bytes.byteLength > 0 ? bytes : null, { status, headers: answered });
  }

  function untilStopped(): Promise<Response> {
    return new Promise((resolve) => {
      stopped.signal.addEventListener("abort", () => resolve(new Response(null, { status: 504 })));
    });
  }
  return proxy;
}

/** The first half of a body, and then an error or nothing at all. */
function spoiled(response: Response, bytes: Uint8Array, silent: boolean): Response {
  let begun = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (!begun) controller.enqueue(bytes.subarray(0, Math.ceil(bytes.byteLength / 2)));
      else if (!silent) controller.error(new Error("cut"));
      begun = true;
    },
  }, { highWaterMark: 0 });
  return new Response(body, { status: response.status, headers: response.headers });
}
