/**
 * The form of a role: permissions for documents, in all or single collections, and all others.
 *
 * @module
 */
import type { Role } from "../../../../kv/model/entities/access.ts";
import type { Collection, Schema } from "../../../../kv/model/entities/collection.ts";
import type { DocumentAction } from "../../../../kv/model/entities/document_rights.ts";
import { PERMISSIONS } from "../../../../kv/model/entities/permission.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { LanguageChoice } from "../../components/forms/language_choice.tsx";
import { languageLabel } from "../../wording/language_names.ts";
import { Button } from "../../components/button.tsx";
import { PERMISSION_GROUPS } from "./permission_groups.ts";
import { Checkbox, Choices, Field, HiddenField, named } from "../../components/forms/field.tsx";

/** Actions in the order of the matrix, in words. */
const ACTION_WORDS: readonly (readonly [action: DocumentAction, words: string])[] = [
  ["read", "See"],
  ["create", "Create"],
  ["editOwn", "Edit own"],
  ["edit", "Edit all"],
  ["delete", "Delete"],
  ["publish", "Publish"],
];

/** A role, or a new one. */
export function RoleForm({ role, schema }: { role: Role | null; schema: Schema }) {
  const { collections } = schema;
  const readOnly = role?.builtIn === true;
  return (
    <ApiForm
      to={role === null ? "POST /api/admin/roles" : `PATCH /api/admin/roles/${role.id}`}
      after="/admin/roles"
      done="Saved"
      class="stack"
      island="role-form"
      guard
    >
      {readOnly && (
        <p class="alert info">Built-in roles can't be changed. Create your own role instead.</p>
      )}
      <Field label="Name" name="name" value={role?.name ?? ""} required disabled={readOnly} />
      <section class="card">
        <Choices legend="Permissions" name="permissions">
          {PERMISSION_GROUPS.map(([area, names]) => (
            <div class="permission-group" role="group" aria-label={area}>
              <p class="muted small">{area}</p>
              {names.map((name) => (
                <Checkbox
                  name="permissions"
                  value={name}
                  label={PERMISSIONS[name]}
                  checked={role?.permissions.includes(name) ?? false}
                  disabled={readOnly}
                />
              ))}
            </div>
          ))}
        </Choices>
      </section>
      {collections.length > 0 && !readOnly && (
        <section class="card">
          <h2>Per collection</h2>
          <p class="muted">
            These apply in addition to the permissions above, which cover every collection,
            including future ones. Any permission on documents includes viewing them.
          </p>
          <RightsMatrix role={role} collections={collections} />
        </section>
      )}
      {!readOnly && schema.languages !== undefined && (
        <section class="card">
          <LanguageChoice
            help="Users with this role write and publish in these languages only. Fields that all languages share, and the trash, need the original language of the document. If you select none, all languages."
            chosen={role?.languages}
            schema={schema}
          />
        </section>
      )}
      {role?.builtIn !== true && (
        <section class="card">
          <Checkbox
            name="requireSecondFactor"
            label="Require a second factor"
            help="Users with this role must set up a passkey or an authenticator app."
            checked={role?.requireSecondFactor ?? false}
          />
        </section>
      )}
      {!readOnly && <Foot role={role} />}
    </ApiForm>
  );
}

function Foot({ role }: { role: Role | null }) {
  return (
    <div class="dialog-foot">
      {role !== null && (
        <Button
          variant="danger"
          data-action={`DELETE /api/admin/roles/${role.id}`}
          data-then="/admin/roles"
          data-done={`${role.name} is deleted`}
          data-ask={`Delete the role ${role.name}?`}
        >
          Delete
        </Button>
      )}
      <Button type="submit" variant="primary">Save</Button>
    </div>
  );
}

/** A row for each collection; the browser's code reads it as a list of objects. */
function RightsMatrix({ role, collections }: { role: Role | null; collections: Collection[] }) {
  const rights = new Map(role?.collections?.map((one) => [one.collectionId, one.actions]));
  return (
    <div class="table-frame" tabindex={0} role="region" aria-label="Permissions per collection">
      <table class="table matrix rights" data-type="repeater" {...named("collections")}>
        <thead>
          <tr>
            <th scope="col">Collection</th>
            {ACTION_WORDS.map(([, words]) => <th scope="col">{words}</th>)}
          </tr>
        </thead>
        {collections.map(({ id, slug, name }) => (
          <tbody data-row>
            <tr hidden>
              <td>
                <HiddenField name="collection" value={slug} />
              </td>
            </tr>
            <tr data-type="multi_select" {...named("actions")}>
              <th scope="row">{name}</th>
              {ACTION_WORDS.map(([action, words]) => (
                <td>
                  <input
                    type="checkbox"
                    value={action}
                    aria-label={`${words}: ${name}`}
                    checked={rights.get(id)?.includes(action) ?? false}
                  />
                </td>
              ))}
            </tr>
          </tbody>
        ))}
      </table>
    </div>
  );
}

/** The permissions of a role per collection as text. */
export function RightsInWords({ role, schema }: { role: Role; schema: Schema }) {
  const shown = (role.collections ?? []).flatMap(({ collectionId, actions }) => {
    const collection = schema.byId.get(collectionId);
    return collection === undefined ? [] : [{ name: collection.name, actions }];
  });
  return (
    <ul class="plain small">
      {role.languages !== undefined && (
        <li>
          Writes in {new Intl.ListFormat("en").format(
            role.languages.map((code) => languageLabel(code, schema)),
          )}
        </li>
      )}
      {shown.map(({ name, actions }) => (
        <li>
          <b>{name}</b> {ACTION_WORDS.filter(([action]) => actions.includes(action))
            .map(([, words]) => words.toLowerCase()).join(", ")}
        </li>
      ))}
    </ul>
  );
}
