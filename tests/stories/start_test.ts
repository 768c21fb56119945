import { assert, assertEquals } from "@std/assert";

/** Runs the service until it ends by itself; answers its exit code and its lines. */
async function startAndEnd(
  env: Record<string, string>,
): Promise<{ code: number; lines: string[] }> {
  const dataDir = await Deno.makeTempDir({ prefix: "cms-" });
  try {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", "--no-check", "main.ts", "start"],
      env: { PORT: "0", HOST: "127.0.0.1", DATA_DIR: dataDir, NO_COLOR: "1", ...env },
      signal: AbortSignal.timeout(30_000),
    }).output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    return { code, lines: text.split("\n").filter((line) => line !== "") };
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

Deno.test("a value that cannot be used stops the start with one line that names the variable", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cms-" });
  const file = `${folder}/file`;
  await Deno.writeTextFile(file, "no database, and no folder either");
  const held = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const cases: [string, Record<string, string>][] = [
    ["PORT", { PORT: "many" }],
    ["PORT", { PORT: String((held.addr as Deno.NetAddr).port) }],
    ["HOST", { HOST: "203.0.113.7" }],
    ["DATA_DIR", { DATA_DIR: file }],
    ["DATA_DIR", { DATA_DIR: file, KV_URL: `${folder}/kv.sqlite3` }],
    ["KV_URL", { KV_URL: folder }],
    ["KV_URL", { KV_URL: file }],
    ["S3_BUCKET", {
      S3_BUCKET: "no name/of one",
      AWS_ACCESS_KEY_ID: "key",
      AWS_SECRET_ACCESS_KEY: "secret",
    }],
  ];
  try {
    for (const [variable, env] of cases) {
      const { code, lines } = await startAndEnd(env);
      assertEquals([code, lines.length], [1, 1], `${variable}: ${lines.join("\n")}`);
      assert(lines[0]!.startsWith(`Cannot start: ${variable}`), lines[0]);
    }
  } finally {
    held.close();
    await Deno.remove(folder, { recursive: true });
  }
});
