/**
 * What lists of documents show of others on pages that are kept: covers, and who made a document. Before one is read, its document is registered as one that shows it. So whoever changes a cover or a maker finds every
 * list that shows it, also while the document's own page, which registers what it shows, is still to come.
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

/** Something that is shown beside a document. */
interface ShownReference {
  documentId: string;
  id: string;
  kind: keyof ShownIds;
}

/**
 * A lookup that knows what stands on the cards of documents, and in feeds. Who made them leads on to their pictures, so
 * it looks again until nothing new is shown; mostly it remembers them, and looks once.
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
    // What another document shows was read before this one was registered for it: it is read again.
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
      // Mostly it is: a page is rendered before the lists that show its document.
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
    // Whoever takes a document out of the public takes it out of the lists, and its registrations with it.
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
