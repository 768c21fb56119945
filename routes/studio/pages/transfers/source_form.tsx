/**
 * The form that starts a transfer, or brings a later export of its source.
 *
 * @module
 */
import { TRANSFER_KINDS } from "../../../../kv/model/transfers/plan.ts";
import { Button } from "../../components/button.tsx";
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
          <div class="field">
            <label for="transfer-url">
              Or fetch from a URL <span class="optional">optional</span>
            </label>
            <input
              id="transfer-url"
              type="url"
              name="url"
              autocomplete="off"
              aria-describedby="transfer-url-help"
            />
            <p class="help" id="transfer-url-help">
              The URL of an export, or of a site whose API is read: choose its source below.
            </p>
          </div>
          <div class="field">
            <label for="transfer-kind">Source</label>
            <select id="transfer-kind" name="kind">
              <option value="">Detect automatically</option>
              {TRANSFER_KINDS.map((kind) => <option value={kind}>{KIND_NAMES[kind]}</option>)}
            </select>
          </div>
          <div class="field">
            <label for="transfer-token">
              Token <span class="optional">optional</span>
            </label>
            <input
              id="transfer-token"
              type="password"
              name="token"
              autocomplete="off"
              aria-describedby="transfer-token-help"
            />
            <p class="help" id="transfer-token-help">
              For the API of the site, or the key of an encrypted archive. It is never shown again.
            </p>
          </div>
        </>
      )}
      <DialogFoot>
        {isNew && <Button data-close>Cancel</Button>}
        <Button type="submit" variant="primary">{isNew ? "Analyze" : "Upload and run"}</Button>
      </DialogFoot>
    </form>
  );
}
