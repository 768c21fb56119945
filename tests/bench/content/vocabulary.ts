/**
 * An invented vocabulary in four scripts, whose words are as unevenly frequent as those of a natural language.
 *
 * @module
 */

/** The scripts, with the share of documents written in each. */
export const SCRIPT_SHARES = { latin: 0.7, cyrillic: 0.14, arabic: 0.06, han: 0.1 } as const;
export type Script = keyof typeof SCRIPT_SHARES;

/** Words in each script; 40,000 together. */
export const WORDS_PER_SCRIPT = 10_000;

/**
 * Zipf-Mandelbrot: the word of rank r occurs in proportion to 1 / (r + SHIFT) ** EXPONENT. The constants are those
 * usually fitted to English prose.
 */
const SHIFT = 2.7;
const EXPONENT = 1.02;

interface Sounds {
  onsets: string[];
  vowels: string[];
  endings: string[];
  /** Endings that stemmers remove. */
  inflections: string[];
}

const SOUNDS: Record<Exclude<Script, "han">, Sounds> = {
  latin: {
    onsets: "b br c ch d dr f fl g gr h j k l m n p pl pr qu r s sh st t th tr v w y".split(" "),
    vowels: "a e i o u ai ea ee io ou".split(" "),
    endings: ["", "", "", "n", "r", "s", "t", "l", "ng", "st", "ck"],
    inflections: ["", "", "", "s", "ed", "ing", "er", "ly", "ation", "ness"],
  },
  cyrillic: {
    onsets: "б в г д ж з к л м н п пр р с ст т тр ф х ц ч ш".split(" "),
    vowels: "а е и о у ы я ё".split(" "),
    endings: ["", "", "н", "р", "т", "л", "й", "к"],
    inflections: ["", "", "а", "ов", "ами", "ость", "ение", "ный"],
  },
  arabic: {
    onsets: "ب ت ث ج ح خ د ر ز س ش ص ط ع غ ف ق ك ل م ن ه و ي".split(" "),
    vowels: ["", "ا", "و", "ي"],
    endings: ["", "", "ن", "م", "ة"],
    inflections: ["", "", "ات", "ون", "ها"],
  },
};

/** The first of the ideographs that invented Han words consist of, and how many are used. */
const HAN_FIRST = 0x4e00;
const HAN_COUNT = 3_000;

/** Words of one script, the most frequent first. */
export function inventWords(script: Script, random: () => number): string[] {
  const words = new Set<string>();
  while (words.size < WORDS_PER_SCRIPT) {
    // Frequent words are short.
    const syllables = 1 + Math.min(3, Math.floor(Math.log10(words.size + 3) * 0.7 + random()));
    words.add(
      script === "han" ? hanWord(syllables, random) : word(SOUNDS[script], syllables, random),
    );
  }
  return [...words];
}

function word(sounds: Sounds, syllables: number, random: () => number): string {
  const pick = (from: string[]) => from[Math.floor(random() * from.length)]!;
  let text = "";
  for (let n = 0; n < syllables; n++) text += pick(sounds.onsets) + pick(sounds.vowels);
  return text + pick(sounds.endings) + (syllables > 1 ? pick(sounds.inflections) : "");
}

function hanWord(syllables: number, random: () => number): string {
  let text = "";
  for (let n = 0; n < Math.min(syllables, 2); n++) {
    // Squared: a few ideographs occur in many words.
    text += String.fromCharCode(HAN_FIRST + Math.floor(random() ** 2 * HAN_COUNT));
  }
  return text;
}

/** Chooses words by their frequency. */
export class ZipfWords {
  readonly #words: string[];
  readonly #cumulative: Float64Array;

  constructor(words: string[]) {
    this.#words = words;
    this.#cumulative = new Float64Array(words.length);
    let sum = 0;
    for (let rank = 0; rank < words.length; rank++) {
      sum += 1 / (rank + SHIFT) ** EXPONENT;
      this.#cumulative[rank] = sum;
    }
  }

  pick(random: () => number): string {
    const wanted = random() * this.#cumulative.at(-1)!;
    let low = 0;
    let high = this.#cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#cumulative[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return this.#words[low]!;
  }
}
