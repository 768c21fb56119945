/**
 * The dialog of a document's form that adds the document, or some of its languages, to a release.
 *
 * @module
 */
import type { Collection, Schema } from "../../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import { RELEASE_ACTIONS, type ReleaseState } from "../../../../kv/model/entities/release.ts";
import type { OpenReleases } from "../../../../kv/versioning/open_releases.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Select } from "../../components/forms/field.tsx";
import { Dialog, DialogFoot } from "../../components/overlays/dialog.tsx";
import { MenuButton } from "../../components/overlays/menu.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import {
  ownLanguages,
  PlannedLanguages,
  plannedLanguages,
  releaseWith,
} from "./release_languages.tsx";
import { ACTIONS } from "./release_parts.tsx";

/** The id of the dialog. */
const DIALOG = "add-to-release";

/** The button of a menu that opens the dialog. */
export function AddToReleaseButton() {
  return <MenuButton icon="rocket" data-opens={DIALOG}>Add to release …</MenuButton>;
}

/** The dialog. */
export function AddToRelease(
  { state, collection, visit, releases, code }: {
    state: DocumentState;
    collection: Collection;
    visit: Visit;
    releases: OpenReleases;
    /** The language of the form; absent on a site in one language. */
    code: string | undefined;
  },
) {
  const mayChange = ({ state }: ReleaseState) =>
    state === "open" || (state === "scheduled" && visit.can("documents.publish"));
  const open = [...releases.byId.values()].filter(mayChange);
  const rows = ownLanguages(state, collection);
  const present = releaseWith(releases, state, collection);
  const plan = present?.documents.find(({ documentId }) => documentId === state.id);
  const isPlanned = (language: string, index: number) =>
    plan !== undefined &&
    (plan.languages === undefined ? index === 0 : [...plan.languages].includes(language));
  return (
    <Dialog id={DIALOG} title="Add to release">
      {open.length === 0
        ? (
          <>
            <p class="muted">There is no open release. Create one first.</p>
            <DialogFoot>
              <Button data-close>Cancel</Button>
              <ButtonLink href="/admin/releases" variant="primary">Releases</ButtonLink>
            </DialogFoot>
          </>
        )
        : (
          <ApiForm
            to={`PUT /api/admin/releases/{release}/documents/${state.id}`}
            after="reload"
            done="Added to the release"
          >
            <Select
              label="Release"
              name="release"
              value={present?.id ?? open.at(-1)?.id ?? ""}
              choices={open.map((one) => [one.id, named(one, state, rows, visit.schema)])}
            />
            <Select
              label="Action"
              name="action"
              value={plan?.action ?? "publish"}
              choices={RELEASE_ACTIONS.map((action) => [action, ACTIONS[action].label])}
            />
            {rows.length > 1 && (
              <PlannedLanguages
                rows={rows}
                schema={visit.schema}
                chosen={({ language }) =>
                  language === code ||
                  isPlanned(language, rows.findIndex((row) => row.language === language))}
                help="If the release already has this document, these languages replace its current ones."
              />
            )}
            <DialogFoot>
              <Button data-close>Cancel</Button>
              <Button type="submit" variant="primary">Add to release</Button>
            </DialogFoot>
          </ApiForm>
        )}
    </Dialog>
  );
}

/** The name of a release, with the languages of the document that it has already. */
function named(
  { name, documents }: ReleaseState,
  { id }: DocumentState,
  rows: ReturnType<typeof ownLanguages>,
  schema: Schema,
): string {
  const plan = documents.find(({ documentId }) => documentId === id);
  if (plan === undefined) return name;
  if (rows.length === 0) return `${name} (has this document)`;
  return `${name} (has ${plannedLanguages(plan, rows, schema)})`;
}
