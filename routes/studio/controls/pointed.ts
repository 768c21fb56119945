/**
 * What a document points to, looked up before its form is drawn.
 *
 * @module
 */
import type { Schema } from "../../../kv/model/collection.ts";
import type { Status } from "../../../kv/model/document.ts";
import type { Pointer } from "../../../kv/model/field_type.ts";
import { mediaUrl } from "../../../kv/model/media.ts";
import { findMedia } from "../../../kv/media/media.ts";
import type { Deps } from "../../deps.ts";

/** A medium as a control shows it. */
export interface PointedMedium {
  url: string;
  filename: string;
  alt: string;
}

/** A document as a control shows it. */
export interface PointedDocument {
  title: string;
  collection: string;
  status: Status;
}

/** What is there, by id; what is missing has no entry. */
export interface Pointed {
  media: ReadonlyMap<string, PointedMedium>;
  documents: ReadonlyMap<string, PointedDocument>;
}

/** Points nowhere. */
export const NOTHING_POINTED: Pointed = { media: new Map(), documents: new Map() };

/** Pointers that are looked up for one form. */
const POINTERS_MAX = 500;

/** Looks up what pointers lead to. */
export async function findPointed(
  { content, reader }: Pick<Deps, "content" | "reader">,
  pointers: readonly Pick<Pointer, "kind" | "id">[],
  schema: Schema,
): Promise<Pointed> {
  const media = new Map<string, PointedMedium>();
  const documents = new Map<string, PointedDocument>();
  await Promise.all(
    pointers.slice(0, POINTERS_MAX).map(async ({ kind, id }) => {
      if (kind === "media") {
        const found = await findMedia(content.context, id);
        if (found === null || found.deletedAt !== null) return;
        media.set(id, { url: mediaUrl(found), filename: found.filename, alt: found.alt });
        return;
      }
      const found = await reader.find(id);
      const home = found && schema.byId.get(found.state.collectionId);
      if (!found || !home) return;
      const { title, status } = found.state;
      documents.set(id, { title, status, collection: home.name });
    }),
  );
  return { media, documents };
}
