/**
 * The dialog that gives a field of several documents one value.
 *
 * @module
 */
import type { Collection } from "../../../../../kv/model/entities/collection.ts";
import { Button } from "../../../components/button.tsx";
import { ChoiceList } from "../../../components/forms/choice_list.tsx";
import { Dialog, DialogFoot } from "../../../components/overlays/dialog.tsx";
import { QuickControl, quickFields } from "../../../controls/quick_control.tsx";

/** The field, its new value, and the documents that could not be updated. */
export function BulkEditDialog({ collection }: { collection: Collection }) {
  const fields = quickFields(collection);
  return (
    <Dialog id="bulk-edit" title="Set a field">
      <p class="label" data-bulk-edit-count role="status"></p>
      <div class="field">
        <label for="bulk-field">Field</label>
        <ChoiceList
          id="bulk-field"
          data-bulk-field
          choices={fields.map(({ name, label }) => [name, label])}
        />
      </div>
      {fields.map((field, index) => (
        <div class="field" data-bulk-value={field.name} hidden={index > 0}>
          <QuickControl field={field} id={`bulk-${field.name}`} />
        </div>
      ))}
      <p class="help">
        Leave the value empty to clear the field. In published documents, the new value is an
        unpublished change.
      </p>
      <div class="alert bad" role="alert" data-bulk-edit-failures hidden></div>
      <DialogFoot>
        <Button data-close>Cancel</Button>
        <Button variant="primary" data-bulk-edit-go>Set</Button>
      </DialogFoot>
    </Dialog>
  );
}
