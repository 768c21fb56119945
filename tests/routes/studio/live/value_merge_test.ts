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

Deno.test("mergeValues() joins texts that were changed in different places", () => {
  assertEquals(merged("a b c", "A b c", "a b C"), "A b C");
  assertEquals(merged("a b c", "a b C", "A b c"), "A b C");
  assertEquals(merged("one", "one two", "zero one"), "zero one two");
  assertEquals(merged("one two three", "two three", "one two three four"), "two three four");
  const long = "The lamp was lit at dusk and the wind turned.";
  assertEquals(
    merged(long, `${long} And then it rained for days.`, long.replace("lamp", "lighthouse lamp")),
    "The lighthouse lamp was lit at dusk and the wind turned. And then it rained for days.",
  );
  // What both type at one place at the same moment stands one behind the other.
  assertEquals(merged("Now: ", "Now: me", "Now: you"), "Now: youme");
  assertEquals(merged("a😀b", "a😁b", "a😀b?"), "a😁b?");
  assertEquals(merged("x y 😀", "y 😀", "x y 😁"), "y 😁");
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
    merged([block("a", "one two")], [block("a", "one two!")], [block("a", "0 one two")]),
    [
      block("a", "0 one two!"),
    ],
  );
  // Where spans were divided, nobody can tell which is which.
  assertEquals(
    merged([block("a", "one")], [block("a", "on", "e")], [block("a", "one!")]),
    "conflict",
  );
});

Deno.test("mergeValues() keeps every text that somebody has written, or says that it cannot", () => {
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
