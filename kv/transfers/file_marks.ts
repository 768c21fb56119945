/**
 * Marks of files: which asset each file of a source has become.
 *
 * @module
 */
import { currentKey } from "../keys.ts";
import { zip } from "../model/primitives/zip.ts";
import type { Entry } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import type { CurrentRow } from "../versioning/entities.ts";
import { keyOfRow, type SourceRow, type Transferred } from "./transfer_changes.ts";

/** The kind that files are marked as. No source has such a kind: an upload whose kinds have control characters fails. */
export const FILE_KIND = "\u0001file";
/** The kind that files had in earlier releases, and that a source may have too. */
export const FORMER_FILE_KIND = "media";

/** A file of a source as a row that can be marked. */
export function fileRow(sourceKey: string, id: string): SourceRow {
  return { sourceKey, kind: FILE_KIND, id };
}

/** The types that an entity of a mark may have; marks of earlier releases do not tell files from rows. */
export function markedTypes(kind: string): readonly ("document" | "media_metadata")[] {
  if (kind === FILE_KIND) return ["media_metadata"];
  return kind === FORMER_FILE_KIND ? ["document", "media_metadata"] : ["document"];
}

/**
 * The assets that files of a source have become, in their order; null for a file that has become none, or one that was
 * deleted for good since.
 */
export async function findAssets(
  store: Store,
  sourceKey: string,
  ids: readonly string[],
): Promise<(string | null)[]> {
  const assets = await readAssets(store, sourceKey, FILE_KIND, ids);
  const missing = zip(ids, assets).filter(([, asset]) => asset === null).map(([id]) => id);
  if (missing.length === 0) return assets;
  // Files that earlier releases have marked.
  const former = new Map(
    zip(missing, await readAssets(store, sourceKey, FORMER_FILE_KIND, missing)),
  );
  return zip(ids, assets).map(([id, asset]) => asset ?? former.get(id) ?? null);
}

/** The assets of marks of a kind that still exist, in the order of the files. */
async function readAssets(
  store: Store,
  sourceKey: string,
  kind: string,
  ids: readonly string[],
): Promise<(string | null)[]> {
  const keys = ids.map((id) => keyOfRow({ sourceKey, kind, id }));
  const marks = await store.getMany(keys) as Entry<Transferred>[];
  const marked = marks.flatMap(({ value }) => value === null ? [] : [value.id]);
  const rows = await store.getMany(marked.map((id) => currentKey("media_metadata", id)));
  const present = new Set(
    zip(marked, rows as Entry<CurrentRow>[])
      .flatMap(([id, { value }]) => value === null || value.gone ? [] : [id]),
  );
  return marks.map(({ value }) => value !== null && present.has(value.id) ? value.id : null);
}
