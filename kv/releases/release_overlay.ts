/**
 * The public site as an open release will make it: what its documents will be. Everything else is as the
 * public sees it.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import type { DocumentReader } from "../documents/reader.ts";
import type { StoredDocument } from "../documents/write.ts";
import { type IndexRow, indexRow, wholeRow } from "../index/index_row.ts";
import type { ItemsCondition } from "../index/query/condition.ts";
import type { IndexOverlay, ListPage, ListQuery } from "../index/query/list_query.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { ReleasePlan, ReleaseState } from "../model/entities/release.ts";
import { sha256 } from "../model/values/sha256.ts";
import { Refusal } from "../refusals.ts";
import type { ReleaseSource } from "../versioning/open_releases.ts";
import { languagesOfPlan, withPublished, withUnpublished } from "./release_languages.ts";

/** The documents of a release as they will be. */
export class ReleaseOverlay implements IndexOverlay {
  readonly name: string;
  readonly #documents: ReadonlyMap<string, StoredDocument>;
  readonly #rows: ReadonlyMap<string, IndexRow[]>;
  readonly #schema: Schema;

  constructor(release: ReleaseState, documents: readonly StoredDocument[], schema: Schema) {
    this.#schema = schema;
    this.#documents = new Map(documents.map((stored) => [stored.state.id, stored]));
    const rows = new Map<string, IndexRow[]>();
    for (const { state, n } of documents) {
      const collection = schema.byId.get(state.collectionId);
      if (collection === undefined) continue;
      rows.set(collection.id, [...rows.get(collection.id) ?? [], indexRow(collection, state, n)]);
    }
    this.#rows = rows;
    const versions = documents.map(({ state: { id, status, publishedAt, translations }, n }) =>
      [id, n, status, publishedAt, ...translations ? [JSON.stringify(translations)] : []].join(" ")
    );
    this.name = sha256([release.id, schema.stamp, ...versions].join("\n")).slice(0, 16);
  }

  rows(collectionId: string): readonly IndexRow[] {
    return this.#rows.get(collectionId) ?? [];
  }

  wholeRow(id: string, items: readonly ItemsCondition[]): IndexRow | null {
    const stored = this.#documents.get(id);
    if (stored === undefined) return null;
    const { state, n } = stored;
    const collection = this.#schema.byId.get(state.collectionId);
    return collection === undefined ? null : wholeRow(collection, state, n, items);
  }

  /** A document as it will be; the same object where the release leaves it alone. */
  seen(stored: StoredDocument): StoredDocument;
  seen(stored: StoredDocument | null): StoredDocument | null;
  seen(stored: StoredDocument | null): StoredDocument | null {
    return stored === null ? null : this.#documents.get(stored.state.id) ?? stored;
  }

  /** The document of the release that will have a slug. */
  findBySlug(collectionId: string, slug: string): StoredDocument | null {
    const found = this.#rows.get(collectionId)?.find((row) => row.slug === slug);
    return found === undefined ? null : this.#documents.get(found.id) ?? null;
  }
}

/** The overlay of an open release; NOT_FOUND for any other. */
export async function overlayOf(
  { content: { schema }, reader, releases }: {
    content: Pick<Content, "schema">;
    reader: DocumentReader;
    releases: ReleaseSource;
  },
  releaseId: string,
): Promise<ReleaseOverlay> {
  const release = (await releases.current()).byId.get(releaseId);
  if (release === undefined) {
    throw new Refusal("NOT_FOUND", { about: "no open release has this id" });
  }
  const present = await schema.current();
  const plans = new Map(release.documents.map((plan) => [plan.documentId, plan]));
  const at = release.publishAt ?? release.updatedAt;
  const documents: StoredDocument[] = [];
  for await (const { state, n } of reader.each([...plans.keys()])) {
    const collection = present.byId.get(state.collectionId);
    if (collection === undefined) continue;
    documents.push({ n, state: stateWith(state, collection, plans.get(state.id)!, at) });
  }
  return new ReleaseOverlay(release, documents, present);
}

/** A document as it will be after the release; one in the trash stays there. */
function stateWith(
  state: DocumentState,
  collection: Collection,
  plan: ReleasePlan,
  at: number,
): DocumentState {
  if (state.status === "trashed") return state;
  const languages = languagesOfPlan(state, collection, plan);
  return plan.action === "publish"
    ? withPublished(state, languages, at)
    : withUnpublished(state, languages, at);
}

/** The documents of the site as the release will make it. */
export function overlaidDocuments(
  { content: { context, index }, reader }: { content: Content; reader: DocumentReader },
  overlay: ReleaseOverlay,
) {
  return {
    content: {
      context,
      index: { list: (query: ListQuery) => index.list({ ...query, overlay }) },
    },
    reader: {
      find: async (id: string) => overlay.seen(await reader.find(id)),
      findBySlug: async (collectionId: string, slug: string) => {
        const found = overlay.findBySlug(collectionId, slug) ??
          overlay.seen(await reader.findBySlug(collectionId, slug));
        return found?.state.slug === slug ? found : null;
      },
      ofPage: async (page: ListPage) =>
        (await reader.ofPage(page)).map((stored) => overlay.seen(stored)),
    },
  };
}
