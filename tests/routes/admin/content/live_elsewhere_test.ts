/** Live edits that are pending in one process, and writes in another. */
import { assertEquals } from "@std/assert";
import { callApp, secondApp } from "../../../support/sites/app.ts";
import { type Admin, download, importTarball } from "../../../support/sites/backups.ts";
import { liveSite } from "../../../support/sites/live_site.ts";

Deno.test("live: a write in another process flushes edits in this one, and an import there drops them", async () => {
  await using site = await liveSite();
  const other = secondApp(site.test.context);
  const admin: Admin = {
    cookie: site.cookie,
    ask: (method, path, body, raw) =>
      callApp(other.app, method, `/api/admin${path}`, {
        ...(body !== undefined && { body }),
        ...(raw !== undefined && { raw }),
        headers: { cookie: site.cookie, ...(raw && { "content-type": "application/gzip" }) },
      }),
  };
  const there = { ...site.test, ...other };
  const tarball = await download(there, admin);
  await using client = await site.connect();
  await client.next("state");
  const token = await site.test.token();
  const path = `/api/v1/notes/${site.id}`;

  await client.change({ lead: "Typed", code: "typed" });
  const sent = await callApp(other.app, "PATCH", path, { token, body: { lead: "Sent" } });
  assertEquals([sent.json.lead, sent.json.code], ["Sent", "typed"]);
  await site.test.deps.live.flush(site.id);
  assertEquals((await site.ask("GET", `/documents/${site.id}`)).lead, "Sent");
  // The other process has seen who types, and goes by that.
  for (const title of ["Two", "Three"]) {
    await callApp(other.app, "PATCH", path, { token, body: { title } });
  }
  await client.change({ lead: "Typed again" });
  const late = await callApp(other.app, "PATCH", path, { token, body: { title: "One" } });
  assertEquals([late.json.lead, late.json.title], ["Typed again", "One"]);
  await site.test.deps.live.flush(site.id);
  await client.change({ lead: "Sent" });
  await site.test.deps.live.flush(site.id);

  await client.change({ lead: "Pending" });
  const job = await importTarball(there, admin, tarball);
  assertEquals([job.state, job.error], ["done", null]);
  await site.test.deps.live.flush(site.id);
  const { title, lead } = await site.ask("GET", `/documents/${site.id}`);
  assertEquals([title, lead], ["One", null]);
  await other.deps.live.stop();
});
