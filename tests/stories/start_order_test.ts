import { assert, assertEquals } from "@std/assert";

/** Runs `main.ts` behind a script that watches what it asks of Deno; answers what the script prints. */
async function watchStart(env: Record<string, string>): Promise<string[]> {
  const dataDir = await Deno.makeTempDir({ prefix: "cms-" });
  const script = `${dataDir}/watch.ts`;
  await Deno.writeTextFile(
    script,
    `const { cron, serve } = Deno;
     const watch = (name, call) =>
       Object.defineProperty(Deno, name, {
         value: (...args) => { console.log(name); return call(...args); },
       });
     watch("cron", cron);
     watch("serve", serve);
     await import(${JSON.stringify(new URL("../../main.ts", import.meta.url).href)});
     Deno.exit(0);`,
  );
  try {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", "--no-check", "--config", "deno.json", script, "start"],
      env: { PORT: "0", HOST: "127.0.0.1", DATA_DIR: dataDir, LOG_LEVEL: "silent", ...env },
      stderr: "inherit",
      signal: AbortSignal.timeout(30_000),
    }).output();
    return new TextDecoder().decode(stdout).split("\n").filter((line) =>
      /^(cron|serve)$/.test(line)
    );
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

Deno.test("main.ts registers every cron before it serves", async () => {
  const calls = await watchStart({});
  assertEquals(calls, [...Array(calls.length - 1).fill("cron"), "serve"]);
  assert(calls.length > 5, calls.join(" "));
});

Deno.test("KV_ACCESS_TOKEN is the token of a KV Connect address", async () => {
  const tokens = new Set<string | null>();
  const asked = Promise.withResolvers<void>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    tokens.add(request.headers.get("authorization"));
    asked.resolve();
    return new Response("no", { status: 403 });
  });
  const dataDir = await Deno.makeTempDir({ prefix: "cms-" });
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", "main.ts", "start"],
    env: {
      PORT: "0",
      KV_URL: `http://127.0.0.1:${server.addr.port}`,
      KV_ACCESS_TOKEN: "kv-connect-token",
      OBJECTS_IN_FOLDER: "1",
      DATA_DIR: dataDir,
    },
    stdout: "null",
    stderr: "null",
  }).spawn();
  const late = setTimeout(() => asked.resolve(), 20_000);
  await asked.promise;
  clearTimeout(late);
  child.kill("SIGKILL");
  await child.status;
  await server.shutdown();
  await Deno.remove(dataDir, { recursive: true });
  assertEquals([...tokens], ["Bearer kv-connect-token"]);
});
