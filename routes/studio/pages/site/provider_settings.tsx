/**
 * The OpenID providers of the site: their list, and for each its client secret and a test. For administrators.
 *
 * @module
 */
import type { ConfiguredProvider } from "../../../../jobs/oidc/providers.ts";
import { ENV_PROVIDER, type Provider } from "../../../../kv/model/people/auth_settings.ts";
import { OIDC_SECRET_PREFIX } from "../../../../kv/model/entities/setting.ts";
import { Button } from "../../components/button.tsx";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Checkbox, Field } from "../../components/forms/field.tsx";
import { Row } from "../../controls/nested_control.tsx";
import { Lines, Switch, TextOption } from "../../definitions/option_controls.tsx";
import { RowsField } from "../../definitions/rows_field.tsx";
import { SIGN_IN_REFUSALS } from "../../wording/sign_in_refusals.ts";
import { Group } from "./settings_group.tsx";

interface ProviderProps {
  providers: readonly ConfiguredProvider[];
  roles: readonly string[];
  readOnly: boolean;
}

/** The row of a provider that is added. */
const NEW: Partial<Provider> = { syncRoles: true, syncProfile: true, logout: true };

/** The cards about single sign-on. */
export function ProviderSettings({ providers, roles, readOnly }: ProviderProps) {
  const own = providers.filter(({ provider }) => provider.id !== ENV_PROVIDER);
  return (
    <>
      <Group
        id="single-sign-on"
        heading="Single sign-on"
        text="Users sign in through an OpenID Connect provider such as Microsoft Entra ID, Okta, Google or Keycloak."
        island="rows"
      >
        <RowsField name="auth.providers" label="Providers" add="Add provider" readOnly={readOnly}>
          {own.map(({ provider }, index) => (
            <ProviderRow
              provider={provider}
              id={`p-${index}`}
              roles={roles}
              readOnly={readOnly}
            />
          ))}
          <ProviderRow provider={NEW} id="p-new" roles={roles} readOnly={readOnly} />
        </RowsField>
      </Group>
      {!readOnly && providers.map((configured) => <ProviderCard configured={configured} />)}
    </>
  );
}

function ProviderRow(
  { provider, id, roles, readOnly }: {
    provider: Partial<Provider>;
    id: string;
    roles: readonly string[];
    readOnly: boolean;
  },
) {
  return (
    <Row title={provider.name ?? "Provider"} readOnly={readOnly}>
      <div class="pair">
        <TextOption name="name" label="Name" value={provider.name ?? ""} id={`${id}-name`} />
        <TextOption
          name="id"
          label="ID, part of the redirect URI"
          value={provider.id ?? ""}
          id={`${id}-id`}
          placeholder="corp"
          mono
        />
      </div>
      <TextOption
        name="issuer"
        label="Issuer"
        value={provider.issuer ?? ""}
        id={`${id}-issuer`}
        placeholder="https://login.example.org"
        mono
      />
      <div class="pair">
        <TextOption
          name="clientId"
          label="Client ID"
          value={provider.clientId ?? ""}
          id={`${id}-client`}
          mono
        />
        <TextOption
          name="scopes"
          label="Scopes in addition to openid"
          value={provider.scopes ?? ""}
          id={`${id}-scopes`}
          placeholder="email profile"
          mono
        />
      </div>
      <Linking provider={provider} id={id} />
      <Groups provider={provider} id={id} roles={roles} readOnly={readOnly} />
      <Switch
        name="syncProfile"
        label="Update names from the provider"
        checked={provider.syncProfile === true}
        id={`${id}-profile`}
      />
      <Switch
        name="logout"
        label="Signing out ends the session at the provider too"
        checked={provider.logout === true}
        id={`${id}-logout`}
      />
      <Advanced provider={provider} id={id} />
    </Row>
  );
}

interface PartProps {
  provider: Partial<Provider>;
  id: string;
}

function Advanced({ provider, id }: PartProps) {
  return (
    <details>
      <summary>Advanced</summary>
      <div class="pair padded">
        <Choice
          name="prompt"
          label="Prompt"
          value={provider.prompt ?? ""}
          id={`${id}-prompt`}
          choices={[["", "Automatic"], ["login", "Sign in again"], ["consent", "Consent"], [
            "select_account",
            "Choose an account",
          ], ["none", "None"]]}
        />
        <Choice
          name="responseMode"
          label="Response mode"
          value={provider.responseMode ?? ""}
          id={`${id}-mode`}
          choices={[["", "Automatic"], ["form_post", "form_post"]]}
        />
        <div class="control" data-name="maxAge" data-type="number">
          <label for={`${id}-age`}>Max age of the provider's session, in seconds</label>
          <input id={`${id}-age`} type="number" min={0} value={provider.maxAge ?? ""} />
        </div>
      </div>
    </details>
  );
}

function Linking({ provider, id }: PartProps) {
  return (
    <>
      <Choice
        name="link"
        label="Link existing users by email address"
        value={provider.link ?? "verified"}
        id={`${id}-link`}
        choices={[
          ["verified", "If the provider has verified it"],
          ["trusted", "Always, within the domains below"],
          ["never", "Never: users link it in their account"],
        ]}
      />
      <Lines
        name="domains"
        label="Email domains, one per line (empty = all)"
        value={provider.domains ?? []}
        id={`${id}-domains`}
      />
      <Switch
        name="provision"
        label="Create users on their first sign-in"
        checked={provider.provision === true}
        id={`${id}-provision`}
      />
    </>
  );
}

function Groups(
  { provider, id, roles, readOnly }: PartProps & { roles: readonly string[]; readOnly: boolean },
) {
  const named = roles.map((role): [string, string] => [role, role]);
  const rowProps = { choices: named, readOnly };
  return (
    <>
      <div class="pair">
        <TextOption
          name="groupsClaim"
          label="Groups claim"
          value={provider.groupsClaim ?? ""}
          id={`${id}-claim`}
          placeholder="groups"
          mono
        />
        <Choice
          name="defaultRole"
          label="Default role"
          value={provider.defaultRole ?? ""}
          id={`${id}-default`}
          choices={[["", "None (refuse sign-in)"], ...named]}
        />
      </div>
      <RowsField name="roles" label="Roles by group" add="Add group" readOnly={readOnly}>
        {(provider.roles ?? []).map(({ group, role }, index) => (
          <GroupRow group={group} role={role} id={`${id}-${index}`} {...rowProps} />
        ))}
        <GroupRow group="" role={roles[0] ?? ""} id={`${id}-new`} {...rowProps} />
      </RowsField>
      <Switch
        name="syncRoles"
        label="Update these roles at every sign-in"
        checked={provider.syncRoles === true}
        id={`${id}-sync`}
      />
    </>
  );
}

function GroupRow(
  { group, role, id, choices, readOnly }: {
    group: string;
    role: string;
    id: string;
    choices: readonly [string, string][];
    readOnly: boolean;
  },
) {
  return (
    <Row title="Group" readOnly={readOnly} isLine>
      <div class="pair">
        <TextOption name="group" label="Group" value={group} id={`${id}-group`} mono />
        <Choice name="role" label="Role" value={role} id={`${id}-role`} choices={choices} />
      </div>
    </Row>
  );
}

function Choice(
  { name, label, value, id, choices }: {
    name: string;
    label: string;
    value: string;
    id: string;
    choices: readonly (readonly [value: string, label: string])[];
  },
) {
  return (
    <div class="control" data-name={name} data-type="text">
      <label for={id}>{label}</label>
      <select id={id}>
        {choices.map(([choice, text]) => (
          <option value={choice} selected={choice === value}>{text}</option>
        ))}
      </select>
    </div>
  );
}

/** The secret and the test of a provider. */
function ProviderCard({ configured: { provider, secret } }: { configured: ConfiguredProvider }) {
  const { id, name, groupsClaim } = provider;
  const isEnvironment = id === ENV_PROVIDER;
  return (
    <section
      class="card"
      data-island="provider-test"
      data-reasons={JSON.stringify(SIGN_IN_REFUSALS)}
    >
      <h2>{name}</h2>
      {isEnvironment
        ? <p class="muted">Set by the environment variables OIDC_ISSUER and OIDC_CLIENT_ID.</p>
        : (
          <ApiForm to="PATCH /api/admin/settings" after="reload" done="Secret saved">
            <Field
              label="Client secret"
              name={`${OIDC_SECRET_PREFIX}${id}`}
              type="password"
              autocomplete="off"
              help={secret === null
                ? `Without one, the service signs with its own key; its key set is at /admin/auth/${id}/jwks.`
                : "A secret is set. Enter another one to replace it."}
              required
            />
            <Button type="submit">Save secret</Button>
          </ApiForm>
        )}
      <ApiForm to={`POST /api/admin/auth/providers/${id}/test`}>
        <fieldset class="field" data-name="claims" data-type="group">
          <legend class="label">Test with these claims</legend>
          <div class="pair">
            <Field label="Email" name="email" type="email" nullable />
            <Field label="Groups, one per line" name={groupsClaim} multiline lines nullable mono />
          </div>
          <Checkbox name="email_verified" label="The provider has verified the address" />
        </fieldset>
        <Button type="submit">Test provider</Button>
        <p role="status" data-test-result></p>
      </ApiForm>
    </section>
  );
}
