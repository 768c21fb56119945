/**
 * One collection in the builder: its fields in their order, an example of the JSON, its settings.
 *
 * @module
 */
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import { exampleFraming, exampleValues } from "../../../v1/openapi/example.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { CollectionFields } from "./collection_fields.tsx";
import { FieldList } from "./field_list.tsx";

interface CollectionProps {
  visit: Visit;
  collection: Collection;
  /** How many documents there are outside the trash. */
  documents: number;
}

/** Everything about a collection. */
export function CollectionPage(props: CollectionProps) {
  const { visit, collection, documents } = props;
  const mayWrite = visit.can("collections.write");
  return (
    <div class="builder">
      <section class="card">
        <h2>Fields</h2>
        <p class="muted">Every document also has a title, a URL and a status.</p>
        {collection.fields.length === 0
          ? (
            <p class="empty-line">
              No fields yet. Most collections start with a rich text field “Body”.
            </p>
          )
          : <FieldList visit={visit} collection={collection} mayWrite={mayWrite} />}
        {mayWrite && (
          <ButtonLink href={`/admin/collections/${collection.slug}/fields/new`} icon="plus">
            Add field
          </ButtonLink>
        )}
      </section>
      <section class="card">
        <h2>API response</h2>
        <p class="muted">
          {collection.exposed
            ? <code>{`GET /api/v1/${collection.slug}`}</code>
            : "It is hidden from the API."}
        </p>
        <pre class="code" tabindex={0}>{exampleText(collection)}</pre>
      </section>
      {mayWrite && (
        <section class="card">
          <h2>Settings</h2>
          <ApiForm
            to={`PATCH /api/admin/collections/${collection.slug}`}
            after="/admin/collections/{slug}"
            done="Saved"
            guard
          >
            <CollectionFields collection={collection} schema={visit.schema} />
            <Button type="submit" variant="primary">Save</Button>
          </ApiForm>
        </section>
      )}
      {mayWrite && <Removal collection={collection} documents={documents} />}
    </div>
  );
}

function Removal({ collection, documents }: { collection: Collection; documents: number }) {
  return (
    <section class="card">
      <h2>Delete collection</h2>
      {documents > 0
        ? (
          <p class="muted">
            {`It holds ${documents} documents. Move them to the trash first.`}{" "}
            <a href={`/admin/content/${collection.slug}`}>View documents</a>
          </p>
        )
        : (
          <>
            <p class="muted">You can restore it from its history.</p>
            <Button
              variant="danger"
              data-action={`DELETE /api/admin/collections/${collection.slug}`}
              data-then="/admin/collections"
              data-done={`${collection.name} is deleted`}
              data-impact={`/api/admin/collections/${collection.slug}`}
              data-ask={`Delete collection ${collection.name}?`}
            >
              Delete
            </Button>
          </>
        )}
    </section>
  );
}

function exampleText(collection: Collection): string {
  const { blocks, ...framing } = exampleFraming();
  const values = exampleValues(collection.fields);
  return JSON.stringify({ ...framing, ...values, blocks: blocks ?? [] }, null, 2);
}
