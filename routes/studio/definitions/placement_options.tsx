/**
 * The placement of a field in the form of a document, and its condition.
 *
 * @module
 */
import type { FieldPlacement } from "../../../kv/model/fields/field_placement.ts";
import { Switch, TextOption } from "./option_controls.tsx";

/** The controls of a placement. */
export function PlacementOptions(
  { options, id, siblings }: {
    options: FieldPlacement;
    id: string;
    /** The fields that a condition can refer to. */
    siblings: readonly { name: string; label: string }[];
  },
) {
  const text = (name: "tab" | "group" | "showWhenIs", label: string, placeholder: string) => (
    <TextOption
      name={name}
      label={label}
      value={options[name] ?? ""}
      id={`${id}-${name}`}
      placeholder={placeholder}
    />
  );
  return (
    <>
      <h2 class="definition-heading">In the form</h2>
      <div class="pair">
        {text("tab", "Tab", "First tab")}
        {text("group", "Group", "None")}
      </div>
      <Switch
        name="side"
        label="Show in sidebar"
        checked={options.side === true}
        id={`${id}-side`}
      />
      <div class="pair">
        <ShowWhen given={options.showWhen ?? ""} id={`${id}-showWhen`} siblings={siblings} />
        {text("showWhenIs", "Equals", "Any")}
      </div>
    </>
  );
}

function ShowWhen(
  { given, id, siblings }: {
    given: string;
    id: string;
    siblings: readonly { name: string; label: string }[];
  },
) {
  // A deleted field stays selected until the user chooses another.
  const isKnown = given === "" || siblings.some(({ name }) => name === given);
  const choices = isKnown ? siblings : [...siblings, { name: given, label: given }];
  return (
    <div class="control" data-name="showWhen" data-type="text">
      <label for={id}>Show</label>
      <select id={id}>
        <option value="">Always</option>
        {choices.map(({ name, label }) => (
          <option value={name} selected={name === given}>{`If “${label}” has a value`}</option>
        ))}
      </select>
    </div>
  );
}
