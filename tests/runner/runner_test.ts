import { assertEquals } from "../support/harness/assert.ts";
import { expandPaths, parseArguments } from "./arguments.ts";
import { reachedTests } from "./changed_tests.ts";
import { DEPLOY_FILES, deployFiles } from "./deploy_files.ts";
import { isBrowserDetail } from "./files.ts";
import { readGroupOutput } from "./group_output.ts";
import { planGroups } from "./plan.ts";

const module = (imports: string[], ...mentions: string[]) => ({
  imports,
  mentions: new Set(mentions),
});

Deno.test("reachedTests() follows imports, and mentions of files that nothing imports", () => {
  const graph = new Map([
    ["tests/a_test.ts", module(["kv/a.ts"])],
    ["tests/b_test.ts", module(["tests/start.ts"])],
    ["tests/c_test.ts", module(["kv/c.ts"])],
    ["tests/start.ts", module([], "main.ts")],
    ["main.ts", module(["kv/b.ts"])],
    ["kv/a.ts", module(["kv/b.ts"])],
    ["kv/b.ts", module([], "look.css")],
    ["kv/c.ts", module([])],
  ]);
  const tests = ["tests/a_test.ts", "tests/b_test.ts", "tests/c_test.ts"];
  const reached = (...changed: string[]) => [...reachedTests(tests, changed, graph)];
  assertEquals(reached("kv/b.ts"), tests.slice(0, 2));
  assertEquals(reached("kv/a.ts"), tests.slice(0, 1));
  assertEquals(reached("kv/c.ts"), tests.slice(2));
  assertEquals(reached("kv/look.css"), tests.slice(0, 2));
  assertEquals(reached("docs/none.md"), []);
  assertEquals(reached("tests/c_test.ts"), tests.slice(2));
});

Deno.test("parseArguments() tells its own options from paths and from those of deno test", () => {
  assertEquals(parseArguments(["tests/kv/", "--all", "--filter", "sort", "--changed"]), {
    paths: ["tests/kv"],
    denoOptions: ["--filter", "sort"],
    all: true,
    changed: true,
    sinceFailed: false,
  });
});

Deno.test("readGroupOutput() counts by file, without what tests print", () => {
  const output = [
    "running 6 tests from ./tests/runner/group.ts",
    "── file 0 ... ok (0ms)",
    "one ... ok (5ms)",
    "two ... ",
    "------- output -------",
    "three ... FAILED",
    "----- output end -----",
    "two ... ok (1ms)",
    "── file 1 ... ok (0ms)",
    "four ...",
    "  step ... FAILED (0ms)",
    "four ... FAILED (due to 1 failed step) (2ms)",
    "five ... ignored (0ms)",
    "six ...'six' has been running for over (1m0s)",
    "'six' has been running for over (2m0s)",
    " FAILED (2m9s)",
    "── file 2 ... ok (0ms)",
    "",
    " ERRORS ",
    "four => ./x.ts:1:1",
  ].join("\n");
  const { counts, failedTests, failures } = readGroupOutput(output, 2);
  assertEquals(counts, [
    { passed: 2, failed: 0, ignored: 0 },
    { passed: 0, failed: 2, ignored: 1 },
  ]);
  assertEquals(failedTests, [[], ["four", "six"]]);
  assertEquals(failures, " ERRORS \nfour => ./x.ts:1:1");
});

Deno.test("planGroups() keeps browsers and stories apart, every file once, the longest first", async () => {
  const texts: Record<string, string> = {
    "tests/stories/start_test.ts": "",
    "tests/browser/a_test.ts": 'import "../support/browser/chromium.ts"',
    "tests/browser/b_test.ts": 'import "../support/browser/chromium.ts"',
    ...Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`tests/kv/${n}_test.ts`, ""])),
  };
  const groups = await planGroups({
    files: Object.keys(texts),
    read: (file) => Promise.resolve(texts[file]!),
    known: { "tests/stories/start_test.ts": 90 },
    processes: 2,
    browserGroups: 1,
    separate: false,
  });
  assertEquals(groups[0], ["tests/stories/start_test.ts"]);
  assertEquals(groups.map((group) => group.length), [1, 2, 4, 3]);
  assertEquals(groups.flat().sort(), Object.keys(texts).sort());
});

Deno.test("isBrowserDetail() keeps the browser stories, and every test without a browser", async () => {
  const details: string[] = [];
  for (const file of await expandPaths(["tests"])) {
    if (isBrowserDetail(file, await Deno.readTextFile(file))) details.push(file);
  }
  const folders = new Set(details.map((file) => file.split("/").slice(0, 2).join("/")));
  assertEquals([...folders], ["tests/browser"]);
  assertEquals(details.filter((file) => file.startsWith("tests/browser/stories/")), []);
  assertEquals(details.includes("tests/browser/editor/rich_text_test.ts"), true);
});

Deno.test("each path of the tests for the Deno of Deno Deploy holds tests, none needs a browser", async () => {
  const files = await expandPaths(["tests"]);
  const chosen = deployFiles(files);
  for (const path of Object.keys(DEPLOY_FILES)) {
    assertEquals(chosen.some((file) => file.startsWith(path)), true, path);
  }
  for (const file of chosen) {
    assertEquals(
      (await Deno.readTextFile(file)).includes("support/browser/chromium.ts"),
      false,
      file,
    );
  }
});
