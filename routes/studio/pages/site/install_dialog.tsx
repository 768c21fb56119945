/**
 * The dialog that installs a package from a file or a URL, after consent.
 *
 * @module
 */
import { PACKAGE_BYTES_MAX } from "../../../../kv/limits/packages.ts";
import { type PackageKind } from "../../../../kv/model/entities/package_manifest.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { EmbeddedJson } from "../../components/embedded_json.tsx";
import { sizeText } from "../../components/size.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/overlays/dialog.tsx";

/** The dialog and its data. */
export function InstallDialog({ kind }: { kind: PackageKind }) {
  const bytesMax = PACKAGE_BYTES_MAX[kind].packed;
  return (
    <Dialog id="install" title={`Install or update a ${kind}`}>
      <ApiForm to={`POST /api/admin/${kind}s`} island="install">
        <EmbeddedJson of={{ kind, bytesMax }} />
        <div class="field">
          <label for="package">Package (.tar.gz)</label>
          <input
            id="package"
            type="file"
            accept=".gz,application/gzip"
            aria-describedby="package-help"
          />
          <p class="help" id="package-help">{`At most ${sizeText(bytesMax)}.`}</p>
        </div>
        <div class="field">
          <label for="package-url">Or its URL</label>
          <div class="row with-button" data-error-after>
            <input
              id="package-url"
              type="url"
              placeholder="https://…/package.tar.gz"
              autocomplete="off"
            />
            <Button data-inspect>Check package</Button>
          </div>
        </div>
        <div class="stack" data-consent aria-live="polite"></div>
        <div class="dialog-foot">
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary" disabled>Install</Button>
        </div>
      </ApiForm>
    </Dialog>
  );
}
