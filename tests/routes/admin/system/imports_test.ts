import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { indexPrefix } from "../../../../kv/index/index_keys.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { callApp, type TestApp, testApp } from "../../../support/sites/app.ts";
import {
  ADMIN,
  type Admin,
  changedTarball,
  download,
  type Entry,
  filesOf,
  gzip,
  importTarball,
  setUpAdmin,
  signIn,
  tablesOf,
  tarballOf,
} from "../../../support/sites/backups.ts";
import { fullSite } from "../../../support/sites/full_site.ts";

type Tarball = Uint8Array<ArrayBuffer>;

/** A site, and a back-up of it that would change something. */
async function siteAndBackup(): Promise<{ app: TestApp; admin: Admin; tarball: Tarball }> {
  const app = await testApp();
  const admin = await setUpAdmin(app);
  const fields = [{ name: "note", label: "Note", type: "text" }];
  await admin.ask("POST", "/collections", { slug: "posts", name: "Posts", fields });
  const body = { collection: "posts", title: "One", note: "kept", status: "published" };
  await admin.ask("POST", "/documents", body);
  await app.runner.drain();
  const tarball = await download(app, admin);
  await admin.ask("POST", "/documents", { collection: "posts", title: "Two" });
  return { app, admin, tarball };
}

async function titles(admin: Admin): Promise<string[]> {
  const { json } = await admin.ask("GET", "/documents?sort=title");
  return json.data.map((one: { title: string }) => one.title);
}

/** A row of a table changed, and the manifest with it. */
async function forged(
  tarball: Tarball,
  table: string,
  change: (row: Record<string, Json>) => void,
): Promise<Tarball> {
  const { createHash } = await import("node:crypto");
  const name = `tables/${table}.jsonl`;
  const text = (await filesOf(tarball)).get(name)!;
  const rows = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  for (const row of rows) change(row);
  const changed = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  return await changedTarball(tarball, {
    [name]: () => changed,
    "manifest.json": (manifest) => {
      const facts = JSON.parse(manifest);
      const sha256 = createHash("sha256").update(changed).digest("hex");
      const bytes = new TextEncoder().encode(changed).byteLength;
      facts.tables[table] = { rows: rows.length, bytes, sha256 };
      return JSON.stringify(facts);
    },
  });
}

const manifestWith = (change: (manifest: Record<string, Json>) => void) => (text: string) => {
  const manifest = JSON.parse(text);
  change(manifest);
  return JSON.stringify(manifest);
};

/** Every way in which a tarball may be wrong, with a word of the reason. */
const WRONG: { [what: string]: [make: (tarball: Tarball) => Promise<Tarball>, reason: string] } = {
  "cut off": [(t) => Promise.resolve(t.slice(0, t.length - 200)), "damaged"],
  "a flipped byte": [(t) => {
    const flipped = t.slice();
    flipped[t.length >> 1]! ^= 0xff;
    return Promise.resolve(flipped);
  }, ""],
  "no gzip": [() => Promise.resolve(new TextEncoder().encode("hello")), "no gzip"],
  "no tarball": [() => gzip(new TextEncoder().encode("hello ".repeat(200))), "no tarball"],
  "a bomb": [() => gzip(new Uint8Array(100_000_000)), "far too long"],
  "no manifest": [(t) => changedTarball(t, { "manifest.json": null }), "no manifest"],
  "a newer format": [
    (t) => changedTarball(t, { "manifest.json": manifestWith((m) => m.formatVersion = 9) }),
    "format 9",
  ],
  "another format": [
    (t) => changedTarball(t, { "manifest.json": manifestWith((m) => m.format = "other") }),
    "manifest is wrong",
  ],
  "a redacted one": [
    (t) => changedTarball(t, { "manifest.json": manifestWith((m) => m.redacted = true) }),
    "redacted",
  ],
  "a tampered row": [
    (t) => changedTarball(t, { "tables/document.jsonl": (rows) => rows.replace("kept", "KEPT") }),
    "checksum",
  ],
  "a missing row": [
    (t) => changedTarball(t, { "tables/user.jsonl": () => "" }),
    "the manifest says 1",
  ],
  "a missing table": [(t) => changedTarball(t, { "tables/role.jsonl": null }), "missing"],
  "a row that is no JSON": [
    (t) => changedTarball(t, { "tables/document.jsonl": (rows) => `x${rows}` }),
    "malformed",
  ],
  "half a line": [
    (t) => changedTarball(t, { "tables/document.jsonl": (rows) => rows.slice(0, -5) }),
    "middle of a line",
  ],
  "a state without form": [
    (t) =>
      forged(t, "document", (row) => (row.state as Record<string, Json>).status = "everywhere"),
    "status is wrong",
  ],
  "a field of no type": [
    (t) =>
      forged(t, "field_definition", (row) => (row.state as Record<string, Json>).type = "evil"),
    "type is wrong",
  ],
  "the state of another entity": [
    (t) => forged(t, "document", (row) => (row.state as Record<string, Json>).id = row.id!),
    "another entity",
  ],
  "a gap in a history": [
    (t) =>
      forged(t, "setting", (row) => {
        if (row.version_number === 1) row.version_number = 3;
        row.entity_id = "01JD0000000000000000000000";
      }),
    "",
  ],
};

const HOSTILE: { [what: string]: [entries: Entry[], reason: string] } = {
  "a path out of the folder": [[{ name: "../../etc/passwd", body: "x" }], "forbidden name"],
  "an absolute path": [[{ name: "/etc/passwd", body: "x" }], "forbidden name"],
  "a file that no backup has": [
    [{ name: "tables/session.jsonl", body: "" }],
    "not part of a backup",
  ],
  "a symbolic link": [[{ name: "tables", type: "symlink", linkname: "/etc" }], "symlink"],
  "a hard link": [[{ name: "tables/a", type: "link", linkname: "manifest.json" }], "link"],
  "a name twice": [[{ name: "media.jsonl" }, { name: "media.jsonl" }], "twice"],
  "a name twice in other case": [[{ name: "media.jsonl" }, { name: "Media.jsonl" }], "twice"],
  "bytes of no medium": [[{ name: "media/01JD", body: "<script>" }], "is in no row"],
  "a package that was exchanged": [
    [{ name: `packages/${"0".repeat(64)}.tar.gz`, body: "x" }],
    "not what its name says",
  ],
};

Deno.test("POST /api/admin/imports of a broken tarball fails at once, the site untouched", async () => {
  const { app, admin, tarball } = await siteAndBackup();
  await using _ = app;
  const present = await tablesOf(await download(app, admin));
  for (const [what, [make, reason]] of Object.entries(WRONG)) {
    const job = await importTarball(app, admin, await make(tarball));
    assertEquals([job.state, job.attempts], ["failed", 1], what);
    assertStringIncludes(job.error!, reason, what);
    assert(job.error!.includes("The backup is not valid"), job.error!);
  }
  assertEquals(await tablesOf(await download(app, admin)), present);
  const left = await Array.fromAsync(app.context.objects.list("imports/"));
  assertEquals(left, []);
});

Deno.test("POST /api/admin/imports refuses hostile entries in a tarball", async () => {
  const { app, admin, tarball } = await siteAndBackup();
  await using _ = app;
  for (const [what, [entries, reason]] of Object.entries(HOSTILE)) {
    const good: Entry[] = [...await filesOf(tarball)].map(([name, body]) => ({ name, body }));
    const job = await importTarball(app, admin, await tarballOf([...good, ...entries]));
    assertEquals(job.state, "failed", what);
    assertStringIncludes(job.error!, reason, what);
  }
  assertEquals(await titles(admin), ["One", "Two"]);
});

Deno.test("POST /api/admin/imports takes a tarball that was packed again from a folder", async () => {
  const { app, admin, tarball } = await siteAndBackup();
  await using _ = app;
  const entries: Entry[] = [{ name: "./", type: "directory" }];
  for (const [name, body] of await filesOf(tarball)) entries.unshift({ name: `./${name}`, body });
  const job = await importTarball(app, admin, await tarballOf(entries));
  assertEquals(job.error, null);
  assertEquals(await titles(admin), ["One"]);
});

Deno.test("POST /api/admin/imports?dryRun=true tells what would change and changes nothing", async () => {
  const { app, admin, tarball } = await siteAndBackup();
  await using _ = app;
  const dry = await admin.ask("POST", "/imports?dryRun=true", undefined, tarball);
  assertEquals(dry.status, 200);
  assertEquals([dry.json.valid, dry.json.errors], [true, []]);
  assertEquals(dry.json.tables.document, { rows: 1, entities: 1, present: 2 });
  const tampered = await changedTarball(tarball, { "tables/document.jsonl": () => "" });
  const bad = await admin.ask("POST", "/imports?dryRun=true", undefined, tampered);
  assertEquals([bad.status, bad.json.valid], [200, false]);
  assertEquals(bad.json.errors[0].path, "tables/document.jsonl");
  const none = await admin.ask("POST", "/imports?dryRun=true", undefined, new Uint8Array([1, 2]));
  assertEquals(none.status, 422);
  assertEquals(await titles(admin), ["One", "Two"]);
  assertEquals(await Array.fromAsync(app.context.objects.list("imports/")), []);
});

Deno.test("POST /api/admin/imports keeps lists, reservations, search, pages and schedules right", async () => {
  await using app = await testApp();
  const { admin, postId } = await fullSite(app);
  await app.runner.drain();
  const tarball = await download(app, admin);
  await admin.ask("PATCH", `/documents/${postId}`, { slug: "elsewhere", title: "Renamed thing" });
  const extra = { collection: "posts", title: "Zebra", lead: "unused", status: "published" };
  await admin.ask("POST", "/documents", extra);
  await app.runner.drain();
  assertEquals((await app.call("GET", "/posts/zebra")).status, 200);

  assertEquals((await importTarball(app, admin, tarball)).error, null);
  await app.runner.drain();
  const token = await app.token();
  const list = await app.call("GET", "/api/v1/posts?sort=rating&status=published", { token });
  assertEquals(list.json.data.map((one: { slug: string }) => one.slug), ["the-lamp"]);
  const bySlug = await app.call("GET", "/api/v1/posts/by-slug/the-lamp", { token });
  assertEquals([bySlug.json.id, bySlug.json.title], [postId, "The first lamp"]);
  const gone = await app.call("GET", "/api/v1/posts/by-slug/elsewhere", { token });
  assertEquals(gone.status, 404);
  const search = async (q: string) => (await app.call("GET", `/api/v1/search?q=${q}`)).json;
  assertEquals((await search("zebra")).meta.total, 0);
  assertEquals((await search("lamp")).meta.total, 1);
  assertEquals((await app.call("GET", "/posts/zebra")).status, 404);
  assertEquals((await app.call("GET", "/posts/the-lamp")).status, 200);
  const free = { collection: "posts", title: "Zebra", lead: "unused" };
  assertEquals((await admin.ask("POST", "/documents", free)).json.slug, "zebra");
  const taken = { collection: "posts", title: "T", lead: "A lead" };
  assertEquals((await admin.ask("POST", "/documents", taken)).status, 422);

  app.context.advance(2_000_000_000_000 - app.context.now());
  await app.runner.drain();
  const later = await signIn(app).then((one) =>
    one.ask("GET", "/documents?collection=pages&q=Later")
  );
  assertEquals(later.json.data[0].status, "published");
});

Deno.test("POST /api/admin/imports leaves nothing of the lists of collections that it does not bring", async () => {
  await using app = await testApp();
  const { admin } = await fullSite(app);
  await app.runner.drain();
  const tarball = await download(app, admin);
  const { json: extra } = await admin.ask("POST", "/collections", { slug: "extra", name: "Extra" });
  await admin.ask("POST", "/documents", { collection: "extra", title: "Gone" });
  const { json: removed } = await admin.ask("POST", "/collections", { slug: "was", name: "Was" });
  assert((await indexOf(app, extra.id)).length > 1);

  assertEquals((await importTarball(app, admin, tarball)).error, null);
  app.context.advance(10_000);
  await app.runner.drain();

  assertEquals(await indexOf(app, extra.id), []);
  assertEquals(await indexOf(app, removed.id), []);
  const token = await app.token();
  const list = await app.call("GET", "/api/v1/posts?status=published", { token });
  assertEquals(list.json.data.map((one: { slug: string }) => one.slug), ["the-lamp"]);
});

async function indexOf({ context: { store } }: TestApp, collectionId: string) {
  const entries = await store.listAll({ prefix: indexPrefix(collectionId) });
  return entries.map(({ key }) => key[2]);
}

Deno.test("POST /api/admin/imports can be undone by the back-up that it made", async () => {
  const { app, admin, tarball } = await siteAndBackup();
  await using _ = app;
  const job = await importTarball(app, admin, tarball);
  const { exportId } = job.results.backup as { exportId: string };
  const { json } = await admin.ask("GET", "/exports");
  const record = json.data.find((one: { id: string }) => one.id === exportId);
  assertEquals(record.reason, "import");
  const request = new Request(`http://localhost/api/admin/exports/${exportId}`, {
    headers: { cookie: admin.cookie },
  });
  const response = await app.app.fetch(request, { remoteAddr: { hostname: "192.0.2.1" } });
  const undo = new Uint8Array(await response.arrayBuffer());
  assertEquals((await importTarball(app, admin, undo)).error, null);
  assertEquals(await titles(admin), ["One", "Two"]);
});

Deno.test("POST /api/admin/imports keeps an administrator whom the back-up does not know", async () => {
  await using from = await testApp();
  const other = { email: "eve@example.org", password: "another long password", displayName: "Eve" };
  const tarball = await download(from, await setUpAdmin(from, other));
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  assertEquals((await importTarball(app, admin, tarball)).error, null);
  const { status, json } = await admin.ask("GET", "/session");
  assertEquals([status, json.user.email, json.user.roles], [200, ADMIN.email, ["administrator"]]);
  const { json: users } = await admin.ask("GET", "/users");
  assertEquals(users.data.map(({ email }: { email: string }) => email), [ADMIN.email, other.email]);
  await signIn(app, other);
  await signIn(app, ADMIN);
});

Deno.test("POST /api/admin/imports lets sessions go on with the users of the back-up", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  const tarball = await download(app, admin);
  const { json } = await admin.ask("GET", "/session");
  const password = "an entirely new password";
  await admin.ask("PATCH", `/users/${json.user.id}`, { password });
  assertEquals((await importTarball(app, admin, tarball)).error, null);
  assertEquals((await admin.ask("GET", "/session")).status, 200);
  const forgotten = { body: { email: ADMIN.email, password } };
  assertEquals((await app.call("POST", "/api/admin/session", forgotten)).status, 401);
  await signIn(app, ADMIN);
});

Deno.test("POST /api/admin/imports refuses writes until it has ended, never reads", async () => {
  const { app, admin, tarball } = await siteAndBackup();
  await using _ = app;
  const { json } = await admin.ask("POST", "/imports", undefined, tarball);
  const statuses = new Set<number>();
  const probe = async () => {
    const write = await admin.ask("POST", "/documents", { collection: "posts", title: "Three" });
    statuses.add(write.status);
    assertEquals((await admin.ask("GET", "/documents")).status, 200);
  };
  const drained = app.runner.drain();
  for (let round = 0; round < 40; round++) await probe();
  await drained;
  assert(statuses.has(503), [...statuses].join());
  const job = await admin.ask("GET", `/jobs/${json.jobId}`);
  assert(["waiting", "done"].includes(job.json.state), job.text);
  const write = await admin.ask("POST", "/documents", { collection: "posts", title: "Four" });
  assertEquals(write.status, 201);
});

Deno.test("POST /api/admin/imports is for administrators, gzip and a body", async () => {
  await using app = await testApp();
  const { admin } = await fullSite(app);
  const { headers } = await app.call("POST", "/api/admin/session", {
    body: { email: "bob@example.org", password: "a long enough password" },
  });
  const cookie = headers.get("set-cookie")!.split(";")[0]!;
  for (const [method, path] of [["POST", "/imports"], ["GET", "/exports"], ["POST", "/exports"]]) {
    const answer = await callApp(app.app, method!, `/api/admin${path}`, { headers: { cookie } });
    assertEquals(answer.status, 403, path);
  }
  const json = await admin.ask("POST", "/imports", { a: 1 });
  assertEquals(json.status, 415);
  const empty = await admin.ask("POST", "/imports", undefined, new Uint8Array());
  assertEquals(empty.status, 400);
});

Deno.test("import: text typed before it is in the backup of the old site, not in the new one", async () => {
  const { app, admin, tarball } = await siteAndBackup();
  await using _app = app;
  const { id } = (await admin.ask("GET", "/documents?q=One")).json.data[0];
  const sent: { type: string }[] = [];
  const editor = {
    id: app.context.newId(app.context.now()),
    userId: (await admin.ask("GET", "/session")).json.user.id,
    displayName: "Ada",
    client: null,
    path: null,
    draftsOnly: false,
    send: (message: { type: string }) => void sent.push(message),
    end: () => {},
  };
  const connection = await app.deps.live.join(id, editor);
  const typed = async (clientSeq: number, note: string) => {
    connection.receive(JSON.stringify({ type: "op", clientSeq, set: { note } }));
    while (!sent.some(({ type }) => type === "ack" || type === "error")) {
      await new Promise((done) => setTimeout(done, 5));
    }
    return sent.splice(0).find(({ type }) => type === "ack" || type === "error")!.type;
  };

  assertEquals(await typed(1, "typed"), "ack");
  const job = await importTarball(app, admin, tarball);
  await connection.leave();
  await app.deps.live.stop();

  assertEquals(job.state, "done");
  assertEquals((await admin.ask("GET", `/documents/${id}`)).json.note, "kept");
  const { exportId } = job.results.backup as { exportId: string };
  const request = new Request(`http://localhost/api/admin/exports/${exportId}`, {
    headers: { cookie: admin.cookie },
  });
  const answer = await app.app.fetch(request, { remoteAddr: { hostname: "192.0.2.1" } });
  const old = await tablesOf(new Uint8Array(await answer.arrayBuffer()));
  assertStringIncludes(old["tables/document.jsonl"]!, '"note":"typed"');
});
