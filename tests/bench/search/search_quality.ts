/**
 * How well known pages are found, beside SQLite's full-text search with three tokenizers:
 * `deno run -A tests/bench/search/search_quality.ts <pages>`. The pages are a file with a JSON object a line
 * (`title`, `body` in Markdown and, if there are several, `language`), or a folder with a folder of Markdown files
 * for each language. The same pages serve for tuning and, with another seed (`SEED=2`), for a check: never decide by
 * the pages of one site alone.
 *
 * @module
 */
import {
  type KnownItem,
  knownItems,
  rankKnownItems,
  type Ranks,
} from "../../support/harness/known_items.ts";
import { type KnownPage, measureRecall } from "../../support/sites/search_quality.ts";
import { readManifest } from "../../../kv/search/segments/manifest.ts";
import { SearchSite } from "../../support/sites/search_site.ts";
import { Fts5 } from "./search_fts5.ts";
import { readPages } from "./search_pages.ts";

const pages = await readPages(Deno.args[0]!);
const items = knownItems(pages, Number(Deno.env.get("SEED") ?? 1));
const groupsOf = ({ kind, page }: KnownItem) => ["all", kind, pages[page]!.language];

/** The site's language is English, its settings are the initial ones. */
using site = await SearchSite.open(1, { siteLanguage: () => Promise.resolve("en") });
const ids: string[] = [];
for (const { title, body } of pages) ids.push(await site.publish({ title, rich: body }));
await site.compact();
const indexes = new Map(ids.map((id, n) => [id, n]));
const hits = async (text: string) =>
  (await site.search(text)).hits.map(({ documentId }) => documentId);

interface Measured {
  name: string;
  ranks: Map<string, Ranks>;
  msPerQuery: number;
}

async function measure(
  name: string,
  search: (text: string) => Promise<number[]> | number[],
): Promise<Measured> {
  await rankKnownItems(items, groupsOf, search);
  const before = performance.now();
  const ranks = await rankKnownItems(items, groupsOf, search);
  return { name, ranks, msPerQuery: (performance.now() - before) / items.length };
}

async function measureFts5(tokenizer: string): Promise<Measured> {
  const fts5 = new Fts5(":memory:", tokenizer);
  fts5.begin();
  for (const [n, { title, body }] of pages.entries()) fts5.add(n, title, body);
  fts5.commit();
  const measured = await measure(tokenizer.split(" ")[0]!, (text) => fts5.search(text));
  fts5.close();
  return measured;
}

const measured = [
  await measure("ours", async (text) => (await hits(text)).map((id) => indexes.get(id)!)),
  await measureFts5("unicode61 remove_diacritics 2"),
  await measureFts5("porter unicode61 remove_diacritics 2"),
  await measureFts5("trigram"),
];
const cells = ({ mrr, missed }: Ranks) => `${mrr.toFixed(3)} ${String(missed).padStart(5)}`;
console.log(`${pages.length} pages: mean reciprocal rank, queries without it in the first 20`);
const heads = measured.map(({ name }) => name.padStart(11)).join("  ");
console.log(`${"".padEnd(26)}${heads}`);
for (const [group, { queries }] of measured[0]!.ranks) {
  const columns = measured.map(({ ranks }) => cells(ranks.get(group)!)).join("  ");
  console.log(group.padEnd(12), `${queries} queries`.padEnd(13), columns);
}
console.log(
  "ms a query".padEnd(26),
  measured.map(({ msPerQuery }) => msPerQuery.toFixed(2).padStart(10)).join("   "),
);
const bytes = (await readManifest(site.context.store)).value!.segments
  .reduce((sum, segment) => sum + segment.bytes, 0);
const textBytes = pages.reduce((sum, { title, body }) => sum + title.length + body.length, 0);
console.log(
  `${(bytes / 1e6).toFixed(2)} MB of segments for ${(textBytes / 1e6).toFixed(2)} M characters`,
);

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
