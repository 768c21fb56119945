import { assert, assertEquals } from "@std/assert";
import { Client } from "../support/harness/client.ts";
import { startService } from "../tour.ts";
import { NOTES, writeFromTwoProcesses } from "../support/stores/two_processes.ts";

Deno.test("two processes over one database stay correct under concurrent writes", async () => {
  await using first = await startService();
  await using second = await startService({}, first.dataDir);
  await writeFromTwoProcesses(first, second);
});

Deno.test("acknowledged writes survive SIGKILL at any moment", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "cms-kill-" });
  try {
    const client = new Client("");
    const acknowledged = new Map<string, number>();
    {
      await using service = await startService({}, dataDir);
      client.origin = service.origin;
      await client.setUp(NOTES);
    }
    for (let round = 0; round < 4; round++) {
      await using service = await startService({}, dataDir);
      client.origin = service.origin;
      let stopped = false;
      const enough = acknowledged.size + 6 + 3 * round;
      const reached = Promise.withResolvers<void>();
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let i = 0; !stopped; i++) {
          try {
            const title = `R${round} W${writer} N${i}`;
            const created = await client.call("POST", "/api/v1/notes", { title, count: i });
            if (created.status !== 201) continue;
            acknowledged.set(created.json.id, 1);
            if (acknowledged.size >= enough) reached.resolve();
            const path = `/api/v1/notes/${created.json.id}`;
            const patched = await client.call("PATCH", path, { count: -i - 1 });
            if (patched.status === 200) acknowledged.set(created.json.id, 2);
          } catch (error) {
            assert(stopped, `${error}`);
          }
        }
      });
      // By what was written and not by the clock, which says little of a machine that is busy.
      await Promise.race([reached.promise, Promise.all(writers)]);
      stopped = true;
      service.kill("SIGKILL");
      await Promise.all(writers);
    }

    await using service = await startService({}, dataDir);
    client.origin = service.origin;
    assert(acknowledged.size > 20, `only ${acknowledged.size} writes were acknowledged`);
    for (const [id, versions] of acknowledged) {
      const read = await client.call("GET", `/api/v1/notes/${id}`);
      assertEquals(read.status, 200);
      const history = await client.call("GET", `/api/admin/versions/document/${id}`);
      assert(history.json.meta.total >= versions);
      assertEquals(history.json.meta.total, history.json.data[0].version_number);
    }
    const listed = await client.call("GET", "/api/v1/notes");
    assert(listed.json.meta.total >= acknowledged.size);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
