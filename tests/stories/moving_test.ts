/** What the pages on copying and moving tell operators to do, done to started services. */
import { assert, assertEquals } from "@std/assert";
import { Client } from "../support/harness/client.ts";
import { IMAGES } from "../support/sites/images.ts";
import { hasKvConnect, startKvConnect } from "../support/stores/kv_connect.ts";
import { NOTES } from "../support/stores/two_processes.ts";
import { type StartedService, startService } from "../tour.ts";

const NOTES_MADE = 30;

/** Fills a new site: documents with a history, some of them public, and an image. */
async function fill({ origin }: StartedService): Promise<{ client: Client; media: string }> {
  const client = new Client(origin);
  await client.setUp(NOTES);
  for (let n = 0; n < NOTES_MADE; n++) {
    const status = n % 2 === 0 ? "published" : "draft";
    const body = { title: `Note ${n}`, code: `c${n}`, count: n, status };
    const { json } = await client.call("POST", "/api/v1/notes", body);
    await client.call("PATCH", `/api/v1/notes/${json.id}`, { count: n + 100 });
  }
  const form = new FormData();
  form.set("file", new File([IMAGES["image/png"]], "dot.png", { type: "image/png" }));
  const headers = { cookie: client.cookie };
  const sent = await fetch(`${origin}/api/admin/media`, { method: "POST", headers, body: form });
  const { id } = await sent.json();
  assertEquals(sent.status, 201);
  return { client, media: id };
}

/** What a site says of itself, to its token. */
async function told(client: Client, media: string): Promise<unknown[]> {
  const list = await client.call("GET", "/api/v1/notes?perPage=100&sort=count");
  assertEquals([list.status, list.json.data?.length], [200, NOTES_MADE], JSON.stringify(list.json));
  const id = list.json.data[0].id;
  const versions = await client.call("GET", `/api/v1/notes/${id}/versions`);
  const image = await client.call("GET", `/api/v1/media/${media}`);
  assertEquals([versions.status, image.status], [200, 200]);
  const { pathname } = new URL(image.json.url, client.origin);
  const file = await fetch(client.origin + pathname);
  assertEquals(file.status, 200);
  return [list.json.data, versions.json, image.json.id, await file.bytes()];
}

async function finished(client: Client, jobId: string): Promise<void> {
  for (;;) {
    const { json } = await client.call("GET", `/api/admin/jobs/${jobId}`);
    if (json.state === "done") return;
    assert(json.state !== "failed", json.error);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The steps of the page on moving; answers a client of the new site with the old one's token. */
async function move(from: Client, { origin }: StartedService): Promise<Client> {
  const asked = await from.call("POST", "/api/admin/exports", { media: true });
  await finished(from, asked.json.jobId);
  const address = `${from.origin}/api/admin/exports/${asked.json.jobId}`;
  const backup = await (await fetch(address, { headers: { cookie: from.cookie } })).bytes();
  const to = new Client(origin);
  await to.setUp({ slug: "other", name: "Other" });
  const imported = await fetch(`${origin}/api/admin/imports`, {
    method: "POST",
    headers: { cookie: to.cookie, "content-type": "application/gzip" },
    body: backup,
  });
  assertEquals(imported.status, 202);
  await finished(to, (await imported.json()).jobId);
  to.token = from.token;
  return to;
}

async function assertSound(dataDir: string): Promise<void> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", "main.ts", "cms", "doctor"],
    env: { DATA_DIR: dataDir, LOG_LEVEL: "error" },
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assertEquals(code, 0, text);
}

/** Moves a site to a second store and back into a third, empty one. */
async function moveThereAndBack(second: Record<string, string>): Promise<void> {
  const dataDir = await Deno.makeTempDir({ prefix: "cms-moved-" });
  {
    await using first = await startService();
    const { client, media } = await fill(first);
    const before = await told(client, media);
    await using there = await startService(second);
    const away = await move(client, there);
    assertEquals(await told(away, media), before);
    await using back = await startService({}, dataDir);
    assertEquals(await told(await move(away, back), media), before);
  }
  await assertSound(dataDir);
  await Deno.remove(dataDir, { recursive: true });
}

Deno.test("a site moves into another folder and back, whole", async () => {
  await moveThereAndBack({});
});

Deno.test({
  name: "a site moves from an embedded store to KV Connect and back, whole",
  ignore: !hasKvConnect,
  fn: async () => {
    await using store = await startKvConnect();
    await moveThereAndBack(store.env());
  },
});

const hasSqlite = await new Deno.Command("sqlite3", { args: ["--version"] }).output()
  .then(({ success }) => success, () => false);

Deno.test({
  name: "a live folder is copied as the page says, and the copy has what was acknowledged",
  ignore: !hasSqlite,
  fn: async () => {
    const page = await Deno.readTextFile("docs/operating/backups.md");
    const [, script] = /## Copying a live folder[\s\S]*?```bash\n([\s\S]*?)```/.exec(page)!;
    const cwd = await Deno.makeTempDir({ prefix: "cms-copied-" });
    await Deno.mkdir(`${cwd}/data`);
    {
      await using service = await startService({}, `${cwd}/data`);
      const { client, media } = await fill(service);
      const before = await told(client, media);
      let writes = true;
      const writing = (async () => {
        for (let n = 0; writes; n++) await client.call("POST", "/api/v1/notes", { title: `W${n}` });
      })();
      const { success, stderr } = await new Deno.Command("bash", { args: ["-ec", script!], cwd })
        .output();
      writes = false;
      await writing;
      assert(success, new TextDecoder().decode(stderr));
      await using copy = await startService({}, `${cwd}/copy`);
      const there = Object.assign(new Client(copy.origin), { token: client.token });
      const { json } = await there.call(
        "GET",
        "/api/v1/notes?perPage=100&filter[code][exists]=true",
      );
      assert(json.data.length >= NOTES_MADE, JSON.stringify(json));
      const ids = new Map((before[0] as { id: string }[]).map((row) => [row.id, row]));
      const known = (json.data as { id: string }[]).filter(({ id }) => ids.has(id));
      assertEquals(known.length, NOTES_MADE);
      for (const row of known) assertEquals(row, ids.get(row.id));
    }
    await assertSound(`${cwd}/copy`);
    await Deno.remove(cwd, { recursive: true });
  },
});
