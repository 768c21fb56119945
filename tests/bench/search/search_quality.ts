/**
 * How well known pages are found, beside SQLite's full-text search:
 * `deno run -A tests/bench/search/search_quality.ts <pages.jsonl>`, a JSON object with `title`, `body` (Markdown)
 * and, where there are several, `language` a line.
 *
 * @module
 */
import {
  type KnownItem,
  knownItems,
  type Page,
  rankKnownItems,
  type Ranks,
} from "../../support/harness/known_items.ts";
import { type KnownPage, measureRecall } from "../../support/sites/search_quality.ts";
import { SearchSite } from "../../support/sites/search_site.ts";
import { Fts5 } from "./search_fts5.ts";

const lines = (await Deno.readTextFile(Deno.args[0]!)).split("\n").filter((line) => line !== "");
const pages = lines.map((line): Page => ({ language: "en", ...JSON.parse(line) }));
using site = await SearchSite.open();
const fts5 = new Fts5(":memory:");
const ids: string[] = [];
for (const [n, { title, body }] of pages.entries()) {
  ids.push(await site.publish({ title, rich: body }));
  fts5.add(n, title, body);
}
await site.compact();
const indexes = new Map(ids.map((id, n) => [id, n]));
const hits = async (text: string, exact = false) =>
  (await site.search(text, { exact })).hits.map(({ documentId }) => documentId);

const items = knownItems(pages);
const groupsOf = ({ kind, page }: KnownItem) => ["all", kind, pages[page]!.language];
const ours = await rankKnownItems(
  items,
  groupsOf,
  async (text) => (await hits(text, true)).map((id) => indexes.get(id)!),
);
const theirs = await rankKnownItems(items, groupsOf, (text) => fts5.search(text));
const cells = ({ mrr, missed }: Ranks) => `${mrr.toFixed(3)} ${String(missed).padStart(6)}`;
console.log(
  `${pages.length} pages, two or three words of one: mean reciprocal rank, not in the first 20`,
);
console.log(`${"".padEnd(24)}       ours             FTS5`);
for (const [group, ranks] of ours) {
  const count = `${ranks.queries} queries`;
  console.log(group.padEnd(10), count.padEnd(14), cells(ranks), "  ", cells(theirs.get(group)!));
}

const known = pages.map(({ title, body }, n): KnownPage => ({ id: ids[n]!, title, body }));
const recall = await measureRecall(known, hits);
const percent = (share: number) => `${(share * 100).toFixed(1)} %`.padStart(8);
console.log("\nShare found in the first       1        3       10");
for (const [kind, { queries, first, three, ten }] of Object.entries(recall)) {
  console.log(
    `${kind.padEnd(12)} ${`${queries} queries`.padEnd(14)}`,
    percent(first),
    percent(three),
    percent(ten),
  );
}
