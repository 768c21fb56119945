/**
 * Every setting of a site: its key, its valid values, and its default.
 *
 * @module
 */
import { z } from "zod";
import {
  DESCRIPTION_CHARS_MAX,
  GLOSSARY_NOTE_CHARS_MAX,
  GLOSSARY_TERMS_MAX,
  ID_CHARS_MAX,
  LANGUAGES_MAX,
  NAME_CHARS_MAX,
  TRANSLATION_STYLE_CHARS_MAX,
  URL_CHARS_MAX,
} from "../../limits/content.ts";
import {
  HOSTS_MAX,
  MENU_ENTRIES_MAX,
  PREVIEW_URL_CHARS_MAX,
  PUBLISHERS_MAX,
  SETTING_CHARS_MAX,
} from "../../limits/packages.ts";
import { ORIGIN_CHARS_MAX } from "../../limits/people.ts";
import { INSTANT_SECONDS_MAX } from "../../limits/requests.ts";
import { KEPT_EXPORTS_MAX, KEPT_VERSIONS_MAX } from "../../limits/store.ts";
import type { Json } from "./entity.ts";
import { ENTITY_TYPES, kindOf } from "./entity_kinds.ts";
import { isCanonical, Languages } from "../languages/language.ts";
import { RedirectRules } from "./redirect.ts";
import { CropPresets } from "../values/crop.ts";
import { embedHostOf } from "../values/embed.ts";
import { FILE_KIND_NAMES } from "../values/file_type.ts";
import { AUTH_SETTINGS } from "../people/auth_settings.ts";
import type { Permission } from "./permission.ts";

/** A setting of the catalog. */
export interface Setting {
  schema: z.ZodType<Json>;
  initial: Json;
  /** The permission that changing it requires besides `settings.write`. */
  needs?: Permission | "administrator";
  /** Whether it is omitted from the flat object until it is set. */
  optional?: true;
}

const line = (max: number) =>
  z.string().max(max).refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), "Must be one line");

const origin = z.string().max(ORIGIN_CHARS_MAX).refine((text) => {
  if (text === "") return true;
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
}, "Must be an http or https address");

const httpsUrl = z.string().max(URL_CHARS_MAX).refine(
  (text) => URL.parse(text)?.protocol === "https:" && !/[\s\p{Cc}]/u.test(text),
  "Must be an https address",
);

const previewUrl = z.string().max(PREVIEW_URL_CHARS_MAX).refine(
  (text) => {
    if (text === "") return true;
    const url = URL.parse(text.replace(/\{(?:token|id|slug|collection|language)\}/g, "x"));
    return url !== null && /^https?:$/.test(url.protocol);
  },
  "Must be an http or https address, in which {token}, {id}, {slug}, {collection} and {language} are filled in",
);

/** A host, with or without a port, as it stands in an address. */
const privateHost = z.string().max(ORIGIN_CHARS_MAX).refine(
  (text) => URL.parse(`http://${text}`)?.host === text,
  "Must be a host such as receiver or receiver:8080",
);

/** A publisher of packages whose signatures are believed. */
export const Publisher = z.strictObject({
  id: z.string().regex(/^[a-zA-Z0-9._-]{1,64}$/),
  publicKey: z.base64().length(44),
  label: line(NAME_CHARS_MAX),
  prefix: z.string().regex(/^[a-z0-9]+(\.[a-z0-9-]+)*\.$/).max(NAME_CHARS_MAX),
  from: z.int().nonnegative(),
  until: z.int().nonnegative().nullable(),
  revoked: z.boolean(),
});

const keep = (initial: number): Setting => ({
  schema: z.int().min(1).max(KEPT_VERSIONS_MAX),
  initial,
});

/** A setting without a default; null removes it again. */
const optional = (schema: z.ZodType<Json>): Setting => ({
  schema: schema.nullable(),
  initial: null,
  optional: true,
});

/** The target of a menu entry: a path of the site, or a URL. */
const menuLink = line(URL_CHARS_MAX).refine(
  (text) => /^\/(?!\/)/.test(text) || /^https?:$/.test(URL.parse(text)?.protocol ?? ""),
  "Must be a path that begins with /, or an http or https address",
);

const menu = z.array(z.strictObject({ label: line(NAME_CHARS_MAX).min(1), url: menuLink }))
  .max(MENU_ENTRIES_MAX);

const languageCode = z.string().refine(isCanonical, "Must be a BCP 47 code in canonical case");

/** What the site is called in one language. */
const SiteTexts = z.strictObject({
  "site.title": line(NAME_CHARS_MAX).min(1).optional(),
  "site.description": line(DESCRIPTION_CHARS_MAX).optional(),
  "site.menu": menu.optional(),
});

/** A term that translators keep to. */
const Term = z.strictObject({
  term: line(NAME_CHARS_MAX).min(1),
  note: z.string().max(GLOSSARY_NOTE_CHARS_MAX),
  languages: z.array(languageCode).max(LANGUAGES_MAX).exactOptional(),
});

/** One entry of the glossary. */
export type GlossaryTerm = z.infer<typeof Term>;

/** A host whose pages may be framed; kept as its bare name. */
const embedHost = z.string().max(URL_CHARS_MAX)
  .refine((text) => embedHostOf(text) !== null, "Must be the name of a host: player.example.org")
  .transform((text) => embedHostOf(text)!);

/** The contact for security reports, for `/.well-known/security.txt` (RFC 9116). */
const SecurityContact = z.strictObject({
  /** An email address or an https address. */
  contact: z.union([z.email(), httpsUrl]),
  /** When the file is out of date, epoch seconds. */
  expires: z.int().min(0).max(INSTANT_SECONDS_MAX),
  policy: httpsUrl.nullable().default(null),
});

/** Typefaces of the public site. */
export const SITE_FONTS = ["newsreader", "serif", "sans", "humanist", "mono"] as const;

/** The catalogue of settings. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  "site.title": { schema: line(NAME_CHARS_MAX).min(1), initial: "Untitled site" },
  "site.description": { schema: line(DESCRIPTION_CHARS_MAX), initial: "" },
  // Links of account emails begin with it.
  "site.url": { schema: origin, initial: "", needs: "administrator" },
  "site.language": {
    schema: z.string().regex(/^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$/),
    initial: "en",
  },
  "site.accent": optional(z.string().regex(/^#[0-9a-f]{6}$/, "Must be a color such as #9a3412")),
  "site.font": optional(z.enum(SITE_FONTS)),
  "site.logo": optional(z.ulid()),
  "site.image": optional(z.ulid()),
  "site.icon": optional(z.ulid()),
  "site.menu": optional(menu),
  "site.texts": optional(
    z.record(languageCode, SiteTexts).refine(
      (texts) => Object.keys(texts).length <= LANGUAGES_MAX,
      "Too many languages",
    ) as z.ZodType<Json>,
  ),
  "languages": optional(Languages as z.ZodType<Json>),
  "translation.glossary": optional(z.array(Term).max(GLOSSARY_TERMS_MAX) as z.ZodType<Json>),
  "translation.style": optional(z.string().max(TRANSLATION_STYLE_CHARS_MAX)),
  "site.redirects": optional(RedirectRules as z.ZodType<Json>),
  "site.security": optional(SecurityContact),
  ...AUTH_SETTINGS,
  "slugs": optional(z.enum(["ascii", "unicode"])),
  "search.stemming": { schema: z.boolean(), initial: false },
  "site.timezone": {
    schema: z.string().min(1).max(ID_CHARS_MAX).refine(isTimeZone),
    initial: "UTC",
  },
  // Preview tokens are sent there.
  "preview.url": { schema: previewUrl, initial: "", needs: "tokens.manage" },
  "images.transform_enabled": { schema: z.boolean(), initial: true },
  "media.file_types": optional(
    z.array(z.enum(FILE_KIND_NAMES)).max(FILE_KIND_NAMES.length).refine(
      (kinds) => new Set(kinds).size === kinds.length,
      "Must not name a kind twice",
    ),
  ),
  "media.crops": optional(CropPresets),
  // A file with Content Credentials is published as it came, with its metadata.
  "media.keepCredentials": { schema: z.boolean(), initial: false },
  "embeds.hosts": optional(
    z.array(embedHost).max(HOSTS_MAX).transform((hosts) => [...new Set(hosts)]),
  ),
  // They open this machine's network to every user who may create webhooks.
  "webhooks.hosts": {
    ...optional(z.array(privateHost).max(HOSTS_MAX)),
    needs: "administrator",
  },
  "exports.keep": { schema: z.int().min(1).max(KEPT_EXPORTS_MAX), initial: 14 },
  "packages.publishers": {
    schema: z.array(Publisher).max(PUBLISHERS_MAX) as z.ZodType<Json>,
    initial: [],
    needs: "packages.manage",
  },
  "theme.active": {
    schema: line(NAME_CHARS_MAX).nullable(),
    initial: null,
    needs: "packages.manage",
  },
  ...Object.fromEntries(
    ENTITY_TYPES.map((type) => [`versions.keep.${type}`, keep(kindOf(type).keptVersions ?? 50)]),
  ),
};

/** The client secrets of OpenID providers. */
export const OIDC_SECRET_PREFIX = "secret.oidc.";

const secret: Setting = { schema: z.string().max(SETTING_CHARS_MAX).nullable(), initial: null };

/** The setting with this key; undefined when there is none. */
export function findSetting(key: string): Setting | undefined {
  if (Object.hasOwn(SETTINGS, key)) return SETTINGS[key];
  if (!/^secret\.[a-zA-Z0-9._-]{1,100}$/.test(key)) return undefined;
  return key.startsWith(OIDC_SECRET_PREFIX) ? { ...secret, needs: "administrator" } : secret;
}

/** Whether a time zone has this name. */
export function isTimeZone(name: string): boolean {
  if (name.length > 64) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
