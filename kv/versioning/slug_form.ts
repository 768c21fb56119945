/**
 * The form of the site's slugs: a setting that every write of a document reads with the schema, without a read
 * of its own. A secondary row of the setting marks that slugs may contain letters of every script.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { type Key, schemaKey } from "../keys.ts";
import type { StateOf } from "../model/entities/entity_kinds.ts";
import type { SlugForm } from "../model/values/slug.ts";
import type { Operation } from "../store/operation.ts";

/** The key of the setting. */
const SETTING = "slugs";
const rowPrefix: Key = ["slug_form"];
const rowKey = (settingId: string): Key => [...rowPrefix, settingId];

/** Adds the setting's secondary row to the commit that changes the setting. */
export function stageSlugForm(
  operation: Operation,
  id: string,
  state: StateOf<"setting"> | null,
): void {
  if (state !== null && state.key !== SETTING) return;
  if (state?.value === "unicode") operation.set(rowKey(id), 1);
  else operation.delete(rowKey(id));
  operation.touch(schemaKey);
}

/** How slugs are spelled now. */
export async function readSlugForm({ store }: Pick<Context, "store">): Promise<SlugForm> {
  const rows = await store.listAll({ prefix: rowPrefix }, { limit: 1 });
  return rows.length > 0 ? "unicode" : "ascii";
}
