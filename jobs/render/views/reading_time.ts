/**
 * How long a document takes to read.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { PairMemo } from "../pair_memo.ts";
import { fieldRole } from "./field_role.ts";

/** Words, and characters of scripts without spaces, that are read in a minute. */
const WORDS_PER_MINUTE = 230;
const CHARACTERS_PER_MINUTE = 500;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** A time to read, in a template. */
export interface ReadingTime {
  minutes: number;
  /** In the language of the site. */
  text: string;
}

/** The time that a document takes; null for one that is soon read. */
export function readingTime(
  document: PublishedDocument,
  collection: Pick<Collection, "fields">,
  language: string,
): ReadingTime | null {
  const minutes = readingMinutes(document, collection);
  return minutes === null ? null : { minutes, text: minutesText(minutes, language) };
}

/** Cached, because cards show the same state of a document on many pages. */
const minutesOfStates = new PairMemo<PublishedDocument, Collection["fields"], number>();

/** The reading time of a document in minutes; null below two. */
function readingMinutes(
  document: PublishedDocument,
  { fields }: Pick<Collection, "fields">,
): number | null {
  const minutes = minutesOfStates.of(document, fields, () => minutesOf(document, fields));
  return minutes < 2 ? null : minutes;
}

function minutesOf(document: PublishedDocument, fields: Collection["fields"]): number {
  let minutes = 0;
  for (const field of fields) {
    if (!fieldType(field.type).richText || fieldRole(field) === "hidden") continue;
    const text = fieldType(field.type).searchText(document.data[field.key] ?? null);
    const unspaced = text.match(UNSPACED)?.length ?? 0;
    const spaced = unspaced === 0 ? text : text.replace(UNSPACED, " ");
    const words = wordsIn(spaced);
    minutes += unspaced / CHARACTERS_PER_MINUTE + words / WORDS_PER_MINUTE;
  }
  return Math.round(minutes);
}

/** Counted without an array of them. */
function wordsIn(text: string): number {
  const word = /\S+/g;
  let words = 0;
  while (word.test(text)) words += 1;
  return words;
}

/** So many minutes in the language of the site, as short as it has them: `4 min`. */
function minutesText(minutes: number, language: string): string {
  const format = FORMATS.get(language) ?? formatOf(language);
  FORMATS.set(language, format);
  return format.format(minutes);
}

/** Cached, because creating one is slow and a site has one language. */
const FORMATS = new Map<string, Intl.NumberFormat>();

function formatOf(language: string): Intl.NumberFormat {
  const options = { style: "unit", unit: "minute", unitDisplay: "short" } as const;
  try {
    return new Intl.NumberFormat(language, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Intl.NumberFormat("en", options);
  }
}
