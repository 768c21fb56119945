/**
 * Releases as the admin shows them.
 *
 * @module
 */
import type { DocumentReader } from "../documents/reader.ts";
import type { Schema } from "../model/entities/collection.ts";
import type { ReleasePlan, ReleaseState } from "../model/entities/release.ts";
import { laidOver } from "../model/entities/working_copy.ts";

/** A document of a release as the admin shows it. */
export interface ReleaseDocumentView extends ReleasePlan {
  id: string;
  /** The slug of its collection; null when the document or its collection is not there any more. */
  collection: string | null;
  title: string;
  /** Why the release, or its reversal, has passed it by. */
  left?: string;
}

/** A release as the admin shows it. Times are epoch seconds. */
export interface ReleaseView extends Omit<ReleaseState, "documents"> {
  documents: ReleaseDocumentView[];
}

/** Releases with the titles of their documents as these go out. */
export async function releaseViews(
  reader: DocumentReader,
  schema: Schema,
  releases: readonly ReleaseState[],
): Promise<ReleaseView[]> {
  const ids = [...new Set(releases.flatMap(({ documents }) => documents.map(documentIdOf)))];
  const found = new Map<string, { collection: string | null; title: string }>();
  for await (const { state } of reader.each(ids)) {
    const collection = schema.byId.get(state.collectionId)?.slug ?? null;
    found.set(state.id, { collection, title: laidOver(state).title });
  }
  return releases.map(({ documents, ...release }) => ({
    ...release,
    documents: documents.map(({ documentId: id, action, languages, left }) => {
      const { collection, title } = found.get(id) ?? { collection: null, title: "" };
      const plan = { action, ...(languages !== undefined && { languages }) };
      return { id, collection, title, ...plan, ...(left !== undefined && { left }) };
    }),
  }));
}

function documentIdOf({ documentId }: { documentId: string }): string {
  return documentId;
}
