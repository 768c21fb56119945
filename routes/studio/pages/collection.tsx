/**
 * One collection in the builder: its fields in their order, an example of the JSON, its settings.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/collection.ts";
import type { FieldDefinition } from "../../../kv/model/field_definition.ts";
import { exampleFraming, exampleValues } from "../../v1/openapi/example.ts";
import { ApiForm } from "../components/api_form.tsx";
import { Icon } from "../components/icon.tsx";
import { FIELD_FACETS } from "../controls/field_facets.tsx";
import type { Visit } from "../studio_env.ts";
import { Button, ButtonLink, IconButton } from "../components/button.tsx";
import { CollectionFields } from "./collection_fields.tsx";

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
        <p class="muted">Besides these, every document has a title, an address and a status.</p>
        {collection.fields.length === 0
          ? <p class="empty-line">No fields yet. Most collections begin with a rich text “Body”.</p>
          : <FieldList {...props} mayWrite={mayWrite} />}
        {mayWrite && (
          <ButtonLink href={`/admin/collections/${collection.slug}/fields/new`} icon="plus">
            Add a field
          </ButtonLink>
        )}
      </section>
      <section class="card">
        <h2>How the API shows it</h2>
        <p class="muted">
          {collection.exposed
            ? <code>{`GET /api/v1/${collection.slug}`}</code>
            : "It is not in the API at present."}
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
            <CollectionFields collection={collection} />
            <Button type="submit" variant="primary">Save</Button>
          </ApiForm>
        </section>
      )}
      {mayWrite && <Removal collection={collection} documents={documents} />}
    </div>
  );
}

/** A field whose documents are being converted, with the way to see how far it is. */
function Converting({ job, visit }: { job: string; visit: Visit }) {
  const words = "being converted";
  if (!visit.can("jobs.read")) return <span class="badge warn">{words}</span>;
  return <a class="badge warn" href={`/admin/jobs/${job}`}>{words}</a>;
}

function FieldList({ visit, collection, mayWrite }: CollectionProps & { mayWrite: boolean }) {
  return (
    <ol class="field-list" data-island="field-order">
      {collection.fields.map((field) => (
        <li
          data-field-row={`/api/admin/collections/${collection.slug}/fields/${field.name}`}
          data-position={field.position}
          data-grip={mayWrite ? "" : undefined}
        >
          <div>
            {mayWrite && (
              <span class="grip" data-grip>
                <Icon name="grip" />
              </span>
            )}
            {mayWrite
              ? (
                <a href={`/admin/collections/${collection.slug}/fields/${field.name}`}>
                  {field.label}
                </a>
              )
              : <strong>{field.label}</strong>}
            <code class="muted">{field.name}</code>
          </div>
          <div class="row">
            <span class="badge">
              <Icon name={FIELD_FACETS[field.type].icon} />
              {FIELD_FACETS[field.type].label}
            </span>
            {flagsOf(field).map((flag) => <span class="muted small">{flag}</span>)}
            {field.migrating && <Converting job={field.migrating.jobId} visit={visit} />}
          </div>
          {mayWrite && <FieldTools field={field} collection={collection} />}
        </li>
      ))}
    </ol>
  );
}

function FieldTools({ field, collection }: { field: FieldDefinition; collection: Collection }) {
  const kept =
    "The values stay in the history, and come back when the field is restored from there.";
  return (
    <div class="row-buttons">
      <IconButton
        icon="up"
        data-move="up"
        label={`Move ${field.label} up`}
      />
      <IconButton
        icon="down"
        data-move="down"
        label={`Move ${field.label} down`}
      />
      <IconButton
        icon="trash"
        data-action={`DELETE /api/admin/collections/${collection.slug}/fields/${field.name}`}
        data-then="reload"
        data-done={`${field.label} is removed`}
        data-impact={`/api/admin/collections/${collection.slug}/fields/${field.name}`}
        data-ask={`Remove the field ${field.label}? The API leaves it out at once. ${kept}`}
        data-verb="Remove the field"
        label={`Remove ${field.label}`}
      />
    </div>
  );
}

function Removal({ collection, documents }: { collection: Collection; documents: number }) {
  return (
    <section class="card">
      <h2>Delete the collection</h2>
      {documents > 0
        ? (
          <p class="muted">
            {`It holds ${documents} documents. Move them to the trash first.`}{" "}
            <a href={`/admin/content/${collection.slug}`}>Show them</a>
          </p>
        )
        : (
          <>
            <p class="muted">It can be restored from its history.</p>
            <Button
              variant="danger"
              data-action={`DELETE /api/admin/collections/${collection.slug}`}
              data-then="/admin/collections"
              data-done={`${collection.name} is deleted`}
              data-impact={`/api/admin/collections/${collection.slug}`}
              data-ask={`Delete the collection ${collection.name}?`}
            >
              Delete
            </Button>
          </>
        )}
    </section>
  );
}

function flagsOf(field: FieldDefinition): string[] {
  const flags: [boolean, string][] = [
    [field.required, "required"],
    [field.unique, "unique"],
    [field.indexed, "filter"],
    [field.sortable, "sort"],
  ];
  return flags.filter(([is]) => is).map(([, label]) => label);
}

function exampleText(collection: Collection): string {
  const { blocks, ...framing } = exampleFraming();
  const values = exampleValues(collection.fields);
  return JSON.stringify({ ...framing, ...values, blocks: blocks ?? [] }, null, 2);
}
