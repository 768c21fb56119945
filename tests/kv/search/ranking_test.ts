import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ByteWriter } from "../../../kv/search/segments/byte_writer.ts";
import { packOccurrence } from "../../../kv/search/segments/occurrence.ts";
import { writePositions } from "../../../kv/search/segments/posting.ts";
import { indexPositions, positionsIn } from "../../../kv/search/segments/position_list.ts";
import { proximity } from "../../../kv/search/query/proximity.ts";
import { RESCORED_MAX } from "../../../kv/tuning.ts";
import { type Said, SearchSite } from "../../support/sites/search_site.ts";

const FILLER = "and then a good many other words which say nothing of it";

/** Finds the titles for a text with all documents in the delta, and then in a segment. */
async function titles(text: string, pages: readonly Said[]): Promise<string[]> {
  using site = await SearchSite.open();
  for (const page of pages) await site.publish(page);
  const inDelta = await site.titles(text);
  await site.compact();
  assertEquals(await site.titles(text), inDelta);
  return inDelta;
}

Deno.test("search() puts documents first in which the words stand close together", async () => {
  const far = { title: "Far", text: `harbour ${FILLER} ${FILLER} ferry` };
  const near = { title: "Near", text: `${FILLER} ferry of the harbour ${FILLER}` };

  assertEquals(await titles("harbour ferry", [far, near]), ["Near", "Far"]);
});

Deno.test("search() puts documents first that have the words in the order asked for", async () => {
  const turned = { title: "Turned", text: `${FILLER} ferry harbour ${FILLER}` };
  const asked = { title: "Asked", text: `${FILLER} harbour ferry ${FILLER}` };

  assertEquals(await titles("harbour ferry", [turned, asked]), ["Asked", "Turned"]);
});

Deno.test("search() sees that words of a script without spaces follow one another", async () => {
  const far = {
    title: "遠",
    text: "港の朝は静かだった。人々は市場で魚を買い、それからフェリーに乗った。",
  };
  const near = {
    title: "近",
    text: "人々は市場で魚を買い、それから静かに港フェリーに乗った。朝だった。",
  };

  assertEquals(await titles("港フェリー", [far, near]), ["近", "遠"]);
});

Deno.test("search() does not take a page for long because its script puts no spaces between words", async () => {
  const said = "the ferry leaves the harbour every morning at seven ".repeat(10);
  const short = { title: "Short", text: `${said}Wrangler` };
  const long = { title: "Long", text: `${said.repeat(3)}Wrangler` };
  // Says as much as the short one, in three times as many characters as that has words.
  const chinese = {
    title: "中文",
    text: `${"渡轮每天早上七点钟从这个旧港口准时出发。".repeat(14)}Wrangler`,
  };

  assertEquals((await titles("wrangler", [short, long, chinese])).at(-1), "Long");
});

Deno.test("search() takes a Korean page for long that says more", async () => {
  const short = {
    title: "Short",
    text: `${"the ferry leaves the harbour every morning at seven ".repeat(10)}Wrangler`,
  };
  // Says three times as much.
  const korean = {
    title: "긴",
    text: `${"배는 매일 아침 일곱 시에 오래된 항구에서 정시에 떠납니다. ".repeat(30)}Wrangler`,
  };

  assertEquals(await titles("wrangler", [korean, short]), ["Short", "긴"]);
});

Deno.test("search() counts kana for less of a page's length than Chinese characters", async () => {
  const chinese = {
    title: "中文",
    text: `${"渡轮每天早上七点钟从这个旧港口准时出发。".repeat(20)}Wrangler`,
  };
  const japanese = {
    title: "日本語",
    text: `${"フェリーはまいあさ七時にこのふるい港からじかんどおりにでます。".repeat(20)}Wrangler`,
  };

  assertEquals(await titles("wrangler", [chinese, japanese]), ["日本語", "中文"]);
});

Deno.test("search() puts a title of just the words asked for before a longer one", async () => {
  const often = "timetable ferry ".repeat(12);
  const longer = { title: "Ferry timetable for winter", text: often };
  const bare = { title: "Ferry timetable", text: FILLER.repeat(4) };

  assertEquals((await titles("ferry timetable", [longer, bare]))[0], "Ferry timetable");
});

Deno.test("search() puts a title of one of the words asked for before pages that have both words often", async () => {
  const named = { title: "Pages", text: `${FILLER} astro ${FILLER} pages` };
  const others = Array.from({ length: 40 }, (_, n) => ({
    title: `Astro guide ${n}`,
    text: `${FILLER} ${n % 4 === 0 ? "astro pages and more of them " : "astro "}`.repeat(9),
  }));

  assertEquals((await titles("astro pages", [...others, named]))[0], "Pages");
});

Deno.test("search() puts the title that is the one word asked for first", async () => {
  const pages = ["Events of the year", "About events", "Events", "Events and dates"]
    .map((title) => ({ title, text: title === "Events" ? "Nothing" : "events ".repeat(20) }));

  assertEquals((await titles("events", pages))[0], "Events");
});

Deno.test("search() counts words in headings of rich text for more than in paragraphs", async () => {
  const paragraph = { title: "Paragraph", rich: `A house\nharbour ${FILLER}` };
  const heading = { title: "Heading", rich: `## A harbour\nhouse ${FILLER}` };

  assertEquals(await titles("harbour", [paragraph, heading]), ["Heading", "Paragraph"]);
});

Deno.test("search() ranks consistently across pages, and scores fall, beyond the rescored matches", async () => {
  using site = await SearchSite.open();
  for (let n = 0; n < RESCORED_MAX + 30; n++) {
    const gap = "word ".repeat(1 + (n * 37) % 90);
    await site.publish({ title: `Page ${n}`, text: `harbour ${gap} ferry` });
    if (n === RESCORED_MAX / 2) await site.compact();
  }

  const whole = (await site.search("harbour ferry", { perPage: RESCORED_MAX + 30 })).hits;
  const paged = [];
  for (let page = 1; page <= 13; page++) {
    paged.push(...(await site.search("harbour ferry", { page, perPage: 10 })).hits);
  }

  assertEquals(paged, whole);
  assertEquals(new Set(whole.map(({ documentId }) => documentId)).size, RESCORED_MAX + 30);
  for (let n = 1; n < whole.length; n++) assert(whole[n]!.rank <= whole[n - 1]!.rank);
});

Deno.test("positionsIn() reads the positions of any document", () => {
  const document = fc.record({
    gap: fc.integer({ min: 1, max: 300 }),
    positions: fc.uniqueArray(fc.nat(70_000), { minLength: 1, maxLength: 20 }),
  });
  fc.assert(fc.property(fc.array(document, { maxLength: 80 }), (documents) => {
    const writer = new ByteWriter();
    let ordinal = 0;
    const rows = documents.map(({ gap, positions }) => {
      const sorted = positions.toSorted((a, b) => a - b);
      const occurrence = packOccurrence(0, sorted.length, 0);
      writePositions(writer, occurrence, sorted);
      return { ordinal: ordinal += gap, occurrence, sorted };
    });
    const list = {
      documents: Uint32Array.from(rows, ({ ordinal }) => ordinal),
      occurrences: Uint8Array.from(rows, ({ occurrence }) => occurrence),
      dense: null,
    };
    const positions = indexPositions(list, writer.take());
    for (const { ordinal, sorted } of rows) assertEquals(positionsIn(positions, ordinal), sorted);
    assertEquals(positionsIn(positions, 0), []);
    assertEquals(positionsIn(positions, ordinal + 1), []);
  }));
});

Deno.test("proximity() equals a comparison of all pairs of positions, and never takes away", () => {
  const clause = fc.record({
    weight: fc.constantFrom(1, 3),
    span: fc.integer({ min: 1, max: 3 }),
    starts: fc.uniqueArray(fc.nat(40), { maxLength: 6 }).map((all) =>
      all.toSorted((a, b) => a - b)
    ),
    inTitle: fc.constant(0),
  });
  fc.assert(fc.property(clause, clause, (one, other) => {
    let after = Infinity;
    let before = Infinity;
    for (const a of one.starts) {
      for (const b of other.starts) {
        if (a <= b) after = Math.min(after, Math.max(1, b - a - one.span + 1));
        if (b <= a) before = Math.min(before, Math.max(1, a - b - other.span + 1));
      }
    }
    const gap = Math.min(after, before);
    const order = after <= before && after <= 3 ? 1 / after : 0;
    const expected = gap === Infinity
      ? 0
      : Math.min(one.weight, other.weight) * (1 / Math.sqrt(gap) + order);

    assertEquals(proximity([one, other], 0), expected);
  }));
});
