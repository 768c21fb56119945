/** Two changes of one value: as texts, rows, blocks; and whatever comes, nothing is lost in silence. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { mergeValues } from "../../../../routes/studio/browser/document/live/value_merge.ts";

const merged = (base: unknown, mine: unknown, theirs: unknown) => {
  const { value, isConflict } = mergeValues(base, mine, theirs);
  return isConflict ? "conflict" : value;
};
const block = (_key: string, ...texts: string[]) => ({
  _type: "block",
  _key,
  children: texts.map((text, at) => ({ _type: "span", _key: `s${at}`, text, marks: [] })),
  markDefs: [],
});

const STORY = "The lamp was lit at dusk and the wind turned. " +
  "By nine the keeper had counted four ships, and every one of them had seen the rocks in time. " +
  "“Is that all?” asked the girl. Nobody on the gallery had an answer to that, so they went down.";

Deno.test("mergeValues() joins edits of different sentences of a longer text", () => {
  const mine = `${STORY} And then it rained for days.`;
  const theirs = STORY.replace("lamp", "lighthouse lamp");
  const both = theirs + mine.slice(STORY.length);
  assertEquals(merged(STORY, mine, theirs), both);
  assertEquals(merged(STORY, theirs, mine), both);
  assertEquals(
    merged(STORY, STORY.replace("four", "five 😀"), STORY.replace("girl", "boy")),
    STORY.replace("four", "five 😀").replace("girl", "boy"),
  );
});

Deno.test("mergeValues() never joins two people's words within a sentence, or a short text", () => {
  const [mine, theirs] = [STORY.replace("lamp", "light"), STORY.replace("turned", "rose")];
  assertEquals(merged(STORY, mine, theirs), "conflict");
  assertEquals(merged("The sea was calm.", "The sea was rough.", "The lake was calm."), "conflict");
  assertEquals(merged("One. Two.", "One! Two.", "One. Two!"), "conflict");
  assertEquals(merged("Now: ", "Now: me", "Now: you"), "conflict");
  assertEquals(merged("The sea", "The sea", "The lake"), "The lake");
});

Deno.test("mergeValues() leaves what both have written to them", () => {
  assertEquals(merged("one", "two", "three"), "conflict");
  assertEquals(merged("", "mine", "theirs"), "conflict");
  assertEquals(merged(null, 1, 2), "conflict");
  // Long changes in the same words are not woven into one another.
  assertEquals(
    merged("a p3w8; b", "a p1w18; p3w8;p1w1112; b", "a p3w8;p2w15;p3w9222; b"),
    "conflict",
  );
  assertEquals(merged("one", "one and a whole sentence", "one, and another"), "conflict");
  assertEquals(mergeValues("one", "two", "three").value, "two");
});

Deno.test("mergeValues() takes rows and blocks one by one", () => {
  const row = (a: string) => ({ a });
  assertEquals(merged([row("1"), row("2")], [row("1!"), row("2")], [row("1"), row("2?")]), [
    row("1!"),
    row("2?"),
  ]);
  assertEquals(merged([row("1")], [row("1"), row("2")], [row("1"), row("3")]), [
    row("1"),
    row("3"),
    row("2"),
  ]);
  assertEquals(merged([row("1")], [], [row("1!")]), "conflict");
  const [a, b, c] = [block("a", "A"), block("b", "B"), block("c", "C")];
  assertEquals(merged([a, b], [b], [a, b, c]), [b, c]);
  assertEquals(merged([a, b], [block("a", "A!"), b], [b]), [block("a", "A!"), b]);
  assertEquals(merged([a, b], [a, c, b], [b, a]), [b, a, c]);
  assertEquals(
    merged([block("a", STORY)], [block("a", `${STORY} Yes!`)], [block("a", `No. ${STORY}`)]),
    [
      block("a", `No. ${STORY} Yes!`),
    ],
  );
  // Once spans are split, they cannot be matched to the former ones.
  assertEquals(
    merged([block("a", "one")], [block("a", "on", "e")], [block("a", "one!")]),
    "conflict",
  );
});

Deno.test("mergeValues() keeps every text that a user has written, or says that it cannot", () => {
  const keys = ["a", "b", "c", "d"];
  const list = fc.uniqueArray(
    fc.record({ _key: fc.constantFrom(...keys), text: fc.stringMatching(/^[a-c]{0,4}$/) }),
    { selector: ({ _key }) => _key },
  );
  fc.assert(
    fc.property(list, list, list, (base, mine, theirs) => {
      const { value } = mergeValues(base, mine, theirs);
      const find = (from: unknown, key: string) =>
        (from as typeof base).find(({ _key }) => _key === key)?.text;
      for (const key of keys) {
        const [was, here, there, is] = [base, mine, theirs, value].map((one) => find(one, key));
        if (here !== undefined && there === undefined && here !== was) assertEquals(is, here);
        if (there !== undefined && here === undefined && there !== was) assertEquals(is, there);
        if (here !== undefined && here === was && there !== undefined) assertEquals(is, there);
        if (there !== undefined && there === was && here !== undefined) assertEquals(is, here);
      }
      const count = (value as typeof base).length;
      assertEquals(new Set((value as typeof base).map(({ _key }) => _key)).size, count);
    }),
    { numRuns: 500 },
  );
});
