/**
 * The bounds of people: users, roles, tokens, sign-in, each with its unit and reason.
 *
 * @module
 */

/** Requests a minute of a token when nothing is asked for. */
export const QUOTA_DEFAULT = 60;
/** The most requests per minute of a token; a rate-limit window fits in one value far beyond that. */
export const QUOTA_MAX = 1_000_000_000;
/** Scopes of one token. */
export const TOKEN_SCOPES_MAX = 200;
/** Allowed origins of one token: with its scopes they must fit inside its row. */
export const TOKEN_ORIGINS_MAX = 50;
/** Requests a minute of a client address: searches, and requests that fail authentication. */
export const ADDRESS_QUOTA = 60;
/** A token's `last_used_at` is written at most this often, seconds. */
export const LAST_USED_SECONDS = 60;
/** Characters of a password. */
export const PASSWORD_CHARS_MIN = 12;
/** The largest minimum that the setting `auth.password.min` accepts. */
export const PASSWORD_CHARS_MIN_MAX = 64;
/** And the most: hashing reads all of it. */
export const PASSWORD_CHARS_MAX = 200;
/** Characters of a credential that is only right or wrong. */
export const CREDENTIAL_CHARS_MAX = 1_000;
/** Characters of a role's name. */
export const ROLE_NAME_CHARS_MAX = 64;
/** Roles of one user. */
export const USER_ROLES_MAX = 20;
/** Users of one site: what is known of them is kept in memory. */
export const USERS_MAX = 10_000;
/** Roles of one site. */
export const ROLES_MAX = 100;
/** Events of a daily summary; more in one day are in the next one. */
export const DIGEST_EVENTS_MAX = 300;
/** Sessions of a user that are listed. */
export const SESSIONS_LISTED_MAX = 1_000;
/** Characters of what a browser says it is. */
export const AGENT_CHARS_MAX = 300;
/** Attempts to sign in within a quarter of an hour, of an address and of an account. */
export const SIGN_IN_ATTEMPTS_MAX = 10;
/** How long a token works on after it was replaced, seconds: a week. */
export const TOKEN_OVERLAP_SECONDS_MAX = 604_800;
/** Characters of one origin. */
export const ORIGIN_CHARS_MAX = 300;
/** Days of grace in which a required second factor may still be missing. */
export const GRACE_DAYS_MAX = 30;
/** Passkeys of one user. */
export const PASSKEYS_MAX = 10;
/** Characters of a response of an authenticator: attestations hold certificates. */
export const PASSKEY_TEXT_CHARS_MAX = 12_000;
/** Recovery codes that a user gets at a time. */
export const RECOVERY_CODES = 10;
/** Attempts at one sign-in challenge. */
export const CHALLENGE_ATTEMPTS_MAX = 5;
/** Requests for passkey options within a quarter of an hour, of an address: a sign-in page makes one. */
export const PASSKEY_OPTIONS_MAX = 100;
/** OpenID providers of one site. */
export const PROVIDERS_MAX = 10;
/** Group mappings, and domains, of one provider. */
export const PROVIDER_ROLES_MAX = 100;
/** Characters of a credential id: 1,023 bytes in base64url. */
export const CREDENTIAL_ID_CHARS_MAX = 1_364;
/** Characters of the name of a transport, such as `internal`. */
export const TRANSPORT_CHARS_MAX = 32;
/** Transports of one passkey. */
export const TRANSPORTS_MAX = 10;
/** Characters of the name of a host. */
export const HOST_CHARS_MAX = 253;
/** The oldest sign-in at a provider that a setting may accept, seconds: a year. */
export const SIGN_IN_AGE_SECONDS_MAX = 31_536_000;
/** Access tokens of one OAuth grant that work at a time. */
export const ACCESS_TOKENS_MAX = 5;
/** Grants of a user that are listed. */
export const GRANTS_LISTED_MAX = 500;
/** Characters of the `state` of an OAuth request. */
export const OAUTH_STATE_CHARS_MAX = 2_000;
/** Codes of devices that a user enters within a quarter of an hour; each is entered twice. */
export const DEVICE_CODES_MAX = 30;
/** Requests per minute of a token that provisions users, unless its own quota is smaller. */
export const SCIM_QUOTA = 1_000;
/** Resources of one page of a SCIM list. */
export const SCIM_PAGE_MAX = 100;
/** Operations of one SCIM patch. */
export const SCIM_OPERATIONS_MAX = 100;
/** Members of one SCIM group in a request. */
export const SCIM_MEMBERS_MAX = 1_000;
/** Comparisons of one SCIM filter. */
export const SCIM_COMPARISONS_MAX = 10;
