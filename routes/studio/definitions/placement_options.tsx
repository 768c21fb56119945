/**
 * Where a field stands in the form of a document, and when it is shown.
 *
 * @module
 */
import type { FieldPlacement } from "../../../kv/model/field_placement.ts";
import { Switch, TextOption } from "./option_controls.tsx";

/** The controls of a placement. */
export function PlacementOptions({ options, id }: { options: FieldPlacement; id: string }) {
  const text = (name: "tab" | "group" | "showWhen" | "showWhenIs", label: string, mono = false) => (
    <TextOption
      name={name}
      label={label}
      value={options[name] ?? ""}
      id={`${id}-${name}`}
      mono={mono}
    />
  );
  return (
    <>
      <div class="pair">
        {text("tab", "Tab in the form (its name)")}
        {text("group", "Group in the form (its heading)")}
      </div>
      <Switch
        name="side"
        label="In the column beside the others"
        checked={options.side === true}
        id={`${id}-side`}
      />
      <div class="pair">
        {text("showWhen", "Shown only while this field has a value (its name)", true)}
        {text("showWhenIs", "… and the value is (left out: any)")}
      </div>
    </>
  );
}
