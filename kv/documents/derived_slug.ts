/**
 * Slugs that are derived from titles, in the collection and the language of a document.
 *
 * @module
 */
import { type Key, languageSlugKey, slugKey } from "../keys.ts";
import { type Collection, languagesOf } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { zip } from "../model/primitives/zip.ts";
import { SKIPS_DOUBLED_MAX } from "../tuning.ts";
import { keyText } from "../store/operation.ts";
import type { Transaction } from "../versioning/transaction.ts";
import type { Content } from "./content.ts";
import { freeSlug } from "./free_slug.ts";

/**
 * The keys under which others may have a slug: of an original those of the collection and of translations into its
 * language; of a translation those of its language, and of originals in the site's.
 */
export function slugKeys(
  collection: Collection,
  { language, isTranslation }: { language: string | undefined; isTranslation: boolean },
  slug: string,
): Key[] {
  const { id, localized } = collection;
  const site = languagesOf(collection)?.original;
  const own = language ?? site;
  if (own === undefined || !localized) return [slugKey(id, slug)];
  const inLanguage = languageSlugKey(id, own, slug);
  return isTranslation && own !== site ? [inLanguage] : [slugKey(id, slug), inLanguage];
}

/**
 * Derives a slug from the title, at first assuming that it is free. A writer that lost one to another process skips some
 * that are free: the more writers compete, the more.
 */
export async function derivedSlug(
  transaction: Transaction,
  { slugs }: Content,
  collection: Collection,
  { collectionId, slug: wanted, originalLanguage: language }: DocumentState,
): Promise<string> {
  const { attempt, context: { store } } = transaction;
  const range = attempt < 2 ? 0 : slugs.size * 2 ** Math.min(attempt, SKIPS_DOUBLED_MAX);
  const skip = Math.floor(store.random() * range);
  const keysOf = (name: string) => slugKeys(collection, { language, isTranslation: false }, name);
  const areTaken = async (names: string[]) => {
    const unwanted = names.filter((name) => !slugs.has(collectionId, name));
    const taken = await areOthers(transaction, unwanted, keysOf);
    const free = new Set(zip(unwanted, taken).flatMap(([name, isTaken]) => isTaken ? [] : [name]));
    return names.map((name) => !free.has(name));
  };
  // It was read when another check of the last attempt failed.
  const isOthers = !transaction.first &&
    !keysOf(wanted).every((key) => transaction.isKnownAbsent(key));
  if (!isOthers && !slugs.has(collectionId, wanted)) {
    transaction.finally(slugs.add(collectionId, wanted));
    return wanted;
  }
  for (;;) {
    const slug = await freeSlug({ wanted, areTaken, skip });
    // Another write may have requested or taken the same slug during the search.
    if (slugs.has(collectionId, slug)) continue;
    transaction.finally(slugs.add(collectionId, slug));
    if (await areFree(transaction, keysOf(slug))) return slug;
  }
}

async function areFree(transaction: Transaction, keys: readonly Key[]): Promise<boolean> {
  for (const key of keys) {
    const { value } = await transaction.reread(key);
    if (value !== null) return false;
  }
  return true;
}

/** Whether another document has each of some slugs, under any of its keys; all are read together. */
async function areOthers(
  transaction: Transaction,
  slugs: readonly string[],
  keysOf: (slug: string) => Key[],
): Promise<boolean[]> {
  const keys = slugs.map(keysOf);
  const entries = await transaction.peek(...keys.flat());
  const taken = new Set(
    entries.filter(({ value }) => value !== null).map(({ key }) => keyText(key)),
  );
  return keys.map((own) => own.some((key) => taken.has(keyText(key))));
}

/** A free slug near that of a title, for a translation. */
export async function freeTranslationSlug(
  transaction: Transaction,
  collection: Collection,
  language: string,
  wanted: string,
): Promise<string> {
  const keysOf = (slug: string) => slugKeys(collection, { language, isTranslation: true }, slug);
  const areTaken = (slugs: string[]) => areOthers(transaction, slugs, keysOf);
  return await freeSlug({ wanted, areTaken });
}
