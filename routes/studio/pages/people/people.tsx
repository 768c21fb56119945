/**
 * Users and roles: who may sign in, and what each role opens.
 *
 * @module
 */
import { roleName } from "../../wording/entity_names.ts";
import type { Child } from "@hono/hono/jsx";
import type { Access } from "../../../../kv/model/entities/access.ts";
import { PERMISSION_NAMES } from "../../../../kv/model/entities/permission.ts";
import { listSessions } from "../../../../kv/people/sessions.ts";
import { getRole, listRoles } from "../../../../kv/people/roles.ts";
import { getUser, listUsers, type UserView, userView } from "../../../../kv/people/users.ts";
import type { Deps } from "../../../deps/deps.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Checkbox, Choices, Field } from "../../components/forms/field.tsx";
import { Avatar } from "../../components/avatar.tsx";
import { SessionList } from "../../components/session_list.tsx";
import { Time } from "../../components/time.tsx";
import { PermissionMatrix } from "./permission_matrix.tsx";
import { RoleForm } from "./role_form.tsx";
import { page } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Dialog } from "../../components/overlays/dialog.tsx";
import type { Handlers } from "../../screens.ts";

const USERS = [{ label: "Users", href: "/admin/users" }];
const ROLES = [{ label: "Roles", href: "/admin/roles" }];

/** `/users…` and `/roles…`. */
export function peopleScreens(
  deps: Deps,
): Handlers<"users" | "user" | "roles" | "newRole" | "role"> {
  return { ...userScreens(deps), ...roleScreens(deps) };
}

function userScreens({ people }: Deps): Handlers<"users" | "user"> {
  return {
    users: async (c) => {
      const visit = c.get("visit");
      const access = await people.access.current();
      const invite = visit.can("users.manage") && (
        <Button variant="primary" data-opens="invite" icon="plus">
          Invite user
        </Button>
      );
      return await page(
        c,
        { title: "Users", intro: "People who can sign in.", ...(invite && { actions: invite }) },
        <>
          <UserTable users={listUsers(access)} visit={visit} />
          {visit.can("users.manage") && <Invitation access={access} />}
        </>,
      );
    },
    user: async (c) => {
      const access = await people.access.current();
      const user = userView(access, getUser(access, c.req.param("id")));
      const visit = c.get("visit");
      const sessions = visit.can("users.manage") && user.id !== visit.user.id
        ? await listSessions(people, user.id)
        : null;
      return await page(
        c,
        { title: user.displayName, crumbs: USERS },
        <UserForm user={user} access={access} visit={visit}>
          {sessions !== null && (
            <section class="card">
              <h2>Sessions</h2>
              <SessionList
                sessions={sessions}
                own={c.get("session").hash}
                path={`/api/admin/users/${user.id}/sessions`}
                visit={visit}
              />
            </section>
          )}
        </UserForm>,
      );
    },
  };
}

function roleScreens({ people }: Deps): Handlers<"roles" | "newRole" | "role"> {
  return {
    roles: async (c) => {
      const visit = c.get("visit");
      const roles = listRoles(await people.access.current());
      const add = visit.can("roles.manage") && (
        <ButtonLink variant="primary" href="/admin/roles/new" icon="plus">
          New role
        </ButtonLink>
      );
      const facts = {
        title: "Roles",
        intro: "A user has the permissions of all their roles.",
        wide: true,
        ...(add && { actions: add }),
      };
      return await page(c, facts, <PermissionMatrix roles={roles} visit={visit} />);
    },
    newRole: (c) => {
      const { schema } = c.get("visit");
      const form = <RoleForm role={null} schema={schema} />;
      return page(c, { title: "New role", crumbs: ROLES }, form);
    },
    role: async (c) => {
      const role = getRole(await people.access.current(), c.req.param("id"));
      const { schema } = c.get("visit");
      const form = <RoleForm role={role} schema={schema} />;
      return await page(c, { title: roleName(role.name), crumbs: ROLES }, form);
    },
  };
}

function UserTable({ users, visit }: { users: UserView[]; visit: Visit }) {
  return (
    <ul class="cards">
      {users.map((user) => (
        <li class="card linked user-card">
          <Avatar id={user.id} name={user.displayName} size="large" />
          <div>
            <h2>
              <a href={`/admin/users/${user.id}`}>{user.displayName}</a>
            </h2>
            <p class="muted small">{user.email}</p>
            <p class="row small">
              {user.roles.map((role) => <span class="badge">{roleName(role)}</span>)}
              {user.invited && <span class="badge warn">Invited</span>}
              {user.disabledAt !== null && <span class="badge bad">Disabled</span>}
              {user.id === visit.user.id && <span class="muted">you</span>}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Invitation({ access }: { access: Access }) {
  return (
    <Dialog id="invite" title="Invite user">
      <ApiForm to="POST /api/admin/users" after="/admin/users/{id}" done="Invited">
        <Field label="Name" name="displayName" required />
        <Field
          label="Email"
          name="email"
          type="email"
          help="We send a link to choose a password. You can also copy the link on the next page."
          required
        />
        <RoleChoice access={access} chosen={[]} />
        <div class="dialog-foot">
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Invite</Button>
        </div>
      </ApiForm>
    </Dialog>
  );
}

function RoleChoice(
  { access, chosen, disabled }: { access: Access; chosen: string[]; disabled?: boolean },
) {
  return (
    <Choices legend="Roles" name="roles">
      {listRoles(access).map(({ name, permissions }) => (
        <Checkbox
          name="roles"
          value={name}
          label={name}
          help={`${permissions.length} of ${PERMISSION_NAMES.length} permissions`}
          checked={chosen.includes(name)}
          disabled={disabled === true}
        />
      ))}
    </Choices>
  );
}

function UserForm(
  { user, access, visit, children }: {
    user: UserView;
    access: Access;
    visit: Visit;
    children: Child;
  },
) {
  const mayChange = visit.can("users.manage");
  return (
    <div class="stack narrow">
      {user.invited && <InvitationNotice user={user} mayChange={mayChange} />}
      <ApiForm
        to={`PATCH /api/admin/users/${user.id}`}
        after="reload"
        done="Saved"
        class="card"
        guard
      >
        <Field
          label="Name"
          name="displayName"
          value={user.displayName}
          required
          disabled={!mayChange}
        />
        <Field
          label="Email"
          name="email"
          type="email"
          value={user.email}
          help="A new address takes effect when the user confirms it from the email we send to it."
          required
          disabled={!mayChange}
        />
        <RoleChoice access={access} chosen={user.roles} disabled={!mayChange} />
        <p class="muted small">
          Joined <Time at={user.createdAt} clock={visit} />
          {visit.can("versions.read") && (
            <>
              {" · "}
              <a href={`/admin/versions/user/${user.id}`}>History</a>
            </>
          )}
        </p>
        {mayChange && <Button type="submit" variant="primary">Save</Button>}
      </ApiForm>
      {children}
      {mayChange && <SignInControl user={user} />}
      {mayChange && user.id !== visit.user.id && <UserRemoval user={user} />}
    </div>
  );
}

/** Disabling a user, and removing the factors that they have lost. */
function SignInControl({ user }: { user: UserView }) {
  const { id, displayName } = user;
  return (
    <section class="card">
      <h2>Sign-in</h2>
      <p class="row">
        {user.disabledAt === null
          ? (
            <Button
              data-action={`POST /api/admin/users/${id}/disable`}
              data-ask={`Disable ${displayName}? They are signed out and can't sign in until you enable them.`}
              data-then="reload"
              data-done="Disabled"
            >
              Disable user
            </Button>
          )
          : (
            <Button
              data-action={`POST /api/admin/users/${id}/enable`}
              data-then="reload"
              data-done="Enabled"
            >
              Enable user
            </Button>
          )}
        <Button
          data-action={`DELETE /api/admin/users/${id}/factors`}
          data-ask={`Remove all passkeys and codes of ${displayName}? They are signed out everywhere.`}
          data-then="reload"
          data-done="Factors removed"
        >
          Remove sign-in factors
        </Button>
      </p>
    </section>
  );
}

/** The invitation waits: a link to hand over, or another mail. */
function InvitationNotice({ user, mayChange }: { user: UserView; mayChange: boolean }) {
  return (
    <section class="alert info" data-island="invitation" aria-label="Invitation">
      <p>
        This user hasn't accepted the invitation yet. If no mail server is set up, copy a link and
        share it yourself. Each link works once and expires after an hour.
      </p>
      {mayChange && (
        <div class="row padded">
          <Button
            size="small"
            icon="copy"
            data-action={`POST /api/admin/users/${user.id}/invitation`}
          >
            Create link to copy
          </Button>
          <Button
            size="small"
            icon="mail"
            data-action="POST /api/admin/password-reset"
            data-body={JSON.stringify({ email: user.email })}
            data-done="If a mail server is set up, a new link has been sent"
          >
            Send new link
          </Button>
        </div>
      )}
      <div class="secret" data-link hidden>
        <code id="invitation-link"></code>
        <Button size="small" icon="copy" data-copy="invitation-link">Copy</Button>
      </div>
    </section>
  );
}

function UserRemoval({ user }: { user: UserView }) {
  return (
    <section class="card">
      <h2>Delete user</h2>
      <p class="muted">
        The user's sessions end immediately. Their content stays, and the history keeps their name.
      </p>
      <Button
        variant="danger"
        data-action={`DELETE /api/admin/users/${user.id}`}
        data-then="/admin/users"
        data-done={`${user.displayName} is deleted`}
        data-ask={`Delete ${user.displayName}?`}
      >
        Delete
      </Button>
    </section>
  );
}
