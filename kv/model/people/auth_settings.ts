/**
 * The settings of signing in. All of them require an administrator, and none is shown until it is set.
 *
 * @module
 */
import { z } from "zod";
import { ID_CHARS_MAX, NAME_CHARS_MAX, URL_CHARS_MAX } from "../../limits/content.ts";
import {
  GRACE_DAYS_MAX,
  HOST_CHARS_MAX,
  PASSWORD_CHARS_MIN,
  PASSWORD_CHARS_MIN_MAX,
  PROVIDER_ROLES_MAX,
  PROVIDERS_MAX,
  ROLE_NAME_CHARS_MAX,
  SIGN_IN_AGE_SECONDS_MAX,
} from "../../limits/people.ts";
import type { Json } from "../entities/entity.ts";
import type { Setting } from "../entities/setting.ts";
import { nameText } from "../values/text_check.ts";
import { SESSION_HOURS_MAX } from "../limits.ts";

/** A setting that is hidden until it is set; null sets it back to its default. */
function hidden(schema: z.ZodType<Json>, initial: Json): Setting {
  const orInitial = schema.nullable().transform((value): Json => value ?? initial);
  return { schema: orInitial, initial, optional: true, needs: "administrator" };
}

const role = z.string().trim().min(1).max(ROLE_NAME_CHARS_MAX);
const host = z.string().max(HOST_CHARS_MAX).regex(
  /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/,
  "Must be the name of a host, in lower case",
);
const issuer = z.string().max(URL_CHARS_MAX).refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "" &&
    url.username === "" && url.password === "";
}, "Must be an https address without a query");

/** An OpenID provider, and what its sign-ins may do. */
export const Provider = z.strictObject({
  id: z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/),
  name: nameText(NAME_CHARS_MAX),
  issuer,
  clientId: z.string().min(1).max(ID_CHARS_MAX),
  scopes: z.string().max(ID_CHARS_MAX).exactOptional(),
  domains: z.array(host).max(PROVIDER_ROLES_MAX).exactOptional(),
  link: z.enum(["verified", "trusted", "never"]).default("verified"),
  provision: z.boolean().default(false),
  groupsClaim: z.string().min(1).max(ID_CHARS_MAX).default("groups"),
  roles: z.array(z.strictObject({ group: z.string().min(1).max(ID_CHARS_MAX), role }))
    .max(PROVIDER_ROLES_MAX).default([]),
  defaultRole: role.nullable().default(null),
  syncRoles: z.boolean().default(true),
  syncProfile: z.boolean().default(true),
  prompt: z.enum(["none", "login", "consent", "select_account"]).exactOptional(),
  maxAge: z.int().min(0).max(SIGN_IN_AGE_SECONDS_MAX).exactOptional(),
  logout: z.boolean().default(true),
  responseMode: z.literal("form_post").exactOptional(),
}).refine(({ link, domains }) => link !== "trusted" || (domains ?? []).length > 0, {
  path: ["domains"],
  message: "Name the domains whose addresses are trusted",
  params: { code: "REQUIRED" },
});
export type Provider = z.infer<typeof Provider>;

const Providers = z.array(Provider).max(PROVIDERS_MAX).refine(
  (providers) => new Set(providers.map(({ id }) => id)).size === providers.length,
  { message: "Two providers have the same id", params: { code: "NOT_UNIQUE" } },
).refine((providers) => providers.every(({ id }) => id !== ENV_PROVIDER), {
  message: "The id is reserved for the provider that the environment names",
  params: { code: "INVALID_CHOICE" },
});

/** The id of the provider that the environment names. */
export const ENV_PROVIDER = "env";

/** The catalog of them. */
export const AUTH_SETTINGS: Readonly<Record<string, Setting>> = {
  "auth.session.hours": hidden(z.int().min(1).max(SESSION_HOURS_MAX), null),
  "auth.secondFactor": hidden(z.enum(["off", "optional", "required"]), "optional"),
  "auth.graceDays": hidden(z.int().min(0).max(GRACE_DAYS_MAX), 7),
  "auth.passwords": hidden(z.enum(["everyone", "administrators", "nobody"]), "everyone"),
  "auth.password.min": hidden(
    z.int().min(PASSWORD_CHARS_MIN).max(PASSWORD_CHARS_MIN_MAX),
    PASSWORD_CHARS_MIN,
  ),
  "auth.password.blocklist": hidden(z.boolean(), false),
  "auth.stepUp": hidden(z.boolean(), false),
  "auth.mail": hidden(z.boolean(), true),
  "auth.rpId": hidden(host, null),
  "auth.providers": hidden(Providers, []),
  "auth.scimAdministrators": hidden(z.boolean(), false),
  "auth.oauth.register": hidden(z.boolean(), false),
  "auth.oauth.clientDocuments": hidden(z.boolean(), true),
};
