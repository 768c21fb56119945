/**
 * The file of an embedded store: with pages of its own size where it is new, as it is where it is not, whoever
 * creates it at the same time.
 */
import { DatabaseSync } from "node:sqlite";
import { openStore } from "../../../../kv/store/open.ts";
import { openStoreFile } from "../../../../kv/store/disk/store_file.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { STORE_PAGE_BYTES } from "../../../../kv/tuning.ts";
import { assertEquals, assertMatch } from "../../../support/harness/assert.ts";
import { inFolder } from "../../../support/harness/folder.ts";

/** The size of pages, as the head of the file has it. */
async function pageBytes(path: string): Promise<number> {
  const head = await Deno.readFile(path);
  return new DataView(head.buffer).getUint16(16);
}

Deno.test("a new store has pages of STORE_PAGE_BYTES; its data is there when it is reopened", () =>
  inFolder(async (folder) => {
    const location = { kvUrl: "", dataDir: `${folder}/data`, onDeploy: false };
    for (const value of [null, "kept"]) {
      const store = await openStore(location);
      assertEquals((await store.get(["key"])).value, value);
      await store.commit(new Operation().set(["key"], "kept"));
      store.close();
      assertEquals(await pageBytes(`${folder}/data/kv.sqlite3`), STORE_PAGE_BYTES);
    }
  }));

Deno.test("a store that is there keeps its pages", () =>
  inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3`;
    const before = await Deno.openKv(path);
    await before.set(["key"], "kept");
    before.close();
    const store = await openStore({ kvUrl: path, dataDir: "", onDeploy: false });
    assertEquals((await store.get(["key"])).value, "kept");
    store.close();
    assertEquals(await pageBytes(path), 4_096);
  }));

/** The index of expiry times, as the schema spells it. */
function expiryIndex(file: DatabaseSync): string {
  const index = file.prepare("SELECT sql FROM sqlite_master WHERE name = 'kv_expiration_ms_idx'");
  return `${index.get()?.sql}`;
}

/** Deno KV's queries for rows that have expired, and for the time of the next. */
const EXPIRY_QUERIES = [
  "delete from kv where expiration_ms >= 0 and expiration_ms <= 1 returning k",
  "select expiration_ms from kv where expiration_ms >= 0 order by expiration_ms limit 1",
];

Deno.test("a new store without tuning is as Deno KV makes it", () =>
  inFolder(async (folder) => {
    const location = { kvUrl: "", dataDir: folder, onDeploy: false, tuned: false };
    (await openStore(location)).close();
    const path = `${folder}/kv.sqlite3`;
    assertEquals(await pageBytes(path), 4_096);
    const file = new DatabaseSync(path, { readOnly: true });
    assertEquals(/where/i.test(expiryIndex(file)), false);
    file.close();
  }));

Deno.test("a new store indexes the expiry of rows that expire, and no others", () =>
  inFolder(async (folder) => {
    const store = await openStore({ kvUrl: "", dataDir: folder, onDeploy: false });
    const rows = new Operation().set(["stays"], 1).set(["goes"], 1, { expireIn: 60_000 });
    await store.commit(rows);
    const file = new DatabaseSync(`${folder}/kv.sqlite3`, { readOnly: true });
    // Forced to this index, SQLite refuses a query that it does not answer.
    const indexed = file.prepare(
      "SELECT count(*) AS rows FROM kv INDEXED BY kv_expiration_ms_idx WHERE expiration_ms >= 0",
    ).get();
    assertEquals(indexed?.rows, 1);
    assertMatch(expiryIndex(file), /where expiration_ms >= 0$/);
    for (const query of EXPIRY_QUERIES) {
      const plan = file.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
      assertMatch(JSON.stringify(plan), /USING (COVERING )?INDEX kv_expiration_ms_idx/);
    }
    file.close();
    store.close();
  }));

Deno.test("a store that has rows keeps its index of expiry times", () =>
  inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3`;
    const before = await Deno.openKv(path);
    await before.set(["key"], "kept");
    before.close();
    (await openStore({ kvUrl: path, dataDir: "", onDeploy: false })).close();
    const file = new DatabaseSync(path, { readOnly: true });
    assertEquals(expiryIndex(file), "CREATE INDEX kv_expiration_ms_idx on kv (expiration_ms)");
    file.close();
  }));

Deno.test("a file that another process is writing is waited for, then indexed", () =>
  inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3`;
    (await Deno.openKv(path)).close();
    const file = new DatabaseSync(path);
    file.exec("BEGIN IMMEDIATE");
    const opening = openStoreFile(path);
    await new Promise((done) => setTimeout(done, 100));
    file.exec("COMMIT");
    (await opening).close();
    assertMatch(expiryIndex(file), /where expiration_ms >= 0$/);
    file.close();
  }));

Deno.test("a file whose creation was broken off is created", () =>
  inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3`;
    await Deno.writeFile(path, new Uint8Array());
    (await openStoreFile(path)).close();
    assertEquals(await pageBytes(path), STORE_PAGE_BYTES);
  }));

Deno.test("processes that create a store at the same time all have it", () =>
  inFolder(async (folder) => {
    const script = `
      import { openStore } from "${import.meta.resolve("../../../../kv/store/open.ts")}";
      import { Operation } from "${import.meta.resolve("../../../../kv/store/operation.ts")}";
      const store = await openStore({ kvUrl: "", dataDir: "${folder}", onDeploy: false });
      await store.commit(new Operation().set(["process", Deno.pid], true));
      store.close();`;
    const run = () =>
      new Deno.Command(Deno.execPath(), {
        args: ["eval", "--unstable-kv", script],
        cwd: new URL("../../../..", import.meta.url).pathname,
        stderr: "inherit",
      }).output();
    const ended = await Promise.all(Array.from({ length: 4 }, run));
    assertEquals(ended.map(({ code }) => code), [0, 0, 0, 0]);
    const file = new DatabaseSync(`${folder}/kv.sqlite3`, { readOnly: true });
    assertEquals(file.prepare("SELECT count(*) AS rows FROM kv").get()?.rows, 4);
    file.close();
    assertEquals(await pageBytes(`${folder}/kv.sqlite3`), STORE_PAGE_BYTES);
  }));
