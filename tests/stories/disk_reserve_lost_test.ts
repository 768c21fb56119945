/**
 * Something else takes the reserve of a full disk: Deno KV may end the process. What a supervisor sees then, and
 * what is left of the documents.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Client } from "../support/harness/client.ts";
import {
  canMountDisks,
  mountSmallDisk,
  runToEnd,
  superviseService,
  until,
} from "../support/stores/small_disk.ts";

/** Deno KV removes expired rows once a minute. */
const HOUSEKEEPING_MS = 65_000;

/** The last request of a process that ends may have no response. */
function rethrowUnlessUnanswered(error: unknown): void {
  if (!(error instanceof TypeError)) throw error;
}

Deno.test({
  name:
    "a process that loses its reserve says so, and a restart loses nothing that was acknowledged",
  ignore: !await canMountDisks(),
  fn: async () => {
    await using disk = (await mountSmallDisk())!;
    const dataDir = `${disk.folder}/data`;
    let service = await superviseService(dataDir);
    const client = new Client(service.origin);
    await client.setUp({ slug: "notes", name: "Notes", fields: [] });
    const acknowledged = new Map<string, string>();
    const write = async () => {
      const title = `Note ${acknowledged.size}`;
      const { status, json } = await client.call("POST", "/api/v1/notes", { title });
      if (status === 201) acknowledged.set(json.id, title);
      return { status, json };
    };
    for (let n = 0; n < 20; n++) assertEquals((await write()).status, 201);
    const kv = await Deno.openKv(`${dataDir}/kv.sqlite3`);
    await kv.set(["expires"], 1, { expireIn: 1_000 });
    kv.close();

    await disk.fill();
    await until("a write is refused", async () => (await write()).status === 503);
    assertMatch(service.printed(), /disk full/);
    // Something else takes the reserve, which was given back; unless the service has taken it again by then. Deno KV
    // may remove expired rows, and end the process, before a write notices the loss.
    await until("the loss is logged, or has ended the process", async () => {
      await disk.fill();
      await write().catch(rethrowUnlessUnanswered);
      return service.printed().includes("disk reserve lost") || service.exitCode() !== null;
    });
    const isLogged = service.printed().includes("disk reserve lost");
    if (isLogged) assertMatch(service.printed(), /free space on the disk of DATA_DIR/);
    else assertMatch(service.printed(), /KV collect expired failed: database or disk is full/);

    const end = Date.now() + 2 * HOUSEKEEPING_MS;
    let refused = 0;
    while (service.exitCode() === null && Date.now() < end) {
      try {
        const { status, json } = await write();
        assertEquals([status, json.error?.code], [503, "UNAVAILABLE"]);
        const ready = await client.call("GET", "/readyz");
        assertEquals([ready.status, ready.json.reasons], [503, ["store: the disk is full"]]);
        assertEquals((await client.call("GET", "/api/v1/notes")).status, 200);
        refused += 1;
      } catch (error) {
        rethrowUnlessUnanswered(error);
      }
      await new Promise((done) => setTimeout(done, 500));
    }
    assert(refused > 0 || !isLogged, "It answered until its end");
    // Either Deno KV found some room, or the process ended and says by its exit code that it failed.
    const code = service.exitCode();
    if (code === null) await service.stop();
    else assert(code !== 0, service.printed());

    // A supervisor starts it again and again, which changes nothing.
    for (let attempt = 0; attempt < 3; attempt++) {
      const { code, lines } = await runToEnd(dataDir, "start");
      assertEquals([code, lines], [1, ["Cannot start: DATA_DIR: The disk is full"]]);
    }

    await disk.clear();
    service = await superviseService(dataDir);
    client.origin = service.origin;
    for (const [id, title] of acknowledged) {
      const { status, json } = await client.call("GET", `/api/v1/notes/${id}`);
      assertEquals([status, json.title], [200, title]);
    }
    const list = await client.call("GET", "/api/v1/notes?perPage=100");
    assertEquals(list.json.meta.total, acknowledged.size);
    assertEquals((await write()).status, 201);
    assertEquals((await client.call("GET", "/readyz")).status, 200);
    await service.stop();
    const doctor = await runToEnd(dataDir, "cms", "doctor");
    assertEquals(doctor.code, 0, doctor.lines.join("\n"));
  },
});
