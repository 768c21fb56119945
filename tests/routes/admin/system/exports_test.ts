import { assert, assertEquals } from "@std/assert";
import { sha256 } from "../../../../kv/model/values/sha256.ts";
import { testApp } from "../../../support/sites/app.ts";
import {
  download,
  filesOf,
  finishJob,
  importTarball,
  setUpAdmin,
} from "../../../support/sites/backups.ts";
import { fullSite } from "../../../support/sites/full_site.ts";

Deno.test("POST /api/admin/exports makes a tarball with manifest, tables and media inventory", async () => {
  await using app = await testApp();
  const { admin, mediaId } = await fullSite(app);
  const files = await filesOf(await download(app, admin));
  const manifest = JSON.parse(files.get("manifest.json")!);
  assertEquals([manifest.format, manifest.formatVersion, manifest.redacted], [
    "cms-backup",
    1,
    false,
  ]);
  for (const [table, facts] of Object.entries(manifest.tables)) {
    const text = files.get(`tables/${table}.jsonl`)!;
    const rows = text.split("\n").length - 1;
    const { byteLength: bytes } = new TextEncoder().encode(text);
    assertEquals(facts, { rows, bytes, sha256: sha256(text) }, table);
  }
  const [medium] = files.get("media.jsonl")!.trimEnd().split("\n").map((row) => JSON.parse(row));
  assertEquals([medium.id, medium.filename], [mediaId, "lamp.png"]);
  assert(files.get("tables/user.jsonl")!.includes("passwordHash"));
  assert(files.get("tables/setting.jsonl")!.includes("do not tell"));
  assert(files.get("tables/document.jsonl")!.includes("x".repeat(250_000)));
});

Deno.test("a backup has a newer format once slugs may have letters of every script", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  const formatVersion = async (tarball: Uint8Array<ArrayBuffer>) =>
    JSON.parse((await filesOf(tarball)).get("manifest.json")!).formatVersion;
  // A text that reads like the setting is not the setting.
  await admin.ask("PATCH", "/settings", { "site.description": '"key":"slugs"' });
  assertEquals(await formatVersion(await download(app, admin)), 1);

  await admin.ask("PATCH", "/settings", { slugs: "unicode" });
  await admin.ask("POST", "/collections", { slug: "notes", name: "Notes", fields: [] });
  const note = { collection: "notes", title: "Привет", status: "published" };
  assertEquals((await admin.ask("POST", "/documents", note)).status, 201);
  const tarball = await download(app, admin);
  assertEquals(await formatVersion(tarball), 2);
  const job = await importTarball(app, admin, tarball);
  assertEquals([job.state, job.error], ["done", null]);
  const { json } = await admin.ask("GET", "/documents?collection=notes");
  assertEquals(json.data.map(({ slug }: { slug: string }) => slug), ["привет"]);

  // With another setting the slugs of its history stay.
  await admin.ask("PATCH", "/settings", { slugs: "ascii" });
  assertEquals(await formatVersion(await download(app, admin)), 2);
});

Deno.test("POST /api/admin/exports {redacted} leaves out hashes, secrets and mail addresses", async () => {
  await using app = await testApp();
  const { admin } = await fullSite(app);
  const tarball = await download(app, admin, { redacted: true });
  const files = await filesOf(tarball);
  const people = ["user", "setting", "api_token"].map((name) => files.get(`tables/${name}.jsonl`)!);
  const text = people.join("\n");
  for (const hidden of ["passwordHash", "example.org", "do not tell", '"hash"', "previousHash"]) {
    assert(!text.includes(hidden), hidden);
  }
  assert(text.includes("Bob") && text.includes("secret.key"));
  const job = await importTarball(app, admin, tarball);
  assertEquals([job.state, job.attempts], ["failed", 1]);
  assert(job.error!.includes("redacted"), job.error!);
});

Deno.test("GET /api/admin/exports lists the newest first and keeps as many as the setting says", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  await admin.ask("PATCH", "/settings", { "exports.keep": 2 });
  const ids: string[] = [];
  for (const redacted of [false, false, true, false]) {
    app.context.advance(5_000);
    const { json } = await admin.ask("POST", "/exports", { redacted });
    await finishJob(app, json.jobId);
    ids.push(json.jobId);
  }
  const { json } = await admin.ask("GET", "/exports");
  assertEquals(json.data.map(({ id }: { id: string }) => id), [ids[3], ids[2], ids[1]]);
  assertEquals(json.meta.total, 3);
  assertEquals((await admin.ask("GET", `/exports/${ids[0]}`)).status, 404);
  const objects = await Array.fromAsync(app.context.objects.list("exports/"));
  assertEquals(objects.length, 3);
  assertEquals((await admin.ask("POST", "/exports", { color: "red" })).status, 422);
});

Deno.test("EXPORT shows one instant while the site is being written", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  await admin.ask("POST", "/collections", {
    slug: "posts",
    name: "Posts",
    fields: [{ name: "twin", label: "Twin", type: "number" }],
  });
  const ids: string[] = [];
  for (let n = 0; n < 30; n++) {
    const { json } = await admin.ask("POST", "/documents", { collection: "posts", title: `P${n}` });
    ids.push(json.id);
  }
  const { json } = await admin.ask("POST", "/exports");
  const exporting = app.runner.drain();
  // Each round changes the documents in order: a reader that sees a later one of it has seen the earlier.
  for (let round = 1; round <= 6; round++) {
    for (const id of ids) await admin.ask("PATCH", `/documents/${id}`, { twin: round });
  }
  await exporting;
  const job = await finishJob(app, json.jobId);
  assertEquals(job.error, null);
  const request = new Request(`http://localhost/api/admin/exports/${json.jobId}`, {
    headers: { cookie: admin.cookie },
  });
  const response = await app.app.fetch(request, { remoteAddr: { hostname: "192.0.2.1" } });
  const files = await filesOf(new Uint8Array(await response.arrayBuffer()));
  const newest = new Map<string, number>();
  for (const line of files.get("tables/document.jsonl")!.trimEnd().split("\n")) {
    const { entity_id, state } = JSON.parse(line);
    newest.set(entity_id, state.data.twin ?? 0);
  }
  const seen = ids.map((id) => newest.get(id)!);
  const first = seen[0]!;
  assert(seen.every((twin, index) => twin <= (seen[index - 1] ?? first)), seen.join());
  assert(seen.at(-1)! >= first - 1, seen.join());
});

Deno.test("exports.manage opens redacted backups, and no others", async () => {
  await using app = await testApp();
  await app.setUp();
  const role = { name: "archivist", permissions: ["exports.manage"] };
  assertEquals((await app.admin("POST", "/roles", role)).status, 201);
  const user = { email: "bo@example.org", displayName: "Bo", password: "twelve chars" };
  const roles = ["archivist"];
  assertEquals((await app.admin("POST", "/users", { ...user, roles })).status, 201);
  const { email, password } = user;
  const signedIn = await app.call("POST", "/api/admin/session", { body: { email, password } });
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
  const ask = (method: string, path: string, body?: { redacted: boolean }) =>
    app.call(method, `/api/admin/exports${path}`, {
      headers: { cookie },
      ...(body !== undefined && { body }),
    });
  assertEquals((await app.admin("POST", "/exports", { redacted: false })).status, 202);
  await app.runner.drain();
  const [complete] = (await app.admin("GET", "/exports")).json.data;

  assertEquals((await ask("POST", "", { redacted: false })).status, 403);
  assertEquals((await ask("POST", "", { redacted: true })).status, 202);
  await app.runner.drain();

  const { data, meta } = (await ask("GET", "")).json;
  assertEquals([data.length, data[0].redacted, meta.total], [1, true, 1]);
  assertEquals((await ask("GET", `/${complete.id}`)).status, 403);
  assertEquals((await ask("GET", `/${data[0].id}`)).status, 200);
});
