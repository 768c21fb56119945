/**
 * The languages of documents in releases.
 *
 * @module
 */
import type { Collection, Schema } from "../../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import {
  type ReleaseAction,
  type ReleasePlan,
  sharesLanguage,
} from "../../../../kv/model/entities/release.ts";
import { originalOf } from "../../../../kv/model/languages/translation.ts";
import type { OpenReleases } from "../../../../kv/versioning/open_releases.ts";
import { Button } from "../../components/button.tsx";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Checkbox, Choices, HiddenField } from "../../components/forms/field.tsx";
import { Dialog, DialogFoot } from "../../components/overlays/dialog.tsx";
import { STATUS_LABELS } from "../../components/status.tsx";
import { languageLabel } from "../../wording/language_names.ts";
import { type LanguageRow, languageRows } from "../content/translations/language_rows.ts";

/** The languages that a document has; none if its collection has no translations. */
export function ownLanguages(state: DocumentState, collection: Collection): LanguageRow[] {
  return languageRows(state, collection).filter(({ status }) => status !== null);
}

/** The open release that a document is in, newest first; with `code`, one that is about this language of it. */
export function releaseWith(
  { byId }: OpenReleases,
  state: DocumentState,
  collection: Collection,
  code?: string,
) {
  const original = originalOf(state, collection);
  return [...byId.values()].findLast(({ documents }) =>
    documents.some((plan) =>
      plan.documentId === state.id &&
      (code === undefined || sharesLanguage(plan, { languages: [code] }, original))
    )
  );
}

/** The languages of a plan in words. */
export function plannedLanguages(
  { languages }: Pick<ReleasePlan, "languages">,
  rows: readonly LanguageRow[],
  schema: Schema,
): string {
  if (languages === "*") return "All languages";
  const codes = languages ?? rows.slice(0, 1).map(({ language }) => language);
  return codes.map((code) => languageLabel(code, schema)).join(", ");
}

/** The choice among the languages of a document. */
export function PlannedLanguages(
  { rows, chosen, schema, help }: {
    rows: readonly LanguageRow[];
    chosen: (row: LanguageRow) => boolean;
    schema: Schema;
    help?: string;
  },
) {
  return (
    <Choices legend="Languages" name="languages" {...(help !== undefined && { help })}>
      {rows.map((row) => (
        <Checkbox
          name="languages"
          value={row.language}
          label={languageLabel(row.language, schema)}
          {...(row.status !== null && { help: STATUS_LABELS[row.status] })}
          checked={chosen(row)}
        />
      ))}
    </Choices>
  );
}

/** The dialog that chooses the languages of a document in a release. */
export function LanguagesDialog(
  { id, title, path, action, rows, chosen, schema, verb, done }: {
    id: string;
    title: string;
    /** The address of the document in the release. */
    path: string;
    action: ReleaseAction;
    rows: readonly LanguageRow[];
    chosen: (row: LanguageRow) => boolean;
    schema: Schema;
    verb: string;
    done: string;
  },
) {
  return (
    <Dialog id={id} title={title}>
      <ApiForm to={`PUT ${path}`} after="reload" done={done}>
        <HiddenField name="action" value={action} />
        <PlannedLanguages rows={rows} chosen={chosen} schema={schema} />
        <DialogFoot>
          <Button data-close>Cancel</Button>
          <Button
            data-action={`PUT ${path}`}
            data-body={JSON.stringify({ action, languages: "*" })}
            data-then="reload"
            data-done={done}
          >
            All languages
          </Button>
          <Button type="submit" variant="primary">{verb}</Button>
        </DialogFoot>
      </ApiForm>
    </Dialog>
  );
}
