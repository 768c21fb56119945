/**
 * Programs against a started service: a thousand open event streams, then documents a second by `_bulk` with
 * the memory that a long body takes, beside the bare cost of commits of as many rows in the same run.
 *
 *     deno run -A tests/bench/programs.ts [lines] [streams]
 *
 * @module
 */
import process from "node:process";
import { SERVICE_FLAGS } from "./service_flags.ts";

const LINES = Number(Deno.args[0] ?? 20_000);
const STREAMS = Number(Deno.args[1] ?? 1_000);
const PORT = 18_000 + Math.floor(Math.random() * 10_000);
const ORIGIN = `http://127.0.0.1:${PORT}`;
/** Lines that are sent before the measured ones, until the code is compiled and the heap has its size. */
const WARM_UP_LINES = 10_000;
/** Rows that a new document takes in its commit; two of them hold its state. */
const DOCUMENT_ROWS = 7;
/** Documents that share a commit. */
const DOCUMENTS_PER_COMMIT = 50;
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
  // The jobs of the setup look at everything there is.
  await new Promise((done) => setTimeout(done, 6_000));
  await streams(token);
  await bulk(token, WARM_UP_LINES);
  await bulk(token, LINES);
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

/** What the service holds in memory, megabytes. */
async function memory(): Promise<{ now: number }> {
  const text = await Deno.readTextFile(`/proc/${service.pid}/status`);
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1024;
  return { now: Math.round(of("VmRSS")) };
}

/** Processor time that the service has taken, seconds; the kernel counts in hundredths. */
async function processorSeconds(): Promise<number> {
  const text = await Deno.readTextFile(`/proc/${service.pid}/stat`);
  const [user, system] = text.slice(text.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
  return (user! + system!) / 100;
}

async function bulk(token: string, count: number): Promise<void> {
  const before = await memory();
  const processorBefore = await processorSeconds();
  let peak = 0;
  const looking = setInterval(async () => peak = Math.max(peak, (await memory()).now), 50);
  async function* lines() {
    let text = "";
    for (let n = 0; n < count; n++) {
      const body = { title: `Document ${count} ${n}`, body: TEXT };
      text += `${JSON.stringify({ op: "create", body })}\n`;
      if (text.length < 30_000) continue;
      yield text;
      text = "";
    }
    yield text;
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
  clearInterval(looking);
  const after = await memory();
  const processorMs = (await processorSeconds() - processorBefore) * 1000 / count;
  console.log(
    `_bulk, ${count} drafts of ${TEXT.length} bytes: ${(count / seconds).toFixed(0)}/s, ` +
      `${processorMs.toFixed(2)} ms of processor time each`,
  );
  console.log(`  last line ${last.trim().split("\n").at(-1)}`);
  console.log(`  memory ${before.now} MB before, ${peak} MB at most, ${after.now} MB after`);
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

/** As many rows and bytes as the documents take in their commits, one commit after the other. */
async function bareCommits(): Promise<void> {
  const kv = await Deno.openKv(`${folder}/bare.sqlite3`);
  const state = new TextEncoder().encode(JSON.stringify({ title: "Document", body: TEXT }));
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  for (let start = 0; start < LINES; start += DOCUMENTS_PER_COMMIT) {
    const commit = kv.atomic();
    for (let document = start; document < start + DOCUMENTS_PER_COMMIT; document++) {
      for (let row = 0; row < DOCUMENT_ROWS; row++) {
        commit.set(["bare", row, document], row < 2 ? { n: 1, body: state } : { n: 1 });
      }
    }
    await commit.commit();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(before);
  kv.close();
  console.log(
    `bare, ${DOCUMENT_ROWS} rows a document, ${DOCUMENTS_PER_COMMIT} documents to a commit: ` +
      `${(LINES / seconds).toFixed(0)}/s, ` +
      `${((user + system) / 1000 / LINES).toFixed(2)} ms of processor time each`,
  );
}
