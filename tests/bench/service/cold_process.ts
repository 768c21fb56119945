/**
 * The service as a process of its own over a filled data folder: how soon it answers, and what it takes.
 *
 * @module
 */
import { SERVICE_FLAGS } from "./service_flags.ts";

/** What a process that was just started came to. */
export interface ColdProcess {
  listeningMs: number;
  firstListMs: number;
  /** Resident, after the first list. */
  idleMb: number;
  /** Resident, after the requests. */
  warmMb: number;
}

/** Starts the service, asks for the first list, then for every path once. */
export async function measureColdProcess(
  dataDir: string,
  token: string,
  paths: readonly string[],
): Promise<ColdProcess> {
  const startedAt = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", ...SERVICE_FLAGS, "main.ts", "start"],
    env: { DATA_DIR: dataDir, PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "error" },
    stdout: "piped",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  try {
    const address = await readAddress(lines);
    const listeningMs = performance.now() - startedAt;
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${address}${path}`, { headers });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await answer.body?.cancel();
    };
    const askedAt = performance.now();
    await get("/api/v1/posts");
    const firstListMs = performance.now() - askedAt;
    const idleMb = residentMb(child.pid);
    for (const path of paths) await get(path);
    return { listeningMs, firstListMs, idleMb, warmMb: residentMb(child.pid) };
  } finally {
    child.kill("SIGKILL");
    await lines.cancel();
    await child.status;
  }
}

async function readAddress(lines: ReadableStreamDefaultReader<string>): Promise<string> {
  let printed = "";
  for (;;) {
    const { value, done } = await lines.read();
    if (done) throw new Error(`The service did not start: ${printed}`);
    printed += value;
    const address = /http:\/\/[^\s"]+:\d+/.exec(printed)?.[0];
    if (address !== undefined) return address;
  }
}

/** Linux tells it of any process. */
function residentMb(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) / 1024);
}
