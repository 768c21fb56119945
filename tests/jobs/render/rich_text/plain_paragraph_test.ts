/**
 * Paragraphs of plain words are written as the library would write them, whatever their characters are.
 */
import { portableTextToMarkdown } from "@portabletext/markdown";
import { plainParagraph } from "../../../../jobs/render/rich_text/plain_paragraph.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { seededRandom } from "../../../support/harness/harness.ts";

const span = (text: string, marks: string[] = []) => ({ _type: "span", text, marks });
const paragraph = (...children: ReturnType<typeof span>[]) => (
  { _type: "block", style: "normal", markDefs: [], children }
);

/** All of ASCII, and some of what has a meaning of its own beyond it; letters and spaces more often. */
const CHARACTERS = [
  ...Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)),
  ..."aaabbbcccdeinorst           .,:;-—“”’éßЖ中\u00a0\u0301😀".split(/(?:)/u),
];

Deno.test("a paragraph of plain words is its own Markdown, as the library writes it", () => {
  const random = seededRandom(7);
  const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)]!;
  let plain = 0;
  for (let round = 0; round < 20_000; round++) {
    const spans = Array.from(
      { length: 1 + Math.floor(random() * 3) },
      () =>
        span(Array.from({ length: Math.floor(random() * 14) }, () => pick(CHARACTERS)).join("")),
    );
    const block = paragraph(...spans);
    const words = plainParagraph(block);
    if (words === null) continue;
    plain += 1;
    assertEquals(words, portableTextToMarkdown([block] as never), JSON.stringify(spans));
  }
  assert(plain > 2_000, `${plain}`);
});

Deno.test("addresses in plain words stay as they are", () => {
  for (
    const text of ["See https://example.org/a-b?c=1#d.", "Ask me@example.org, or (www.example.org)"]
  ) {
    const block = paragraph(span(text));
    assertEquals(plainParagraph(block), text);
    assertEquals(portableTextToMarkdown([block] as never), text);
  }
});

Deno.test("text other than plain words is left to the library", () => {
  const words = paragraph(span("Words"));
  assertEquals(plainParagraph(words), "Words");
  for (
    const block of [
      { ...words, style: "h2" },
      { ...words, style: "blockquote" },
      { ...words, listItem: "bullet", level: 1 },
      paragraph(span("Words", ["strong"])),
      paragraph(span("Two\nlines")),
      paragraph(span("1. no list")),
      paragraph(span("- no list")),
      paragraph(span("    no code")),
      paragraph(span("")),
      { _type: "custom" },
    ]
  ) assertEquals(plainParagraph(block), null, JSON.stringify(block));
});
