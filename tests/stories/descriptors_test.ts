/** More connections than the process may have file descriptors: it goes on, and answers the next request. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { descriptorLimit } from "../../routes/process/listener.ts";

const DESCRIPTORS = 256;

Deno.test("more idle connections than file descriptors close one another, and requests are answered", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "cms-" });
  const script = `ulimit -n ${DESCRIPTORS}; exec "$0" run --allow-all --no-check main.ts start`;
  const child = new Deno.Command("bash", {
    args: ["-c", script, Deno.execPath()],
    env: { PORT: "0", HOST: "127.0.0.1", DATA_DIR: dataDir },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let printed = "";
  const read = async (stream: typeof child.stdout) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) printed += text;
  };
  const reading = Promise.all([read(child.stdout), read(child.stderr)]);
  const connections: Deno.Conn[] = [];
  try {
    const until = async (holds: () => boolean) => {
      for (let attempt = 0; !holds(); attempt++) {
        assert(attempt < 200, printed);
        await new Promise((done) => setTimeout(done, 50));
      }
    };
    await until(() => printed.includes("Listening on "));
    const origin = /Listening on (\S+)/.exec(printed)![1]!;
    assertMatch(printed, /"the file descriptor limit is low","limit":256/);
    const port = Number(new URL(origin).port);
    for (let n = 0; n < 2 * DESCRIPTORS; n++) {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => null);
      if (connection !== null) connections.push(connection);
    }
    await until(() => printed.includes("idle connections closed"));
    for (let n = 0; n < 5; n++) {
      await new Promise((done) => setTimeout(done, 300));
      const answer = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(5_000) });
      assertEquals([answer.status, await answer.json()], [200, { status: "ok" }]);
    }
  } finally {
    for (const connection of connections) connection.close();
    child.kill("SIGTERM");
    const { code } = await child.status;
    await reading;
    assertEquals(code, 0, printed);
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("descriptorLimit() reads the soft limit", () => {
  const limits = "Limit                     Soft Limit           Hard Limit           Units\n" +
    "Max open files            1024                 20000                files\n";
  assertEquals([descriptorLimit(limits), descriptorLimit("")], [1024, null]);
});
