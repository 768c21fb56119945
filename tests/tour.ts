/**
 * Plays the README's tour: starts the service with the Deno that runs this, executes every `bash` block
 * of the tour as it stands, and compares what is printed with the lines that begin with `# →`.
 *
 *     deno run --allow-all tests/tour.ts
 *
 * @module
 */
import { storyStore } from "./support/stores/kv_connect.ts";

/** A service started for a story; `await using` stops it and removes its data. */
export interface StartedService extends AsyncDisposable {
  origin: string;
  setupCode: string;
  dataDir: string;
  kill(signal: Deno.Signal): void;
}

/** The entry point, behind scripts that make password hashes cheap and, on request, set the clock ahead. */
function entryPoint(aheadMs: string | undefined): string[] {
  const preloads = [
    "tests/support/sign_in/cheap_passwords.ts",
    ...(aheadMs === undefined ? [] : ["tests/support/harness/clock_ahead.ts"]),
  ];
  return [...preloads.flatMap((script) => ["--preload", script]), "main.ts"];
}

/** Starts the service as a process of its own on a free port. */
export async function startService(
  env: Record<string, string> = {},
  dataDir?: string,
): Promise<StartedService> {
  const folder = dataDir ?? await Deno.makeTempDir({ prefix: "cms-" });
  const store = await storyStore(folder, env);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", ...entryPoint(env.TEST_CLOCK_AHEAD_MS), "start"],
    env: {
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: folder,
      SETUP_CODE: "the tour code",
      ...store.env,
      ...env,
    },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let printed = "";
  while (!/Listening on [^\n]+\n/.test(printed)) {
    const { value, done } = await lines.read();
    if (done) throw new Error(`The service did not start: ${printed}`);
    printed += value;
  }
  const drained = (async () => {
    while (!(await lines.read()).done);
  })();
  return {
    origin: /Listening on (\S+)/.exec(printed)![1]!,
    setupCode: env.SETUP_CODE ?? "the tour code",
    dataDir: folder,
    kill: (signal) => child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      try {
        child.kill("SIGTERM");
      } catch (error) {
        // It may have been killed by the story itself.
        if (!(error instanceof TypeError)) throw error;
      }
      await child.status;
      await drained;
      await store[Symbol.asyncDispose]();
      if (dataDir === undefined) await Deno.remove(folder, { recursive: true });
    },
  };
}

/** The README's tour. */
function tourOf(readme: string): string {
  const tour = readme.slice(readme.indexOf("## Five-minute tour"));
  const end = tour.indexOf("\n## ", 10);
  return tour.slice(0, end < 0 ? undefined : end);
}

/** The blocks of a text as one script, with the output of each marked, and what each must print. */
export function readCommands(text: string): { script: string; expected: string[][] } {
  const blocks = [...text.matchAll(/```bash\n([\s\S]*?)```/g)];
  const expected = blocks.map(([, block]) =>
    [...block!.matchAll(/^# → (.*)$/gm)].map((match) => match[1]!)
  );
  const script = blocks.map(([, block]) => `${block}\necho; echo =====`).join("\n");
  return { script: `set -eu\n${script}`, expected };
}

/** The commands of the README's tour. */
export function readTour(readme: string): { script: string; expected: string[][] } {
  return readCommands(tourOf(readme));
}

/** Runs the tour; answers what went wrong, nothing when all is well. */
export async function playTour(env: Record<string, string> = {}): Promise<string[]> {
  return await playCommands(readTour(await Deno.readTextFile("README.md")), env);
}

/** Runs commands against a service that is started for them; answers what went wrong. */
export async function playCommands(
  { script, expected }: { script: string; expected: string[][] },
  env: Record<string, string> = {},
): Promise<string[]> {
  await using service = await startService(env);
  const output = await new Deno.Command("bash", {
    args: ["-c", script],
    cwd: service.dataDir,
    env: { CMS: service.origin, CODE: service.setupCode },
  }).output();
  const printed = new TextDecoder().decode(output.stdout).split("=====");
  const failures = expected.flatMap((texts, block) =>
    texts
      .filter((text) => !printed[block]?.includes(text))
      .map((text) => `Block ${block + 1} does not print ${text}: ${printed[block]}`)
  );
  if (!output.success) failures.push(new TextDecoder().decode(output.stderr));
  return failures;
}

if (import.meta.main) {
  const failures = await playTour();
  for (const failure of failures) console.error(failure);
  console.log(failures.length === 0 ? "The tour works" : "The tour does not work");
  Deno.exit(failures.length === 0 ? 0 : 1);
}
