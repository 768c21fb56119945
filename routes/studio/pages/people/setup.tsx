/**
 * The first run: the first administrator, the name of the site and its time zone, and whether it can send
 * email.
 *
 * @module
 */

import { isSetupNeeded } from "../../../../kv/people/setup.ts";
import type { Deps } from "../../../deps/deps.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Checkbox, Field, HiddenField } from "../../components/forms/field.tsx";
import { NewPassword } from "../../components/forms/new_password.tsx";
import { Icon } from "../../components/icon.tsx";
import { MailCheck } from "../../components/forms/mail_check.tsx";
import { TimeZone } from "../../components/forms/time_zone.tsx";
import { plainPage } from "../../serving/page.tsx";
import type { StudioContext } from "../../serving/studio_env.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import type { Handlers } from "../../screens.ts";

/** `/setup`. */
export function setupScreens(deps: Deps): Handlers<"setup"> {
  return {
    setup: async (c) => {
      if (!(await isSetupNeeded(deps.people))) return c.redirect("/admin");
      return await setup(c, await checks(deps));
    },
  };
}

/** `/mail-check`: the last step of the first run, for the administrator who has just signed in. */
export function mailCheckScreens(): Handlers<"mailCheck"> {
  return {
    mailCheck: (c) =>
      plainPage(
        c,
        { title: "Send a test email", eyebrow: "Last step" },
        <div class="stack">
          <p>
            Invitations and password resets are sent by email. Test it now, or later in the
            settings; everything else works without email.
          </p>
          <MailCheck email={c.get("visit").user.email} />
          <ButtonLink variant="primary" size="block" href="/admin?welcome">
            Open the studio
          </ButtonLink>
        </div>,
      ),
  };
}

/** Whether the database and the object store respond. */
async function checks({ content: { context } }: Deps): Promise<[string, boolean][]> {
  const probe = `setup-check/${context.newId(context.now())}`;
  const objects = await context.objects.head(probe).then(() => true, () => false);
  return [["Database", true], ["Files", objects]];
}

function setup(c: StudioContext, found: [string, boolean][]): Promise<Response> {
  const code = c.req.query("code") ?? "";
  return plainPage(
    c,
    { title: "Set up your site", eyebrow: "First run" },
    <>
      <p>You will be the first administrator. You can change everything here later.</p>
      <ul class="checks" aria-label="Checks">
        {found.map(([name, works]) => (
          <li class={works ? "good" : "bad"}>
            <Icon name={works ? "check" : "warning"} />
            {`${name} ${works ? "ready" : "not responding"}`}
          </li>
        ))}
      </ul>
      <ApiForm to="POST /api/admin/setup" after="/admin/mail-check" guard>
        {code === ""
          ? (
            <div data-island="setup-code">
              <Field
                label="Setup code"
                name="code"
                help="The service printed it when it started."
                autocomplete="off"
                mono
                required
                autofocus
              />
            </div>
          )
          : (
            <div data-island="setup-code" hidden>
              <HiddenField name="code" value={code} />
            </div>
          )}
        <Field label="Site title" name="siteTitle" required autofocus={code !== ""} />
        <Field label="Your name" name="displayName" autocomplete="name" required />
        <Field label="Email" name="email" type="email" autocomplete="username" required />
        <NewPassword label="Password" />
        <TimeZone
          name="timezone"
          value="UTC"
          help="For dates on the site and in the studio; detected from your browser."
          detect
        />
        <Checkbox
          name="seedExample"
          label="Add an example site"
          help="A few collections and posts to explore. You can delete them at any time."
        />
        <Button type="submit" variant="primary" size="block">Create site</Button>
      </ApiForm>
    </>,
  );
}
