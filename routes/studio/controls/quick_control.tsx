/**
 * The control of one field outside its form: in a cell of a list, and where several documents get a value.
 * A yes or no and a reference are chosen from lists there.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { FieldDefinition } from "../../../kv/model/fields/field_definition.ts";
import { ChoiceList } from "../components/forms/choice_list.tsx";
import { Control, drawFields } from "./control.tsx";
import { FIELD_FACETS } from "./field_facets.tsx";
import { targetSlugs } from "../../../kv/model/fields/reference_target.ts";
import { NOTHING_REFERENCED } from "./referenced.ts";

const SURROUNDINGS = {
  blocks: [],
  blockFields: () => undefined,
  referenced: NOTHING_REFERENCED,
  readOnly: false,
  mayUpload: false,
  embedHosts: [],
  draw: drawFields,
};

const FLAGS = [["", "Not set"], ["true", "Yes"], ["false", "No"]] as const;

/** The fields of a collection that have such a control. */
export function quickFields(collection: Collection | null): FieldDefinition[] {
  return (collection?.fields ?? []).filter(isQuick);
}

/** Whether a field has such a control. */
export function isQuick({ type, options }: FieldDefinition): boolean {
  return FIELD_FACETS[type].quick && !options.multiline;
}

/** A field with its label and an empty control. */
export function QuickControl({ field, id }: { field: FieldDefinition; id: string }) {
  const { name, label, type } = field;
  if (type !== "boolean" && type !== "reference") {
    const plain = { ...field, help: "", required: false };
    return <Control field={plain} value={null} id={id} controlContext={SURROUNDINGS} />;
  }
  const isFlag = type === "boolean";
  return (
    <div class="control" data-name={name} data-type={isFlag ? "choice" : "select"}>
      <label for={id}>{label}</label>
      <ChoiceList
        id={id}
        choices={isFlag ? FLAGS : [["", "None"]]}
        source={isFlag ? undefined : documentsOf(field)}
      />
    </div>
  );
}

/** The admin API URL that lists the possible targets of a reference field. */
export function documentsOf({ options }: Pick<FieldDefinition, "options">): string {
  const query = new URLSearchParams({ sort: "title" });
  const slugs = targetSlugs(options);
  if (slugs.length > 0) query.set("collection", slugs.join(","));
  return `/api/admin/documents?${query}`;
}
