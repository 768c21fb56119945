/**
 * One's own account: name, address, password, security, sessions.
 *
 * @module
 */

import { roleName } from "../../wording/entity_names.ts";
import type { UserView } from "../../../../kv/people/users.ts";
import { listSessions } from "../../../../kv/people/sessions.ts";
import type { NotificationEmails } from "../../../../kv/model/people/user.ts";
import type { Deps } from "../../../deps/deps.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Field, Select } from "../../components/forms/field.tsx";
import { NewPassword } from "../../components/forms/new_password.tsx";
import { SessionList } from "../../components/session_list.tsx";
import { securitySections } from "./security.tsx";
import { page } from "../../serving/page.tsx";
import { Button } from "../../components/button.tsx";
import type { Handlers } from "../../screens.ts";

/** When emails are sent, in words. */
const NOTIFICATION_CHOICES: [NotificationEmails, string][] = [
  ["immediate", "As they happen"],
  ["daily", "Once a day"],
  ["never", "Never"],
];

/** `/account`. */
export function accountScreens(deps: Deps): Handlers<"account"> {
  const { people } = deps;
  return {
    account: async (c) => {
      const visit = c.get("visit");
      const { user } = visit;
      const sessions = await listSessions(people, user.id);
      const own = c.get("session").hash;
      return await page(
        c,
        { title: "Your account" },
        <div class="stack narrow">
          <section class="card">
            <h2>Profile</h2>
            <ApiForm to={`PATCH /api/admin/users/${user.id}`} after="reload" done="Saved" guard>
              <Field label="Name" name="displayName" value={user.displayName} required />
              <Field
                label="Email"
                name="email"
                type="email"
                value={user.email}
                help="A new address takes effect when you confirm it from the email we send to it."
                required
              />
              <p class="muted small">{`Roles: ${user.roles.map(roleName).join(", ")}`}</p>
              <Button type="submit" variant="primary">Save</Button>
            </ApiForm>
          </section>
          <NotificationChoice user={user} />
          <section class="card">
            <h2>Password</h2>
            <p class="muted">Changing your password signs you out everywhere else.</p>
            <ApiForm
              to={`PATCH /api/admin/users/${user.id}`}
              after="reload"
              done="Password changed"
            >
              <Field
                label="Current password"
                name="currentPassword"
                type="password"
                autocomplete="current-password"
                required
              />
              <NewPassword />
              <Button type="submit">Change password</Button>
            </ApiForm>
          </section>
          {await securitySections(deps, visit)}
          <section class="card">
            <h2>Sessions</h2>
            <p class="muted">
              Devices where you are signed in. A session ends 12 hours after its last use.
            </p>
            <SessionList sessions={sessions} own={own} path="/api/admin/sessions" visit={visit} />
          </section>
        </div>,
      );
    },
  };
}

/** Chooses when reviews and mentions are emailed. */
function NotificationChoice(
  { user }: { user: Pick<UserView, "id" | "notificationEmails"> },
) {
  return (
    <section class="card">
      <h2>Notifications</h2>
      <ApiForm to={`PATCH /api/admin/users/${user.id}`} after="reload" done="Saved" guard>
        <Select
          label="Emails about reviews and mentions"
          name="notificationEmails"
          value={user.notificationEmails}
          choices={NOTIFICATION_CHOICES}
          help="The bell at the top shows them in any case. A summary is sent at 8:00 in the site’s time zone, if anything is new."
        />
        <Button type="submit">Save notifications</Button>
      </ApiForm>
    </section>
  );
}
