/**
 * The service as its users start it, set up with a collection of posts and a token, and what it takes of the
 * machine.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { IMAGES } from "../../support/sites/images.ts";
import { ARTICLE_FIELDS, type ArticleTargets } from "../content/articles.ts";
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
  /** Ends the process; its data stay until {@linkcode stop}. */
  end(): Promise<void>;
  /** Ends the process if it runs, and removes its data. */
  stop(): Promise<void>;
}

/** A service whose posts are articles, with what they refer to. */
export interface ArticleService extends StartedService {
  targets: ArticleTargets;
}

/** Authors and pictures that articles refer to. */
const AUTHORS = 20;
const PICTURES = 3;
const PLAIN_FIELDS: Record<string, Json>[] = [
  { name: "body", type: "text", options: { multiline: true } },
];

/** What `/metrics` is read with. */
const METRICS_TOKEN = "bench";

/** Starts a service over a new data folder; `variables` are added to its environment. */
export async function startService(
  variables: Record<string, string> = {},
  fields = PLAIN_FIELDS,
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
  let hasEnded = false;
  const end = async () => {
    if (!hasEnded) child.kill("SIGTERM");
    hasEnded = true;
    await child.status;
  };
  const stop = async () => {
    await end();
    await Deno.remove(folder, { recursive: true });
  };
  try {
    const { token, cookie } = await setUp(origin, await setupCode(child.stdout), fields);
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
      end,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts a service for articles: selects, references, dates, media and rich text. */
export async function startArticleService(
  variables: Record<string, string> = {},
): Promise<ArticleService> {
  const service = await startService(variables, ARTICLE_FIELDS);
  const { origin, token, cookie } = service;
  const authorIds: string[] = [];
  for (let n = 0; n < AUTHORS; n++) {
    const response = await fetch(`${origin}/api/v1/authors`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ title: `Author ${n}`, status: "published" }),
    });
    authorIds.push((await response.json()).id);
  }
  const mediaIds: string[] = [];
  for (let n = 0; n < PICTURES; n++) {
    const form = new FormData();
    form.set("file", new Blob([IMAGES["image/png"]]), `picture-${n}.png`);
    form.set("alt", `Picture ${n}`);
    const headers = { cookie, origin };
    const response = await fetch(`${origin}/api/admin/media`, {
      method: "POST",
      headers,
      body: form,
    });
    mediaIds.push((await response.json()).id);
  }
  return { ...service, targets: { authorIds, mediaIds } };
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

async function setUp(
  origin: string,
  code: string,
  fields: Record<string, Json>[],
): Promise<{ token: string; cookie: string }> {
  const person = { email: "ada@example.org", displayName: "Ada" };
  const made = await post(origin, "/setup", {
    code,
    ...person,
    password: "correct horse battery",
    siteTitle: "Bench",
  });
  await made.body?.cancel();
  const cookie = made.headers.get("set-cookie")!.split(";")[0]!;
  const collections = [{ slug: "posts", name: "Posts", fields }];
  if (fields === ARTICLE_FIELDS) {
    collections.unshift({ slug: "authors", name: "Authors", fields: [] });
  }
  for (const collection of collections) {
    const made = await post(origin, "/collections", collection, cookie);
    if (!made.ok) throw new Error(await made.text());
    await made.body?.cancel();
  }
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
