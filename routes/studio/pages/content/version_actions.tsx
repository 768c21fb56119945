/**
 * The actions of a version: restore it, its content or one field; name it.
 *
 * @module
 */
import type { VersionHead } from "../../../../kv/versioning/versions.ts";
import { VERSION_NAME_CHARS_MAX } from "../../../input/limits.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { Dialog, DialogFoot } from "../../components/overlays/dialog.tsx";
import { Field } from "../../components/forms/field.tsx";
import type { FieldChange } from "../../history/field_changes.ts";
import { Menu, MenuButton } from "../../components/overlays/menu.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import type { History } from "./version_timeline.tsx";

interface Restorable {
  history: History;
  version: VersionHead;
  /** Whether it is of a document that is published now. */
  isPublic: boolean;
}

/** Restores a version: of a published document as its working copy. */
export function RestoreButton({ history, version, isPublic }: Restorable) {
  const n = version.version_number;
  return (
    <Button
      variant="primary"
      size="small"
      data-action={`POST /api/admin/versions/${version.id}/restore`}
      data-then={`/admin/versions/${history.type}/${history.id}`}
      data-done={`Restored version ${n} as a new version`}
      data-body={isPublic ? JSON.stringify({ workingCopy: true }) : undefined}
      data-ask={isPublic
        ? `The working copy becomes version ${n}. Nothing public changes until you publish.`
        : `This restores version ${n} as a new version. The current state stays in the history.`}
      data-verb="Restore"
    >
      Restore
    </Button>
  );
}

/** Puts one field back as the version has it. */
export function PutBackButton(
  { history, version, isPublic, change }: Restorable & { change: FieldChange },
) {
  const body = { fields: [change.name], ...(isPublic && { workingCopy: true }) };
  return (
    <Button
      size="small"
      variant="quiet"
      data-action={`POST /api/admin/versions/${version.id}/restore`}
      data-body={JSON.stringify(body)}
      data-then={`/admin/versions/${history.type}/${history.id}`}
      data-done={isPublic
        ? `${change.label} is restored in the working copy`
        : `${change.label} is restored`}
    >
      Restore this field
    </Button>
  );
}

/** Additional actions of a version. */
export function VersionMenu(
  { history, version, visit, mayRestore }: {
    history: History;
    version: VersionHead;
    visit: Visit;
    mayRestore: boolean;
  },
) {
  const mayName = visit.can("documents.write");
  const ofDocument = history.type === "document";
  if (!mayName && !(mayRestore && ofDocument)) return null;
  const restore = {
    "data-action": `POST /api/admin/versions/${version.id}/restore`,
    "data-then": `/admin/versions/${history.type}/${history.id}`,
    "data-done": `Restored version ${version.version_number} as a new version`,
    "data-verb": "Restore",
  };
  return (
    <>
      <IconButton icon="more" popovertarget="version-menu" label="More actions" />
      <Menu id="version-menu">
        {mayName && (
          <MenuButton icon="tag" data-opens="name-version">
            {version.name === undefined ? "Name this version …" : "Rename …"}
          </MenuButton>
        )}
        {mayRestore && ofDocument && (
          <>
            <MenuButton
              icon="retry"
              {...restore}
              data-body={JSON.stringify({ content: true })}
              data-ask="This restores the content of this version and keeps the current status. Published content changes immediately."
            >
              Restore content
            </MenuButton>
            <MenuButton
              icon="history"
              {...restore}
              data-ask="This restores this version including its status, which may publish or unpublish the document."
            >
              Restore content and status
            </MenuButton>
          </>
        )}
      </Menu>
    </>
  );
}

/** Named versions are kept longer than others. */
export function NameDialog({ version }: { version: VersionHead }) {
  return (
    <Dialog id="name-version" title={`Name version ${version.version_number}`}>
      <ApiForm to={`PATCH /api/admin/versions/${version.id}`} after="reload" done="Name saved">
        <Field
          label="Name"
          name="name"
          value={version.name ?? ""}
          maxlength={VERSION_NAME_CHARS_MAX}
          nullable
          help="Named versions are easier to find and are kept longer. Leave empty to remove the name."
        />
        <DialogFoot>
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Save name</Button>
        </DialogFoot>
      </ApiForm>
    </Dialog>
  );
}
