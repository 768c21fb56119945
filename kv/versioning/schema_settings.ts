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
import { type Language, type SiteLanguages, siteLanguages } from "../model/languages/language.ts";
import type { SlugForm } from "../model/values/slug.ts";
import type { Operation } from "../store/operation.ts";

/** Where a setting has its row, and which of its values have one. */
interface RowsOfSetting {
  prefix: Key;
  holds: (value: unknown) => boolean;
}

/** The rows of each setting: by its key a prefix, and whether a value has a row. */
const ROWS = {
  slugs: { prefix: ["slug_form"], holds: (value) => value === "unicode" },
  languages: { prefix: ["languages"], holds: (value) => Array.isArray(value) },
} satisfies Record<string, RowsOfSetting>;

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
  const rowsOf = ({ prefix }: RowsOfSetting) => store.listAll({ prefix }, { limit: 1 });
  const [slugs, [languages]] = await Promise.all([rowsOf(ROWS.slugs), rowsOf(ROWS.languages)]);
  return {
    slugs: slugs.length > 0 ? "unicode" : "ascii",
    languages: siteLanguages(languages?.value as Language[] | undefined),
  };
}
