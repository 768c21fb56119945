/**
 * `deno run --allow-all tests/flaky.ts [--runs 12] [--busy 2] [arguments of deno task test…]`: runs the suite that
 * often, every second time beside busy loops, and prints each test that failed with how often it did. Exits with 1 if
 * any run failed.
 *
 * @module
 */
import {
  describeFailures,
  type FlakyArguments,
  parseFlakyArguments,
  type RunFailures,
  runKind,
} from "./runner/flaky_runs.ts";
import { startBusyLoops } from "./runner/busy_loops.ts";
import { readLastRun, writeLastRun } from "./runner/last_run.ts";

const RUN = new URL("run.ts", import.meta.url).pathname;

async function runSuite(testArguments: string[]): Promise<Record<string, string[]>> {
  // A run that ends before it records anything must not leave the failures of the one before.
  await writeLastRun({ ...await readLastRun(), failedTests: {} });
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", RUN, ...testArguments],
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  const { failedTests } = await readLastRun();
  if (success || Object.keys(failedTests).length > 0) return failedTests;
  return { "tests/run.ts": ["(ended without a result)"] };
}

async function runAll({ runs, busy, testArguments }: FlakyArguments): Promise<boolean> {
  const ended: RunFailures[] = [];
  for (let index = 0; index < runs; index++) {
    const kind = runKind(index, { busy });
    console.log(`\n── run ${index + 1} of ${runs}, ${kind}`);
    const stopLoops = startBusyLoops(kind === "busy" ? busy : 0);
    try {
      ended.push({ kind, failedTests: await runSuite(testArguments) });
    } finally {
      await stopLoops();
    }
  }
  const lines = describeFailures(ended);
  console.log(`\n── ${runs} runs`);
  console.log(lines.length === 0 ? "no test failed" : lines.join("\n"));
  return lines.length === 0;
}

if (import.meta.main) {
  try {
    Deno.exit(await runAll(parseFlakyArguments(Deno.args)) ? 0 : 1);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(error.message);
    Deno.exit(2);
  }
}
