/**
 * Documents by the slugs that they have in a language.
 *
 * @module
 */
import type { StoredDocument } from "../../../kv/documents/write.ts";
import type { IndexRow } from "../../../kv/index/index_row.ts";
import { languageKey, ORIGINAL_KEY } from "../../../kv/index/segments/language_columns.ts";
import { languageSlugKey, slugKey } from "../../../kv/keys.ts";
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { Deps } from "../../deps/deps.ts";
import { type DraftView, shownAs } from "./draft_view.ts";
import { languageShown } from "./language.ts";

/** Where a slug is looked for. */
interface SlugScope {
  collection: Collection;
  draft: DraftView;
}

/** The document that has a slug in the language of a request, or in the first of those that stand in for it. */
export async function findByLanguageSlug(
  deps: Deps,
  schema: Schema,
  { collection, draft }: SlugScope,
  slug: string,
): Promise<StoredDocument | null> {
  const { language } = draft;
  if (language?.view == null) return null;
  const { view: { code, chain, substitutes }, site } = language;
  const codes = [code, ...substitutes ? chain : []];
  const { store } = deps.content.context;
  const keys = codes.map((code) => languageSlugKey(collection.id, code, slug));
  const entries = await store.getMany([slugKey(collection.id, slug), ...keys]) as Entry<string>[];
  const [base, ...own] = entries;
  for (const [index, code] of codes.entries()) {
    const found = [own[index], ...code === site.original ? [base] : []];
    for (const id of found.map((entry) => entry?.value ?? null).filter((id) => id !== null)) {
      const stored = await deps.reader.find(id);
      const shown = stored && shownAs(draft, stored);
      if (shown?.state.slug === slug && languageShown(shown.state, collection) === code) {
        return stored;
      }
    }
  }
  return await findDraftByLanguageSlug(deps, schema, { collection, draft }, slug);
}

/** The same among working copies, where those are shown. */
async function findDraftByLanguageSlug(
  { drafts, reader }: Deps,
  schema: Schema,
  { collection, draft }: SlugScope,
  slug: string,
): Promise<StoredDocument | null> {
  if (!draft.draft || draft.only !== null) return null;
  const overlay = await drafts.of(schema, [collection]);
  for (const { id } of overlay.rows(collection.id)) {
    const stored = await reader.find(id);
    if (stored && shownAs(draft, stored)?.state.slug === slug) return stored;
  }
  return null;
}

/** Whether a row has a slug, in the language of the request if it names one. */
export function hasSlug(
  { slug, values }: IndexRow,
  wanted: string,
  { draft, collection }: SlugScope,
): boolean {
  const { language } = draft;
  if (language?.view == null || !collection.localized) return slug === wanted;
  const { code, chain, substitutes } = language.view;
  const original = values[ORIGINAL_KEY]?.[0] ?? language.site.original;
  return [code, ...substitutes ? chain : []].some((one) =>
    (one === original && slug === wanted) ||
    values[languageKey(one, "$slug")]?.[0] === wanted
  );
}
