/**
 * Pages of the media library at 10,000 media, 5,000 of which documents reference, beside a bare route that
 * answers the same bytes after one `kv.get`, in the same run.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { MediaList } from "../../kv/media/media_list.ts";
import { stageMediaRow } from "../../kv/versioning/media_row.ts";
import { MEDIA_MIMES, type MediaState } from "../../kv/model/entities/media.ts";
import { stageSharded } from "../../kv/store/shards.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { Operation } from "../../kv/store/operation.ts";
import { Store } from "../../kv/store/store.ts";
import { ulidSource } from "../../kv/context.ts";
import { SILENT } from "../../kv/log.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { mediaApp } from "../support/sites/media_app.ts";
import { openStoreFile } from "../../kv/store/disk/store_file.ts";

const MEDIA = 10_000;
const ROUNDS = 60;
const LIST = "/api/admin/media?perPage=48";

const QUERIES: [work: string, path: string][] = [
  ["first page", LIST],
  ["page in the middle", `${LIST}&page=104`],
  ["by name", `${LIST}&sort=filename`],
  ["a type and a text", `${LIST}&mime=image/png&q=99`],
  ["unused", `${LIST}&unused=true`],
];

function medium(n: number): MediaState {
  return {
    id: `01ARZ3NDEKTSV4RRFF${String(n).padStart(8, "0")}`,
    filename: `picture ${n * 7919 % MEDIA}.png`,
    mime: MEDIA_MIMES[n % MEDIA_MIMES.length]!,
    bytes: 10_000 + n,
    width: 1_200,
    height: 800,
    alt: n % 3 === 0 ? "" : `What is to be seen on picture ${n}`,
    sha256: "0".repeat(64),
    object: "",
    createdAt: 1_700_000_000 + n,
    updatedAt: 1_700_000_000 + n,
    deletedAt: null,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1]!;
}

/** Measures and prints a table. */
export async function benchMedia(): Promise<void> {
  const folder = await Deno.makeTempDir();
  const store = new Store(new DenoKvDriver(await openStoreFile(`${folder}/kv.sqlite3`)));
  const objects = new MemoryObjects({ now: () => 0 });
  const context = { store, objects, now: () => 0, newId: ulidSource(), log: SILENT };
  for (let start = 0; start < MEDIA; start += 400) {
    const operation = new Operation();
    for (let n = start; n < start + 400; n++) {
      stageMediaRow(operation, medium(n).id, medium(n));
      if (n % 2 === 0) {
        stageSharded(operation, "references", { id: medium(n).id, name: "D", value: 1 });
      }
    }
    await store.commit(operation);
  }
  const figures: { work: string; ms: string; ratio: string }[] = [];
  const app = mediaApp(context);
  const before = performance.now();
  const text = await (await app.request(LIST)).text();
  const cold = performance.now() - before;
  const answer = JSON.parse(text);
  const bare = new Hono().get("/", async (c) => {
    await store.get(["bare"]);
    return c.json(answer);
  });
  const bareMs = await timed(async () => await (await bare.request("/")).text());
  const note = (work: string, ms: number) =>
    figures.push({ work, ms: ms.toFixed(3), ratio: (ms / bareMs).toFixed(1) });
  note("bare route of the same bytes", bareMs);
  note("first list of a process", cold);
  for (const [work, path] of QUERIES) {
    note(work, await timed(async () => await (await app.request(path)).text()));
  }
  let n = 0;
  const list = new MediaList(context);
  await list.list({ deleted: false, offset: 0, limit: 48 });
  const written = await timed(async () => {
    const operation = new Operation();
    stageMediaRow(operation, medium(n).id, medium(n++));
    await store.commit(operation);
  });
  const after = await timed(async () => {
    const operation = new Operation();
    stageMediaRow(operation, medium(n).id, medium(n++));
    await store.commit(operation);
    await list.list({ deleted: false, offset: 0, limit: 48 });
  });
  note("first list after a change", after - written);
  console.table(figures);
  store.close();
  await Deno.remove(folder, { recursive: true });
}

if (import.meta.main) await benchMedia();
