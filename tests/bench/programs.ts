/**
 * Programs against a started service: a thousand open event streams, then documents a second by `_bulk` with
 * the memory that a long body takes, beside the bare cost of commits of as many rows in the same run.
 *
 *     deno run -A tests/bench/programs.ts [lines] [streams] [lines of the long body]
 *
 * @module
 */
import process from "node:process";
import { articlePool } from "./content/pool.ts";
import { startArticleService } from "./service/started_service.ts";

const LINES = Number(Deno.args[0] ?? 9_000);
const STREAMS = Number(Deno.args[1] ?? 1_000);
/** Lines of a body of nearly 100 MB, the most allowed, with a Content-Length: for measuring memory. */
const LONG_LINES = Number(Deno.args[2] ?? 9_000);
/** Lines that are sent before the measured ones, until the code is compiled and the heap has its size. */
const WARM_UP_LINES = 5_000;
/** Rows that a new document takes in its commit; two of them hold its state. */
const DOCUMENT_ROWS = 7;
/** Documents that share a commit. */
const DOCUMENTS_PER_COMMIT = 50;
/** A commit ends at so many bytes: a store takes 800 KB, and one document more has to fit. */
const COMMIT_BYTES = 600_000;
/** A value holds 64 KB at most; the service divides what is longer. */
const STATE_BYTES_MAX = 60_000;
/** Lines that are sent together. */
const LINES_PER_PIECE = 30;

const service = await startArticleService();
const POSTS = articlePool(service.targets);
try {
  // The jobs of the setup look at everything there is.
  await new Promise((done) => setTimeout(done, 6_000));
  await streams(service.token);
  await bulk(service.token, WARM_UP_LINES);
  await bulk(service.token, LINES);
  await bareCommits();
  await bulk(service.token, LONG_LINES, (pieces) => new Blob(pieces));
} finally {
  await service.stop();
}

/** Lines of new documents, in pieces as a client sends them: made before the time is taken. */
function linePieces(count: number): Uint8Array<ArrayBuffer>[] {
  const encoder = new TextEncoder();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < count; start += LINES_PER_PIECE) {
    const lines = Array.from({ length: Math.min(LINES_PER_PIECE, count - start) }, (_, n) => {
      const body = { ...POSTS.at(start + n), title: `Document ${count} ${start + n}` };
      return `${JSON.stringify({ op: "create", body })}\n`;
    });
    pieces.push(encoder.encode(lines.join("")));
  }
  return pieces;
}

async function bulk(
  token: string,
  count: number,
  bodyOf: (pieces: Uint8Array<ArrayBuffer>[]) => BodyInit = ReadableStream.from,
): Promise<void> {
  const pieces = linePieces(count);
  const body = bodyOf(pieces);
  const megabytes = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0) / 1_000_000;
  const before = await service.memory();
  const processorBefore = await service.processorSeconds();
  let peak = 0;
  const looking = setInterval(async () => peak = Math.max(peak, await service.memory()), 50);
  const startedAt = performance.now();
  const response = await fetch(`${service.origin}/api/v1/posts/_bulk`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body,
  });
  let last = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    last = (last + text).slice(-300);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(looking);
  const after = await service.memory();
  const processorMs = (await service.processorSeconds() - processorBefore) * 1000 / count;
  console.log(
    `_bulk, ${count} drafts, ${megabytes.toFixed(0)} MB: ${(count / seconds).toFixed(0)}/s, ` +
      `${processorMs.toFixed(2)} ms of processor time each`,
  );
  console.log(`  last line ${last.trim().split("\n").at(-1)}`);
  console.log(`  memory ${before} MB before, ${peak} MB at most, ${after} MB after`);
}

async function streams(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  const page = await fetch(`${service.origin}/api/v1/_changes?limit=1000&include=none`, {
    headers: {
      authorization: headers.authorization,
    },
  });
  let { meta } = await page.json();
  while (meta.hasMore) {
    const address =
      `${service.origin}/api/v1/_changes?limit=1000&include=none&since=${meta.cursor}`;
    const next = await fetch(address, { headers: { authorization: headers.authorization } });
    meta = (await next.json()).meta;
  }
  const before = await service.memory();
  const address = `${service.origin}/api/v1/_changes?include=none&since=${
    encodeURIComponent(meta.cursor)
  }`;
  const opened: Promise<ReadableStreamDefaultReader<string>>[] = [];
  for (let n = 0; n < STREAMS; n++) {
    opened.push(
      fetch(address, { headers }).then(({ body }) =>
        body!.pipeThrough(new TextDecoderStream()).getReader()
      ),
    );
    if (n % 50 === 49) await Promise.all(opened);
  }
  const readers = await Promise.all(opened);
  const open = await service.memory();
  const told = readers.map(async (reader) => {
    for (let text = "";;) {
      const { value, done } = await reader.read();
      if (done) throw new Error("A stream ended");
      text += value;
      if (text.includes("event: change")) return performance.now();
    }
  });
  const startedAt = performance.now();
  const made = await fetch(`${service.origin}/api/v1/posts`, {
    method: "POST",
    headers: { authorization: headers.authorization, "content-type": "application/json" },
    body: JSON.stringify({ title: "News" }),
  });
  await made.body?.cancel();
  const times = (await Promise.all(told)).map((at) => at - startedAt).sort((a, b) => a - b);
  const after = await service.memory();
  const ms = (part: number) => `${times[Math.floor((times.length - 1) * part)]!.toFixed(0)} ms`;
  console.log(
    `${STREAMS} event streams: ${before} MB before, ${open} MB open, ${after} MB after a change`,
  );
  console.log(`  a change is told after ${ms(0.5)} at the median, ${ms(1)} at the latest`);
  // Aborting the request that was answered would leave the connection open.
  await Promise.all(readers.map((reader) => reader.cancel()));
}

/** As many rows and bytes as the documents take in their commits, one commit after the other. */
async function bareCommits(): Promise<void> {
  const kv = await Deno.openKv(`${service.folder}/bare.sqlite3`);
  const encoder = new TextEncoder();
  const states = POSTS.items.map((post) =>
    encoder.encode(JSON.stringify(post)).slice(0, STATE_BYTES_MAX)
  );
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  let [commit, bytes] = [kv.atomic(), 0];
  for (let document = 0; document < LINES; document++) {
    const body = states[document % states.length]!;
    for (let row = 0; row < DOCUMENT_ROWS; row++) {
      commit.set(["bare", row, document], row < 2 ? { n: 1, body } : { n: 1 });
    }
    bytes += 2 * body.length;
    if (document % DOCUMENTS_PER_COMMIT > 0 && bytes < COMMIT_BYTES && document < LINES - 1) {
      continue;
    }
    await commit.commit();
    [commit, bytes] = [kv.atomic(), 0];
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(before);
  kv.close();
  console.log(
    `bare, ${DOCUMENT_ROWS} rows a document, ${DOCUMENTS_PER_COMMIT} documents to a commit at most: ` +
      `${(LINES / seconds).toFixed(0)}/s, ` +
      `${((user + system) / 1000 / LINES).toFixed(2)} ms of processor time each`,
  );
}
