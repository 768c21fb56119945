/**
 * Content that is drawn once, so that taking it costs a benchmark nothing while it measures.
 *
 * @module
 */
import { type Article, Articles, type ArticleTargets } from "./articles.ts";

/** As many that lengths and scripts have their shares; more would only take memory. */
const POOL_SIZE = 400;

/** A title and a body without markup. */
type PlainArticle = ReturnType<Articles["nextPlain"]>;

/** Drawn items, over and over. */
export class Pool<Item> {
  readonly items: readonly Item[];

  constructor(items: readonly Item[]) {
    this.items = items;
  }

  at(n: number): Item {
    return this.items[n % this.items.length]!;
  }
}

/** Articles for a collection with `ARTICLE_FIELDS`. */
export function articlePool(
  targets?: ArticleTargets,
  { bytes }: { bytes?: number } = {},
): Pool<Article> {
  const articles = new Articles(1, targets);
  return new Pool(Array.from({ length: POOL_SIZE }, () => articles.next(bytes)));
}

/** The same for collections whose body is a text field; `bytes` fixes the lengths of the bodies. */
export function plainPool({ bytes }: { bytes?: number } = {}): Pool<PlainArticle> {
  const articles = new Articles(1);
  return new Pool(Array.from({ length: POOL_SIZE }, () => articles.nextPlain(bytes)));
}

/** The word that most of the texts have, of five letters or more: queries ask for it. */
export function frequentWord(texts: string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of new Set(text.toLowerCase().match(/[a-z]{5,}/g))) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]![0];
}

/** A raw HTTP/1.1 request with a JSON body; its length is counted in bytes. */
export function rawRequest(
  method: string,
  path: string,
  { token, body }: { token: string; body?: unknown },
): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const length = new TextEncoder().encode(text).length;
  return `${method} ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n` +
    `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`;
}
