/**
 * A release that is published by processes which are killed.
 */
import { assert, assertEquals } from "@std/assert";
import type { Json } from "../../kv/model/entities/entity.ts";
import { Client } from "../support/harness/client.ts";
import { startService } from "../tour.ts";

const NOTES = { slug: "notes", name: "Notes", fields: [{ name: "lead", type: "text" }] };
const DOCUMENTS = 40;
/** The other process looks within five seconds and waits ten for the lease; the rest is work. */
const TIMEOUT_MS = 40_000;

Deno.test("a release whose process is killed at any moment is public whole or not at all", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "cms-release-" });
  const client = new Client("");
  const want = (status: number, method: string, path: string, body?: Json) =>
    client.want(status, method, `/api/admin${path}`, body);
  try {
    await using other = await startService({}, dataDir);
    client.origin = other.origin;
    await client.setUp(NOTES);
    const ids: string[] = [];
    for (let n = 0; n < DOCUMENTS; n++) {
      const post = { collection: "notes", title: `Note ${n}`, lead: "old", status: "published" };
      ids.push((await want(201, "POST", "/documents", post)).id);
    }
    /** How many documents are public with a text, by the process that was not killed. */
    const publicWith = async (lead: string): Promise<number> => {
      const { json } = await client.call("GET", "/api/v1/notes?perPage=100");
      return json.data.filter((note: { lead: string }) => note.lead === lead).length;
    };

    for (const [round, lead] of ["one", "two", "three"].entries()) {
      for (const id of ids) await want(200, "PATCH", `/documents/${id}/working-copy`, { lead });
      const release = (await want(201, "POST", "/releases", { name: lead })).id;
      for (const id of ids) {
        await want(200, "PUT", `/releases/${release}/documents/${id}`, { action: "publish" });
      }
      {
        await using service = await startService({}, dataDir);
        client.origin = service.origin;
        await want(202, "POST", `/releases/${release}/publish`);
        await new Promise((done) => setTimeout(done, 20 + 60 * round));
        service.kill("SIGKILL");
      }
      client.origin = other.origin;
      const startedAt = performance.now();
      let state = "";
      while (state !== "published") {
        assert(performance.now() - startedAt < TIMEOUT_MS, `the release is ${state}`);
        await new Promise((done) => setTimeout(done, 200));
        ({ state } = await want(200, "GET", `/releases/${release}`));
      }
      assertEquals(await publicWith(lead), DOCUMENTS);
      const { json: listed } = await client.call("GET", "/api/admin/documents?workingCopy=true");
      assertEquals(listed.meta.total, 0);
    }
    const { data: failed } = await want(200, "GET", "/jobs?type=RELEASE&state=failed");
    assertEquals(failed, []);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
