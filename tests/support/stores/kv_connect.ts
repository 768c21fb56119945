/**
 * A real server of KV Connect over an empty database, and proxies in front of it. `KV_CONNECT_SERVER` says
 * where the program is; `.ci/kv_connect` makes it.
 *
 * @module
 */
import { freePort } from "./free_port.ts";
import { TcpProxy } from "./tcp_proxy.ts";

const PROGRAM = Deno.env.get("KV_CONNECT_SERVER") ?? "";
const ACCESS_TOKEN = "a token of tests";

/** Whether there is such a server. */
export const hasKvConnect = PROGRAM !== "";

/** A server of KV Connect that a test has started. */
export interface KvConnect extends AsyncDisposable {
  port: number;
  /** Sends a signal to its process. */
  signal(signal: Deno.Signal): void;
  /** Kills it and starts it again. */
  restart(): Promise<void>;
  /** Lets it write nothing more to its files, as on a full disk, or again. */
  fillDisk(isFull: boolean): Promise<void>;
  /** The environment of a service that uses the server, through a port of a proxy when given. */
  env(port?: number): Record<string, string>;
  /** Another way to it. */
  proxy(): TcpProxy;
}

/** Starts a server, over an empty database unless in a folder; stops it, and closes its proxies, when disposed of. */
export async function startKvConnect(given?: string): Promise<KvConnect> {
  const folder = given ?? await Deno.makeTempDir({ prefix: "cms-kv-connect-" });
  const port = freePort();
  const start = async () => {
    // Without the signal, writing beyond the limit of a file fails like writing to a full disk.
    const started = new Deno.Command("bash", {
      args: ["-c", 'trap "" XFSZ; exec "$0" "$@"', PROGRAM, ...args],
      stdout: "null",
      stderr: "null",
    }).spawn();
    await listening(port);
    return started;
  };
  const args = ["--sqlite-path", `${folder}/kv_connect.sqlite3`, "serve"];
  args.push("--addr", `127.0.0.1:${port}`, "--access-token", ACCESS_TOKEN);
  let process = await start();
  const proxies: TcpProxy[] = [];
  return {
    port,
    signal: (signal) => process.kill(signal),
    restart: async () => {
      process.kill("SIGKILL");
      await process.status;
      process = await start();
    },
    fillDisk: async (isFull) => {
      const limit = isFull ? "1024:unlimited" : "unlimited:unlimited";
      const args = ["--pid", String(process.pid), `--fsize=${limit}`];
      const { success } = await new Deno.Command("prlimit", { args }).output();
      if (!success) throw new Error("The limit of files was not changed");
    },
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
      if (given === undefined) await Deno.remove(folder, { recursive: true });
    },
  };
}

/** The servers under which stories run, by the folders of their services, and how many of these there are. */
const shared = new Map<string, { store: Promise<KvConnect>; users: number }>();

/**
 * Environment of the service of a story whose own names no store: with `STORIES_OVER_KV_CONNECT=1` its store is a server of its folder,
 * which services of one folder share, and whose database stays there.
 */
export async function storyStore(
  folder: string,
  given: Record<string, string>,
): Promise<AsyncDisposable & { env: Record<string, string> }> {
  if (Deno.env.get("STORIES_OVER_KV_CONNECT") !== "1" || "KV_URL" in given) {
    return { env: {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const found = shared.get(folder) ?? { store: startKvConnect(folder), users: 0 };
  shared.set(folder, found);
  found.users += 1;
  const store = await found.store;
  return {
    env: store.env(),
    [Symbol.asyncDispose]: async () => {
      found.users -= 1;
      if (found.users > 0) return;
      shared.delete(folder);
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Waits until a client listens. */
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
