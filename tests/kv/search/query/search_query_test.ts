import { assertEquals } from "@std/assert";
import { parseQuery, queryText } from "../../../../kv/search/query/search_query.ts";

/** Clauses as text: terms with their offsets, `*` after prefixes, one clause in brackets if it has several. */
function clausesOf(text: string): string {
  return parseQuery(text).map(({ terms }) => {
    const shown = terms.map(({ term, offset, isPrefix }) =>
      `${term}${isPrefix ? "*" : ""}@${offset}`
    );
    return shown.length === 1 ? shown[0] : `[${shown.join(" ")}]`;
  }).join(" ");
}

Deno.test("parseQuery() makes a clause of each word, and the last one a prefix", () => {
  for (
    const [text, clauses] of [
      ["One two-three", "one@0 two@0 three*@0"],
      ["two two", "two@0 two*@0"],
      ["one two one", "one@0 two@0 one*@0"],
      ["two one one", "two@0 one@0 one*@0"],
      ["Été", "ete*@0"],
      ["...", ""],
      ['""', ""],
    ] as const
  ) assertEquals(clausesOf(text), clauses, text);
});

Deno.test("parseQuery() takes quoted words in a row; an open quotation mark is none", () => {
  for (
    const [text, clauses] of [
      ['"one two" three', "[one@0 two@1] three*@0"],
      ['three "one two"', "three@0 [one@0 two@1]"],
      ['"one"', "one@0"],
      ["„one two“ “three”", "[one@0 two@1] three@0"],
      ['one "two', "one@0 two*@0"],
      ['"one" "', "one@0"],
      ['"東京 deno"', "[東京@0 京@1 deno@2]"],
      ['"deno 東京都"', "[deno@0 東京@1 京都@2]"],
      ['"deno 東"', "[deno@0 東*@1]"],
    ] as const
  ) assertEquals(clausesOf(text), clauses, text);
});

Deno.test("parseQuery() cuts texts without spaces into words, found as parts of runs", () => {
  for (
    const [text, clauses] of [
      ["東京都", "[東京@0 京都@1]"],
      ["東京の観光", "東京@0 の*@0 観光@0"],
      ["猫", "猫*@0"],
      ["全文検索", "全文@0 検索@0"],
      ["ภาษาไทย", "[ภา@0 ษา@2] [ไท@0 ทย@1]"],
    ] as const
  ) assertEquals(clausesOf(text), clauses, text);
});

Deno.test("queryText() gives back a query that means the same", () => {
  for (const text of ["one two", '"one two" three', "東京の観光", '"東京 deno" x']) {
    assertEquals(parseQuery(queryText(parseQuery(text))), parseQuery(text), text);
  }
});
