/**
 * The form that starts a transfer, or brings a later export of its source.
 *
 * @module
 */
import { TRANSFER_KINDS } from "../../../../kv/model/transfers/plan.ts";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/forms/field.tsx";
import { Icon } from "../../components/icon.tsx";
import { DialogFoot } from "../../components/overlays/dialog.tsx";
import { KIND_NAMES } from "./transfer_parts.tsx";

/** The form that sends files, or the address of one. */
export function SourceForm({ to, isNew }: { to: string; isNew?: boolean }) {
  return (
    <form class="form" data-island="transfer-source" data-to={to} novalidate>
      <div class="alert bad" data-failure role="alert" tabindex={-1} hidden></div>
      <div class="drop-zone" data-drop>
        <label class="button">
          <Icon name="upload" /> Choose files
          <input class="sr" type="file" name="file" multiple />
        </label>
        <p class="muted small" data-chosen role="status">
          Or drop them here. Up to 20 files, 2 GB together; zip, gz and tar are opened.
        </p>
      </div>
      {isNew && (
        <>
          <Field
            label="Or fetch from a URL"
            name="url"
            type="url"
            autocomplete="off"
            help="The URL of an export, or of a site whose API is read: choose its source below."
          />
          <div class="field">
            <label for="transfer-kind">Source</label>
            <select id="transfer-kind" name="kind">
              <option value="">Detect automatically</option>
              {TRANSFER_KINDS.map((kind) => <option value={kind}>{KIND_NAMES[kind]}</option>)}
            </select>
          </div>
          <Field
            label="Token"
            name="token"
            type="password"
            autocomplete="off"
            help="For the API of the site, or the key of an encrypted archive. It is never shown again."
          />
        </>
      )}
      <DialogFoot>
        {isNew && <Button data-close>Cancel</Button>}
        <Button type="submit" variant="primary">{isNew ? "Analyze" : "Upload and run"}</Button>
      </DialogFoot>
    </form>
  );
}
