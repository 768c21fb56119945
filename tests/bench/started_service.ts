/**
 * The service as its users start it, set up with a collection of posts and a token, and what it takes of the
 * machine.
 *
 * @module
 */
import { SERVICE_FLAGS } from "./service_flags.ts";

/** A service under way. */
export interface StartedService {
  origin: string;
  port: number;
  /** With every scope. */
  token: string;
  /** Of its administrator's session. */
  cookie: string;
  /** Its data; whatever lies beside goes with it. */
  folder: string;
  /** What it holds in memory, megabytes. */
  memory(): Promise<number>;
  /** The longest delay of its event loop since this was last asked, milliseconds. */
  lagMs(): Promise<number>;
  /** Processor time that it has taken, seconds; the kernel counts in hundredths. */
  processorSeconds(): Promise<number>;
  /** A further token like the first: each has 100,000 requests a minute. */
  mint(): Promise<string>;
  stop(): Promise<void>;
}

/** What `/metrics` is read with. */
const METRICS_TOKEN = "bench";

/** Starts a service over a new data folder; `variables` are added to its environment. */
export async function startService(
  variables: Record<string, string> = {},
): Promise<StartedService> {
  const port = 18_000 + Math.floor(Math.random() * 10_000);
  const origin = `http://127.0.0.1:${port}`;
  const folder = await Deno.makeTempDir({ prefix: "bench-service-" });
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", ...SERVICE_FLAGS, "main.ts"],
    env: {
      DATA_DIR: folder,
      PORT: String(port),
      HOST: "127.0.0.1",
      LOG_LEVEL: "error",
      METRICS_TOKEN,
      ...variables,
    },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const stop = async () => {
    child.kill("SIGTERM");
    await child.status;
    await Deno.remove(folder, { recursive: true });
  };
  try {
    const { token, cookie } = await setUp(origin, await setupCode(child.stdout));
    return {
      cookie,
      origin,
      port,
      token,
      folder,
      memory: () => memoryOf(child.pid),
      lagMs: () => lagMsOf(origin),
      processorSeconds: () => processorSecondsOf(child.pid),
      mint: () => mint(origin, cookie),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The code that the service prints on its first run. */
async function setupCode(stdout: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = "";
  const reader = stdout.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The service did not start: ${text}`);
    text += value;
    const [, code] = /setup#code=(\S+)/.exec(text) ?? [];
    if (code !== undefined) return code;
  }
}

async function setUp(origin: string, code: string): Promise<{ token: string; cookie: string }> {
  const person = { email: "ada@example.org", displayName: "Ada" };
  const made = await post(origin, "/setup", {
    code,
    ...person,
    password: "correct horse battery",
    siteTitle: "Bench",
  });
  await made.body?.cancel();
  const cookie = made.headers.get("set-cookie")!.split(";")[0]!;
  const fields = [{ name: "body", type: "text", options: { multiline: true } }];
  const posts = { slug: "posts", name: "Posts", fields };
  const collection = await post(origin, "/collections", posts, cookie);
  await collection.body?.cancel();
  return { token: await mint(origin, cookie), cookie };
}

async function mint(origin: string, cookie: string): Promise<string> {
  const minted = { name: "bench", scopes: ["*"], quotaPerMinute: 100_000 };
  return (await (await post(origin, "/tokens", minted, cookie)).json()).token;
}

async function post(origin: string, path: string, body: unknown, cookie = ""): Promise<Response> {
  return await fetch(`${origin}/api/admin${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie, origin },
    body: JSON.stringify(body),
  });
}

async function memoryOf(pid: number): Promise<number> {
  const text = await Deno.readTextFile(`/proc/${pid}/status`);
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) / 1024);
}

async function processorSecondsOf(pid: number): Promise<number> {
  const text = await Deno.readTextFile(`/proc/${pid}/stat`);
  const [user, system] = text.slice(text.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
  return (user! + system!) / 100;
}

async function lagMsOf(origin: string): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${origin}/metrics`, { headers })).text();
  return Number(/^cms_event_loop_lag_seconds (\S+)/m.exec(text)?.[1]) * 1000;
}
