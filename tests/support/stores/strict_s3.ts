/**
 * A real S3 server over an empty bucket, and a proxy in front of it. `S3_TEST_SERVER` says where the program
 * is; `.ci/strict_s3` makes it.
 *
 * @module
 */
import { freePort } from "./free_port.ts";
import { listening } from "./kv_connect.ts";
import { TcpProxy } from "./tcp_proxy.ts";

const PROGRAM = Deno.env.get("S3_TEST_SERVER") ?? "";
const CREDENTIALS = { accessKeyId: "test", secretAccessKey: "test-secret" };
const BUCKET = "objects";

/** Whether there is such a server. */
export const hasStrictS3 = PROGRAM !== "";

/** A server that a test has started. */
export interface StrictS3 extends AsyncDisposable {
  /** The way to it. */
  proxy: TcpProxy;
  /** Sends a signal to its process. */
  signal(signal: Deno.Signal): void;
  /** The environment of a service whose objects are in the bucket. */
  env: Record<string, string>;
}

/** Starts a server; stops it, and closes its proxy, when disposed of. */
export async function startStrictS3(): Promise<StrictS3> {
  const folder = await Deno.makeTempDir({ prefix: "cms-s3-" });
  await Deno.mkdir(`${folder}/buckets/${BUCKET}`, { recursive: true });
  await Deno.mkdir(`${folder}/metadata`);
  const port = freePort();
  const sidecar = ["posix", "--sidecar", `${folder}/metadata`, `${folder}/buckets`];
  const process = new Deno.Command(PROGRAM, {
    args: ["--quiet", "--port", `127.0.0.1:${port}`, ...sidecar],
    env: {
      ROOT_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      ROOT_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
    stdout: "null",
    stderr: "null",
  }).spawn();
  await listening(port);
  const proxy = new TcpProxy(port);
  return {
    proxy,
    signal: (signal) => process.kill(signal),
    env: {
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      process.kill("SIGKILL");
      await process.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}
