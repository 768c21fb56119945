/**
 * Every setting of a site: its key, what it may be, and what it is until somebody sets it.
 *
 * @module
 */
import { z } from "zod";
import {
  DESCRIPTION_CHARS_MAX,
  ID_CHARS_MAX,
  KEPT_EXPORTS_MAX,
  KEPT_VERSIONS_MAX,
  NAME_CHARS_MAX,
  ORIGIN_CHARS_MAX,
  PREVIEW_URL_CHARS_MAX,
  PUBLISHERS_MAX,
  SETTING_CHARS_MAX,
} from "../limits.ts";
import type { Json } from "./entity.ts";
import { ENTITY_TYPES, kindOf } from "./entity_kinds.ts";

interface Setting {
  schema: z.ZodType<Json>;
  initial: Json;
}

const line = (max: number) =>
  z.string().max(max).refine((text) => !/[\u0000-\u001f\u007f]/.test(text), "Must be one line");

const origin = z.string().max(ORIGIN_CHARS_MAX).refine((text) => {
  if (text === "") return true;
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
}, "Must be an http or https address");

const previewUrl = z.string().max(PREVIEW_URL_CHARS_MAX).refine(
  (text) => {
    if (text === "") return true;
    const url = URL.parse(text.replace(/\{(?:token|id|slug|collection)\}/g, "x"));
    return url !== null && /^https?:$/.test(url.protocol);
  },
  "Must be an http or https address, in which {token}, {id}, {slug} and {collection} are filled in",
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

/** The catalogue of settings. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  "site.title": { schema: line(NAME_CHARS_MAX).min(1), initial: "Untitled site" },
  "site.description": { schema: line(DESCRIPTION_CHARS_MAX), initial: "" },
  "site.url": { schema: origin, initial: "" },
  "site.language": {
    schema: z.string().regex(/^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$/),
    initial: "en",
  },
  "search.stemming": { schema: z.boolean(), initial: false },
  "site.timezone": {
    schema: z.string().min(1).max(ID_CHARS_MAX).refine(isTimeZone),
    initial: "UTC",
  },
  "preview.url": { schema: previewUrl, initial: "" },
  "images.transform_enabled": { schema: z.boolean(), initial: false },
  "exports.keep": { schema: z.int().min(1).max(KEPT_EXPORTS_MAX), initial: 14 },
  "packages.publishers": {
    schema: z.array(Publisher).max(PUBLISHERS_MAX) as z.ZodType<Json>,
    initial: [],
  },
  "theme.active": { schema: line(NAME_CHARS_MAX).nullable(), initial: null },
  ...Object.fromEntries(
    ENTITY_TYPES.map((type) => [`versions.keep.${type}`, keep(kindOf(type).keptVersions ?? 50)]),
  ),
};

const secret: Setting = { schema: z.string().max(SETTING_CHARS_MAX).nullable(), initial: null };

/** The setting with this key; undefined when there is none. */
export function findSetting(key: string): Setting | undefined {
  if (Object.hasOwn(SETTINGS, key)) return SETTINGS[key];
  return /^secret\.[a-zA-Z0-9._-]{1,100}$/.test(key) ? secret : undefined;
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
