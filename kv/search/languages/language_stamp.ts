/**
 * What the index of languages depends on besides documents. It answers searches only while it was built for the
 * present schema; otherwise documents are searched one by one, until it is rebuilt.
 *
 * @module
 */
import type { Schema } from "../../model/entities/collection.ts";
import { sha256 } from "../../model/values/sha256.ts";
import { searchedCodes } from "./language_posting.ts";

/** Changes with everything that decides which documents are posted in which language, and with which values. */
export function languageStamp({ languages, collections }: Schema): string {
  const site = languages?.all.map(({ code, fallback = [], public: isPublic = true }) => [
    code,
    fallback,
    isPublic,
  ]);
  const localized = collections.filter((one) => one.localized).map((collection) => [
    collection.id,
    searchedCodes(collection),
    collection.fields.filter((one) => one.localized).map(({ key }) => key).sort(),
  ]);
  return sha256(JSON.stringify([languages?.original, site, localized])).slice(0, 32);
}
