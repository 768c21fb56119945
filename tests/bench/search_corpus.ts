/**
 * Texts to search: generated ones whose words are as unevenly spread as in a language, or pages from a
 * file, multiplied with their words a little changed.
 *
 * @module
 */

/** A text to be published. */
export interface CorpusText {
  title: string;
  body: string;
}

/** A small generator with a fixed seed, so that runs compare. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYLLABLES =
  "ba be bi bo bu ca ce co cu da de di do du fa fe fi fo ga ge go ha he hi ho ja jo ka ke ki la le li lo lu ma me mi mo mu na ne ni no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu va ve vi wa we wi ya yo za ze"
    .split(" ");
const ENDINGS = ["", "", "n", "r", "s", "t", "l", "ng", "st"];

/** Texts of invented words; the n-th most frequent word occurs about 1/n as often as the first. */
export class ZipfTexts {
  readonly #random: () => number;
  readonly #cumulative: Float64Array;
  readonly words: string[];

  constructor(vocabulary = 200_000, seed = 7) {
    this.#random = randomOf(seed);
    this.words = inventWords(vocabulary, this.#random);
    this.#cumulative = new Float64Array(vocabulary);
    let sum = 0;
    for (let rank = 0; rank < vocabulary; rank++) {
      sum += 1 / (rank + 2.7) ** 1.02;
      this.#cumulative[rank] = sum;
    }
  }

  next(): CorpusText {
    const title = Array.from({ length: 3 + Math.floor(this.#random() * 6) }, () => this.#word());
    const words: string[] = [];
    const length = 1_100 + Math.floor(this.#random() * 800);
    for (let size = 0; size < length;) {
      const word = this.#word();
      words.push(this.#random() < 0.08 ? `${word}.` : word);
      size += word.length + 1;
    }
    return { title: title.join(" "), body: words.join(" ") };
  }

  #word(): string {
    const wanted = this.#random() * this.#cumulative.at(-1)!;
    let low = 0;
    let high = this.#cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#cumulative[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return this.words[low]!;
  }
}

/** Frequent words are short, as they are everywhere. */
function inventWords(count: number, random: () => number): string[] {
  const known = new Set<string>();
  while (known.size < count) {
    const syllables = 1 + Math.min(4, Math.floor(Math.log10(known.size + 3) * 0.9 + random()));
    let word = "";
    for (let n = 0; n < syllables; n++) word += SYLLABLES[Math.floor(random() * SYLLABLES.length)];
    known.add(word + ENDINGS[Math.floor(random() * ENDINGS.length)]);
  }
  return [...known];
}

/** The pages of a file of JSON lines (`title`, `body`), over and over; each turn changes some words. */
export function* pagesOf(path: string): Generator<CorpusText> {
  const lines = Deno.readTextFileSync(path).split("\n").filter((line) => line !== "");
  const pages = lines.map((line) => JSON.parse(line) as CorpusText);
  const random = randomOf(11);
  for (let turn = 0;; turn++) {
    for (const { title, body } of pages) {
      if (turn === 0) yield { title, body };
      else {
        const start = Math.floor(random() * Math.max(1, body.length - 1_500));
        const piece = body.slice(start, start + 1_500);
        const changed = piece.replace(
          /\b[a-z]{5,}\b/g,
          (word) => random() < 0.1 ? `${word}${turn}` : word,
        );
        yield { title: `${title} ${turn}`, body: changed };
      }
    }
  }
}
