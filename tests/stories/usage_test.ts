import { assertEquals } from "@std/assert";

const ROOT = new URL("../..", import.meta.url).pathname;

async function run(...args: string[]): Promise<{ code: number; printed: string; made: string[] }> {
  const folder = await Deno.makeTempDir({ prefix: "cms-usage-" });
  try {
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", "--no-check", "main.ts", ...args],
      cwd: ROOT,
      env: { DATA_DIR: `${folder}/data`, PORT: "0" },
    }).output();
    const made = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    return { code, printed: new TextDecoder().decode(stdout).split("\n")[0]!, made };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("who asks for help is helped, and nothing else is done", async () => {
  const usage = "usage: deno run --allow-all main.ts [command]";
  const calls = [["--help"], ["seed", "--help"], ["start", "-h"], ["sed"], ["dev", "8000"]];
  const answers = await Promise.all(calls.map((args) => run(...args)));
  assertEquals(answers.map(({ code }) => code), [0, 0, 0, 2, 2]);
  for (const { printed, made } of answers) assertEquals([printed, made], [usage, []]);
});
