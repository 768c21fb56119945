/**
 * Two people edit one document, each at a process of their own; then one of the processes is killed while
 * both type.
 */
import { assert, assertEquals } from "@std/assert";
import { Client } from "../support/harness/client.ts";
import { LiveClient } from "../support/browser/live_client.ts";
import { startService } from "../tour.ts";

const NOTES = {
  slug: "notes",
  name: "Notes",
  fields: [{ name: "lead", type: "text" }, { name: "body", type: "rich_text" }],
};

/** Typing to acknowledgement on the embedded store, milliseconds; and how many bare requests of the same moment. */
const ACK_MS_MAX = 50;
const ACK_BARE_MAX = 6;

const medianOf = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1]!;

Deno.test("two people edit one document in two processes, and one process is killed", async () => {
  await using first = await startService();
  const one = new Client(first.origin);
  await one.setUp(NOTES);
  await using second = await startService({}, first.dataDir);
  const two = new Client(second.origin);
  two.cookie = one.cookie;
  const { id } = (await one.call("POST", "/api/admin/documents", {
    collection: "notes",
    title: "Shared",
  })).json;
  const path = `/api/admin/documents/${id}`;

  await using ada = await LiveClient.connect(first.origin, one.cookie, id);
  await using ben = await LiveClient.connect(second.origin, one.cookie, id, "?client=ben");
  await Promise.all([ada.next("state"), ben.next("state")]);
  const [times, bare]: [number[], number[]] = [[], []];
  for (let letter = 1; letter <= 40; letter++) {
    const startedAt = performance.now();
    assertEquals(
      (await ada.change({ title: "Shared by two people.".slice(0, letter) })).type,
      "ack",
    );
    const answeredAt = performance.now();
    times.push(answeredAt - startedAt);
    await (await fetch(`${first.origin}/healthz`)).body?.cancel();
    bare.push(performance.now() - answeredAt);
  }
  await ben.change({ lead: "Ben was here" });
  assertEquals((await ben.next("op")).seq, 1);
  assertEquals((await ada.next("op")).set, { lead: "Ben was here" });
  const flushed = await Promise.all([ada.next("flushed"), ben.next("flushed")]);

  const [median, request] = [medianOf(times), medianOf(bare)];
  console.log(
    `    an acknowledgement takes ${median.toFixed(1)} ms, a request ${request.toFixed(1)}`,
  );
  assert(median < Math.max(ACK_MS_MAX, ACK_BARE_MAX * request), `${median} ms, bare ${request} ms`);
  // Both processes have connections, one of them has flushed.
  assertEquals(flushed[0], flushed[1]);
  assertEquals(flushed[0], { type: "flushed", seq: 41, versionNumber: 2 });
  const read = (await two.call("GET", path)).json;
  assertEquals([read.title, read.lead], ["Shared by two people.", "Ben was here"]);

  await ben.change({ lead: "Typed just before the crash" });
  const { seq } = await ben.change({ body: [] });
  second.kill("SIGKILL");
  await ben.closed();
  assertEquals((await ada.next("op")).seq, seq - 1);
  assertEquals((await ada.next("flushed")).seq, seq);
  assertEquals((await one.call("GET", path)).json.lead, "Typed just before the crash");

  await using back = await LiveClient.connect(first.origin, one.cookie, id, `?since=${seq - 1}`);
  assertEquals((await back.next("state")).document.lead, "Typed just before the crash");
  assertEquals((await back.next("op")).seq, seq);
  const { data: versions } = (await one.call("GET", `/api/admin/versions/document/${id}`)).json;
  assertEquals(versions.map((one: { version_number: number }) => one.version_number), [3, 2, 1]);
});

Deno.test("typed text survives when every process is killed", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "cms-live-" });
  try {
    const client = new Client("");
    let id = "";
    {
      await using service = await startService({}, dataDir);
      client.origin = service.origin;
      await client.setUp(NOTES);
      id = (await client.call("POST", "/api/admin/documents", { collection: "notes", title: "A" }))
        .json.id;
      await using typist = await LiveClient.connect(service.origin, client.cookie, id);
      await typist.next("state");
      assertEquals((await typist.change({ title: "Typed" })).seq, 1);
      service.kill("SIGKILL");
      await typist.closed();
    }
    await using service = await startService({}, dataDir);
    client.origin = service.origin;
    await using typist = await LiveClient.connect(service.origin, client.cookie, id, "?since=0");
    assertEquals((await typist.next("state")).document.title, "Typed");
    assertEquals((await typist.next("op")).set, { title: "Typed" });
    assertEquals((await typist.next("flushed")).seq, 1);
    assertEquals((await client.call("GET", `/api/admin/documents/${id}`)).json.title, "Typed");
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
