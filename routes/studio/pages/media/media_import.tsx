/**
 * The dialog that fetches a medium from an address.
 *
 * @module
 */
import { ALT_CHARS_MAX } from "../../../../kv/limits/media.ts";
import { ADDRESS_CHARS_MAX } from "../../../../kv/limits/packages.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogFoot } from "../../components/overlays/dialog.tsx";
import { Field } from "../../components/forms/field.tsx";
import { FOLDER_LIST } from "./media_folders.tsx";

/** Asks for the address of a file, and fetches it into a folder. */
export function ImportDialog({ folder }: { folder: string }) {
  return (
    <Dialog id="import-media" title="Import from URL">
      <ApiForm to="POST /api/admin/media/import?ifNew=true" after="/admin/media/{id}">
        <Field
          label="URL"
          name="url"
          type="url"
          required
          maxlength={ADDRESS_CHARS_MAX}
          placeholder="https://example.org/lamp.jpg"
          help="The URL of the file itself, not of a page that shows it. Files already in the library are not imported again."
        />
        <Field label="Alt text" name="alt" maxlength={ALT_CHARS_MAX} />
        <Field label="Folder" name="folder" value={folder} list={FOLDER_LIST} />
        <DialogFoot>
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Import</Button>
        </DialogFoot>
      </ApiForm>
    </Dialog>
  );
}
