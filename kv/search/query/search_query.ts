/**
 * A parsed search query: every clause must match a document. A clause is a word or a phrase.
 *
 * @module
 */
import { SEARCH_CLAUSES_MAX } from "../../tuning.ts";
import { clustersOf, type Run, runsOf, termOf } from "../analysis/tokens.ts";

/** A term that must be found `offset` positions after the clause's first one. */
export interface ClauseTerm {
  term: string;
  offset: number;
  /** Whether longer terms with this beginning will do. */
  isPrefix: boolean;
}

/** A word or a row of words. */
export interface Clause {
  /** One term for a word; several must follow one another. */
  terms: [ClauseTerm, ...ClauseTerm[]];
  /** Positions that it takes in a document. */
  span: number;
  /** The words as they are found in a text: in search form, without punctuation. */
  words: [string, ...string[]];
  /** Whether the words are of a script without spaces, so that they are found inside of others. */
  unspaced: boolean;
  /** Other forms of the word that will do, though less well. */
  forms?: readonly string[];
  /** Whether the clause was written in quotation marks. */
  quoted: boolean;
  /**
   * Of a single character that another follows without a space: the pair of both, whose positions are looked
   * at to see whether they stand together.
   */
  pair?: string;
}

const PARTICLE = /^\p{Script=Hiragana}/u;
const segmenter = new Intl.Segmenter("und", { granularity: "word" });
const QUOTED = /["“”„＂]([^"“”„＂]*)["“”„＂]/g;

/** Takes a query apart; no clauses when it has neither letters nor digits. */
export function parseQuery(text: string): Clause[] {
  const clauses: Clause[] = [];
  let at = 0;
  let endsQuoted = false;
  for (const match of text.matchAll(QUOTED)) {
    addWords(clauses, text.slice(at, match.index));
    const phrase = phraseOf([...runsOf(match[1] ?? "")]);
    if (phrase !== null) clauses.push(phrase);
    at = match.index + match[0].length;
    endsQuoted = phrase !== null;
  }
  const rest = text.slice(at);
  const before = clauses.length;
  addWords(clauses, rest);
  if (clauses.length > before) endsQuoted = false;
  const last = clauses.at(-1);
  if (last !== undefined && !endsQuoted && !last.unspaced) last.terms[0].isPrefix = true;
  return withoutRepetition(clauses).slice(0, SEARCH_CLAUSES_MAX);
}

function addWords(clauses: Clause[], text: string): void {
  for (const run of runsOf(text)) {
    const words = run.unspaced ? wordsOf(run.text) : [run.text];
    words.forEach((word, at) => {
      const clause = phraseOf([{ ...run, text: word }], false);
      if (clause === null) return;
      const next = words[at + 1];
      const [following] = next === undefined ? [] : clustersOf(next);
      const isSingle = following !== undefined && clustersOf(word).length === 1;
      clauses.push(isSingle ? { ...clause, pair: termOf(word + following) } : clause);
    });
  }
}

/** The terms by whose positions a clause is placed in a document. */
export function placingTerms({ terms, pair }: Clause): string[] {
  return pair === undefined ? terms.map(({ term }) => term) : [pair];
}

/**
 * The words of a run without spaces. A single character belongs to the word before it ("都" in "東京都"), but
 * for the particles of Japanese.
 */
function wordsOf(run: string): string[] {
  const words: string[] = [];
  for (const { segment } of segmenter.segment(run)) {
    const isSuffix = clustersOf(segment).length === 1 && !PARTICLE.test(segment);
    if (isSuffix && words.length > 0) words[words.length - 1] += segment;
    else words.push(segment);
  }
  return words;
}

/** Runs that must follow one another; null for none. */
function phraseOf(runs: Run[], quoted = true): Clause | null {
  const terms: ClauseTerm[] = [];
  let offset = 0;
  runs.forEach((run, index) => {
    if (!run.unspaced) terms.push({ term: termOf(run.text), offset: offset++, isPrefix: false });
    else {
      const isLast = index === runs.length - 1;
      offset = addPairs(terms, clustersOf(run.text), offset, isLast);
    }
  });
  const [first, ...others] = terms;
  const [word, ...words] = runs.map(({ text }) => text);
  if (first === undefined || word === undefined) return null;
  const unspaced = runs.at(-1)?.unspaced ?? false;
  return { terms: [first, ...others], span: offset, words: [word, ...words], unspaced, quoted };
}

/**
 * The pairs of characters that cover a run. In a document the last character of a run is also a term of its
 * own, which ties a following word to the run's end; the last run of a phrase may end anywhere.
 */
function addPairs(
  terms: ClauseTerm[],
  clusters: string[],
  start: number,
  isLast: boolean,
): number {
  const count = clusters.length;
  const last = clusters.at(-1) ?? "";
  if (isLast && count === 1) {
    terms.push({ term: termOf(last), offset: start, isPrefix: true });
    return start + 1;
  }
  for (let at = 0; at + 1 < count; at += 2) terms.push(pairAt(clusters, at, start));
  if (!isLast) {
    terms.push({ term: termOf(last), offset: start + count - 1, isPrefix: false });
  } else if (count % 2 === 1) terms.push(pairAt(clusters, count - 2, start));
  return start + count;
}

function pairAt(clusters: string[], at: number, start: number): ClauseTerm {
  const term = termOf(clusters.slice(at, at + 2).join(""));
  return { term, offset: start + at, isPrefix: false };
}

/** Each clause once; a word that is also asked for as a prefix is asked for in full. */
function withoutRepetition(clauses: Clause[]): Clause[] {
  const known = new Map<string, Clause>();
  for (const clause of clauses) known.set(JSON.stringify(clause.terms), clause);
  return [...known.values()];
}

/** The clauses as a query that finds them. */
export function queryText(clauses: readonly Clause[]): string {
  const texts = clauses.map(({ words, quoted, pair }) => {
    const text = words.join(" ");
    return quoted ? `"${text}" ` : pair === undefined ? `${text} ` : text;
  });
  return texts.join("").trimEnd();
}
