/**
 * Request bodies of new and changed tokens.
 *
 * @module
 */
import { z } from "zod";
import { NAME_CHARS_MAX, SLUG_CHARS_MAX } from "../../limits/content.ts";
import {
  ORIGIN_CHARS_MAX,
  QUOTA_DEFAULT,
  QUOTA_MAX,
  SCIM_QUOTA,
  TOKEN_ORIGINS_MAX,
  TOKEN_SCOPES_MAX,
} from "../../limits/people.ts";
import { INSTANT_SECONDS_MAX } from "../../limits/requests.ts";
import { INLINE_BYTES_MAX } from "../../limits/store.ts";
import type { Detail } from "../../refusals.ts";
import type { Json } from "../entities/entity.ts";
import { parseScopes, SCIM_SCOPE } from "../entities/scope.ts";
import { namedLanguages } from "../languages/language.ts";
import { nameText } from "../values/text_check.ts";
import { customIssue, parseBody } from "./zod_details.ts";

// A token is found by one read: its state lies inside its row. Around it are its name and hashes.
if (TOKEN_SCOPES_MAX * (SLUG_CHARS_MAX + 16) + TOKEN_ORIGINS_MAX * 304 + 2_500 > INLINE_BYTES_MAX) {
  throw new RangeError("A token must fit inside its row");
}

/** The origin of an app: a scheme of its own and a host, as its web view sends it. */
const APP_ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;
/** Schemes whose pages have no origin of their own, or that are no pages. */
const OTHER_SCHEMES =
  /^(?:https?|wss?|ftp|file|data|blob|about|javascript|view-source|filesystem):/;

const Origin = z.string().max(ORIGIN_CHARS_MAX).refine(
  // A star is part of no host name: who writes it expects a wildcard, and there is none.
  (text) =>
    (URL.parse(text)?.origin === text && /^https?:[^*]+$/.test(text)) ||
    (APP_ORIGIN.test(text) && !OTHER_SCHEMES.test(text)),
  "Must be a full origin such as https://example.org or capacitor://localhost",
);

// Without the bound here, every element of a hostile list is looked at before the list is refused.
const Scopes = z.array(z.json()).min(1).max(
  TOKEN_SCOPES_MAX,
  `Must have at most ${TOKEN_SCOPES_MAX} scopes`,
).transform((given, context) => {
  const details: Detail[] = [];
  const scopes = parseScopes(given as Json, details, "");
  for (const { field, code, message } of details) {
    const path = field.split(".").filter((step) => step !== "").map(Number);
    context.addIssue(customIssue(code, message, path));
  }
  return scopes;
});

/** `at` is the time in seconds: an expiry must lie after it. */
const attributes = (at: number) => ({
  name: nameText(NAME_CHARS_MAX),
  scopes: Scopes,
  quotaPerMinute: z.int().min(1).max(QUOTA_MAX),
  allowedOrigins: z.array(Origin).max(TOKEN_ORIGINS_MAX),
  languages: namedLanguages,
  expiresAt: z.int().min(at + 1, "Must be in the future").max(INSTANT_SECONDS_MAX).nullable(),
});

/** A token's attributes. */
export type TokenInput = z.infer<z.ZodObject<ReturnType<typeof attributes>>>;

/** The body of a new token; a token for SCIM has another quota unless it is given. */
export function newToken(at: number, isScim: boolean) {
  const shape = attributes(at);
  return z.strictObject({
    ...shape,
    quotaPerMinute: shape.quotaPerMinute.default(isScim ? SCIM_QUOTA : QUOTA_DEFAULT),
    allowedOrigins: shape.allowedOrigins.default([]),
    expiresAt: shape.expiresAt.default(null),
  });
}

/** A partial body. */
export function tokenPatch(at: number) {
  return z.strictObject(attributes(at)).partial();
}

/** Parses the body of a new token; `found` are failures of its scopes that only the schema shows. */
export function parseToken(
  body: Record<string, Json>,
  at: number,
  found: readonly Detail[] = [],
): TokenInput {
  const isScim = Array.isArray(body.scopes) && body.scopes.includes(SCIM_SCOPE);
  return parseBody(newToken(at, isScim), body, found);
}

/** Parses a partial body; `found` as above. */
export function parseTokenPatch(
  body: Record<string, Json>,
  at: number,
  found: readonly Detail[] = [],
): Partial<TokenInput> {
  const patch = parseBody(tokenPatch(at), body, found);
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}
