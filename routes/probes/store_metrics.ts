/**
 * Metrics of the store and the layers above it: conflicts, hanging operations, rate limits,
 * segments.
 *
 * @module
 */
import type { Registry } from "prom-client";
import { indexManifestKey } from "../../kv/index/index_keys.ts";
import { searchManifestKey } from "../../kv/search/search_keys.ts";
import { manifestOf } from "../../kv/index/segments/manifest.ts";
import type { Store } from "../../kv/store/store.ts";
import type { SearchManifest } from "../../kv/search/segments/manifest.ts";

/** The sources of these metrics. */
export interface StoreMetricsSources {
  store: Store;
  /** Store operations in progress. */
  underWay?: { readonly oldestMs: number; readonly count: number };
  /** Whether the disk of an embedded store is full. */
  disk?: { readonly isFull: boolean };
  /** Bytes that are free on it; null when that is not known. */
  diskFreeBytes?: () => Promise<number | null>;
  /** Requests that the rate limits have decided. */
  limiter?: { readonly admitted: number; readonly refused: number };
  /** Every collection's id. */
  collectionIds?: () => Promise<string[]>;
}

/** Registers them. */
export function storeMetrics(
  { Counter, Gauge }: typeof import("prom-client"),
  registry: Registry,
  sources: StoreMetricsSources,
): void {
  const { store, underWay, limiter } = sources;
  const { collectionIds = () => Promise.resolve([]) } = sources;
  const registers = [registry];
  new Counter({
    name: "cms_kv_conflicts_total",
    help: "Commits that failed because of a concurrent write.",
    registers,
    collect() {
      this.reset();
      this.inc(store.conflicts);
    },
  });
  new Gauge({
    name: "cms_kv_operations_under_way",
    help: "Store operations in progress.",
    registers,
    collect() {
      this.set(underWay?.count ?? 0);
    },
  });
  new Gauge({
    name: "cms_kv_oldest_operation_seconds",
    help: "Age of the oldest store operation in progress.",
    registers,
    collect() {
      this.set((underWay?.oldestMs ?? 0) / 1000);
    },
  });
  diskGauges(Gauge, registers, sources);
  new Counter({
    name: "cms_rate_limit_decisions_total",
    help: "Requests admitted and refused by rate limits.",
    labelNames: ["decision"] as const,
    registers,
    collect() {
      this.reset();
      this.inc({ decision: "admitted" }, limiter?.admitted ?? 0);
      this.inc({ decision: "refused" }, limiter?.refused ?? 0);
    },
  });
  new Gauge({
    name: "cms_segments",
    help: "Segments of the search index and, in total, of all list indexes.",
    labelNames: ["index"] as const,
    registers,
    async collect() {
      const keys = (await collectionIds()).map(indexManifestKey);
      const [search, ...lists] = await store.getMany([searchManifestKey, ...keys]);
      const manifest = search.value as SearchManifest | null;
      this.set({ index: "search" }, manifest?.segments.length ?? 0);
      const segments = lists.map((entry) => manifestOf(entry).segments.length);
      this.set({ index: "lists" }, segments.reduce((sum, count) => sum + count, 0));
    },
  });
}

function diskGauges(
  Gauge: typeof import("prom-client").Gauge,
  registers: Registry[],
  { disk, diskFreeBytes }: Pick<StoreMetricsSources, "disk" | "diskFreeBytes">,
): void {
  new Gauge({
    name: "cms_disk_full",
    help: "1 if the disk of the embedded store is full and writes are refused, else 0.",
    registers,
    collect() {
      this.set(disk?.isFull ? 1 : 0);
    },
  });
  if (diskFreeBytes === undefined) return;
  new Gauge({
    name: "cms_disk_free_bytes",
    help: "Free bytes on the disk of DATA_DIR; absent without permission to read them.",
    registers,
    async collect() {
      const bytes = await diskFreeBytes();
      this.reset();
      if (bytes !== null) this.set(bytes);
    },
  });
}
