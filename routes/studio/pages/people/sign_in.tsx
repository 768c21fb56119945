/**
 * The pages of those who are not signed in: signing in, asking for a new password, choosing one.
 *
 * @module
 */

import { isSetupNeeded } from "../../../../kv/people/setup.ts";
import type { Deps } from "../../../deps/deps.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Field, HiddenField } from "../../components/forms/field.tsx";
import { NewPassword } from "../../components/forms/new_password.tsx";
import { plainPage } from "../../serving/page.tsx";
import type { StudioContext } from "../../serving/studio_env.ts";
import { Button } from "../../components/button.tsx";
import type { Handlers } from "../../screens.ts";

/** Addresses inside the admin application, and pages where programs ask for access; anything else would send people away after signing in. */
const INSIDE = /^\/(?:admin|oauth\/authorize|oauth\/device)(?:[/?#][\w\-./?=&%:,~#*]*)?$/;

/** `/sign-in`, `/reset`, `/choose-password`, `/confirm-address`. */
export function signInScreens(
  { people }: Deps,
): Handlers<"login" | "signIn" | "reset" | "choosePassword" | "confirmAddress"> {
  return {
    // A usual guess at the address.
    login: (c) => c.redirect(`/admin/sign-in${new URL(c.req.url).search}`),
    signIn: async (c) => {
      if (await isSetupNeeded(people)) return c.redirect("/admin/setup");
      return await signIn(c);
    },
    reset: (c) => askReset(c),
    choosePassword: (c) => choosePassword(c),
    confirmAddress: (c) => confirmAddress(c),
  };
}

function signIn(c: StudioContext): Promise<Response> {
  const next = c.req.query("next") ?? "";
  const ended = c.req.query("ended") !== undefined;
  return plainPage(
    c,
    { title: "Sign in" },
    <>
      {ended && <p class="alert info">Your session has ended. Sign in to continue.</p>}
      {c.req.query("changed") !== undefined && (
        <p class="alert good">Your password is set. Sign in to continue.</p>
      )}
      <ApiForm to="POST /api/admin/session" after={INSIDE.test(next) ? next : "/admin"}>
        <Field
          label="Email"
          name="email"
          type="email"
          autocomplete="username"
          required
          autofocus
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
        />
        <Button type="submit" variant="primary" size="block">Sign in</Button>
      </ApiForm>
      <p class="below">
        <a href="/admin/reset">Forgot your password?</a>
      </p>
    </>,
  );
}

function askReset(c: StudioContext): Promise<Response> {
  return plainPage(
    c,
    { title: "Reset your password" },
    <>
      <p>We'll email you a link to choose a new one. It works once and expires after an hour.</p>
      <ApiForm
        to="POST /api/admin/password-reset"
        done="If an account exists for this address, we've sent an email."
        island="sent"
      >
        <Field
          label="Email"
          name="email"
          type="email"
          autocomplete="username"
          required
          autofocus
        />
        <Button type="submit" variant="primary" size="block">Send link</Button>
      </ApiForm>
      <p class="below">
        <a href="/admin/sign-in">Back to sign-in</a>
      </p>
    </>,
  );
}

function confirmAddress(c: StudioContext): Promise<Response> {
  return plainPage(
    c,
    { title: "Confirm your email address" },
    <>
      <p class="alert bad" data-no-token hidden>
        This link is incomplete. Open the link from the email again.
      </p>
      <p>Your account will use this email address.</p>
      <ApiForm
        to="POST /api/admin/address-confirmation"
        after="/admin/account"
        done="Email address confirmed"
        island="token-from-address"
      >
        <HiddenField name="token" />
        <Button type="submit" variant="primary" size="block">Confirm address</Button>
      </ApiForm>
    </>,
  );
}

function choosePassword(c: StudioContext): Promise<Response> {
  return plainPage(
    c,
    { title: "Choose a password" },
    <>
      <p class="alert bad" data-no-token hidden>
        This link is incomplete. Open the link from the email again, or{" "}
        <a href="/admin/reset">ask for a new one</a>.
      </p>
      <ApiForm
        to="POST /api/admin/password-reset/confirm"
        after="/admin/sign-in?changed"
        island="token-from-address"
      >
        <HiddenField name="token" />
        <NewPassword autofocus />
        <Button type="submit" variant="primary" size="block">Save password</Button>
      </ApiForm>
    </>,
  );
}
