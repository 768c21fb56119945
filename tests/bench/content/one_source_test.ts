import { assertEquals } from "../../support/harness/assert.ts";

/** Texts of a benchmark's own: filler, words repeated, words listed in a string, letters as a body. */
const OWN_TEXT = [
  /lorem ipsum/i,
  /(["'`])(?:(?!\1).){2,}\1\s*\.repeat\(/,
  /"[xyz]"\s*\.repeat\(/,
  /"(?:[\p{L}]+ ){5,}[\p{L}]+"\s*\)?\s*\.split\(/u,
  /content-length: \$\{\w+\.length\}/,
];

/** Finds such a text in a module. */
function ownTextIn(code: string): string | null {
  const found = OWN_TEXT.map((pattern) => pattern.exec(code)).find((match) => match !== null);
  return found?.[0].slice(0, 60) ?? null;
}

Deno.test("benchmarks take their content from the generator, and count its bytes", async () => {
  const wrong: string[] = [];
  for await (const { name } of Deno.readDir("tests/bench")) {
    if (!name.endsWith(".ts")) continue;
    const found = ownTextIn(await Deno.readTextFile(`tests/bench/${name}`));
    if (found !== null) wrong.push(`${name}: ${found}`);
  }
  assertEquals(wrong, []);
});

Deno.test("a text of its own is recognized", () => {
  const own = [
    'const TEXT = "lorem ipsum dolor sit amet ".repeat(40);',
    'body: "y".repeat(1_500)',
    "paragraph(`Paragraph ${n} `.repeat(20))",
    'const WORDS = "river stone market garden signal winter copper"\n  .split(" ")',
    "content-length: ${text.length}",
  ];
  assertEquals(own.filter((code) => ownTextIn(code) === null), []);
  assertEquals(ownTextIn('sha256: "0".repeat(64), "GET /a b".split(" ")'), null);
});
