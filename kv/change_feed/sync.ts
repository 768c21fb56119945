/**
 * A sync: documents one by one, for consumers whose visibility has changed, at first from nothing to
 * everything that the token can see.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import type { DocumentReader } from "../documents/reader.ts";
import type { CurrentRow } from "../versioning/entities.ts";
import { currentPrefix } from "../keys.ts";
import type { Sight } from "./sight.ts";
import type { ChangeElement } from "./change_feed.ts";
import { type ChangePosition, ChangesByVersion } from "../changes/change_log.ts";
import {
  isVisible,
  isVisibleAlike,
  type VisibilitySnapshot,
} from "../changes/visibility_snapshot.ts";

/** Current rows per page: a token that sees little of a large site gets short pages. */
const ROWS_PER_PAGE = 2_000;
/** Current rows per read. */
const BATCH = 200;

/** A step: the element of a document, or null; `id` is null after the last document. */
export interface SyncStep {
  id: string | null;
  element: Omit<ChangeElement, "cursor"> | null;
}

/** The scope of a sync. */
export interface SyncOptions {
  before: VisibilitySnapshot;
  now: VisibilitySnapshot;
  /** All changes up to here are reported; later ones follow after the sync. */
  position: ChangePosition;
  /** The last document that was reported. */
  after: string;
  sight: Sight;
}

/** Documents after an id in collections whose visibility differs between `before` and `now`. */
export async function* syncedDocuments(
  { context, schema }: Content,
  reader: DocumentReader,
  { before, now, position, after, sight }: SyncOptions,
): AsyncGenerator<SyncStep> {
  const concerned = new Set(
    [...Object.keys(before), ...Object.keys(now)].filter((id) => !isVisibleAlike(before, now, id)),
  );
  const prefix = currentPrefix("document");
  const range = { start: [...prefix, `${after}\0`], end: [...prefix, "~"] };
  let rows = 0;
  if (concerned.size > 0) {
    const { byId } = await schema.current();
    const changes = new ChangesByVersion(context.store);
    const options = { limit: ROWS_PER_PAGE, batchSize: BATCH };
    for await (const entry of context.store.list<CurrentRow>(range, options)) {
      rows += 1;
      const id = entry.key[2] as string;
      const of = reader.collectionOf(entry);
      const isConcerned = of === null || concerned.has(of);
      const stored = isConcerned ? await reader.ofEntry(id, entry) : null;
      const collectionId = stored?.state.collectionId ?? "";
      if (stored === null || !concerned.has(collectionId)) {
        yield { id, element: null };
        continue;
      }
      const version = { id, n: stored.n, stamp: entry.versionstamp };
      if (await changes.has(version, position)) {
        yield { id, element: null };
        continue;
      }
      const shown = sight.document(stored);
      const status = shown?.state.status ?? null;
      const seen = now[collectionId] ?? before[collectionId];
      if (seen === undefined) continue;
      const element = {
        collectionId,
        collection: byId.get(collectionId)?.slug ?? seen.slug,
        id,
        version: stored.n,
        changedAt: entry.value.at,
      };
      if (shown !== null && isVisible(now, collectionId, status)) {
        // What is visible as before is already reported.
        const isTold = isVisible(before, collectionId, status) &&
          before[collectionId]?.shape === seen.shape;
        if (isTold) yield { id, element: null };
        else yield { id, element: { ...element, change: "upserted", stored: shown } };
      } else {
        const removed = { ...element, change: "removed" as const };
        yield { id, element: isVisible(before, collectionId, status) ? removed : null };
      }
    }
  }
  if (rows < ROWS_PER_PAGE) yield { id: null, element: null };
}
