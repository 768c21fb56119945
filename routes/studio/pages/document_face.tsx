/**
 * What a document is known by besides its title: its image, and the face of who began it.
 *
 * @module
 */
import type { Stored } from "../../../kv/documents/write.ts";
import { Avatar } from "../components/avatar.tsx";
import { thumbnailField } from "../list_state.ts";
import type { Visit } from "../studio_env.ts";
import { nameOf, type Names } from "./document_review.tsx";

/** The image that stands for a document. */
export function thumbnailId(
  { collectionId, data }: Stored["state"],
  { schema }: Visit,
): string | null {
  const field = thumbnailField(schema.byId.get(collectionId) ?? null);
  const id = field === undefined ? null : data[field.key];
  return typeof id === "string" ? id : null;
}

/** Who began a document; programs have no face. */
export function Face({ stored: { state }, people }: { stored: Stored; people: Names }) {
  if (state.createdBy === undefined) return <span class="face" />;
  const name = nameOf(people, state.createdBy);
  return (
    <span class="face" title={name}>
      <Avatar id={state.createdBy} name={name} size="small" />
      <span class="sr">{name}</span>
    </span>
  );
}
