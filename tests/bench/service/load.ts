/**
 * A load generator: keep-alive connections that send one request after another and count what comes
 * back. With 0 seconds every request is sent once. Runs as a process of its own, so that it does not share the event loop with what it measures.
 *
 *     deno run -A tests/bench/service/load.ts <port> <connections> <seconds> [pause, ms] [first number] < requests.json
 *
 * Standard input is a JSON array of raw HTTP/1.1 requests, sent in turn; standard output one JSON line. A request
 * with {@linkcode NUMBER} in it has the number of its sending there: what is another one each time need not be
 * thousands of texts, which would take memory and caches from what is measured.
 *
 * @module
 */

/** Where a request has its number, in as many digits. */
export const NUMBER = "########";

/** What a run came to. */
export interface LoadResult {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers by status. */
  statuses: Record<string, number>;
}

/** Sends requests from a process of its own, each connection with a pause after every answer. */
export async function sendLoad(
  port: number,
  connections: number,
  seconds: number,
  requests: string[],
  { pauseMs = 0, firstNumber = 0 }: { pauseMs?: number; firstNumber?: number } = {},
): Promise<LoadResult> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      import.meta.filename!,
      ...[port, connections, seconds, pauseMs, firstNumber].map(String),
    ],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(encoder.encode(JSON.stringify(requests)));
  await writer.close();
  const { stdout } = await child.output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

const encoder = new TextEncoder();
const HEAD_END = [13, 10, 13, 10];

function headEnd(bytes: Uint8Array, length: number): number {
  for (let at = 0; at + 3 < length; at++) {
    if (HEAD_END.every((byte, index) => bytes[at + index] === byte)) return at + 4;
  }
  return -1;
}

/** Reads one answer; only answers with a content-length are understood. */
async function readAnswer(connection: Deno.TcpConn, buffer: Uint8Array): Promise<string> {
  let length = 0;
  for (;;) {
    const read = await connection.read(buffer.subarray(length));
    if (read === null) throw new Error("The server closed the connection");
    length += read;
    const end = headEnd(buffer, length);
    if (end < 0) continue;
    const head = new TextDecoder("latin1").decode(buffer.subarray(0, end));
    const size = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    while (length < end + size) {
      const more = await connection.read(buffer.subarray(length));
      if (more === null) throw new Error("The server closed the connection");
      length += more;
    }
    return head.slice(9, 12);
  }
}

/** A request with its number, in memory of its own: it may be on its way for long. */
function numbered({ bytes, at }: { bytes: Uint8Array; at: number }, number: number): Uint8Array {
  if (at < 0) return bytes;
  const copy = bytes.slice();
  encoder.encodeInto(`${number}`.padStart(NUMBER.length, "0"), copy.subarray(at));
  return copy;
}

async function main(): Promise<void> {
  const [port = 0, connections = 0, seconds = 0, pauseMs = 0, firstNumber = 0] = Deno.args
    .map(Number);
  const texts = JSON.parse(await new Response(Deno.stdin.readable).text()) as string[];
  const requests = texts.map((text) => {
    const at = text.indexOf(NUMBER);
    // Characters before it may take several bytes each.
    return {
      bytes: encoder.encode(text),
      at: at < 0 ? at : encoder.encode(text.slice(0, at)).length,
    };
  });
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  let next = 0;
  await Promise.all(Array.from({ length: connections }, async () => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    connection.setNoDelay(true);
    const buffer = new Uint8Array(1_000_000);
    const isOver = () =>
      seconds === 0 ? next >= requests.length : performance.now() - startedAt >= seconds * 1000;
    while (!isOver()) {
      const sentAt = performance.now();
      const number = firstNumber + next;
      await connection.write(numbered(requests[next++ % requests.length]!, number));
      const status = await readAnswer(connection, buffer);
      times.push(performance.now() - sentAt);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
    }
    connection.close();
  }));
  const elapsed = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  const quantile = (part: number) =>
    Math.round(times[Math.floor(times.length * part)]! * 1000) / 1000;
  const result: LoadResult = {
    requests: times.length,
    perSecond: Math.round(times.length / elapsed),
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    statuses,
  };
  console.log(JSON.stringify(result));
}

if (import.meta.main) await main();
