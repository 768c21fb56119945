import { assert, assertEquals } from "@std/assert";
import { Client } from "../support/harness/client.ts";
import { startService } from "../tour.ts";

const NOTES = {
  slug: "notes",
  name: "Notes",
  fields: [{ name: "lead", type: "text" }],
};
const DOCUMENTS = 60;
/** A lease of the killed process runs out after ten seconds; the rest is work. */
const TIMEOUT_MS = 40_000;

Deno.test("a burst of publishes killed by SIGKILL is finished after the restart", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "cms-burst-" });
  try {
    const client = new Client("");
    const slugs: string[] = [];
    {
      await using service = await startService({}, dataDir);
      client.origin = service.origin;
      await client.setUp(NOTES);
      for (let n = 0; n < DOCUMENTS; n++) {
        const made = await client.call("POST", "/api/v1/notes", {
          title: `Note ${n}`,
          status: "published",
        });
        assertEquals(made.status, 201);
        slugs.push(made.json.slug);
      }
      service.kill("SIGKILL");
    }

    await using service = await startService({}, dataDir);
    client.origin = service.origin;
    const startedAt = performance.now();
    await client.drained(TIMEOUT_MS, "PUBLISH");
    const failed = await client.call("GET", "/api/admin/jobs?state=failed");
    assertEquals(failed.json.data, []);
    const listed = new Set<string>();
    for (const path of ["/notes", "/notes/page/1", "/notes/page/2"]) {
      const { json: html } = await client.call("GET", path);
      for (const [, slug] of html.matchAll(/href="\/notes\/(note-\d+)"/g)) listed.add(slug!);
    }
    assertEquals([...listed].sort(), [...slugs].sort());
    for (const slug of slugs) {
      assertEquals((await client.call("GET", `/notes/${slug}`)).status, 200);
    }
    assert(performance.now() - startedAt < TIMEOUT_MS);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
