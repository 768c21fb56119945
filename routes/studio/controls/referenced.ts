/**
 * The references of a document, looked up before its form is rendered.
 *
 * @module
 */
import type { Status } from "../../../kv/model/entities/document.ts";
import type { Reference } from "../../../kv/model/fields/field_type.ts";
import { isPicture, type MediaMime, mediaUrl } from "../../../kv/model/entities/media.ts";
import { findMedia } from "../../../kv/media/media.ts";
import type { Deps } from "../../deps/deps.ts";
import { FORM_REFERENCES_MAX } from "../../input/limits.ts";
import type { Visit } from "../serving/studio_env.ts";
import { thumbnailId } from "../thumbnail.ts";

/** A medium as a control shows it. */
export interface ReferencedMedium {
  url: string;
  mime: MediaMime;
  filename: string;
  alt: string;
  /** 0 if it is not an image. */
  width: number;
  height: number;
}

/** A document as a control shows it. */
export interface ReferencedDocument {
  title: string;
  collection: string;
  status: Status;
  /** URL of the thumbnail, if there is one. */
  image?: string;
  /** Set if the user may not read the document: it is not linked. */
  hidden?: true;
}

/** Existing targets by id. */
export interface Referenced {
  media: ReadonlyMap<string, ReferencedMedium>;
  documents: ReadonlyMap<string, ReferencedDocument>;
}

/** Points nowhere. */
export const NOTHING_REFERENCED: Referenced = { media: new Map(), documents: new Map() };

/** Placeholder for a document in a collection that the user may not read. */
const HIDDEN_TITLE = "Restricted document";

/** Looks up the targets of references. */
export async function findReferenced(
  { content, reader }: Pick<Deps, "content" | "reader">,
  references: readonly Pick<Reference, "kind" | "id">[],
  { schema, documents: rights }: Pick<Visit, "schema" | "documents">,
): Promise<Referenced> {
  const media = new Map<string, ReferencedMedium>();
  const documents = new Map<string, ReferencedDocument>();
  await Promise.all(
    references.slice(0, FORM_REFERENCES_MAX).map(async ({ kind, id }) => {
      if (kind === "media") {
        const found = await findMedia(content.context, id);
        if (found === null || found.deletedAt !== null) return;
        const { mime, filename, alt, width, height } = found;
        media.set(id, { url: mediaUrl(found), mime, filename, alt, width, height });
        return;
      }
      const found = await reader.find(id);
      const home = found && schema.byId.get(found.state.collectionId);
      if (!found || !home) return;
      const { status } = found.state;
      const facts = { status, collection: home.name };
      if (!rights.on("read", found.state)) {
        documents.set(id, { ...facts, title: HIDDEN_TITLE, hidden: true });
        return;
      }
      const cover = thumbnailId(found.state, { schema });
      const medium = cover === null ? null : await findMedia(content.context, cover);
      const isShown = medium !== null && medium.deletedAt === null && isPicture(medium.mime);
      const image = isShown ? { image: mediaUrl(medium) } : {};
      documents.set(id, { ...facts, title: found.state.title, ...image });
    }),
  );
  return { media, documents };
}
