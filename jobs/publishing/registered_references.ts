/**
 * References of lists on stored pages: covers and authors. Before one is read, its document is registered as
 * showing it, so that a change of a cover or author finds every list that shows it, even before the document's
 * own page is rendered.
 *
 * @module
 */
import { currentKey } from "../../kv/keys.ts";
import { isPublished, type PublishedDocument } from "../../kv/model/entities/page.ts";
import { isUlid } from "../../kv/model/values/ulid.ts";
import {
  findRegistered,
  readDocumentPage,
  registerReferences,
} from "../../kv/pages/document_pages.ts";
import { siteCoversKey } from "../../kv/pages/page_keys.ts";
import { StaleRead } from "../../kv/store/operation.ts";
import { RENDER_CONFLICTS_MAX } from "../limits.ts";
import { type ShownIds, shownOnCard } from "../render/views/byline_view.ts";
import type { Lookup, Rendering } from "../render/views/view.ts";
import { GrowingLookup } from "./page_lookup.ts";
import type { Publishing } from "./publishing.ts";

type Source = Pick<Publishing, "reader"> & { content: Pick<Publishing["content"], "context"> };

/** Something shown on a document's card. */
interface ShownReference {
  documentId: string;
  id: string;
  kind: keyof ShownIds;
}

/**
 * A lookup with the references of cards and feed entries. Authors lead to their pictures, so it repeats until
 * no new reference is found; mostly they are remembered, and it reads once.
 */
export async function lookUpRegistered(
  source: Source,
  { schema }: Pick<Rendering, "schema">,
  documents: readonly PublishedDocument[],
): Promise<Lookup> {
  const lookup = new GrowingLookup(source);
  const registered = new Set<string>();
  for (let look = 1; look <= RENDER_CONFLICTS_MAX; look++) {
    const fresh = shownBeside(schema, documents, lookup)
      .filter(({ documentId, id }) => !registered.has(`${documentId} ${id}`));
    if (fresh.length === 0) return lookup;
    await register(source, fresh);
    for (const { documentId, id } of fresh) registered.add(`${documentId} ${id}`);
    // A reference that was read before it was registered is read again.
    await lookup.readAgain({
      media: fresh.filter(({ kind }) => kind === "media").map(({ id }) => id),
      documents: fresh.filter(({ kind }) => kind === "documents").map(({ id }) => id),
    });
  }
  throw new StaleRead(siteCoversKey);
}

function shownBeside(
  schema: Rendering["schema"],
  documents: readonly PublishedDocument[],
  lookup: Lookup,
): ShownReference[] {
  return documents.flatMap((document) => {
    const shown = shownOnCard(schema, document, lookup);
    const documentId = document.id;
    return (["media", "documents"] as const).flatMap((kind) =>
      shown[kind].filter(isUlid).map((id) => ({ documentId, id, kind }))
    );
  });
}

async function register(source: Source, shown: readonly ShownReference[]): Promise<void> {
  const { store } = source.content.context;
  const byDocument = Map.groupBy(shown, ({ documentId }) => documentId);
  const known = await findRegistered(store, [...byDocument.keys()]);
  await Promise.all(
    [...byDocument].map(async ([documentId, some]) => {
      const ids = some.map(({ id }) => id);
      // It usually is: a page is rendered before the lists that show its document.
      const isKnown = ids.every((id) => known.get(documentId)?.includes(id));
      if (!isKnown) await registerFor(source, documentId, ids);
    }),
  );
}

async function registerFor(
  { content: { context: { store } }, reader }: Source,
  documentId: string,
  ids: readonly string[],
): Promise<void> {
  for (let run = 1; run <= RENDER_CONFLICTS_MAX; run++) {
    const entries = await readDocumentPage(store, documentId);
    const stored = await reader.ofEntry(documentId, entries.current);
    // An unpublication also removes the document from lists, with its registrations.
    if (stored === null || !isPublished(stored.state)) return;
    try {
      await registerReferences(store, entries, ids);
      return;
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error;
    }
  }
  throw new StaleRead(currentKey("document", documentId));
}
