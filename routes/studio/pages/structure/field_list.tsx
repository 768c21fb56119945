/**
 * The fields of a collection in the builder, in their order and under the names of the places that they have in the
 * form: a field is dragged to another one, or to another place.
 *
 * @module
 */
import { type Collection, isLocalized } from "../../../../kv/model/entities/collection.ts";
import type { FieldDefinition } from "../../../../kv/model/fields/field_definition.ts";
import {
  type FormPosition,
  formPositionOf,
  formPositions,
} from "../../../../kv/model/fields/form_position.ts";
import { IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { FIELD_FACETS } from "../../controls/field_facets.tsx";
import type { Visit } from "../../serving/studio_env.ts";

interface FieldListProps {
  visit: Visit;
  collection: Collection;
  mayWrite: boolean;
}

/** All fields, place by place. */
export function FieldList(props: FieldListProps) {
  const { fields } = props.collection;
  return (
    <ol class="field-list" data-island="field-order">
      {formPositions(fields).map((place) => {
        const inPlace = fields.filter(({ options }) => sameKey(formPositionOf(options), place));
        return (
          <>
            {nameOf(place) !== null && (
              <PlaceName place={place} isEmpty={inPlace.length === 0} {...props} />
            )}
            {inPlace.map((field) => <FieldRow {...props} field={field} />)}
          </>
        );
      })}
    </ol>
  );
}

/** The heading of a placement; null for the default one. */
function nameOf({ tab, group, side }: FormPosition): string | null {
  if (side) return "In the sidebar";
  const parts = [tab !== undefined && `Tab “${tab}”`, group !== undefined && `Group “${group}”`];
  return parts.filter(Boolean).join(" · ") || null;
}

function sameKey(one: FormPosition, other: FormPosition): boolean {
  return one.tab === other.tab && one.group === other.group && one.side === other.side;
}

/** The heading of a placement; fields dragged below it move there. */
function PlaceName(
  { place, isEmpty, mayWrite }: FieldListProps & { place: FormPosition; isEmpty: boolean },
) {
  if (isEmpty && !mayWrite) return null;
  return (
    <li class="field-place" data-place={JSON.stringify(place)}>
      <h3>{nameOf(place)}</h3>
      {isEmpty && <span class="muted small">Drag a field here</span>}
    </li>
  );
}

function FieldRow(
  { visit, collection, mayWrite, field }: FieldListProps & { field: FieldDefinition },
) {
  const address = `/collections/${collection.slug}/fields/${field.name}`;
  return (
    <li
      data-field-row={`/api/admin${address}`}
      data-position={field.position}
      data-options={JSON.stringify(field.options)}
      data-grip={mayWrite ? "" : undefined}
    >
      <div>
        {mayWrite && (
          <span class="grip" data-grip>
            <Icon name="grip" />
          </span>
        )}
        {mayWrite ? <a href={`/admin${address}`}>{field.label}</a> : <strong>{field.label}</strong>}
        <code class="muted">{field.name}</code>
      </div>
      <div class="row">
        <span class="badge">
          <Icon name={FIELD_FACETS[field.type].icon} />
          {FIELD_FACETS[field.type].label}
        </span>
        {flagsOf(field, collection).map((flag) => <span class="muted small">{flag}</span>)}
        {field.migrating && <Converting job={field.migrating.jobId} visit={visit} />}
      </div>
      {mayWrite && <FieldTools field={field} collection={collection} />}
    </li>
  );
}

/** A field whose documents are being converted, with a link to the job. */
function Converting({ job, visit }: { job: string; visit: Visit }) {
  const words = "being converted";
  if (!visit.can("jobs.read")) return <span class="badge warn">{words}</span>;
  return <a class="badge warn" href={`/admin/jobs/${job}`}>{words}</a>;
}

function FieldTools({ field, collection }: { field: FieldDefinition; collection: Collection }) {
  const kept = "Its values stay in the history and come back if you restore the field.";
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
        data-ask={`Remove field ${field.label}? It disappears from the API immediately. ${kept}`}
        data-verb="Remove field"
        label={`Remove ${field.label}`}
      />
    </div>
  );
}

function flagsOf(field: FieldDefinition, collection: Collection): string[] {
  const flags: [boolean, string][] = [
    [field.required, "required"],
    [field.unique, "unique"],
    [field.indexed, "filter"],
    [field.sortable, "sort"],
    [isLocalized(collection, field), "translated"],
  ];
  const names = flags.filter(([is]) => is).map(([, label]) => label);
  const condition = collection.fields.find(({ name }) => name === field.options.showWhen);
  return condition === undefined ? names : [...names, `depends on “${condition.label}”`];
}
