import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ID_WORDS } from "../../../../kv/index/segments/id_words.ts";
import { type Matches, topHits } from "../../../../kv/search/query/top_hits.ts";

/** Sources whose ids are the given numbers, each with a score. */
function sourcesOf(lists: { id: number; score: number }[][]): Matches[] {
  return lists.map((list) => {
    const ids = new Uint32Array(list.length * ID_WORDS);
    list.forEach(({ id }, row) => ids[row * ID_WORDS + ID_WORDS - 1] = id);
    return {
      ids,
      ordinals: Uint32Array.from(list.keys()),
      scores: Float32Array.from(list, ({ score }) => score),
      count: list.length,
    };
  });
}

Deno.test("topHits() orders by score, then id, on every page", () => {
  const match = fc.record({ source: fc.nat(2), score: fc.nat(4) });
  fc.assert(
    fc.property(
      fc.array(match, { maxLength: 3_000, size: "max" }),
      fc.nat(3_100),
      fc.integer({ min: 1, max: 100 }),
      (matches, from, perPage) => {
        const lists: { id: number; score: number }[][] = [[], [], []];
        matches.forEach(({ source, score }, id) => lists[source]!.push({ id, score }));
        const sources = sourcesOf(lists);

        const found = topHits(sources, from, from + perPage);

        const expected = matches.map(({ score }, id) => ({ id, score }))
          .sort((a, b) => b.score - a.score || a.id - b.id).slice(from, from + perPage);
        assertEquals(
          found.map(({ source, row }) => lists[source]![row]!.id),
          expected.map(({ id }) => id),
        );
      },
    ),
    { numRuns: 60 },
  );
});
