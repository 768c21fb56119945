/**
 * Sentences for refused sign-ins.
 *
 * @module
 */

/** Why a sign-in through a provider or a link was refused. */
export const SIGN_IN_REFUSALS: Readonly<Record<string, string>> = {
  not_provisioned: "You don't have an account here yet. Ask an administrator to invite you.",
  address_not_verified: "The provider has not verified your email address. Verify it there first.",
  address_in_use:
    "An account with your email address exists. Sign in with it and link the provider under Your account.",
  domain_not_allowed: "Email addresses of your domain can't sign in here.",
  disabled: "Your account is disabled. Ask an administrator to enable it.",
  no_role: "None of your groups has a role here. Ask an administrator.",
  identity_in_use: "Another user is linked to this account at the provider.",
  provider_error: "The provider did not sign you in. Try again.",
  flow_expired: "The sign-in took too long. Try again.",
  link_expired: "This link has expired or was used. Request a new one.",
};
