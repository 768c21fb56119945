/**
 * The settings of a collection other than its fields.
 *
 * @module
 */
import type { Collection, Schema } from "../../../../kv/model/entities/collection.ts";
import { COLLECTION_GROUP_CHARS_MAX, NAME_CHARS_MAX } from "../../../../kv/limits/content.ts";
import { Checkbox, Field } from "../../components/forms/field.tsx";
import { LanguageTexts } from "../../components/forms/language_texts.tsx";
import { IconChoice } from "../../definitions/icon_choice.tsx";

/** The settings of a collection. */
export function CollectionFields(
  { collection, schema }: { collection: Collection | null; schema: Schema },
) {
  return (
    <>
      <Field label="Name" name="name" value={collection?.name ?? ""} required />
      <Field
        label="Singular"
        name="singular"
        value={collection?.singular ?? ""}
        nullable
        maxlength={NAME_CHARS_MAX}
        help="One of its documents, such as “Author”: the studio then says “New author”."
      />
      {collection !== null && (
        <LanguageTexts
          name="labels"
          legend="Name in other languages"
          help="Shown on the public site in that language."
          texts={collection.labels}
          original={collection.name}
          schema={schema}
          id="labels"
          maxlength={NAME_CHARS_MAX}
        />
      )}
      <Field
        label="URL"
        name="slug"
        value={collection?.slug ?? ""}
        slugFrom={collection === null ? "name" : ""}
        help={collection === null
          ? "Part of its URLs in the API and on the site. Follows the name until you edit it."
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
      <Group collection={collection} schema={schema} />
      {schema.languages !== undefined && (
        <Checkbox
          name="localized"
          label="Translated"
          help="Documents can have translations: titles, URLs, page blocks, and the fields that are marked as translated. Existing texts stay as they are."
          checked={collection?.localized ?? false}
        />
      )}
      <Marks collection={collection} />
    </>
  );
}

/** The heading that it is listed under. */
function Group({ collection, schema }: { collection: Collection | null; schema: Schema }) {
  const groups = new Set(schema.collections.flatMap(({ group }) => group ?? []));
  return (
    <>
      <Field
        label="Group"
        name="group"
        value={collection?.group ?? ""}
        nullable
        list="collection-groups"
        maxlength={COLLECTION_GROUP_CHARS_MAX}
        help="A heading of the navigation, such as “Catalog”. Collections without one are listed under “Content”."
      />
      <datalist id="collection-groups">
        {[...groups].sort().map((group) => <option value={group} />)}
      </datalist>
    </>
  );
}

/** Where and how its documents are shown. */
function Marks({ collection }: { collection: Collection | null }) {
  return (
    <>
      <Checkbox
        name="singleton"
        label="Single document"
        help="For a home page, an imprint, the footer: the studio opens its form instead of a list, and you can't add a second."
        checked={collection?.singleton ?? false}
      />
      <Checkbox
        name="pageless"
        label="No public pages"
        help="For documents that are read through the API or mentioned on other pages; they have no pages on the public site."
        checked={collection?.pageless ?? false}
      />
      <Checkbox
        name="unlisted"
        label="Hide from menu"
        checked={collection?.unlisted ?? false}
      />
      <Checkbox
        name="undated"
        label="Hide publication dates"
        help="For products or pages: the public site doesn't show when documents were published and leaves them out of the site feed."
        checked={collection?.undated ?? false}
      />
      <Checkbox
        name="exposed"
        label="Readable through the API"
        help="When off, it is hidden from the API and search."
        checked={collection?.exposed ?? true}
      />
    </>
  );
}
