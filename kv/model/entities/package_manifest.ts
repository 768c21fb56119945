/**
 * The manifest of a theme or plugin: what it is, what it asks for, and the digest of every file.
 *
 * @module
 */
import { isJsonObject } from "../values/json_object.ts";
import { z } from "zod";
import { NAME_CHARS_MAX } from "../../limits/content.ts";
import {
  ADDRESS_CHARS_MAX,
  CAPABILITIES_MAX,
  HOOKS_MAX,
  HOSTS_MAX,
  PACKAGE_ID_CHARS_MAX,
  PACKAGE_PATH_CHARS_MAX,
  PACKAGE_SETTINGS_MAX,
} from "../../limits/packages.ts";
import { isCapability, NET_HOST } from "./capability.ts";
import { SETTING_KEY, SettingDefinition } from "./plugin_setting.ts";
import { isRange, isVersion } from "../values/semantic_version.ts";
import { parseUniqueJson } from "../values/unique_json.ts";
import { zodDetails } from "../input/zod_details.ts";

/** Kinds of packages. */
export const PACKAGE_KINDS = ["plugin", "theme"] as const;

/** A kind of package. */
export type PackageKind = typeof PACKAGE_KINDS[number];

/** Names inside of a package. */
export const MANIFEST_FILE = "manifest.json";
export const SIGNATURE_FILE = "manifest.sig";
export const PLUGIN_FILE = "plugin.js";
export const THEME_FILE = "theme.json";

/** Something wrong with a package; safe to show. */
export class PackageFault extends Error {
  override name = "PackageFault";
}

const PATH = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*){0,9}$/;

/** Whether a file may be called so: relative, ASCII, no part that begins with a dot. */
export function isPackagePath(path: string): boolean {
  return path.length <= PACKAGE_PATH_CHARS_MAX && PATH.test(path);
}

/** Ids in the order of the internet, lower case: `com.acme.gallery`. */
const ID = /^[a-z][a-z0-9]*(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const HOST = /^(?=.{1,253}(?::|$))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;
const EVENT = /^[a-z][a-z_]{0,39}(?:\.[a-z][a-z_]{0,39}){1,3}$/;

const Hook = z.object({
  event: z.string().regex(EVENT),
  url: z.string().max(ADDRESS_CHARS_MAX).refine(isHookAddress, "Must be an http(s) address")
    .optional(),
});

/** A subscription of a plugin: its own code is called where there is no address. */
export type Hook = z.infer<typeof Hook>;

/** Digests by path. Every name that was signed counts: a record of zod's leaves `__proto__` out. */
const Files = z.unknown().transform((given, { addIssue }) => {
  if (!isJsonObject(given)) {
    addIssue({ code: "custom", message: "Must be an object" });
    return z.NEVER;
  }
  const files = Object.entries(given);
  for (const [path, digest] of files) {
    const refuse = (message: string) => addIssue({ code: "custom", path: [path], message });
    if (!isPackagePath(path)) refuse("Must be a plain relative path");
    if (typeof digest !== "string" || !/^[0-9a-f]{64}$/.test(digest)) {
      refuse("Must be a SHA-256 in lower-case hex");
    }
  }
  return Object.fromEntries(files) as Record<string, string>;
});

const Manifest = z.object({
  id: z.string().max(PACKAGE_ID_CHARS_MAX).regex(
    ID,
    "Must be a reverse domain in lower-case ASCII",
  ),
  kind: z.enum(PACKAGE_KINDS),
  version: z.string().refine(isVersion, "Must be a semantic version"),
  api: z.string().refine(isRange, "Must be a range of versions"),
  name: z.string().min(1).max(NAME_CHARS_MAX).refine(isLine, "Must be one line"),
  publisher: z.string().regex(/^[a-zA-Z0-9._-]{1,64}$/),
  capabilities: z.array(z.string().refine(isCapability, "Unknown capability")).max(CAPABILITIES_MAX)
    .default([]),
  hosts: z.array(z.string().regex(HOST)).max(HOSTS_MAX).default([]),
  hooks: z.array(Hook).max(HOOKS_MAX).default([]),
  settings: z.record(z.string().regex(SETTING_KEY), SettingDefinition).default({}).refine(
    (settings) => Object.keys(settings).length <= PACKAGE_SETTINGS_MAX,
    "Too many settings",
  ),
  files: Files,
}).refine(({ capabilities }) => new Set(capabilities).size === capabilities.length, {
  path: ["capabilities"],
  message: "Must list each capability once",
}).refine(({ hosts, capabilities }) => hosts.length === 0 || capabilities.includes(NET_HOST), {
  path: ["hosts"],
  message: `Needs the capability ${NET_HOST}`,
});
export type Manifest = z.infer<typeof Manifest>;

/** Reads a manifest; throws a {@linkcode PackageFault} that names everything wrong with it. */
export function parseManifest(bytes: Uint8Array): Manifest {
  let value: unknown;
  try {
    value = parseUniqueJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw new PackageFault(`${MANIFEST_FILE} cannot be read: ${error.message}`);
  }
  const result = Manifest.safeParse(value);
  if (result.success) return result.data;
  const reasons = zodDetails(result.error, "", value).slice(0, 10)
    .map(({ field, message }) => `${field}: ${message}`);
  throw new PackageFault(`${MANIFEST_FILE} is not valid: ${reasons.join("; ")}`);
}

function isHookAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.password === "";
}

function isLine(text: string): boolean {
  return !/[\u0000-\u001f\u007f]/.test(text);
}
