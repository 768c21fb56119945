/**
 * Brings a store to format 3: states are deflated in their rows, parts of the sitemap have rows of their own, and
 * lists, which are rendered on request, are no longer stored.
 *
 * @module
 */
import { z } from "zod";
import { KV_CHECKS_MAX } from "../limits/store.ts";
import { currentRowsPrefix, type Key, versionRowsPrefix } from "../keys.ts";
import type { Json } from "../model/entities/entity.ts";
import { siteEntryPrefix, sitemapPartKey } from "../pages/page_keys.ts";
import type { SiteEntry } from "../pages/site_entries.ts";
import { beginsPart } from "../pages/sitemap_parts.ts";
import { Operation, type StoredEntry } from "../store/operation.ts";
import { packState } from "../versioning/state_codec.ts";
import type { FormatStep, Portion } from "./stored_format.ts";

/** Rows that one portion reads. */
const ROWS_PER_PORTION = 400;
/** Rows that one portion writes: each takes a check, and the format another. */
const WRITTEN_PER_PORTION = KV_CHECKS_MAX - 2;

/** Rows that earlier releases stored for lists. */
const OBSOLETE: readonly Key[] = [
  ["listing_marks"],
  ["listing_change"],
  ["page_series"],
  ["page_piece"],
  ["feed_mark"],
  ["feed_change"],
  ["site_fingerprints"],
  ["site_change"],
  ["sitemap_totals"],
  ["sitemap_group"],
];

/** The ranges in their order. */
const RANGES: readonly { prefix: Key; stage: typeof packRow }[] = [
  { prefix: currentRowsPrefix, stage: packRow },
  { prefix: versionRowsPrefix, stage: packRow },
  { prefix: siteEntryPrefix, stage: markPart },
  ...OBSOLETE.map((prefix) => ({ prefix, stage: removeRow })),
];

/** The current range and the last key that was read. */
const Cursor = z.object({ range: z.int(), after: z.array(z.union([z.string(), z.number()])) });

/** The step, whose cursor says how far it has come. */
export const packRowsStep: FormatStep = {
  to: 3,
  name: "pack rows",
  inBackground: true,
  async portion({ store }, cursor) {
    const { range, after } = cursor === null ? { range: 0, after: [] } : Cursor.parse(cursor);
    const place = RANGES[range];
    const operation = new Operation();
    if (place === undefined) return { operation, cursor: null };
    const { prefix, stage } = place;
    const start = after.length === 0 ? {} : { start: [...after, ""] };
    const rows = await store.listAll<unknown>({ prefix, ...start }, { limit: ROWS_PER_PORTION });
    let last: Json = after;
    for (const row of rows) {
      const isFull = operation.checks.length === WRITTEN_PER_PORTION;
      if (isFull) return { operation, cursor: { range, after: last } };
      stage(operation, row);
      last = row.key as Json;
    }
    return { operation, cursor: nextOf(range, rows.length, last) };
  },
};

function nextOf(range: number, read: number, after: Json): Portion["cursor"] {
  if (read === ROWS_PER_PORTION) return { range, after };
  return range + 1 < RANGES.length ? { range: range + 1, after: [] } : null;
}

/** Packs the state in a row that holds one. */
function packRow(operation: Operation, row: StoredEntry<unknown>): void {
  const value = row.value as { body?: unknown };
  if (!(value.body instanceof Uint8Array)) return;
  const body = packState(value.body);
  if (body !== value.body) operation.check(row).set(row.key, { ...value, body });
}

/** Gives a part of the sitemap its row; its time is that of the line it begins with. */
function markPart(operation: Operation, { key, value }: StoredEntry<unknown>): void {
  const id = key[1] as string;
  if (beginsPart(id)) operation.set(sitemapPartKey(id), (value as SiteEntry)[1]);
}

function removeRow(operation: Operation, { key }: StoredEntry<unknown>): void {
  operation.delete(key);
}
