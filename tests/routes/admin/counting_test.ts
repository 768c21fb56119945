/** No list of the admin API reads more because there are more rows that it does not show. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { testApp } from "../../support/sites/app.ts";
import {
  countingRequests,
  fillRows,
  type RowCounts,
  tenthOf,
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
  total: number;
}

/** What each request reads of the store, in a process that has counted. */
async function costs(counts: RowCounts): Promise<Record<string, Cost>> {
  await using site = await testApp();
  await site.setUp();
  await site.collection({ slug: "posts", name: "Posts", fields: [] });
  const hook = { name: "Hook", url: "https://example.org", events: ["media.changed"] };
  const { json: { id: receiverId } } = await site.admin("POST", "/webhooks", hook);
  const filled = await fillRows(site.deps, counts, {
    collection: "posts",
    receiverId,
    advance: (ms) => site.context.advance(ms),
  });
  const { driver } = site.context.store;
  let [calls, rows] = [0, 0];
  const [getMany, list] = [driver.getMany, driver.list];
  driver.getMany = (keys) => {
    calls += 1;
    rows += keys.length;
    return getMany.call(driver, keys);
  };
  driver.list = async function* (range, options) {
    calls += 1;
    let read = 0;
    for await (const entry of list.call(driver, range, options)) {
      rows += 1;
      read += 1;
      if (read % (options.batchSize ?? 100) === 0) calls += 1;
      yield entry;
    }
  };
  const found: Record<string, Cost> = {};
  for (const path of countingRequests({ ...filled, receiverId })) {
    await site.admin("GET", path);
    [calls, rows] = [0, 0];
    const { status, json, text } = await site.admin("GET", path);
    assertEquals(status, 200, text);
    found[path.replace(/[0-9A-Z]{26}/g, ":id")] = { calls, rows, total: json.meta.total };
  }
  return found;
}

Deno.test("lists of the admin API read the rows that they show, however many there are", async () => {
  const [few, many] = [await costs(tenthOf(ROWS)), await costs(ROWS)];

  for (const [path, { calls, rows }] of Object.entries(many)) {
    const tenth = few[path]!;
    assert(
      calls <= tenth.calls,
      `${path}: ${calls} calls, ${tenth.calls} with a tenth of the rows`,
    );
    assert(rows <= tenth.rows, `${path}: ${rows} rows, ${tenth.rows} with a tenth of the rows`);
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
