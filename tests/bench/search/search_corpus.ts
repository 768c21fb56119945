/**
 * Texts to search: those of the generator of articles, or pages from a file, multiplied with their words a little
 * changed.
 *
 * @module
 */
import { Articles } from "../content/articles.ts";
import { seededRandom } from "../content/random.ts";

/** A text to be published. */
export interface CorpusText {
  title: string;
  body: string;
}

/** Articles without markup, one after the other. */
export function* generatedTexts(seed = 7): Generator<CorpusText, never> {
  const articles = new Articles(seed);
  for (;;) yield articles.nextPlain();
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
