/**
 * The controls of what a collection is besides its fields.
 *
 * @module
 */
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import { Checkbox, Field } from "../../components/forms/field.tsx";
import { IconChoice } from "../../definitions/icon_choice.tsx";

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
        help={collection === null
          ? "Part of its addresses in the API and on the site; follows the name until you change it."
          : `In the API: /api/v1/${collection.slug}. On the site: /${collection.slug}.`}
        mono
        required
      />
      <Field
        label="Description"
        name="description"
        value={collection?.description ?? ""}
        multiline
      />
      <IconChoice collection={collection} />
      <Checkbox
        name="singleton"
        label="One document only"
        help="For a home page, an imprint, the footer: the studio opens its form instead of a list, and a second document is refused."
        checked={collection?.singleton ?? false}
      />
      <Checkbox
        name="pageless"
        label="Without pages of its own"
        help="Its documents are read through the API, or named on the pages of others; the public site has neither a list nor pages of them."
        checked={collection?.pageless ?? false}
      />
      <Checkbox
        name="unlisted"
        label="Not in the site's menu"
        checked={collection?.unlisted ?? false}
      />
      <Checkbox
        name="undated"
        label="Without dates"
        help="The public site does not say when its documents were published, and leaves them out of the feed of the whole site: for products, or pages."
        checked={collection?.undated ?? false}
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
