/**
 * The styles of text blocks that the editor offers, with their names; others are preserved.
 *
 * @module
 */
export const STYLES: readonly (readonly [style: string, label: string])[] = [
  ["normal", "Text"],
  ["h2", "Heading"],
  ["h3", "Subheading"],
  ["h4", "Small heading"],
  ["blockquote", "Quote"],
];
