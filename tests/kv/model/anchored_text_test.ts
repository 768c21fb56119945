/**
 * The words of a comment are found again wherever edits move them, and never where they are not.
 */
import { assert, assertEquals } from "@std/assert";
import { AnchoredText } from "../../../kv/model/anchored_text.ts";
import { commonLetters } from "../../../kv/model/common_letters.ts";
import type { CommentAnchor } from "../../../kv/model/comment_anchor.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
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
      // Edits in the words, or between their halves, remove them or leave most of them.
      if (!edited.map(([, t]) => t).join("").includes(quote)) {
        const now = find(edited, wanted)?.quote;
        assert(now === undefined || commonLetters(quote, now) >= 8, `seed ${seed}: ${now}`);
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

/** A comment on words of the first text that have them, and where the words are in other ones. */
function commented(quote: string, before: Blocks): (after: Blocks) => string | null {
  const text = new AnchoredText(value(before));
  const joined = before.map(([, text]) => text).join("\n");
  const from = joined.indexOf(quote);
  const placeAt = (index: number): { key: string; offset: number } => {
    let left = index;
    for (const [key, { length }] of before) {
      if (left <= length) return { key, offset: left };
      left -= length + 1;
    }
    throw new Error("beyond the text");
  };
  const made = { start: placeAt(from), end: placeAt(from + quote.length), quote };
  const context = text.contextOf(made);
  assert(context !== undefined);
  return (after) => {
    const found = new AnchoredText(value(after)).find(made, context);
    if (found === null) return null;
    const [start, end] = [found.start, found.end].map(({ key }) =>
      after.findIndex(([one]) => one === key)
    );
    const range = after.slice(start, end! + 1).map(([, text]) => text);
    const last = range.length - 1;
    range[last] = at(after, end!)[1].slice(0, found.end.offset);
    range[0] = range[0]!.slice(found.start.offset);
    if (found.quote !== undefined) assertEquals(found.quote, range.join("\n"));
    else assertEquals(range.join(""), quote.replaceAll("\n", ""));
    return `${found.start.key}: ${range.join("|")}`;
  };
}

const LIGHT = "Every evening the keeper lights the great lamp before the ships come in.";
const STORY: Blocks = [
  ["a", "The harbour is small, and few people live here."],
  ["b", LIGHT],
  ["c", "In the morning he puts it out, and sleeps."],
];
const withLight = (light: string): Blocks => [STORY[0]!, ["b", light], STORY[2]!];

Deno.test("words that were corrected are found, wherever in them the correction is", () => {
  const words = "the keeper lights the great lamp";
  const find = commented(words, STORY);
  const corrected = (now: string) => find(withLight(LIGHT.replace(words, now)));
  for (
    const now of [
      "the keeper lights the grand lamp",
      "The old keeper lights the great lamp",
      "a keeper lights the great lamp",
      "the keeper lights the great lamps",
      "the keeper lights the great lantern",
      "the keeper always lights the great lamp",
      "the keeper, whom nobody has seen for years, lights the great lamp",
      "thekeeper lihgts the gret lamp",
      // Two people corrected it at the same time.
      "that keeper lights the great big lamp",
    ]
  ) assertEquals(corrected(now), `b: ${now}`);
  // Rewritten, they are gone, even though the text around them is the same.
  assertEquals(corrected("somebody switches on all lanterns"), null);
  assertEquals(corrected("he turns it on"), null);
  assertEquals(corrected(""), null);
});

Deno.test("corrections in short words are recognized by the text around them", () => {
  const keeper = commented("keeper", STORY);
  assertEquals(keeper(withLight(LIGHT.replace("keeper", "keepers"))), "b: keepers");
  assertEquals(keeper(withLight(LIGHT.replace("keeper", "kepeer"))), "b: kepeer");
  assertEquals(keeper(withLight(LIGHT.replace("keeper", "man"))), null);
  const typo = commented("teh", [["a", "Over teh sea"], ["b", "and the lake"]]);
  assertEquals(typo([["a", "Over the sea"], ["b", "and the lake"]]), "a: the");
  const sea = commented("sea", [["a", "We came by the sea and could see ships"]]);
  assertEquals(sea([["a", "We came by the and could see ships"]]), null);
  assertEquals(sea([["a", "We came by the lake and could see ships"]]), null);
  const all = commented("Sea", [["a", "Sea"]]);
  assertEquals(all([["a", "Seas"]]), "a: Seas");
});

Deno.test("corrected words are found in blocks that were split, merged, moved and copied", () => {
  const find = commented("the keeper lights the great lamp", STORY);
  const [first, , last] = STORY as [Blocks[0], Blocks[0], Blocks[0]];
  const now = LIGHT.replace("great", "grand");
  const words = "the keeper lights the grand lamp";
  assertEquals(
    find([first, ["b", "Every evening"], ["n", now.slice(14)], last]),
    `n: ${words}`,
  );
  assertEquals(
    find([first, ["b", now.slice(0, 32)], ["n", now.slice(32)], last]),
    `b: the keeper lights |the grand lamp`,
  );
  assertEquals(find([["a", `${first[1]} ${now}`], last]), `a: ${words}`);
  assertEquals(find([first, last, ["b", now]]), `b: ${words}`);
  assertEquals(find([first, last, ["x", now]]), `x: ${words}`);
  // Of two copies, the one in its place is meant; and it is, even if the other one is not corrected.
  assertEquals(find([["x", now], first, ["b", now], last]), `b: ${words}`);
  assertEquals(find([["x", LIGHT], first, ["b", now], last]), `b: ${words}`);
  assertEquals(find([["x", LIGHT], first, last]), "x: the keeper lights the great lamp");
  assertEquals(find(STORY), "b: the keeper lights the great lamp");
  assertEquals(find([first, last]), null);
  const two = commented("sea", [["a", "By the sea, over the sea, in the deep sea"]]);
  assertEquals(two([["a", "By the seas, over the sea, in the deep sea"]]), "a: seas");
});

Deno.test("words over several blocks are found when one of them was corrected", () => {
  const find = commented("small, and few people live here.\nEvery evening the keeper", STORY);
  assertEquals(
    find([["a", "The harbour is small, and some people live here."], ["b", LIGHT]]),
    "a: small, and some people live here.|Every evening the keeper",
  );
});

Deno.test("words in tables and callouts are found by the keys of what they are in", () => {
  const cell = (_key: string, ...blocks: Blocks) => ({ _type: "cell", _key, value: value(blocks) });
  const table = (...cells: Json[]) => ({
    _type: "table",
    _key: "table",
    rows: [{ _type: "row", _key: "row", cells }],
  });
  const note = (...blocks: Blocks) => {
    return { _type: "callout", _key: "note", content: value(blocks) };
  };
  const place = (offset: number, ...path: string[]) => {
    return path.length === 0 ? { key: "a", offset } : { key: "a", offset, path };
  };
  const inCell = { start: place(0, "table", "c2"), end: place(3, "table", "c2"), quote: "sea" };
  const inNote = { start: place(4, "note"), end: place(14, "note"), quote: "lamplights" };
  const text = new AnchoredText([
    ...value([["a", "sea and lamplights"]]),
    table(cell("c1", ["a", "sea"]), cell("c2", ["a", "sea"])),
    note(["a", "The lamplights"]),
  ]);
  assertEquals(text.find(inCell), { start: inCell.start, end: inCell.end });
  assertEquals(text.find(inNote), { start: inNote.start, end: inNote.end });
  const context = text.contextOf(inNote);
  const corrected = new AnchoredText([
    note(["a", "The lamp lights"]),
    table(cell("c1", ["a", "sea"])),
  ]);
  assertEquals(corrected.find(inNote, context), {
    start: place(4, "note"),
    end: place(15, "note"),
    quote: "lamp lights",
  });
  // A cell that is gone: its words are in another one.
  assertEquals(corrected.find(inCell)?.start, place(0, "table", "c1"));
  // Taken out of the callout, and removed.
  assertEquals(new AnchoredText(value([["a", "The lamplights"]])).find(inNote)?.start, place(4));
  assertEquals(new AnchoredText([note(["a", "Nothing"])]).find(inNote, context), null);

  // Corrected and moved to another cell; a short text of another cell is not taken for it.
  const quote = "The harbour was closed for two nights";
  const isClosed = {
    start: place(0, "table", "c1"),
    end: place(quote.length, "table", "c1"),
    quote,
  };
  const before = new AnchoredText([table(cell("c1", ["a", quote]), cell("c2", ["a", "Calm"]))]);
  const around = before.contextOf(isClosed);
  const moved = (one: string, other: string) =>
    new AnchoredText([table(cell("c1", ["a", one]), cell("c2", ["a", other]))])
      .find(isClosed, around);
  assertEquals(moved("Calm", "The harbor was closed for three nights"), {
    start: place(0, "table", "c2"),
    end: place(38, "table", "c2"),
    quote: "The harbor was closed for three nights",
  });
  assertEquals(moved("Calm", "The lighthouse was lit for many years"), null);
  const short = { ...isClosed, end: place(15, "table", "c1"), quote: "Sales in spring" };
  assertEquals(
    new AnchoredText([table(cell("c2", ["a", "Sales in sprint"]))]).find(short, {
      before: "",
      after: "",
    }),
    null,
  );
});

Deno.test("looking for many corrected words in a long text takes a bounded time", () => {
  const random = seededRandom(1);
  const word = () => Math.floor(random() * 1e9).toString(36);
  const long: Blocks = Array.from(
    { length: 400 },
    (_, n) => [`k${n}`, Array.from({ length: 400 }, word).join(" ")],
  );
  const text = new AnchoredText(value(long));
  const quote = Array.from({ length: 160 }, word).join(" ").slice(0, 1_000);
  const began = performance.now();
  for (let n = 0; n < 200; n++) text.find(anchor(`k${2 * n}`, 1_000, quote));
  // Much text that has the words before and after, and others between them.
  const around = { before: "before these ", after: " and after them" };
  const others = Array.from({ length: 500 }, () => word().repeat(100).slice(0, 1_100));
  const alike = new AnchoredText(
    value(others.map((other, n) => [`k${n}`, `${around.before}${other}${around.after}`])),
  );
  for (let n = 0; n < 200; n++) alike.find(anchor(`k${n}`, 13, quote), around);
  // Words that are similar to each other everywhere.
  const monotonous = new AnchoredText(value([["a", "a".repeat(100_000)]]));
  for (let n = 0; n < 200; n++) {
    monotonous.find(anchor("a", 50_000, `b${"a".repeat(498)}c${"a".repeat(500)}`));
  }
  // Words that are gone from a table with many cells like them.
  const cells = Array.from({ length: 2_000 }, (_, n) => ({
    _type: "cell",
    _key: `c${n}`,
    value: value([["a", "a".repeat(500)]]),
  }));
  const alikeCells = new AnchoredText([
    { _type: "table", _key: "t", rows: [{ _type: "row", _key: "r", cells }] },
  ]);
  for (let n = 0; n < 200; n++) {
    alikeCells.find(anchor("gone", 0, `b${"a".repeat(498)}c${"a".repeat(300)}`), around);
  }
  const took = performance.now() - began;
  assert(took < 10_000, `${took} ms`);
});
