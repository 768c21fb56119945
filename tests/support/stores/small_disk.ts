/**
 * A small file system in memory that a test can fill, and services that run on it.
 *
 * @module
 */
import { assert } from "@std/assert";

/** A disk with 64 MB. */
export interface SmallDisk extends AsyncDisposable {
  folder: string;
  /** Takes the remaining room; again, the room that was freed since. */
  fill(): Promise<void>;
  /** Removes what `fill` has written. */
  clear(): Promise<void>;
}

/** Runs a command; whether it succeeded. */
export async function run(command: string, ...args: string[]): Promise<boolean> {
  const options = { args, stdout: "null", stderr: "null" } as const;
  return (await new Deno.Command(command, options).output()).success;
}

/** Mounts a disk; null without the right to do so. */
export async function mountSmallDisk(): Promise<SmallDisk | null> {
  const folder = await Deno.makeTempDir({ prefix: "cms-disk-" });
  if (!await run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder).catch(() => false)) {
    await Deno.remove(folder);
    return null;
  }
  return {
    folder,
    fill: async () => {
      const appends = ["oflag=append", "conv=notrunc"];
      await run("dd", "if=/dev/zero", `of=${folder}/filler`, "bs=4096", ...appends);
    },
    clear: () => Deno.remove(`${folder}/filler`),
    [Symbol.asyncDispose]: async () => {
      await run("umount", "-l", folder);
      await Deno.remove(folder);
    },
  };
}

/** Whether disks can be mounted here. */
export async function canMountDisks(): Promise<boolean> {
  const disk = await mountSmallDisk();
  await disk?.[Symbol.asyncDispose]();
  return disk !== null;
}

/** Waits up to 20 seconds by default. */
export async function until(
  what: string | (() => string),
  holds: () => Promise<boolean>,
  seconds = 20,
): Promise<void> {
  for (let attempt = 0; !await holds(); attempt++) {
    assert(attempt < 5 * seconds, typeof what === "string" ? what : what());
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** Arguments and environment of a service on a disk. */
function serviceOptions(dataDir: string, command: string[]) {
  return {
    args: ["run", "--allow-all", "--no-check", "main.ts", ...command],
    env: {
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      SETUP_CODE: "the tour code",
      NO_COLOR: "1",
    },
  };
}

/** Runs a command to its end: its exit code and the lines that it printed. */
export async function runToEnd(
  dataDir: string,
  ...command: string[]
): Promise<{ code: number; lines: string[] }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    ...serviceOptions(dataDir, command),
    signal: AbortSignal.timeout(60_000),
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  return { code, lines: text.split("\n").filter((line) => line !== "") };
}

/** A service as its supervisor sees it. */
export interface SupervisedService {
  origin: string;
  /** What it has printed. */
  printed(): string;
  /** Its exit code; null while it runs. */
  exitCode(): number | null;
  stop(): Promise<void>;
}

/** Starts a service and waits until it listens. */
export async function superviseService(dataDir: string): Promise<SupervisedService> {
  const child = new Deno.Command(Deno.execPath(), {
    ...serviceOptions(dataDir, ["start"]),
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  let code: number | null = null;
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const piece of stream) text += decoder.decode(piece, { stream: true });
  };
  const ended = Promise.all([
    read(child.stdout),
    read(child.stderr),
    child.status.then((status) => code = status.code),
  ]);
  const listening = /Listening on (http:\S+) /;
  await until(() => `The service does not listen: ${text}`, () => {
    if (code !== null) throw new Error(`The service ended: ${text}`);
    return Promise.resolve(listening.test(text));
  }, 60).catch((error) => {
    if (code === null) child.kill("SIGKILL");
    throw error;
  });
  return {
    origin: listening.exec(text)![1]!,
    printed: () => text,
    exitCode: () => code,
    stop: async () => {
      if (code === null) child.kill("SIGTERM");
      await ended;
    },
  };
}
