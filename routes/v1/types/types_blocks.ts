/**
 * Blocks and rich text in the types module: unions by the definitions of the site.
 *
 * @module
 */

/** Types that build on `BlockValues` and `BlockInputs`, the values of blocks by their types. */
export const BLOCK_TYPES = `/** A block of one of these types, as it is read. */
export type BlockOf<N extends keyof BlockValues> = {
  [T in N]: { type: T; id: string; data: BlockValues[T] };
}[N];

/** A block of one of these types, as it is written. */
export type BlockInput<N extends keyof BlockInputs> = {
  [T in N]: { type: T; id?: string | undefined; data?: BlockInputs[T] | undefined };
}[N];

/** A block of any type. */
export type AnyBlock = [keyof BlockValues] extends [never] ? Block : BlockOf<keyof BlockValues>;

/** Text with its marks: decorators such as "strong", and keys of \`markDefs\`. */
export type RichTextSpan = { _type: "span"; _key: string; text: string; marks?: string[] };

/** A paragraph, heading or list item. */
export type RichTextLine = {
  _type: "block";
  _key: string;
  style?: string;
  listItem?: string;
  level?: number;
  children?: (RichTextSpan | RichTextObject)[];
  markDefs?: { _type: string; _key: string; href?: string; [key: string]: unknown }[];
};

/** Objects that rich text can hold on every site, unless a block of the site has the same name. */
export type BuiltInObjects = {
  image: { media?: string; src?: string; alt?: string; caption?: string };
  code: { code?: string; language?: string };
  table: { rows?: { _key?: string; cells?: unknown[] }[]; headerRows?: number };
  callout: { tone?: string; content?: RichTextBlock[] };
  "horizontal-rule": { [key: string]: unknown };
  embed: { url?: string; title?: string };
  html: { html?: string };
};

/** An object in rich text: one of the site's blocks, or one that every site has. */
export type RichTextObject =
  | { [T in keyof BlockValues]: { _type: T; _key: string } & BlockValues[T] }[keyof BlockValues]
  | {
    [T in Exclude<keyof BuiltInObjects, keyof BlockValues>]: { _type: T; _key: string } & BuiltInObjects[T];
  }[Exclude<keyof BuiltInObjects, keyof BlockValues>];

/** Rich text as it is read; \`_type\` tells what it is. */
export type RichTextBlock = RichTextLine | RichTextObject;`;
