/**
 * Texts to search: generated ones whose words are as unevenly spread as in a language, or pages from a
 * file, multiplied with their words a little changed.
 *
 * @module
 */

import { seededRandom } from "./content/random.ts";
import { ZipfWords } from "./content/vocabulary.ts";

/** A text to be published. */
export interface CorpusText {
  title: string;
  body: string;
}

const SYLLABLES =
  "ba be bi bo bu ca ce co cu da de di do du fa fe fi fo ga ge go ha he hi ho ja jo ka ke ki la le li lo lu ma me mi mo mu na ne ni no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu va ve vi wa we wi ya yo za ze"
    .split(" ");
const ENDINGS = ["", "", "n", "r", "s", "t", "l", "ng", "st"];

/** Texts of invented words; the n-th most frequent word occurs about 1/n as often as the first. */
export class ZipfTexts {
  readonly #random: () => number;
  readonly #zipf: ZipfWords;
  readonly words: string[];

  constructor(vocabulary = 200_000, seed = 7) {
    this.#random = seededRandom(seed);
    this.words = inventWords(vocabulary, this.#random);
    this.#zipf = new ZipfWords(this.words);
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
    return this.#zipf.pick(this.#random);
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
  const random = seededRandom(11);
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
