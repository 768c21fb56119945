/**
 * A service on a disk that becomes full: it goes on reading, says what is wrong, and writes again once there is
 * room. The disk is a small file system in memory, so these need the right to mount one.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Client } from "../support/harness/client.ts";
import {
  canMountDisks,
  mountSmallDisk,
  run,
  runToEnd,
  until,
} from "../support/stores/small_disk.ts";
import { startService } from "../tour.ts";

/** Deno KV removes expired rows once a minute, and ends the process when it finds no room for that. */
const HOUSEKEEPING_MS = 65_000;

const canMount = await canMountDisks();

Deno.test({
  name: "a service on a full disk reads, refuses writes by name, starts again, and recovers",
  ignore: !canMount,
  fn: async () => {
    await using disk = (await mountSmallDisk())!;
    const dataDir = `${disk.folder}/data`;
    const env = { METRICS_TOKEN: "metrics" };
    const client = new Client("");
    {
      await using service = await startService(env, dataDir);
      client.origin = service.origin;
      await client.setUp({ slug: "notes", name: "Notes", fields: [] });
      assertEquals((await client.call("POST", "/api/v1/notes", { title: "A" })).status, 201);
      const kv = await Deno.openKv(`${dataDir}/kv.sqlite3`);
      await kv.set(["expires"], 1, { expireIn: 1_000 });
      kv.close();

      await disk.fill();
      await until(
        "a write is refused",
        async () => (await client.call("POST", "/api/v1/notes", { title: "B" })).status === 503,
      );
      await assertReadsOnly(client);
      await new Promise((done) => setTimeout(done, HOUSEKEEPING_MS));
      await assertReadsOnly(client);
    }
    {
      await using service = await startService(env, dataDir);
      client.origin = service.origin;
      await assertReadsOnly(client);
    }
    // Now something else has taken the reserve, too.
    await disk.fill();
    const { code, lines } = await runToEnd(dataDir, "start");
    assertEquals([code, lines], [1, ["Cannot start: DATA_DIR: The disk is full"]]);

    await disk.clear();
    await using service = await startService(env, dataDir);
    client.origin = service.origin;
    assertEquals((await client.call("POST", "/api/v1/notes", { title: "C" })).status, 201);
    assertEquals((await client.call("GET", "/readyz")).status, 200);
    await disk.fill();
    await until(
      "a write is refused again",
      async () => (await client.call("POST", "/api/v1/notes", { title: "D" })).status === 503,
    );
    await disk.clear();
    await until(
      "a write succeeds",
      async () => (await client.call("POST", "/api/v1/notes", { title: "E" })).status === 201,
    );
    assertEquals((await client.call("GET", "/readyz")).status, 200);
  },
});

async function assertReadsOnly(client: Client): Promise<void> {
  for (const path of ["/api/v1/notes", "/healthz", "/api/admin/collections"]) {
    assertEquals((await client.call("GET", path)).status, 200, path);
  }
  const ready = await client.call("GET", "/readyz");
  assertEquals([ready.status, ready.json.reasons], [503, ["store: the disk is full"]]);
  const metrics = await client.call("GET", "/metrics", undefined, {
    authorization: "Bearer metrics",
  });
  assertMatch(metrics.json, /^cms_disk_full 1$/m);
  const write = await client.call("POST", "/api/v1/notes", { title: "No room" });
  assertEquals([write.status, write.json.error], [503, {
    code: "UNAVAILABLE",
    message: "The store is not responding: the disk is full",
  }]);
  assertEquals(write.headers.get("retry-after"), "10");
  const large = await client.call("POST", "/api/v1/notes", {
    title: "Large",
    blocks: [{ type: "richText", data: { content: "x".repeat(300_000) } }],
  });
  assert([422, 503].includes(large.status), JSON.stringify(large.json));
}

Deno.test({
  name: "a folder that can only be read is refused before anything listens",
  ignore: !canMount,
  fn: async () => {
    await using disk = (await mountSmallDisk())!;
    const dataDir = `${disk.folder}/data`;
    {
      await using service = await startService({}, dataDir);
      const answer = await fetch(`${service.origin}/healthz`);
      assertEquals([answer.status, await answer.json()], [200, { status: "ok" }]);
    }
    assert(await run("mount", "-o", "remount,ro", disk.folder));
    const { code, lines } = await runToEnd(dataDir, "start");
    assertEquals([code, lines.length], [1, 1], lines.join("\n"));
    assertMatch(lines[0]!, /^Cannot start: DATA_DIR: .*(Read-only|readonly)/i);
  },
});
