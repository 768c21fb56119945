/**
 * Documents of one length, whose costs tests compare.
 *
 * @module
 */

const WORDS =
  ("harbour lay still nobody was about but the gulls water light wind mast rope night engine " +
    "paper window story garden letter mountain river bridge lantern").split(" ");

/** A document of 1.5 KB of text, each another. */
export function bodyOf(n: number): Record<string, unknown> {
  const words = Array.from({ length: 230 }, (_, i) => {
    const word = WORDS[(n * 7 + i * 13 + (i * i) % 11) % WORDS.length];
    return i % 9 === 0 ? `${word}${n % 1_000}` : word;
  });
  const children = [{ _type: "span", text: words.join(" "), marks: [] }];
  const paragraph = { _type: "block", _key: "a", style: "normal", markDefs: [], children };
  return { title: `Story ${n}`, slug: `story-${n}`, lead: "A short lead", body: [paragraph] };
}
