/**
 * A real server of KV Connect over an empty database, and proxies in front of it. `KV_CONNECT_SERVER` says
 * where the program is; `.ci/kv_connect` makes it.
 *
 * @module
 */
import { TcpProxy } from "./tcp_proxy.ts";

const PROGRAM = Deno.env.get("KV_CONNECT_SERVER") ?? "";
const ACCESS_TOKEN = "a token of tests";

/** Whether there is such a server. */
export const hasKvConnect = PROGRAM !== "";

/** A server of KV Connect that a test has started. */
export interface KvConnect extends AsyncDisposable {
  port: number;
  process: Deno.ChildProcess;
  /** Where the database is. */
  folder: string;
  /** The environment of a service that uses the server, through a port of a proxy when given. */
  env(port?: number): Record<string, string>;
  /** Another way to it. */
  proxy(): TcpProxy;
}

/** A port that was free a moment ago. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Starts a server; stops it, and closes its proxies, when disposed of. */
export async function startKvConnect(): Promise<KvConnect> {
  const folder = await Deno.makeTempDir({ prefix: "cms-kv-connect-" });
  const port = freePort();
  const process = new Deno.Command(PROGRAM, {
    args: [
      "--sqlite-path",
      `${folder}/kv.sqlite3`,
      "serve",
      "--addr",
      `127.0.0.1:${port}`,
      "--access-token",
      ACCESS_TOKEN,
    ],
    stdout: "null",
    stderr: "null",
  }).spawn();
  await listening(port);
  const proxies: TcpProxy[] = [];
  return {
    port,
    process,
    folder,
    env: (through = port) => ({
      KV_URL: `http://127.0.0.1:${through}`,
      KV_ACCESS_TOKEN: ACCESS_TOKEN,
      OBJECTS_IN_FOLDER: "1",
    }),
    proxy: () => {
      const proxy = new TcpProxy(port);
      proxies.push(proxy);
      return proxy;
    },
    [Symbol.asyncDispose]: async () => {
      for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
      try {
        process.kill("SIGKILL");
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
      await process.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Waits until somebody listens. */
export async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  throw new Error(`Nothing listens at ${port}`);
}
