/**
 * Reads what a page points to, so that it can be rendered without waiting.
 *
 * @module
 */
import { isUlid } from "../../kv/model/ulid.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import type { Content } from "../../kv/documents/content.ts";
import { findMedia } from "../../kv/media/media.ts";
import { servedName } from "../../kv/model/media.ts";
import { isPublished, type PublishedDocument } from "../../kv/model/page.ts";
import type { Lookup, MediaFacts } from "../render/view.ts";

/** References of one page that are followed. */
const FOLLOWED_MAX = 400;

/** A lookup that knows these references. */
export async function lookUp(
  { content, reader }: { content: Content; reader: DocumentReader },
  references: { media: string[]; documents: string[] },
): Promise<Lookup> {
  const media = new Map<string, MediaFacts>();
  const documents = new Map<string, PublishedDocument>();
  const known = (ids: string[]) => ids.filter(isUlid).slice(0, FOLLOWED_MAX);
  await Promise.all([
    ...known(references.media).map(async (id) => {
      const medium = await findMedia(content.context, id);
      if (medium === null || medium.deletedAt !== null) return;
      const { alt, width, height } = medium;
      media.set(id, { id, filename: servedName(medium), alt, width, height });
    }),
    ...known(references.documents).map(async (id) => {
      const stored = await reader.find(id);
      if (stored !== null && isPublished(stored.state)) documents.set(id, stored.state);
    }),
  ]);
  return {
    medium: (id) => media.get(id) ?? null,
    document: (id) => documents.get(id) ?? null,
  };
}
