/**
 * The dialog that publishes several languages of a document together, and shows what each of them lacks.
 *
 * @module
 */
import type { Collection, Schema } from "../../../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../../../kv/model/entities/document.ts";
import { Button } from "../../../components/button.tsx";
import { ApiForm } from "../../../components/forms/api_form.tsx";
import { Checkbox, Choices } from "../../../components/forms/field.tsx";
import { Dialog, DialogFoot } from "../../../components/overlays/dialog.tsx";
import { MenuButton } from "../../../components/overlays/menu.tsx";
import { STATUS_LABELS } from "../../../components/status.tsx";
import { languageLabel } from "../../../wording/language_names.ts";
import { languageRows } from "./language_rows.ts";
import { lackingFields } from "./translation_checks.ts";

/** The id of the dialog. */
const DIALOG = "publish-languages";

/** The button of a menu that opens the dialog. */
export function PublishLanguagesButton() {
  return <MenuButton icon="globe" data-opens={DIALOG}>Publish languages …</MenuButton>;
}

/** The dialog. */
export function PublishLanguages(
  { state, collection, schema }: {
    state: DocumentState;
    collection: Collection;
    schema: Schema;
  },
) {
  const rows = languageRows(state, collection).filter(({ status }) => status !== null);
  return (
    <Dialog id={DIALOG} title="Publish languages">
      <ApiForm
        to={`POST /api/admin/documents/${state.id}/publish`}
        after="reload"
        done="Published. The pages are being built …"
      >
        <Choices
          legend="Languages"
          name="languages"
          help="They are published together: all of them, or none."
        >
          {rows.map(({ language, status }) => {
            const lacking = lackingFields(state, collection, schema, language);
            return (
              <Checkbox
                name="languages"
                value={language}
                label={languageLabel(language, schema)}
                help={lacking.length === 0
                  ? STATUS_LABELS[status ?? "draft"]
                  : `Not ready: ${new Intl.ListFormat("en").format(lacking)} ${
                    lacking.length === 1 ? "is" : "are"
                  } required.`}
                checked={lacking.length === 0}
                disabled={lacking.length > 0}
              />
            );
          })}
        </Choices>
        <DialogFoot>
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Publish</Button>
        </DialogFoot>
      </ApiForm>
    </Dialog>
  );
}
