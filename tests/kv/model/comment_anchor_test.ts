/**
 * The words of a comment are found again wherever edits move them, and never where they are not.
 */
import { assert, assertEquals } from "@std/assert";
import { AnchoredText, type CommentAnchor } from "../../../kv/model/comment_anchor.ts";
import { seededRandom } from "../../support/seeded_random.ts";

type Blocks = [key: string, text: string][];

const value = (blocks: Blocks) =>
  blocks.map(([key, text]) => {
    const middle = text.length >> 1;
    const spans = [text.slice(0, middle), text.slice(middle)];
    return {
      _type: "block",
      _key: key,
      children: spans.map((part) => ({ _type: "span", text: part })),
    };
  });

function at(blocks: Blocks, index: number): [key: string, text: string] {
  const block = blocks[index];
  assert(block !== undefined);
  return block;
}

const anchor = (key: string, offset: number, quote: string): CommentAnchor => {
  return { start: { key, offset }, end: { key, offset: offset + quote.length }, quote };
};

const find = (blocks: Blocks, wanted: CommentAnchor) =>
  new AnchoredText(value(blocks)).find(wanted);

Deno.test("words are found in their block nearest to their place, else in other blocks, else nowhere", () => {
  const wanted = anchor("b", 4, "sea");
  const range = (key: string, from: number) => {
    return { start: { key, offset: from }, end: { key, offset: from + 3 } };
  };
  assertEquals(find([["a", "sea"], ["b", "sea sea sea"]], wanted), range("b", 4));
  assertEquals(find([["a", "sea"], ["b", "sea or the sea"]], wanted), range("b", 0));
  assertEquals(find([["a", "the sea"], ["b", "gone"]], wanted), range("a", 4));
  assertEquals(find([["a", "the sea"]], wanted), range("a", 4));
  assertEquals(find([["a", "the se"], ["b", "lake"]], wanted), null);
  assertEquals(new AnchoredText(null).find(wanted), null);
});

Deno.test("words over several blocks and line breaks are found", () => {
  const wanted = {
    start: { key: "a", offset: 2 },
    end: { key: "b", offset: 3 },
    quote: "cd\n\nxyz",
  };
  assertEquals(find([["a", "abcd"], ["n", ""], ["b", "xy\nz"]], wanted), {
    start: { key: "a", offset: 2 },
    end: { key: "b", offset: 4 },
  });
});

Deno.test("words survive inserts, splits, joins and moves; removed and restored, they come back", () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = seededRandom(seed);
    const below = (n: number) => Math.floor(random() * n);
    const word = () => "abcdefgh".charAt(below(8)).repeat(1 + below(3));
    const words = () => Array.from({ length: 1 + below(6) }, word).join(" ");
    let keys = 0;
    let blocks: Blocks = Array.from({ length: 1 + below(5) }, () => [`k${keys++}`, words()]);
    const [key, text] = at(blocks, below(blocks.length));
    const quote = "QUOTED words";
    const offset = below(text.length + 1);
    blocks = blocks.map((
      [k, t],
    ) => [k, k === key ? t.slice(0, offset) + quote + t.slice(offset) : t]);
    const wanted = anchor(key, offset, quote);
    const original = blocks;

    const check = () => {
      const whole = blocks.map(([, t]) => t).join("");
      const found = find(blocks, wanted);
      assert(found !== null, `seed ${seed}: ${JSON.stringify(blocks)}`);
      const from = blocks.findIndex(([k]) => k === found.start.key);
      const to = blocks.findIndex(([k]) => k === found.end.key);
      const before = (index: number) => blocks.slice(0, index).map(([, t]) => t).join("").length;
      const range = whole.slice(before(from) + found.start.offset, before(to) + found.end.offset);
      assertEquals(range, quote, `seed ${seed}`);
    };
    check();
    const edit = (): Blocks => {
      const index = below(blocks.length);
      const [k, t] = at(blocks, index);
      const next = blocks[index + 1];
      const cut = below(t.length + 1);
      const kind = below(6);
      if (kind === 0) return blocks.with(index, [k, `${words()} ${t}`]);
      if (kind === 1) return blocks.toSpliced(index, 0, [`k${keys++}`, words()]);
      if (kind === 2) {
        return blocks.toSpliced(index, 1, [k, t.slice(0, cut)], [`k${keys++}`, t.slice(cut)]);
      }
      if (kind === 3 && next !== undefined) return blocks.toSpliced(index, 2, [k, t + next[1]]);
      const rest = blocks.toSpliced(index, 1);
      return kind === 4 ? rest : rest.toSpliced(below(rest.length + 1), 0, [k, t]);
    };
    for (let step = 0; step < 12; step++) {
      const edited = edit();
      // Edits in the words, or between their halves, remove them.
      if (!edited.map(([, t]) => t).join("").includes(quote)) {
        assertEquals(find(edited, wanted), null);
        continue;
      }
      blocks = edited;
      check();
    }
    const removed: Blocks = original.map(([k, t]) => [k, t.replace(quote, "")]);
    assertEquals(find(removed, wanted), null);
    assertEquals(find(original, wanted)?.start, { key, offset });
  }
});
