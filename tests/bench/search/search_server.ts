/**
 * The search route alone over a folder that the search benchmark has filled: a process of its own, so that
 * its memory is what search takes. Prints the port; `/usage` tells memory and CPU time, `/bare` answers as many
 * bytes after the same read.
 *
 *     deno run -A tests/bench/search/search_server.ts <folder> <collection.json>
 *
 * @module
 */
import process from "node:process";
import { Hono } from "@hono/hono";
import type { CurrentRow } from "../../../kv/versioning/entities.ts";
import { decodeState } from "../../../kv/versioning/state_codec.ts";
import { currentKey, schemaKey } from "../../../kv/keys.ts";
import { searchVersionKey } from "../../../kv/search/search_keys.ts";
import { SILENT } from "../../../kv/log.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { SearchIndex } from "../../../kv/search/search_index.ts";
import { DenoKvDriver } from "../../../kv/store/driver.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import type { Deps } from "../../../routes/deps/deps.ts";
import { searchRoutes } from "../../../routes/v1/reading/search.ts";
import { openStoreFile } from "../../../kv/store/disk/store_file.ts";
import { Prose } from "../content/prose.ts";

const [folder, collectionPath] = Deno.args as [string, string];
const collection = JSON.parse(Deno.readTextFileSync(collectionPath)) as Collection;
const store = new Store(new DenoKvDriver(await openStoreFile(`${folder}/kv.sqlite3`)));
const search = new SearchIndex({
  store,
  loadDocuments: async function* (ids) {
    const entries = await store.getMany(ids.map((id) => currentKey("document", id)));
    for (const { value } of entries as Entry<CurrentRow>[]) {
      yield { state: decodeState(value!.body!) as unknown as DocumentState, collection };
    }
  },
});
const schema = {
  stamp: null,
  blocks: new Map(),
  collections: [collection],
  bySlug: new Map([[collection.slug, collection]]),
  byId: new Map([[collection.id, collection]]),
};
// What the route is given, without the quota: it would admit sixty requests.
const deps = {
  content: {
    context: { store, log: SILENT },
    schema: { current: () => store.get(schemaKey).then(() => schema) },
  },
  search,
  limiter: { admit: () => Promise.resolve({ admitted: true, remaining: 59, resetSeconds: 1 }) },
  trustProxy: 0,
} as unknown as Deps;
const bareBody = JSON.stringify({ text: new Prose(1).text("latin", 7_000) });
const app = new Hono().route("/api/v1", searchRoutes(deps))
  .get("/bare", async () => {
    await store.getMany([schemaKey, searchVersionKey]);
    return new Response(bareBody, { headers: { "content-type": "application/json" } });
  })
  .get("/usage", (c) => {
    const { user, system } = process.cpuUsage();
    return c.json({ memoryMb: Deno.memoryUsage().rss / 1e6, cpuMs: (user + system) / 1e3 });
  });
const server = Deno.serve({
  port: 0,
  hostname: "127.0.0.1",
  onListen: ({ port }) => console.log(port),
}, app.fetch);
Deno.addSignalListener("SIGTERM", () => void server.shutdown().then(() => Deno.exit(0)));
