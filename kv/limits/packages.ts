/**
 * The bounds of packages, plugins, webhooks and the site they serve, each with its unit and reason.
 *
 * @module
 */

/** Failures in a row after which the code of a plugin is paused. */
export const CODE_FAILURES_MAX = 5;
/** Webhooks of one site. */
export const WEBHOOKS_MAX = 100;
/** How long messages to webhooks are kept, with their answers, milliseconds. */
export const DELIVERIES_KEPT_MS = 7 * 86_400_000;
/** Messages of one webhook that its list shows, the newest. */
export const DELIVERIES_LISTED_MAX = 1_000;
/** Themes, and plugins, of one site. */
export const PACKAGES_MAX = 100;
/** Files of a package besides manifest and signature. */
export const PACKAGE_FILES_MAX = 200;
/** Bytes of packages by kind, packed and unpacked. */
export const PACKAGE_BYTES_MAX: Readonly<
  Record<"plugin" | "theme", { packed: number; unpacked: number }>
> = {
  plugin: { packed: 1_000_000, unpacked: 5_000_000 },
  theme: { packed: 5_000_000, unpacked: 25_000_000 },
};
/** Bytes of the manifest of a package or of a backup. */
export const MANIFEST_BYTES_MAX = 100_000;
/** Characters of a package's id. */
export const PACKAGE_ID_CHARS_MAX = 128;
/** Capabilities of one package. */
export const CAPABILITIES_MAX = 50;
/** Entries of the public site's menu. */
export const MENU_ENTRIES_MAX = 24;
/** Publishers that a site trusts. */
export const PUBLISHERS_MAX = 100;
/** Choices of one setting of a package. */
export const SETTING_CHOICES_MAX = 200;
/** Characters of the address that previews are shown at, its placeholders included. */
export const PREVIEW_URL_CHARS_MAX = 1_000;
/** Characters of an address that a plugin writes to. */
export const MAIL_ADDRESS_CHARS_MAX = 320;
/** Hooks of one plugin. */
export const HOOKS_MAX = 20;
/** Hosts that one plugin may call. */
export const HOSTS_MAX = 50;
/** Characters of the address of a webhook, and of any that a manifest names. */
export const ADDRESS_CHARS_MAX = 2_000;
/** Characters of the path of a file inside a package. */
export const PACKAGE_PATH_CHARS_MAX = 200;
/** Settings of one package. */
export const PACKAGE_SETTINGS_MAX = 100;
/** Characters of a text that a package is set to. */
export const SETTING_CHARS_MAX = 10_000;
/** Characters of a capability. */
export const CAPABILITY_CHARS_MAX = 160;
/** Characters of a version or of a range. */
export const VERSION_CHARS_MAX = 64;
/** Mails of one call of a plugin. */
export const PLUGIN_MAILS_MAX = 5;
/** Characters of the words of a plugin's mail; with all else it fits in a job. */
export const MAIL_TEXT_CHARS_MAX = 10_000;
/** Collections that one webhook may name. */
export const WEBHOOK_COLLECTIONS_MAX = 100;
/** People that one mail about a document names. */
export const MAIL_RECIPIENTS_MAX = 20;
