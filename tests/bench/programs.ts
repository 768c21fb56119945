/**
 * Programs against a started service: documents a second by `_bulk` with the memory that a long body
 * takes, and a thousand open event streams, beside the bare cost of as many commits in the same run.
 *
 *     deno run -A tests/bench/programs.ts [lines] [streams]
 *
 * @module
 */
import { SERVICE_FLAGS } from "./service_flags.ts";

const LINES = Number(Deno.args[0] ?? 20_000);
const STREAMS = Number(Deno.args[1] ?? 1_000);
const PORT = 18_000 + Math.floor(Math.random() * 10_000);
const ORIGIN = `http://127.0.0.1:${PORT}`;
const BARE_COMMITS = 2_000;
const TEXT = "lorem ipsum dolor sit amet ".repeat(40);

const folder = await Deno.makeTempDir({ prefix: "bench-programs-" });
const service = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", "--no-check", ...SERVICE_FLAGS, "main.ts"],
  env: { DATA_DIR: folder, PORT: String(PORT), HOST: "127.0.0.1", LOG_LEVEL: "error" },
  stdout: "piped",
  stderr: "null",
}).spawn();
try {
  const token = await setUp(await setupCode());
  await bulk(token);
  await streams(token);
  await bareCommits();
} finally {
  service.kill("SIGTERM");
  await service.status;
  await Deno.remove(folder, { recursive: true });
}

/** The code that the service prints on its first run. */
async function setupCode(): Promise<string> {
  let text = "";
  const reader = service.stdout.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The service did not start: ${text}`);
    text += value;
    const [, code] = /setup\?code=(\S+)/.exec(text) ?? [];
    if (code !== undefined) return code;
  }
}

async function setUp(code: string): Promise<string> {
  const ask = async (path: string, body: unknown, cookie = "") =>
    await fetch(`${ORIGIN}/api/admin${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie, origin: ORIGIN },
      body: JSON.stringify(body),
    });
  const person = { email: "ada@example.org", displayName: "Ada" };
  const made = await ask("/setup", {
    code,
    ...person,
    password: "correct horse battery",
    siteTitle: "Bench",
  });
  await made.body?.cancel();
  const cookie = made.headers.get("set-cookie")!.split(";")[0]!;
  const fields = [{ name: "body", type: "text", options: { multiline: true } }];
  const collection = await ask("/collections", { slug: "posts", name: "Posts", fields }, cookie);
  await collection.body?.cancel();
  const minted = { name: "bench", scopes: ["*"], quotaPerMinute: 100_000 };
  return (await (await ask("/tokens", minted, cookie)).json()).token;
}

/** What the service holds in memory, megabytes: now, and at most so far. */
async function memory(): Promise<{ now: number; peak: number }> {
  const text = await Deno.readTextFile(`/proc/${service.pid}/status`);
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1024;
  return { now: Math.round(of("VmRSS")), peak: Math.round(of("VmHWM")) };
}

/** Processor time that the service has taken, seconds; the kernel counts in hundredths. */
async function processorSeconds(): Promise<number> {
  const text = await Deno.readTextFile(`/proc/${service.pid}/stat`);
  const [user, system] = text.slice(text.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
  return (user! + system!) / 100;
}

async function bulk(token: string): Promise<void> {
  const before = await memory();
  const processorBefore = await processorSeconds();
  async function* lines() {
    for (let n = 0; n < LINES; n++) {
      yield `${JSON.stringify({ op: "create", body: { title: `Document ${n}`, body: TEXT } })}\n`;
    }
  }
  const startedAt = performance.now();
  const response = await fetch(`${ORIGIN}/api/v1/posts/_bulk`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: ReadableStream.from(lines()).pipeThrough(new TextEncoderStream()),
  });
  let last = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    last = (last + text).slice(-300);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await memory();
  const processorMs = (await processorSeconds() - processorBefore) * 1000 / LINES;
  console.log(
    `_bulk, ${LINES} drafts of ${TEXT.length} bytes: ${(LINES / seconds).toFixed(0)}/s, ` +
      `${processorMs.toFixed(2)} ms of processor time each`,
  );
  console.log(`  last line ${last.trim().split("\n").at(-1)}`);
  console.log(`  memory ${before.now} MB before, ${after.now} MB after, ${after.peak} MB at most`);
}

async function streams(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  const page = await fetch(`${ORIGIN}/api/v1/_changes?limit=1000&include=none`, {
    headers: {
      authorization: headers.authorization,
    },
  });
  let { meta } = await page.json();
  while (meta.hasMore) {
    const address = `${ORIGIN}/api/v1/_changes?limit=1000&include=none&since=${meta.cursor}`;
    const next = await fetch(address, { headers: { authorization: headers.authorization } });
    meta = (await next.json()).meta;
  }
  const before = await memory();
  const abort = new AbortController();
  const address = `${ORIGIN}/api/v1/_changes?include=none&since=${encodeURIComponent(meta.cursor)}`;
  const opened: Promise<ReadableStreamDefaultReader<string>>[] = [];
  for (let n = 0; n < STREAMS; n++) {
    opened.push(
      fetch(address, { headers, signal: abort.signal }).then(({ body }) =>
        body!.pipeThrough(new TextDecoderStream()).getReader()
      ),
    );
    if (n % 50 === 49) await Promise.all(opened);
  }
  const readers = await Promise.all(opened);
  const open = await memory();
  const told = readers.map(async (reader) => {
    for (let text = "";;) {
      const { value, done } = await reader.read();
      if (done) throw new Error("A stream ended");
      text += value;
      if (text.includes("event: change")) return performance.now();
    }
  });
  const startedAt = performance.now();
  const made = await fetch(`${ORIGIN}/api/v1/posts`, {
    method: "POST",
    headers: { authorization: headers.authorization, "content-type": "application/json" },
    body: JSON.stringify({ title: "News" }),
  });
  await made.body?.cancel();
  const times = (await Promise.all(told)).map((at) => at - startedAt).sort((a, b) => a - b);
  const after = await memory();
  const ms = (part: number) => `${times[Math.floor((times.length - 1) * part)]!.toFixed(0)} ms`;
  console.log(
    `${STREAMS} event streams: ${before.now} MB before, ${open.now} MB open, ${after.now} MB after a change`,
  );
  console.log(`  a change is told after ${ms(0.5)} at the median, ${ms(1)} at the latest`);
  abort.abort();
}

/** The same number of documents' bytes, one commit for each, eight at a time. */
async function bareCommits(): Promise<void> {
  const kv = await Deno.openKv(`${folder}/bare.sqlite3`);
  const startedAt = performance.now();
  let next = 0;
  await Promise.all(Array.from({ length: 8 }, async () => {
    while (next < BARE_COMMITS) await kv.set(["bare", next++], TEXT);
  }));
  const seconds = (performance.now() - startedAt) / 1000;
  kv.close();
  console.log(`bare: ${(BARE_COMMITS / seconds).toFixed(0)} commits of one value a second`);
}
