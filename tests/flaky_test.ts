import { assertEquals, assertThrows } from "@std/assert";
import { startBusyLoops } from "./runner/busy_loops.ts";
import { describeFailures, parseFlakyArguments, runKind } from "./runner/flaky_runs.ts";

const FLAKY = new URL("flaky.ts", import.meta.url).pathname;

Deno.test("tests/flaky.ts counts each failing test by kind of run, and fails", async () => {
  const folder = await Deno.makeTempDir();
  // The second and the fourth run are busy; each run adds a byte.
  await Deno.writeTextFile(
    `${folder}/sometimes_test.ts`,
    `const runs = new URL("runs", import.meta.url);
     Deno.writeTextFileSync(runs, "x", { append: true });
     const run = Deno.readTextFileSync(runs).length;
     Deno.test("fails when busy", () => { if (run % 2 === 0) throw new Error(); });
     Deno.test("fails once", () => { if (run === 3) throw new Error(); });
     Deno.test("passes", () => {});`,
  );
  await Deno.writeTextFile(
    `${folder}/dies_test.ts`,
    `Deno.test("dies", () => Deno.kill(Deno.pid, "SIGKILL"));`,
  );
  const series = async (...args: string[]) => {
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", FLAKY, ...args],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    return { code, lines: new TextDecoder().decode(stdout).trimEnd().split("\n") };
  };
  const failed = await series("--runs", "4", "--busy=1", "sometimes_test.ts", "dies_test.ts");
  assertEquals(failed.lines.slice(failed.lines.indexOf("── 4 runs") + 1), [
    "4 of 4 runs (2 of 2 quiet, 2 of 2 busy): dies_test.ts: (ended its process)",
    "2 of 4 runs (0 of 2 quiet, 2 of 2 busy): sometimes_test.ts: fails when busy",
    "1 of 4 runs (1 of 2 quiet, 0 of 2 busy): sometimes_test.ts: fails once",
  ]);
  assertEquals(failed.code, 1);
  const passed = await series("--runs", "1", "sometimes_test.ts");
  assertEquals([passed.code, passed.lines.at(-1)], [0, "no test failed"]);
  assertEquals((await series("--runs", "none")).code, 2);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("startBusyLoops() starts threads, and settles once they have ended", async () => {
  const stop = startBusyLoops(2);
  await new Promise((done) => setTimeout(done, 50));
  await stop();
  await startBusyLoops(0)();
});

Deno.test("parseFlakyArguments() leaves what it does not know to the runner", () => {
  assertEquals(parseFlakyArguments(["--all", "tests/kv"]), {
    runs: 12,
    busy: 2,
    testArguments: ["--all", "tests/kv"],
  });
  assertEquals(parseFlakyArguments(["--busy", "0", "--runs=3"]).testArguments, []);
  for (const wrong of [["--runs", "0"], ["--busy", "-1"], ["--runs"], ["--runs=1.5"]]) {
    assertThrows(() => parseFlakyArguments(wrong), RangeError);
  }
  assertEquals([0, 1, 2].map((index) => runKind(index, { busy: 0 })), ["quiet", "quiet", "quiet"]);
  assertEquals(describeFailures([{ kind: "quiet", failedTests: {} }]), []);
});
