/**
 * Reads what a document points to, as far as the public may see it.
 *
 * @module
 */
import { type Context, isUlid } from "../../kv/context.ts";
import { type LiveRow, readHead } from "../../kv/entities.ts";
import { liveKey } from "../../kv/keys.ts";
import type { DocumentState } from "../../kv/model/document.ts";
import type { MediaState } from "../../kv/model/media.ts";
import { isPublished, type PublishedDocument } from "../../kv/model/page.ts";
import type { Entry } from "../../kv/store/operation.ts";
import type { Lookup, MediaFacts } from "./view.ts";

/** Pointers of one document that are followed. */
const POINTERS_MAX = 1_000;

/** The ids that a document points to. */
export interface Pointers {
  media: string[];
  documents: string[];
}

/** A lookup that knows these ids; deleted media and documents that are not published it does not know. */
export async function readLookup(context: Context, pointers: Pointers): Promise<Lookup> {
  const media = new Map<string, MediaFacts>();
  const documents = new Map<string, PublishedDocument>();
  for await (const state of states(context, "media_metadata", pointers.media)) {
    const medium = state as unknown as MediaState;
    if (medium.deletedAt === null) media.set(medium.id, medium);
  }
  for await (const state of states(context, "document", pointers.documents)) {
    const document = state as unknown as DocumentState;
    if (isPublished(document)) documents.set(document.id, document);
  }
  return {
    medium: (id) => media.get(id) ?? null,
    document: (id) => documents.get(id) ?? null,
  };
}

async function* states(context: Context, type: "media_metadata" | "document", ids: string[]) {
  const known = ids.filter(isUlid).slice(0, POINTERS_MAX);
  const entries = await context.store.getMany(known.map((id) => liveKey(type, id)));
  for (const [position, entry] of entries.entries()) {
    const head = await readHead(
      context,
      type,
      known[position]!,
      entry.key,
      entry as Entry<LiveRow>,
    );
    if (head.state !== null) yield head.state;
  }
}
