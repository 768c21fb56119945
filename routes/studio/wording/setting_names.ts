/**
 * Names of settings.
 *
 * @module
 */
import { ENTITY_TYPES } from "../../../kv/model/entities/entity_kinds.ts";
import { entityName } from "./entity_names.ts";

const SETTING_NAMES: Readonly<Record<string, string>> = {
  "site.title": "Site title",
  "site.description": "Site description",
  "site.url": "Site URL",
  "site.language": "Language",
  "site.timezone": "Time zone",
  "site.accent": "Accent color",
  "site.font": "Site typeface",
  "site.logo": "Logo",
  "site.image": "Sharing image",
  "site.icon": "Site icon",
  "site.menu": "Site menu",
  "site.texts": "Site texts in other languages",
  "site.security": "Security contact",
  "languages": "Languages of content",
  "translation.glossary": "Glossary",
  "translation.style": "Translation style",
  "site.redirects": "Redirects",
  "slugs": "URLs from titles",
  "search.stemming": "Match word forms",
  "preview.url": "Preview URL",
  "images.transform_enabled": "Image resizing",
  "media.file_types": "Other file types",
  "media.crops": "Image shapes",
  "media.keepCredentials": "Content Credentials",
  "embeds.hosts": "Embed hosts",
  "webhooks.hosts": "Private webhook hosts",
  "auth.secondFactor": "Second factor",
  "auth.graceDays": "Days to set up a second factor",
  "auth.passwords": "Who can sign in with a password",
  "auth.password.min": "Minimum password length",
  "auth.password.blocklist": "Reject common passwords",
  "auth.session.hours": "Session length",
  "auth.stepUp": "Confirm sensitive changes",
  "auth.mail": "Sign-in notices",
  "auth.rpId": "Domain of passkeys",
  "auth.providers": "Single sign-on providers",
  "auth.scimAdministrators": "Administrators by SCIM",
  "auth.oauth.register": "Client registration",
  "auth.oauth.clientDocuments": "Client metadata documents",
  "exports.keep": "Daily backups",
  "packages.publishers": "Trusted publishers",
  "theme.active": "Active theme",
  ...Object.fromEntries(
    ENTITY_TYPES.map((type) => [
      `versions.keep.${type}`,
      `Versions to keep: ${entityName(type).toLowerCase()}`,
    ]),
  ),
};

/** The name of a setting; its key if it has none, such as package secrets. */
export function settingName(key: string): string {
  return SETTING_NAMES[key] ?? key;
}
