/**
 * The settings that decide which documents are valid: the form of slugs, and the languages of the content. Every
 * write of a document reads them with the schema, without a read of its own: secondary rows hold them, and a
 * change of them is a change of the schema.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { type Key, schemaKey } from "../keys.ts";
import type { StateOf } from "../model/entities/entity_kinds.ts";
import { type Language, type SiteLanguages, siteLanguages } from "../model/entities/language.ts";
import type { SlugForm } from "../model/values/slug.ts";
import type { Operation } from "../store/operation.ts";

/** The rows of each setting: by its key a prefix, and whether a value has a row. */
const ROWS: { readonly [key: string]: { prefix: Key; holds: (value: unknown) => boolean } } = {
  slugs: { prefix: ["slug_form"], holds: (value) => value === "unicode" },
  languages: { prefix: ["languages"], holds: (value) => Array.isArray(value) },
};

/** Adds the secondary rows of a setting to the commit that changes it. */
export function stageSchemaSetting(
  operation: Operation,
  id: string,
  state: StateOf<"setting"> | null,
): void {
  const rows = Object.entries(ROWS).filter(([key]) => state === null || state.key === key);
  if (rows.length === 0) return;
  for (const [, { prefix, holds }] of rows) {
    const key = [...prefix, id];
    if (state !== null && holds(state.value)) operation.set(key, state.value);
    else operation.delete(key);
  }
  operation.touch(schemaKey);
}

/** How slugs are spelled now, and the languages of the content. */
export async function readSchemaSettings(
  { store }: Pick<Context, "store">,
): Promise<{ slugs: SlugForm; languages: SiteLanguages | undefined }> {
  const [slugs, languages] = await Promise.all(
    [ROWS.slugs!, ROWS.languages!].map(({ prefix }) => store.listAll({ prefix }, { limit: 1 })),
  );
  return {
    slugs: slugs!.length > 0 ? "unicode" : "ascii",
    languages: siteLanguages(languages![0]?.value as Language[] | undefined),
  };
}
