/**
 * Measures the search route in a process of its own: its first answer, many requests at once, its memory.
 *
 * @module
 */
import type { LoadResult } from "../service/load.ts";
import { SERVICE_FLAGS } from "../service/service_flags.ts";

/** What the route's process tells of itself. */
interface Usage {
  memoryMb: number;
  cpuMs: number;
}

/** Runs the route over a folder; `tell` is given a name and a value per figure. */
export async function measureRoute(
  folder: string,
  texts: readonly string[],
  tell: (name: string, value: string) => void,
): Promise<void> {
  const server = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      ...SERVICE_FLAGS,
      `${import.meta.dirname}/search_server.ts`,
      folder,
      `${folder}/collection.json`,
    ],
    stdout: "piped",
  }).spawn();
  try {
    const { value } = await server.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
    const port = Number(value);
    const startedAt = performance.now();
    await (await fetch(`http://127.0.0.1:${port}${address(texts[0]!)}`)).body?.cancel();
    tell("route: first answer of the process", `${(performance.now() - startedAt).toFixed(1)} ms`);
    const requests = texts.map((text) =>
      `GET ${address(text)} HTTP/1.1\r\nhost: localhost\r\n\r\n`
    );
    const bare = ["GET /bare HTTP/1.1\r\nhost: localhost\r\n\r\n"];
    const loads = {
      "warming up": requests,
      "warm": requests,
      "100 queries": requests.slice(0, 100),
      "bare, same bytes": bare,
    };
    for (const [name, sent] of Object.entries(loads)) {
      const before = await usage(port);
      const { requests: count, perSecond, p50Ms, p99Ms, statuses } = await load(port, sent);
      const cpuMs = ((await usage(port)).cpuMs - before.cpuMs) / count;
      tell(
        `route: 16 connections, ${name}`,
        `${perSecond} a second   p50 ${p50Ms} ms   p99 ${p99Ms} ms   ` +
          `${cpuMs.toFixed(2)} ms of CPU each   ${JSON.stringify(statuses)}`,
      );
    }
    tell("route: memory of the process", `${Math.round((await usage(port)).memoryMb)} MB`);
  } finally {
    server.kill();
    await server.status;
  }
}

function address(text: string): string {
  return `/api/v1/search?q=${encodeURIComponent(text)}`;
}

async function usage(port: number): Promise<Usage> {
  return await (await fetch(`http://127.0.0.1:${port}/usage`)).json();
}

async function load(port: number, requests: readonly string[]): Promise<LoadResult> {
  const load = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `${import.meta.dirname}/../service/load.ts`, String(port), "16", "6"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = load.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(requests)));
  await writer.close();
  return JSON.parse(new TextDecoder().decode((await load.output()).stdout));
}
