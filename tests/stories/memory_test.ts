/**
 * Memory of a started process without flags of V8, as on Deno Deploy, which takes none: a small site is written
 * and backed up.
 */
import { assert, assertEquals } from "@std/assert";
import { Client } from "../support/harness/client.ts";
import { NOTES } from "../support/stores/two_processes.ts";
import { startService } from "../tour.ts";

/** What Deno Deploy gives a process, MB. */
const RESIDENT_MB_MAX = 512;
/**
 * What the work may add to a process that has just started, MB. That process takes 200, and 260 beside others, where V8
 * compiles and collects later.
 */
const ADDED_MB_MAX = 200;
const DOCUMENTS = 2_000;
/** Writers at once. */
const CLIENTS = 25;
const METRICS_TOKEN = "watcher";

async function residentMb(origin: string): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${origin}/metrics`, { headers })).text();
  return Number(/^cms_memory_resident_bytes (\d+)/m.exec(text)![1]) / 2 ** 20;
}

Deno.test("a process without flags stays small while a site is written and backed up", async () => {
  // Deno parses everything when a version starts for the first time, as it does where a site is deployed.
  await (await startService())[Symbol.asyncDispose]();
  await using service = await startService({ METRICS_TOKEN });
  const client = new Client(service.origin);
  await client.setUp(NOTES);
  const seen = [await residentMb(service.origin)];
  const text = "A paragraph of ordinary length. ".repeat(45);
  let n = 0;
  await Promise.all(Array.from({ length: CLIENTS }, async () => {
    while (n < DOCUMENTS) {
      const number = n++;
      const title = `${number} ${text}`.slice(0, 190);
      const body = { title, code: `c${number}`, count: number, status: "published" };
      const { status, json } = await client.call("POST", "/api/v1/notes", body);
      assertEquals(status, 201, JSON.stringify(json));
      if (number % 200 === 0) seen.push(await residentMb(service.origin));
    }
  }));
  const { json: { jobId } } = await client.call("POST", "/api/admin/exports", { media: true });
  for (let state = ""; state !== "done";) {
    ({ json: { state } } = await client.call("GET", `/api/admin/jobs/${jobId}`));
    assert(state !== "failed");
    seen.push(await residentMb(service.origin));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const most = Math.max(...seen);
  assert(most < RESIDENT_MB_MAX && most - seen[0]! < ADDED_MB_MAX, seen.map(Math.round).join(", "));
});
