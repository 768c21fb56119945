/**
 * The fields of a document where their definitions place them: first those of no group, then the groups,
 * with links to each, and some in the column beside.
 *
 * @module
 */
import type { NestedField } from "../../../kv/model/field_definition.ts";
import { Control } from "../controls/control.tsx";
import type { DocumentFormProps } from "./document_form.tsx";

/** Fields that stand first, in their order. */
export function mainFields(fields: readonly NestedField[]): NestedField[] {
  return fields.filter(({ options }) => options.side !== true && options.group === undefined);
}

/** The names of groups, by the first field of each. */
function groupsOf(fields: readonly NestedField[]): Map<string, NestedField[]> {
  const placed = fields.filter(({ options }) => options.side !== true && options.group);
  return Map.groupBy(placed, ({ options }) => options.group!);
}

/** Controls of fields, which the browser's code shows while their conditions hold. */
export function PlacedFields(
  { fields, values, surroundings }: DocumentFormProps & { fields: readonly NestedField[] },
) {
  return (
    <>
      {fields.map((field) => {
        const { showWhen, showWhenIs } = field.options;
        const control = (
          <Control
            field={field}
            value={values[field.name] ?? null}
            id={`c-${field.name}`}
            surroundings={surroundings}
          />
        );
        if (showWhen === undefined) return control;
        return (
          <div class="conditional" data-show-when={showWhen} data-show-when-is={showWhenIs}>
            {control}
          </div>
        );
      })}
    </>
  );
}

/** The groups, each under its heading, and links that lead to them where there are several. */
export function FieldGroups(props: DocumentFormProps) {
  const groups = [...groupsOf(props.collection.fields)];
  return (
    <>
      {groups.length > 1 && (
        <nav class="field-group-links" aria-label="Groups of fields">
          {groups.map(([name], n) => <a href={`#field-group-${n + 1}`}>{name}</a>)}
        </nav>
      )}
      {groups.map(([name, fields], n) => (
        <section
          class="field-group"
          id={`field-group-${n + 1}`}
          aria-labelledby={`field-group-${n + 1}-name`}
          tabindex={-1}
        >
          <h2 id={`field-group-${n + 1}-name`}>{name}</h2>
          <PlacedFields {...props} fields={fields} />
        </section>
      ))}
    </>
  );
}

/** Fields in the column beside the others. */
export function SideFields(props: DocumentFormProps) {
  const fields = props.collection.fields.filter(({ options }) => options.side === true);
  if (fields.length === 0) return null;
  return (
    <section class="card side-fields" aria-label="More fields">
      <PlacedFields {...props} fields={fields} />
    </section>
  );
}
