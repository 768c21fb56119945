import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { NormalizedText } from "../../../../kv/search/analysis/normalized_text.ts";
import { parseQuery } from "../../../../kv/search/query/search_query.ts";
import { WordFinder } from "../../../../kv/search/query/word_finder.ts";

const WORD = "[\\p{L}\\p{N}\\p{M}]";
const LETTERS: Record<string, string> = {
  ss: "(?:ss|ß)",
  ae: "(?:ae|æ)",
  oe: "(?:oe|œ)",
  th: "(?:th|þ)",
  ng: "(?:ng|ŋ)",
};

function found(query: string, text: string): string[] {
  const form = new NormalizedText().of(text);
  return new WordFinder(parseQuery(query)).find(form, 100)
    .map(({ start, end }) => text.slice(start, end));
}

/** The same by one regular expression, for words with spaces between them. */
function expected(query: string, text: string): string[] {
  const clauses = parseQuery(query);
  const words = clauses.flatMap(({ words, terms }) =>
    words.map((word) => ({ word, rest: terms.at(-1)!.isPrefix ? `${WORD}*` : "" }))
  ).sort((a, b) => b.word.length - a.word.length);
  const pattern = words.map(({ word, rest }) => {
    const tail = /(?<=.)(?:t|re|ve|ll|d|m)$/.exec(word)?.[0] ?? "";
    const written = word.slice(0, word.length - tail.length)
      .replace(/ss|ae|oe|th|ng/g, (letters) => LETTERS[letters]!);
    return `${written}${tail === "" ? "" : `['’ʼ]?${tail}`}${rest}(?!${WORD})`;
  }).join("|");
  const form = new NormalizedText().of(text);
  return [...form.matchAll(new RegExp(`(?<!${WORD})(?:${pattern})`, "gu"))]
    .map((match) => text.slice(match.index, match.index + match[0].length));
}

Deno.test("WordFinder finds words as they may be written", () => {
  assertEquals(found("strasse", "Straße, STRASSE, Strassen"), ["Straße", "STRASSE", "Strassen"]);
  assertEquals(found("thaet x", "þæt, Thæt, thaet"), ["þæt", "Thæt", "thaet"]);
  assertEquals(found("were dont", "we're, WERE, don’t, don''t"), ["we're", "WERE", "don’t"]);
  assertEquals(found("d", "d 'd don't"), ["d", "d", "don"]);
  assertEquals(found("東京", "南東京駅と東京"), ["東京", "東京"]);
  assertEquals(found('"new york"', "new York, newer"), ["new", "York"]);
});

Deno.test("WordFinder takes the first place, and there the longest word", () => {
  assertEquals(found("can cannot x", "cannot can"), ["cannot", "can"]);
  assertEquals(found("a", "a".repeat(150)), ["a".repeat(100)], "a match is cut");
  assertEquals(new WordFinder(parseQuery("a")).find("a ".repeat(500), 7).length, 7);
});

Deno.test("WordFinder agrees with a regular expression on any text", () => {
  const piece = fc.constantFrom(
    ..."s ss ß ae æ th þ ng ŋ t d re m ' ’ - _ 7 é É 𝐀 \ud800 o e n g a".split(" "),
    " ",
    " ",
  );
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
  const words = "ss das sse there d t re thing ang aeon se e7 dont s".split(" ");
  const query = fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
    .map((chosen) => chosen.join(" "));
  fc.assert(
    fc.property(text, query, (text, query) => {
      assertEquals(found(query, text), expected(query, text), JSON.stringify([query, text]));
    }),
    { numRuns: 1_000 },
  );
});
