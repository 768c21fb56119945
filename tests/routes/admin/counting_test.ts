/** No list of the admin API reads more because there are more rows that it does not show. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { countReads } from "../../support/stores/count_reads.ts";
import {
  type RowCounts,
  shareOf,
  siteWithRows,
  USERS_OF_EVENTS,
} from "../../support/stores/many_rows.ts";

const ROWS: RowCounts = {
  queued: 2_000,
  done: 2_000,
  audit: 2_000,
  users: 120,
  tokens: 200,
  releases: 200,
  media: 300,
  deliveries: 15_000,
  versions: 3_000,
};

interface Cost {
  calls: number;
  rows: number;
  keys: string;
  total: number;
}

/** What each request reads of the store, in a process that has counted. */
async function costs(counts: RowCounts): Promise<Record<string, Cost>> {
  await using filled = await siteWithRows(counts);
  const { site, requests } = filled;
  const found: Record<string, Cost> = {};
  for (const path of requests) {
    await site.admin("GET", path);
    const { reads: { calls, rows, keys: read }, result: { status, json, text } } = await countReads(
      site.context.store.driver,
      () => site.admin("GET", path),
    );
    assertEquals(status, 200, text);
    const keys = read.map((key) => key.slice(0, 2).join("/")).sort().join();
    found[path.replace(/[0-9A-Z]{26}/g, ":id")] = { calls, rows, keys, total: json.meta.total };
  }
  return found;
}

Deno.test("lists of the admin API read the rows that they show, however many there are", async () => {
  const [few, many] = [await costs(shareOf(ROWS, 0.1)), await costs(ROWS)];

  for (const [path, { calls, rows, keys }] of Object.entries(many)) {
    const tenth = few[path]!;
    assert(
      calls <= tenth.calls,
      `${path}: ${calls} calls, ${tenth.calls} with a tenth of the rows`,
    );
    assert(
      rows <= tenth.rows,
      `${path}: ${rows} rows, ${tenth.rows} with a tenth of the rows:\n${keys}\n${tenth.keys}`,
    );
  }
  // Setting the site up adds some of its own.
  const more = (path: string) => many[path]!.total - few[path]!.total;
  const counted: [path: string, rows: number][] = [
    ["/jobs?state=queued&perPage=1", ROWS.queued],
    ["/jobs?state=done&perPage=1", ROWS.done],
    ["/jobs?perPage=1", ROWS.queued + ROWS.done],
    ["/audit?perPage=1", ROWS.audit],
    ["/audit?event=sign_in&userId=:id&perPage=1", ROWS.audit / USERS_OF_EVENTS],
    ["/users?perPage=1", ROWS.users],
    ["/tokens?perPage=1", ROWS.tokens],
    ["/releases?perPage=1", ROWS.releases],
    ["/media?perPage=1", ROWS.media],
    ["/versions/document/:id?perPage=1", ROWS.versions],
  ];
  for (const [path, rows] of counted) assertEquals(more(path), rows * 0.9, path);
});
