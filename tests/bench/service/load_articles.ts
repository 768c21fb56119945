/**
 * Filling a started service with articles over HTTP, one a request, four of five of them published.
 *
 * @module
 */
import { articlePool, rawRequest } from "../content/pool.ts";
import { sendLoad } from "./load.ts";
import type { ArticleService } from "./started_service.ts";

/** Requests that are handed to the generator at a time. */
const REQUESTS_PER_RUN = 20_000;
/** More documents than one token may send in a minute. */
const TOKENS = 4;
/** Time by which everything is public, milliseconds. */
const PUBLIC_MS_MAX = 1_800_000;
/** Between two counts of what is public, milliseconds. */
const CHECK_INTERVAL_MS = 2_000;

/** How many articles to send, on how many connections; `bytes` fixes the lengths of their bodies. */
export interface ArticleLoad {
  documents: number;
  connections: number;
  bytes?: number | undefined;
}

/** What a load came to. */
export interface LoadedArticles {
  perSecond: number;
  /** Answers by status. */
  statuses: Record<string, number>;
}

/** Creates the articles; every fifth is a draft. Each title has the word `marker`. */
export async function loadArticles(
  service: ArticleService,
  { documents, connections, bytes }: ArticleLoad,
): Promise<LoadedArticles> {
  const posts = articlePool(service.targets, bytes === undefined ? {} : { bytes });
  const tokens = await Promise.all(Array.from({ length: TOKENS }, () => service.mint()));
  let seconds = 0;
  const statuses: Record<string, number> = {};
  for (let start = 0; start < documents; start += REQUESTS_PER_RUN) {
    const count = Math.min(REQUESTS_PER_RUN, documents - start);
    const requests = Array.from({ length: count }, (_, n) => {
      const status = (start + n) % 5 === 0 ? "draft" : "published";
      const body = { ...posts.at(start + n), title: `Marker ${start + n}`, status };
      return rawRequest("POST", "/api/v1/posts", { token: tokens[n % TOKENS]!, body });
    });
    const result = await sendLoad(service.port, connections, 0, requests);
    seconds += result.requests / result.perSecond;
    for (const [status, of] of Object.entries(result.statuses)) {
      statuses[status] = (statuses[status] ?? 0) + of;
    }
  }
  return { perSecond: documents / seconds, statuses };
}

/** How many of the articles are published. */
export function publishedOf(documents: number): number {
  return documents - Math.ceil(documents / 5);
}

/** The articles that the search finds, which are the public ones. */
export async function countPublic({ origin }: ArticleService): Promise<number> {
  return (await (await fetch(`${origin}/api/v1/search?q=marker&perPage=1`)).json()).meta.total;
}

/** Resolves once so many articles are public. */
export async function waitUntilPublic(service: ArticleService, wanted: number): Promise<void> {
  const deadline = performance.now() + PUBLIC_MS_MAX;
  while (await countPublic(service) < wanted) {
    if (performance.now() > deadline) throw new Error("Not all became public");
    await new Promise((done) => setTimeout(done, CHECK_INTERVAL_MS));
  }
}
