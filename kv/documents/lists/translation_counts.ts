/**
 * How many documents have translations: by the state of those, and of a field whose values a change would hide.
 *
 * @module
 */
import type { Content } from "../content.ts";
import { allOf, type Condition, hasValue } from "../../index/query/condition.ts";
import {
  isWrittenIn,
  translationIs,
  type TranslationState,
} from "../../index/query/language_query.ts";
import { languageKey } from "../../index/segments/language_columns.ts";
import {
  codesOf,
  type Collection,
  languagesOf,
  type Schema,
} from "../../model/entities/collection.ts";
import { type Status, STATUSES } from "../../model/entities/document.ts";

/** Documents of a collection in a language. */
export interface TranslationCounts {
  collection: string;
  language: string;
  /** Documents that are worked on: neither archived nor trashed. */
  documents: number;
  missing: number;
  incomplete: number;
  outdated: number;
  published: number;
}

const WORKED_ON: readonly Status[] = ["draft", "published", "scheduled"];

/** The counts of some localized collections, in all of their languages or in one. */
export async function translationCounts(
  content: Content,
  collections: readonly Collection[],
  language: string | null,
): Promise<TranslationCounts[]> {
  const rows: TranslationCounts[] = [];
  for (const collection of collections) {
    const site = languagesOf(collection)?.original;
    if (site === undefined) continue;
    const codes = codesOf(collection).filter((code) => language === null || code === language);
    if (codes.length === 0) continue;
    const documents = await count(content, collection, null);
    for (const code of codes) {
      const countIn = (state: TranslationState) =>
        count(content, collection, translationIs(collection, code, site, [state]));
      rows.push({
        collection: collection.slug,
        language: code,
        documents,
        missing: await countIn("missing"),
        incomplete: await countIn("incomplete"),
        outdated: await countIn("outdated"),
        published: await publishedIn(content, collection, code, site),
      });
    }
  }
  return rows;
}

/** Documents that are public in a language, whether written in it or translated into it. */
async function publishedIn(
  content: Content,
  collection: Collection,
  code: string,
  site: string,
): Promise<number> {
  const own = hasValue({ fieldKey: languageKey(code, "$status") }, "published");
  const written = allOf(isWrittenIn(code, site), hasValue("status", "published"));
  return await count(content, collection, { kind: "or", of: [own, written] });
}

async function count(
  { index }: Content,
  collection: Collection,
  where: Condition | null,
  statuses: readonly Status[] = WORKED_ON,
): Promise<number> {
  const page = await index.list({
    collections: [collection],
    statuses,
    ...(where && { where }),
    sort: [],
    offset: 0,
    limit: 0,
  });
  return page.total;
}

/** Documents whose translations a change of a definition would hide or show, by language. */
export interface LocalizedImpact {
  documents: number;
  languages: { [code: string]: number };
}

/** The documents with a value of their own of a field, or with any translation, in some language. */
export async function localizedImpact(
  content: Content,
  { languages }: Pick<Schema, "languages">,
  collection: Collection,
  fieldKey: string | null,
): Promise<LocalizedImpact> {
  const impact: LocalizedImpact = { documents: 0, languages: {} };
  const any: Condition[] = [];
  for (const { code } of languages?.all ?? []) {
    const where: Condition = fieldKey === null
      ? { kind: "not", of: hasValue({ fieldKey: languageKey(code, "$status") }, null) }
      : hasValue({ fieldKey: languageKey(code, "$has") }, fieldKey);
    const found = await count(content, collection, where, STATUSES);
    if (found > 0) impact.languages[code] = found;
    any.push(where);
  }
  impact.documents = await count(content, collection, { kind: "or", of: any }, STATUSES);
  return impact;
}
