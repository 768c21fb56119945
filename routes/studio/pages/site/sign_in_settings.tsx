/**
 * How users and programs sign in: factors, passwords, sessions, OAuth clients. For administrators.
 *
 * @module
 */
import {
  GRACE_DAYS_MAX,
  PASSWORD_CHARS_MIN,
  PASSWORD_CHARS_MIN_MAX,
} from "../../../../kv/limits/people.ts";
import { SESSION_HOURS_MAX } from "../../../../kv/model/limits.ts";
import type { SettingValues } from "../../../../kv/sources/settings.ts";
import { Checkbox, Field, Select } from "../../components/forms/field.tsx";
import { Group } from "./settings_group.tsx";

interface SignInProps {
  values: SettingValues;
  readOnly: boolean;
}

/** The cards about signing in. */
export function SignInSettings({ values, readOnly }: SignInProps) {
  return (
    <>
      <Group
        id="sign-in"
        heading="Signing in"
        text="Apply to everyone. Administrators keep a way to sign in: a change that would lock them out is refused."
      >
        <Factors values={values} readOnly={readOnly} />
        <Passwords values={values} readOnly={readOnly} />
        <Sessions values={values} readOnly={readOnly} />
      </Group>
      <Group
        id="programs"
        heading="Programs and directories"
        text="Assistants and other programs connect with their user's consent. Directories use an API token with the scope scim."
      >
        <Flag
          name="auth.oauth.clientDocuments"
          label="Allow programs that identify themselves with a metadata document"
          values={values}
          readOnly={readOnly}
        />
        <Flag
          name="auth.oauth.register"
          label="Allow programs to register themselves"
          help="Needed by older programs. Anyone can register one; users still have to consent."
          values={values}
          readOnly={readOnly}
        />
        <Flag
          name="auth.scimAdministrators"
          label="Allow directories to assign the administrator role"
          values={values}
          readOnly={readOnly}
        />
      </Group>
    </>
  );
}

function Factors({ values, readOnly }: SignInProps) {
  return (
    <>
      <Select
        label="Second factor"
        name="auth.secondFactor"
        value={values.get<string>("auth.secondFactor")}
        choices={[
          ["off", "Off"],
          ["optional", "Optional"],
          ["required", "Required for everyone"],
        ]}
        help="A passkey, or a code of an authenticator app. Roles can require one too."
        disabled={readOnly}
      />
      <Field
        label="Days to set one up"
        name="auth.graceDays"
        type="number"
        min={0}
        max={GRACE_DAYS_MAX}
        value={values.get<number>("auth.graceDays")}
        required
        disabled={readOnly}
      />
      <Field
        label="Domain of passkeys"
        name="auth.rpId"
        value={values.get<string | null>("auth.rpId") ?? ""}
        help="A parent domain of the site, if passkeys should work on several of its hosts. If empty, the host of the site URL."
        nullable
        mono
        disabled={readOnly}
      />
    </>
  );
}

function Passwords({ values, readOnly }: SignInProps) {
  return (
    <>
      <Select
        label="Who can sign in with a password"
        name="auth.passwords"
        value={values.get<string>("auth.passwords")}
        choices={[
          ["everyone", "Everyone"],
          ["administrators", "Administrators only"],
          ["nobody", "No one"],
        ]}
        help="To restrict passwords, every administrator needs a passkey or a linked provider."
        disabled={readOnly}
      />
      <Field
        label="Minimum password length"
        name="auth.password.min"
        type="number"
        min={PASSWORD_CHARS_MIN}
        max={PASSWORD_CHARS_MIN_MAX}
        value={values.get<number>("auth.password.min")}
        help="For new passwords. 15 is recommended."
        required
        disabled={readOnly}
      />
      <Flag
        name="auth.password.blocklist"
        label="Reject common passwords"
        values={values}
        readOnly={readOnly}
      />
    </>
  );
}

function Sessions({ values, readOnly }: SignInProps) {
  return (
    <>
      <Field
        label="Session length, in hours"
        name="auth.session.hours"
        type="number"
        min={1}
        max={SESSION_HOURS_MAX}
        value={values.get<number | null>("auth.session.hours") ?? ""}
        help="Users sign in again after this time, even if the session is in use. If empty, sessions end 12 hours after their last use."
        nullable
        disabled={readOnly}
      />
      <Flag
        name="auth.stepUp"
        label="Confirm sensitive changes"
        help="Tokens, users, roles, backups, packages and restoring the site require a sign-in within the last 15 minutes."
        values={values}
        readOnly={readOnly}
      />
      <Flag
        name="auth.mail"
        label="Email users about sign-ins from new browsers and linked providers"
        values={values}
        readOnly={readOnly}
      />
    </>
  );
}

function Flag(
  { name, label, help, values, readOnly }: SignInProps & {
    name: string;
    label: string;
    help?: string;
  },
) {
  return (
    <Checkbox
      name={name}
      label={label}
      help={help}
      checked={values.get<boolean>(name)}
      disabled={readOnly}
    />
  );
}
