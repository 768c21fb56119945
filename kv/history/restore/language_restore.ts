/**
 * Restoring some languages of a document, or some values in a language, from a version.
 *
 * @module
 */
import { incompleteTranslation } from "../../documents/translations/translation_status.ts";
import type { Collection, Schema } from "../../model/entities/collection.ts";
import type { DocumentState } from "../../model/entities/document.ts";
import type { Json } from "../../model/entities/entity.ts";
import {
  originalOf,
  type Translation,
  translationOf,
  withTranslation,
} from "../../model/languages/translation.ts";
import { ownValue } from "../../model/primitives/own_value.ts";
import { type Detail, invalid, Refusal } from "../../refusals.ts";
import type { Transaction } from "../../versioning/transaction.ts";

/** A document with some of its languages as they were: translations whole, of the original its content. */
export async function withLanguagesRestored(
  transaction: Transaction,
  schema: Schema,
  collection: Collection,
  { present, then, languages }: {
    present: DocumentState;
    then: DocumentState;
    languages: readonly string[];
  },
): Promise<DocumentState> {
  const original = originalOf(present, collection);
  const details: Detail[] = [];
  let next = present;
  for (const [index, code] of languages.entries()) {
    if (schema.languages === undefined || !schema.languages.byCode.has(code)) {
      throw invalid(`languages.${index}`, "INVALID_LANGUAGE", "Is not one of the site's languages");
    }
    if (code === original) {
      next = { ...next, title: then.title, slug: then.slug, blocks: then.blocks, data: then.data };
      continue;
    }
    const translation = translationOf(then, code) ?? null;
    next = withTranslation(next, code, translation);
    if (translation?.status !== "published") continue;
    details.push(
      ...await incompleteTranslation(transaction, schema, collection, next, code, translation),
    );
  }
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  return next;
}

/** A document with one value in a language as it was; null for a name that is not `code.field`. */
export function withLanguageValue(
  present: DocumentState,
  then: DocumentState,
  name: string,
  { fields }: Collection,
): DocumentState | null {
  const [code = "", field = ""] = name.split(".");
  const translation = translationOf(present, code);
  if (translation === undefined) return null;
  const past = translationOf(then, code);
  const key = field === "title" || field === "slug" || field === "blocks"
    ? field
    : fields.find((one) => one.name === field && one.localized)?.key;
  if (key === undefined) return null;
  return withTranslation(present, code, withRoot(translation, past, key));
}

function withRoot(present: Translation, past: Translation | undefined, root: string): Translation {
  if (root === "title" || root === "slug") {
    return past === undefined ? present : { ...present, [root]: past[root] };
  }
  if (root === "blocks") {
    const { blocks: _now, ...rest } = present;
    return past?.blocks === undefined ? rest : { ...rest, blocks: past.blocks };
  }
  const { [root]: _now, ...data } = present.data as { [key: string]: Json };
  const value = past && ownValue(past.data, root);
  return { ...present, data: value === undefined ? data : { ...data, [root]: value } };
}
