/**
 * Sentences and rich text of realistic shape and length.
 *
 * @module
 */
import { normal, seededRandom } from "./random.ts";
import {
  inventWords,
  type Script,
  SCRIPT_SHARES,
  WORDS_PER_SCRIPT,
  ZipfWords,
} from "./vocabulary.ts";

/** Lengths are log-normal with this median and spread, within bounds; in bytes of UTF-8. */
export const BYTES = { median: 3_000, sigma: 0.95, min: 300, max: 60_000 };

/** A Portable Text block or span, as JSON. */
export type Block = Record<string, unknown>;

/** Writes text in four scripts; the same seed gives the same texts. */
export class Prose {
  readonly random: () => number;
  readonly #words: Record<Script, ZipfWords>;
  readonly #encoder = new TextEncoder();

  constructor(seed: number) {
    this.random = seededRandom(seed);
    // The vocabulary is the same for every seed: two generators write in the same languages.
    const invent = seededRandom(WORDS_PER_SCRIPT);
    this.#words = {
      latin: new ZipfWords(inventWords("latin", invent)),
      cyrillic: new ZipfWords(inventWords("cyrillic", invent)),
      arabic: new ZipfWords(inventWords("arabic", invent)),
      han: new ZipfWords(inventWords("han", invent)),
    };
  }

  /** A script, as often as its share. */
  script(): Script {
    let left = this.random();
    for (const [script, share] of Object.entries(SCRIPT_SHARES)) {
      left -= share;
      if (left < 0) return script as Script;
    }
    return "latin";
  }

  /** A length of a document's text in bytes. */
  length(): number {
    const bytes = BYTES.median * Math.exp(BYTES.sigma * normal(this.random));
    return Math.round(Math.min(BYTES.max, Math.max(BYTES.min, bytes)));
  }

  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number {
    return min + Math.floor(this.random() * (max - min + 1));
  }

  words(script: Script, count: number): string {
    const words = Array.from({ length: count }, () => this.#words[script].pick(this.random));
    return words.join(script === "han" ? "" : " ");
  }

  /** A title: three to nine words, the first letter a capital. */
  title(script: Script): string {
    return capitalized(this.words(script, this.between(3, 9)));
  }

  /** Sentences of 4 to 28 words, until they have so many bytes. */
  text(script: Script, bytes: number): string {
    const [stop, gap] = script === "han" ? ["。", ""] : [".", " "];
    const sentences: string[] = [];
    for (let size = 0; size < bytes;) {
      const sentence = capitalized(this.words(script, this.between(4, 28))) + stop;
      sentences.push(sentence);
      size += this.#encoder.encode(sentence).length + gap.length;
    }
    return sentences.join(gap);
  }

  /** Rich text of so many bytes of words: paragraphs, headings and lists, with marks and links. */
  richText(script: Script, bytes: number): Block[] {
    const blocks: Block[] = [];
    for (let left = bytes; left > 0;) {
      const size = Math.min(left, this.between(150, 700));
      left -= size;
      const kind = this.random();
      if (blocks.length > 0 && kind < 0.12) blocks.push(this.#block(script, 40, { style: "h2" }));
      if (kind > 0.88) {
        const listItem = kind > 0.94 ? "number" : "bullet";
        for (let item = 0; item < 3; item++) {
          blocks.push(this.#block(script, size / 3, { listItem, level: 1 }));
        }
      } else blocks.push(this.#block(script, size, kind > 0.84 ? { style: "blockquote" } : {}));
    }
    return blocks.map((block, index) => ({ ...block, _key: `b${index}` }));
  }

  /** A block; one sentence in six is strong, emphasized or a link. */
  #block(script: Script, bytes: number, facts: Block): Block {
    const gap = script === "han" ? "" : " ";
    const sentences = this.text(script, bytes).split(/(?<=[.。]) ?/).filter((one) => one !== "");
    const markDefs: Block[] = [];
    const children = sentences.map((sentence, index) => {
      const text = index === 0 ? sentence : gap + sentence;
      return { _type: "span", _key: `s${index}`, text, marks: this.#marks(markDefs) };
    });
    return { _type: "block", style: "normal", markDefs, children, ...facts };
  }

  #marks(markDefs: Block[]): string[] {
    const kind = this.random();
    if (kind > 1 / 6) return [];
    if (kind > 0.1) return ["strong"];
    if (kind > 0.05) return ["em"];
    const _key = `l${markDefs.length}`;
    const href = `https://example.org/${encodeURIComponent(this.words("latin", 1))}`;
    markDefs.push({ _type: "link", _key, href });
    return [_key];
  }
}

function capitalized(text: string): string {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
}
