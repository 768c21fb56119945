/**
 * The collections that have pages and nothing published: the site leads to none of them. Their row changes together
 * with the version key of the settings, which every rendering reads anyway, so that knowing them costs no read.
 *
 * @module
 */
import { StampedCache } from "../../kv/versioning/stamped_cache.ts";
import type { Context } from "../../kv/context.ts";
import { settingsKey } from "../../kv/keys.ts";
import { sameJson } from "../../kv/model/values/same_json.ts";
import { emptySectionsKey } from "../../kv/pages/page_keys.ts";
import type { Entry, Operation } from "../../kv/store/operation.ts";

/** Reads the ids of these collections, and keeps them in memory. */
export function emptySections(context: Context): StampedCache<string[]> {
  return new StampedCache(context, settingsKey, async () => {
    return (await context.store.get<string[]>(emptySectionsKey)).value ?? [];
  });
}

/** Adds these collections to a commit; false when the row has them already. */
export async function stageEmptySections(
  { store }: Context,
  operation: Operation,
  ids: readonly string[],
): Promise<boolean> {
  const keys = [emptySectionsKey, settingsKey];
  const [row, settings] = await store.getMany(keys) as [Entry<string[]>, Entry];
  if (sameJson([...ids], row.value ?? [])) return false;
  // The value of the version key stays: it says whether an import holds the settings.
  operation.check(row).set(row.key, ids).check(settings).set(settings.key, settings.value);
  return true;
}
