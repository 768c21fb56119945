/** Rows of a kind that no run has written are written without reads of their own; what is there is still found. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { countReads } from "../../../support/stores/count_reads.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

/** More rows than a part of them has. */
const ROWS = 501;

function table(ids: readonly (number | string)[]): string {
  return ["id,title", ...ids.map((id, n) => `${id},Title ${n}`)].join("\n");
}

const IDS = Array.from({ length: ROWS }, (_, n) => n);

Deno.test("rows of a new kind are written without a read for each; a second run finds them all", async () => {
  await using site = await transferSite();
  const { id } = await site.analysed([["posts.csv", table(IDS)]]);
  const { driver } = site.context.store;

  const first = await countReads(driver, () => site.run(id));
  const second = await countReads(driver, () => site.run(id));

  assertEquals(first.result.report.created, ROWS);
  assertEquals(second.result.report.unchanged, ROWS);
  assert(first.reads.rows < ROWS / 2, `${first.reads.rows} rows were read`);
  assert(second.reads.rows > ROWS, `${second.reads.rows} rows were read`);
});

Deno.test("a row whose id comes again in a later part of a new kind changes the document of the first", async () => {
  await using site = await transferSite();
  const { id, plan } = await site.analysed([["posts.csv", table([...IDS.slice(0, -1), 0])]]);
  plan.collections[0].sourceId = "id";
  answered(await site.admin("PATCH", `/transfers/${id}`, { plan }), 200);

  const { report } = await site.run(id);

  assertEquals([report.created, report.updated, report.failed], [ROWS - 1, 1, 0]);
  const titles = (await site.report(id)).filter(({ sourceId }) => sourceId === "0");
  assertEquals(new Set(titles.map((line) => line.id)).size, 1);
});

Deno.test("a run that is repeated in the same process after another has written its rows changes nothing", async () => {
  await using site = await transferSite();
  const { id } = await site.analysed([["posts.csv", table(IDS.slice(0, 3))]]);
  const { id: other } = await site.analysed([["posts.csv", table(IDS.slice(0, 4))]]);

  const { report } = await site.run(id);
  const { report: again } = await site.run(other);

  assertEquals([report.created, again.created, again.unchanged], [3, 1, 3]);
});
