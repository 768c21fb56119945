/**
 * `deno task test [paths…] [options of deno test…]`: runs each test file in a process of its own, as many beside one
 * another as the machine has cores, and ends with one line that counts the tests.
 *
 * A file that is not done after TEST_FILE_MINUTES (10) is killed with all that it started, and counts as failed: what
 * hangs is named, and never holds up the rest.
 *
 * @module
 */
const MINUTES = Number(Deno.env.get("TEST_FILE_MINUTES") ?? 10);

const counts = { passed: 0, failed: 0, ignored: 0 };
/** What the files that failed printed of their failures, by file. */
const failures = new Map<string, string>();

/** The most that is printed again of one file. */
const FAILURE_CHARACTERS = 8_000;

async function* testFiles(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* testFiles(path);
    else if (name.endsWith("_test.ts")) yield path;
  }
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** The files and folders among the arguments, as files; all tests where there is none. */
async function readArguments(args: string[]): Promise<{ files: string[]; options: string[] }> {
  const files: string[] = [];
  const options: string[] = [];
  let isAll = true;
  for (const arg of args) {
    const path = arg.replace(/\/+$/, "");
    if (arg.startsWith("-")) {
      options.push(arg);
      continue;
    }
    const isFile = path.endsWith(".ts");
    isAll &&= !isFile && !isFolder(path);
    if (isFile) files.push(path);
    else if (isFolder(path)) files.push(...await Array.fromAsync(testFiles(path)));
    else options.push(arg);
  }
  if (isAll) files.push(...await Array.fromAsync(testFiles("tests")));
  return { files: files.sort(), options };
}

/** A process and all that it has started, as the operating system knows them now. */
async function processTree(root: number): Promise<number[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-A", "-o", "pid=,ppid="] }).output();
  const rows = new TextDecoder().decode(stdout).trim().split("\n").map((row) =>
    row.trim().split(/\s+/).map(Number)
  );
  const tree = [root];
  for (const parent of tree) {
    tree.push(...rows.filter(([, ppid]) => ppid === parent).map(([pid]) => pid!));
  }
  return tree;
}

async function killTree(root: number): Promise<void> {
  const tree = await processTree(root).catch(() => [root]);
  for (const pid of tree) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

/** What deno prints of failed tests after all of a file have run, or its last words where it has not come to that. */
function failuresIn(output: string): string {
  const start = output.search(/^ *(ERRORS|FAILURES) *$/m);
  return start < 0
    ? output.slice(-FAILURE_CHARACTERS)
    : output.slice(start, start + FAILURE_CHARACTERS);
}

/** Adds the numbers of deno's closing line, such as `ok | 10 passed (4 steps) | 0 failed | 2 ignored`. */
function countTests(plain: string): { failed: number } {
  const line = plain.match(/^(ok|FAILED) \| \d+ passed.*$/gm)?.at(-1) ?? "";
  const found = { passed: 0, failed: 0, ignored: 0 };
  for (const name of ["passed", "failed", "ignored"] as const) {
    found[name] = Number(new RegExp(`(\\d+) ${name}`).exec(line)?.[1] ?? 0);
    counts[name] += found[name];
  }
  return found;
}

async function runFile(file: string, options: string[]): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "--allow-all", "--no-check", ...options, file],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let hangs = false;
  const bound = setTimeout(() => {
    hangs = true;
    void killTree(child.pid);
  }, MINUTES * 60_000);
  const { code, stdout, stderr } = await child.output();
  clearTimeout(bound);
  const text = new TextDecoder().decode(stdout);
  console.log(text.trimEnd());
  if (stderr.length > 0) console.error(new TextDecoder().decode(stderr).trimEnd());
  // deno-lint-ignore no-control-regex
  const plain = text.replace(/\u001b\[[0-9;]*m/g, "");
  const { failed } = countTests(plain);
  if (code === 0) return;
  if (failed === 0) counts.failed++;
  failures.set(hangs ? `${file} (hung, killed after ${MINUTES} minutes)` : file, failuresIn(plain));
}

const { files, options } = await readArguments(Deno.args);
const waiting = files.values();
await Promise.all(
  Array.from({ length: navigator.hardwareConcurrency }, async () => {
    for (const file of waiting) await runFile(file, options);
  }),
);
// Once more at the end: of a long log often only the end is kept.
for (const [file, text] of [...failures].sort()) console.log(`FAILED: ${file}\n${text.trim()}`);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.ignored} skipped`);
Deno.exit(failures.size === 0 ? 0 : 1);
