/**
 * `_bulk` over a store at a distance: every call takes as long, with the strictest limits of a remote store,
 * beside the bare cost of as many commits of the same size. Jobs run behind it, as in the service.
 *
 *     deno run -A tests/bench/distant_bulk.ts [lines] [ms]
 *
 * @module
 */
import process from "node:process";
import { type Context, ulidSource } from "../../kv/context.ts";
import { SILENT } from "../../kv/log.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import { parseToken } from "../../kv/model/input/token_input.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { mintToken } from "../../kv/people/tokens.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { Operation } from "../../kv/store/operation.ts";
import { RemoteDriver } from "../../kv/store/remote_driver.ts";
import { Store } from "../../kv/store/store.ts";
import { DueNotifier } from "../../jobs/runner/due_notifier.ts";
import { NotifyingDriver } from "../../jobs/runner/notifying_driver.ts";
import { createApp } from "../../routes/app.ts";
import { createDeps, createRunner } from "../../routes/process/wiring.ts";
import { SlowDriver } from "../support/stores/slow_driver.ts";
import { openStoreFile } from "../../kv/store/disk/store_file.ts";
import { plainPool } from "./content/pool.ts";

const LINES = Number(Deno.args[0] ?? 3_000);
const CALL_MS = Number(Deno.args[1] ?? 20);
const POSTS = plainPool();
const BARE_COMMITS = 500;

const folder = await Deno.makeTempDir({ prefix: "bench-distant-" });
const slow = new SlowDriver(
  new DenoKvDriver(await openStoreFile(`${folder}/kv.sqlite3`)),
  CALL_MS,
);
const dueNotifier = new DueNotifier();
const store = new Store(
  new NotifyingDriver(new RemoteDriver(slow, { random: Math.random }), dueNotifier),
);
const context: Context = {
  store,
  objects: new MemoryObjects({ now: Date.now }),
  now: Date.now,
  newId: ulidSource(),
  log: SILENT,
};
const deps = createDeps(context, { trustProxy: 0, setupCode: "code" });
const app = createApp(deps);
const runner = createRunner(deps);
dueNotifier.listen((dueAt, lane) => runner.notify(dueAt, lane));
runner.start();
try {
  const fields = [{ name: "body", type: "text", options: { multiline: true } }];
  const posts = parseCollection({ slug: "posts", name: "Posts", fields });
  await createCollection(deps.content, UNATTENDED, posts);
  const minted = parseToken({ name: "bench", scopes: ["*"], quotaPerMinute: 100_000 }, 0);
  const { text: token } = await mintToken(context, UNATTENDED, minted, null);
  for (const key of [null, "again"]) await bulk(token, key);
  await bareCommits();
} finally {
  await runner.stop(5_000);
  store.close();
  await Deno.remove(folder, { recursive: true });
}

async function bulk(token: string, key: string | null): Promise<void> {
  const [startedAt, callsBefore, cpuBefore] = [performance.now(), slow.calls, process.cpuUsage()];
  const lines = Array.from({ length: LINES }, (_, n) => {
    return JSON.stringify({ op: "create", body: { title: `${key} ${n}`, body: POSTS.at(n).body } });
  });
  const response = await app.request("/api/v1/posts/_bulk", {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/x-ndjson",
      ...(key !== null && { "idempotency-key": key }),
    },
    body: lines.join("\n"),
  });
  const last = (await response.text()).trimEnd().split("\n").at(-1);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  console.log(
    `_bulk at ${CALL_MS} ms a call${key === null ? "" : " with Idempotency-Key"}: ` +
      `${(LINES / seconds).toFixed(0)}/s, ${
        ((slow.calls - callsBefore) / LINES).toFixed(2)
      } calls ` +
      `and ${((user + system) / 1000 / LINES).toFixed(2)} ms of processor time each`,
  );
  console.log(`  last line ${last}`);
}

/** Commits of one value each, eight at a time. */
async function bareCommits(): Promise<void> {
  const startedAt = performance.now();
  let next = 0;
  await Promise.all(Array.from({ length: 8 }, async () => {
    while (next < BARE_COMMITS) {
      const { body } = POSTS.at(next);
      await slow.commit(new Operation().set(["bare", next++], body));
    }
  }));
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`bare: ${(BARE_COMMITS / seconds).toFixed(0)} commits of one value a second`);
}
