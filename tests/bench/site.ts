/**
 * Pages of the public site beside a bare route that answers the same bytes from one `kv.get`, in the same
 * run. Both are called in the process, so that no client takes part in the figures.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { siteRoutes } from "../../routes/site/site.ts";
import { ulidSource } from "../../kv/context.ts";
import { SILENT } from "../../kv/log.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { putPage } from "../../kv/pages/pages.ts";
import { SchemaSource } from "../../kv/sources/schema_source.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { Operation } from "../../kv/store/operation.ts";
import { Store } from "../../kv/store/store.ts";
import { renderDocument } from "../../jobs/render/pages/document_page.ts";
import { renderFeeds } from "../support/sites/feeds.ts";
import { renderListing } from "../../jobs/render/pages/listing_page.ts";
import { newestSlice } from "../../jobs/render/pages/listing_plan.ts";
import { renderSitemap } from "../../jobs/render/feeds/sitemap.ts";
import { collection, field, NOTHING, published, rendering } from "../support/sites/site.ts";
import { openStoreFile } from "../../kv/store/disk/store_file.ts";
import { articlePool } from "./content/pool.ts";

const POSTS = articlePool();
const PAGES = 1_000;
const CONNECTIONS = 16;
const ROUND_MS = 700;
const ROUNDS = 5;

/** One figure of the table. */
interface Figure {
  work: string;
  value: string;
  ratio?: string;
}

/** Measures serving and rendering, and prints a table. */
export async function benchSite(): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const kv = await openStoreFile(`${folder}/kv.sqlite3`);
    const figures = await serving(kv).finally(() => kv.close());
    console.table([...figures, ...renderingFigures()]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function serving(kv: Deno.Kv): Promise<Figure[]> {
  const store = new Store(new DenoKvDriver(kv));
  const objects = new MemoryObjects({ now: () => 0 });
  const context = { store, objects, now: () => 0, newId: ulidSource(), log: SILENT };
  const posts = collection("posts", [field("summary", "text"), field("body", "rich_text")]);
  const facts = rendering([posts]);
  for (let n = 0; n < PAGES; n++) {
    const { summary, body } = POSTS.at(n);
    const page = renderDocument(facts, published(`p${n}`, { summary, body }), posts, NOTHING);
    // A value holds 64 KB at most; the service divides what is longer.
    const operation = new Operation().set(["bare", page.path], page.body.slice(0, 60_000));
    await putPage(context, operation, page);
    await store.commit(operation);
  }
  const site = siteRoutes({
    content: { context, schema: new SchemaSource(context) },
    lists: {
      isListPath: () => false,
      find: () => Promise.resolve(null),
      findAsset: () => Promise.resolve(null),
    },
    render: () => Promise.reject(new Error("No Markdown is asked for")),
  });
  const bare = new Hono().get("/:collection/:slug", async (c) => {
    const { value } = await kv.get<Uint8Array<ArrayBuffer>>(["bare", c.req.path]);
    return new Response(value, { headers: { "content-type": "text/html; charset=utf-8" } });
  });

  const rates: { bare: number[]; site: number[] } = { bare: [], site: [] };
  await rate(bare, 200);
  await rate(site, 200);
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push(await rate(bare, ROUND_MS));
    rates.site.push(await rate(site, ROUND_MS));
  }
  const [bareRate, siteRate] = [median(rates.bare), median(rates.site)];
  const ratios = rates.site.map((siteRate, round) => siteRate / rates.bare[round]!);
  return [
    { work: "bare route, one kv.get", value: `${Math.round(bareRate)}/s` },
    {
      work: "page of the site (budget: 0.5)",
      value: `${Math.round(siteRate)}/s`,
      // Of rounds side by side: on a machine that is not quiet, only adjacent rounds can be compared.
      ratio: `${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(", ")})`,
    },
  ];
}

/** Requests answered in a second, over several loops at once. */
async function rate(app: Pick<Hono, "request">, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let answered = 0;
  async function loop(first: number): Promise<void> {
    for (let n = first; performance.now() < end; n += CONNECTIONS) {
      const response = await app.request(`/posts/p${n % PAGES}`);
      if (response.status !== 200) throw new Error(`Status ${response.status}`);
      await response.arrayBuffer();
      answered += 1;
    }
  }
  const begun = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => loop(n)));
  return answered / (performance.now() - begun) * 1000;
}

function renderingFigures(): Figure[] {
  const posts = collection("posts", [field("summary", "text"), field("body", "rich_text")]);
  const facts = rendering([posts]);
  const documents = Array.from({ length: 39 }, (_, n) => {
    const { summary, body } = POSTS.at(n);
    return published(`p${n}`, { summary, body });
  });
  const entries = Array.from(
    { length: 50_000 },
    (_, n) => ({ path: `/posts/p${n}`, updatedAt: n }),
  );
  const slice = newestSlice(documents.length);
  const listing = { collection: posts, slice, documents, total: documents.length };
  return [
    time("render a document", 200, () => renderDocument(facts, documents[0]!, posts, NOTHING)),
    time("render a listing page of 39", 100, () => renderListing(facts, listing)),
    time("render both feeds", 50, () => renderFeeds(facts, documents, null)),
    time("render a sitemap of 50,000", 3, () => renderSitemap(facts.site, "/sitemap.xml", entries)),
  ];
}

function time(work: string, runs: number, run: () => unknown): Figure {
  run();
  const times = Array.from({ length: runs }, () => {
    const begun = performance.now();
    run();
    return performance.now() - begun;
  });
  return { work, value: `${median(times).toFixed(2)} ms` };
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

if (import.meta.main) await benchSite();
