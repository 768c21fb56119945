/**
 * The pages for visitors who are not signed in: signing in, asking for a new password, choosing one.
 *
 * @module
 */

import { findSession } from "../../../../kv/people/sessions.ts";
import { signInRules } from "../../../../kv/people/sign_in_ways.ts";
import { isSetupNeeded } from "../../../../kv/people/setup.ts";
import { providersOf } from "../../../../jobs/oidc/providers.ts";
import type { Deps } from "../../../deps/deps.ts";
import { sessionSecret } from "../../../middleware/session_cookie.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Field, HiddenField } from "../../components/forms/field.tsx";
import { staysInside } from "../../../answers/inside_path.ts";
import { NewPassword } from "../../components/forms/new_password.tsx";
import { SIGN_IN_REFUSALS } from "../../wording/sign_in_refusals.ts";
import { plainPage } from "../../serving/page.tsx";
import type { StudioContext } from "../../serving/studio_env.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import type { Handlers } from "../../screens.ts";

/** Addresses inside the admin application, and pages where programs ask for access; anything else would send people away after signing in. */
const INSIDE = /^\/(?:admin|oauth\/authorize|oauth\/device)(?:[/?#][\w\-./?=&%:,~#*+!$'();@]*)?$/;

/** `/sign-in`, `/reset`, `/choose-password`, `/confirm-address`. */
export function signInScreens(
  deps: Deps,
): Handlers<"login" | "signIn" | "reset" | "choosePassword" | "confirmAddress"> {
  return {
    // A usual guess at the address.
    login: (c) => c.redirect(`/admin/sign-in${new URL(c.req.url).search}`),
    signIn: async (c) => {
      if (await isSetupNeeded(deps.people)) return c.redirect("/admin/setup");
      return await signIn(deps, c);
    },
    reset: (c) => askReset(c),
    choosePassword: (c) => choosePassword(c),
    confirmAddress: (c) => confirmAddress(c),
  };
}

async function signIn(deps: Deps, c: StudioContext): Promise<Response> {
  const { settings, oidcEnv } = deps;
  const next = c.req.query("next") ?? "";
  const target = staysInside(next, INSIDE) ? next : "/admin";
  if (c.req.query("continue") !== undefined && await hasSession(deps, c)) return c.redirect(target);
  const ended = c.req.query("ended") !== undefined;
  const values = await settings.values();
  const providers = providersOf(values, oidcEnv).map(({ provider }) => provider);
  const isPasswordless = values.get("auth.passwords") === "nobody";
  const { party } = signInRules(deps.people.context, values);
  const error = c.req.query("error");
  const request = c.req.query("request") ?? "";
  return await plainPage(
    c,
    { title: "Sign in" },
    <div data-island="sign-in" data-next={target}>
      {ended && <p class="alert info">Your session has ended. Sign in to continue.</p>}
      {c.req.query("changed") !== undefined && (
        <p class="alert good">Your password is set. Sign in to continue.</p>
      )}
      {error !== undefined && (
        <p class="alert bad" role="alert">
          {SIGN_IN_REFUSALS[error] ?? "The sign-in failed. Try again."}
          {/^[\w-]{1,64}$/.test(request) && <span class="small">{` Request ${request}.`}</span>}
        </p>
      )}
      <p class="alert bad" role="alert" tabindex={-1} data-sign-in-failure hidden></p>
      <div data-first class="stack">
        {!isPasswordless && <PasswordForm target={target} />}
        {party !== null && (
          <Button data-passkey size="block" disabled>Sign in with a passkey</Button>
        )}
        {providers.map(({ id, name }) => (
          <ButtonLink
            href={`/admin/auth/${id}?return=${encodeURIComponent(returnTo(target))}`}
            size="block"
          >
            {`Sign in with ${name}`}
          </ButtonLink>
        ))}
      </div>
      <div data-second class="stack" hidden>
        <form class="form" novalidate>
          <Field
            label="Code"
            name="code"
            autocomplete="one-time-code"
            help="From your authenticator app, or one of your recovery codes."
            required
          />
          <Button type="submit" variant="primary" size="block">Continue</Button>
        </form>
        <Button data-second-passkey size="block" hidden>Use a passkey</Button>
      </div>
      {!isPasswordless && (
        <p class="below">
          <a href="/admin/reset">Forgot your password?</a>
        </p>
      )}
    </div>,
  );
}

/** Providers lead back to the studio only, so the page where a program asks for access is reached through this one. */
function returnTo(target: string): string {
  if (target.startsWith("/admin")) return target;
  return `/admin/sign-in?continue&next=${encodeURIComponent(target)}`;
}

async function hasSession({ people, trustProxy }: Deps, c: StudioContext): Promise<boolean> {
  return await findSession(people, sessionSecret(c, trustProxy)) !== null;
}

function PasswordForm({ target }: { target: string }) {
  return (
    <ApiForm to="POST /api/admin/session" after={target}>
      <Field
        label="Email"
        name="email"
        type="email"
        autocomplete="username webauthn"
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
        <a href="/admin/reset">request a new one</a>.
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
