/**
 * Marks of files: which asset each file of a source has become.
 *
 * @module
 */
import { currentKey } from "../keys.ts";
import { zip } from "../model/primitives/zip.ts";
import type { Entry } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
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

/** The assets that files of a source have become, in their order; null for a file that has become none. */
export async function findAssets(
  store: Store,
  sourceKey: string,
  ids: readonly string[],
): Promise<(string | null)[]> {
  const marks = await readMarks(store, ids.map((id) => fileRow(sourceKey, id)));
  const missing = zip(ids, marks).filter(([, mark]) => mark === null).map(([id]) => id);
  if (missing.length === 0) return marks;
  const former = await readFormer(store, sourceKey, missing);
  return zip(ids, marks).map(([id, mark]) => mark ?? former.get(id) ?? null);
}

/** The assets of files that earlier releases have marked. */
async function readFormer(
  store: Store,
  sourceKey: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = ids.map((id) => ({ sourceKey, kind: FORMER_FILE_KIND, id }));
  const marked = zip(ids, await readMarks(store, rows))
    .flatMap(([id, mark]) => mark === null ? [] : [{ id, mark }]);
  const assets = await store.getMany(marked.map(({ mark }) => currentKey("media_metadata", mark)));
  return new Map(
    zip(marked, assets).flatMap(([{ id, mark }, { value }]) => value === null ? [] : [[id, mark]]),
  );
}

async function readMarks(store: Store, rows: readonly SourceRow[]): Promise<(string | null)[]> {
  const entries = await store.getMany(rows.map(keyOfRow)) as Entry<Transferred>[];
  return entries.map(({ value }) => value?.id ?? null);
}
