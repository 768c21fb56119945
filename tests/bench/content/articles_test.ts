import { assert, assertEquals } from "../../support/harness/assert.ts";
import { type Article, Articles } from "./articles.ts";
import { BYTES, Prose } from "./prose.ts";
import { seededRandom } from "./random.ts";
import { inventWords, type Script, SCRIPT_SHARES, WORDS_PER_SCRIPT } from "./vocabulary.ts";

const SCRIPTS = Object.keys(SCRIPT_SHARES) as Script[];
const ARTICLES = 2_000;

// deno-lint-ignore no-explicit-any
const blocksOf = (article: Article) => article.body as any[];
const textOf = (article: Article) =>
  blocksOf(article).flatMap(({ children }) => children.map(({ text }: { text: string }) => text))
    .join("");
const articles = new Articles(3);
const sample = Array.from({ length: ARTICLES }, () => articles.next());

/** Asserts that a share is within four standard deviations of what is expected of so many trials. */
function assertShare(found: number, expected: number, trials: number, name: string): void {
  const deviation = Math.sqrt(expected * (1 - expected) / trials);
  assert(Math.abs(found - expected) < 4 * deviation, `${name}: ${found} instead of ${expected}`);
}

Deno.test("a seed determines the articles, and another seed gives others", () => {
  const first = new Articles(3);
  assertEquals(Array.from({ length: 20 }, () => first.next()), sample.slice(0, 20));
  assert(new Articles(4).next().title !== sample[0]!.title);
});

Deno.test("the vocabulary has 40,000 words in four scripts", () => {
  const patterns = {
    latin: /^[a-z]+$/,
    cyrillic: /^[а-яё]+$/,
    arabic: /^[ء-ي]+$/,
    han: /^[一-鿿]+$/,
  };
  const all = SCRIPTS.flatMap((script) => {
    const words = inventWords(script, seededRandom(1));
    assertEquals(words.length, WORDS_PER_SCRIPT);
    for (const word of words) assert(patterns[script].test(word), word);
    return words;
  });
  assertEquals(new Set(all).size, 40_000);
});

Deno.test("words are as unevenly frequent as in a language", () => {
  const prose = new Prose(5);
  const counts = new Map<string, number>();
  const words = 200_000;
  for (const word of prose.words("latin", words).split(" ")) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const sorted = [...counts.values()].sort((a, b) => b - a);
  // The slope of log frequency over log rank, between the 10th and the 1,000th word.
  const slope = Math.log(sorted[999]! / sorted[9]!) / Math.log(1000 / 10);
  assert(slope > -1.1 && slope < -0.85, `slope ${slope}`);
  assert(sorted[0]! / words > 0.03 && sorted[0]! / words < 0.08, `first ${sorted[0]}`);
  assert(counts.size > 5_000, `${counts.size} different words`);
});

Deno.test("lengths are log-normal: median 3 KB, between 0.3 and 60 KB", () => {
  const prose = new Prose(6);
  const lengths = Array.from({ length: 10_000 }, () => prose.length()).sort((a, b) => a - b);
  const quantile = (part: number) => lengths[Math.floor(part * lengths.length)]!;
  assert(lengths[0]! >= BYTES.min && lengths.at(-1)! <= BYTES.max);
  assert(Math.abs(quantile(0.5) / 3_000 - 1) < 0.05, `median ${quantile(0.5)}`);
  // One deviation above the median.
  const spread = Math.log(quantile(0.8413) / quantile(0.5));
  assert(Math.abs(spread - BYTES.sigma) < 0.06, `sigma ${spread}`);
});

Deno.test("bodies have the length that was drawn, and a share of every script", () => {
  const encoder = new TextEncoder();
  for (const bytes of [300, 3_000, 30_000]) {
    const found = encoder.encode(textOf(new Articles(8).next(bytes))).length;
    // Sentences are never cut, and headings come on top.
    assert(found >= bytes && found < bytes * 1.4 + 400, `${found} bytes instead of ${bytes}`);
  }
  const first: Record<Script, RegExp> = {
    latin: /^[A-Z]/,
    cyrillic: /^[А-ЯЁ]/,
    arabic: /^[ء-ي]/,
    han: /^[一-鿿]/,
  };
  for (const script of SCRIPTS) {
    const share = sample.filter(({ title }) => first[script].test(title)).length / ARTICLES;
    assertShare(share, SCRIPT_SHARES[script], ARTICLES, script);
  }
});

Deno.test("articles use headings, lists, marks and links, choices, dates and references", () => {
  const targets = { authorIds: ["a", "b"], mediaIds: ["m"] };
  const some = new Articles(9, targets);
  const all = Array.from({ length: 500 }, () => some.next());
  const blocks = all.flatMap(blocksOf);
  const share = (of: (block: typeof blocks[number]) => boolean) =>
    blocks.filter(of).length / blocks.length;
  assert(share(({ listItem }) => listItem !== undefined) > 0.15);
  assert(share(({ style }) => style === "h2") > 0.05);
  assert(share(({ markDefs }) => markDefs.length > 0) > 0.1);
  const keys = all.flatMap((article) => new Set(blocksOf(article).map(({ _key }) => _key)).size);
  assertEquals(keys, all.map((article) => blocksOf(article).length));
  assertEquals(new Set(all.map(({ author }) => author)), new Set(["a", "b"]));
  assertShare(all.filter(({ cover }) => cover === "m").length / 500, 0.6, 500, "covers");
  assertEquals(new Set(all.map(({ section }) => section)).size, 8);
  assert(all.every(({ topics }) => topics.length <= 4 && new Set(topics).size === topics.length));
  assert(all.every(({ rating }) => rating >= 0 && rating <= 5));
});
