/**
 * What settings are called.
 *
 * @module
 */
import { ENTITY_TYPES } from "../../../kv/model/entities/entity_kinds.ts";
import { entityName } from "./entity_names.ts";

const SETTING_NAMES: Readonly<Record<string, string>> = {
  "site.title": "Title of the site",
  "site.description": "Description of the site",
  "site.url": "Address of the site",
  "site.language": "Language",
  "site.timezone": "Time zone",
  "site.accent": "Accent colour",
  "site.font": "Typeface of the site",
  "site.logo": "Logo",
  "site.image": "Image for shared links",
  "site.icon": "Icon of the site",
  "site.menu": "Menu of the site",
  "slugs": "Addresses made from titles",
  "search.stemming": "Other forms of a word in searches",
  "preview.url": "Address of previews",
  "images.transform_enabled": "Images in other sizes",
  "media.file_types": "Kinds of files in the media library",
  "media.crops": "Shapes that images are cut to",
  "media.keepCredentials": "Files with Content Credentials as uploaded",
  "embeds.hosts": "Hosts that may be embedded",
  "webhooks.hosts": "Private hosts that webhooks may call",
  "exports.keep": "Exports that are kept",
  "packages.publishers": "Trusted publishers",
  "theme.active": "Active theme",
  ...Object.fromEntries(
    ENTITY_TYPES.map((type) => [
      `versions.keep.${type}`,
      `Versions kept of ${entityName(type).toLowerCase()}`,
    ]),
  ),
};

/** The name of a setting; its key where it has none, as secrets of packages do. */
export function settingName(key: string): string {
  return SETTING_NAMES[key] ?? key;
}
