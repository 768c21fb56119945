import { assert, assertStringIncludes } from "@std/assert";

const RUN = new URL("run.ts", import.meta.url).pathname;

Deno.test("test files that hang are killed and named, and the others are counted", async () => {
  const folder = await Deno.makeTempDir();
  const files = {
    fine: `Deno.test("fine", () => {});`,
    skipped: `Deno.test({ name: "skipped", ignore: true, fn() {} });`,
    wrong: `Deno.test("wrong", () => { throw new Error("wrong"); });`,
    nowhere: `import "./nowhere.ts";`,
    dies: `Deno.test("dies", () => Deno.kill(Deno.pid, "SIGKILL"));`,
    uncaught: `Deno.test("throws later", async () => {
      setTimeout(() => { throw new Error("later"); });
      await new Promise((done) => setTimeout(done, 50));
    });`,
    spins: `Deno.test("spins", () => { for (;;); });`,
    waits: `Deno.test("waits", () => new Deno.Command("sleep", { args: ["54321"] }).output());`,
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}_test.ts`, text);
  }
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", RUN, "--no-lock", folder],
    env: { TEST_FILE_MINUTES: "0.1", TEST_CACHE: `${folder}/.cache`, NO_COLOR: "1" },
  }).output();
  const output = new TextDecoder().decode(stdout);
  assert(code !== 0);
  for (const name of ["spins", "waits"]) {
    assertStringIncludes(output, `FAILED: ${folder}/${name}_test.ts (hung`);
  }
  for (const name of ["wrong", "nowhere"]) {
    assertStringIncludes(output, `FAILED: ${folder}/${name}_test.ts\n`);
  }
  for (const name of ["dies", "uncaught"]) {
    assertStringIncludes(output, `FAILED: ${folder}/${name}_test.ts (ended its process)`);
  }
  assert(output.endsWith("\n1 passed, 6 failed, 1 skipped\n"), output.slice(-500));
  const { stdout: processes } = await new Deno.Command("ps", { args: ["-A", "-o", "args"] })
    .output();
  assert(!new TextDecoder().decode(processes).includes("sleep 54321"), "a child is left");
  await Deno.remove(folder, { recursive: true });
});
