/**
 * `deno task test`: runs the tests with the Deno that runs this, and ends with one line that counts them.
 * Arguments are passed on to `deno test`.
 *
 * @module
 */
const counts = { passed: 0, failed: 0, ignored: 0 };

/** The numbers of deno's closing line, such as `ok | 10 passed (4 steps) | 0 failed | 2 ignored`. */
function readClosingLine(line: string): void {
  // deno-lint-ignore no-control-regex
  const plain = line.replace(/\u001b\[[0-9;]*m/g, "");
  if (!/^(ok|FAILED) \| \d+ passed/.test(plain)) return;
  for (const name of ["passed", "failed", "ignored"] as const) {
    counts[name] += Number(new RegExp(`(\\d+) ${name}`).exec(plain)?.[1] ?? 0);
  }
}

async function relay(stream: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      console.log(line);
      readClosingLine(line);
    }
  }
  if (rest !== "") console.log(rest);
}

const child = new Deno.Command(Deno.execPath(), {
  args: ["test", "--allow-all", "--no-check", "--parallel", ...Deno.args],
  env: { DENO_JOBS: String(navigator.hardwareConcurrency) },
  stdout: "piped",
  stderr: "inherit",
}).spawn();
await relay(child.stdout);
const { code } = await child.status;
if (code !== 0 && counts.failed === 0) counts.failed = 1;
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.ignored} skipped`);
Deno.exit(code);
