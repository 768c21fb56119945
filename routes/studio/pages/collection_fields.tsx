/**
 * The controls of what a collection is besides its fields.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/collection.ts";
import { Checkbox, Field } from "../components/field.tsx";

/** The controls of what a collection is. */
export function CollectionFields({ collection }: { collection: Collection | null }) {
  return (
    <>
      <Field label="Name" name="name" value={collection?.name ?? ""} required />
      <Field
        label="Address"
        name="slug"
        value={collection?.slug ?? ""}
        slugFrom={collection === null ? "name" : ""}
        help="In the API and on the site: /api/v1/posts, /posts"
        mono
        required
      />
      <Field
        label="Description"
        name="description"
        value={collection?.description ?? ""}
        multiline
      />
      <Checkbox
        name="exposed"
        label="Readable through the API"
        help="Without it the collection is known to neither API nor search."
        checked={collection?.exposed ?? true}
      />
    </>
  );
}
