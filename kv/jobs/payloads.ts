/**
 * Payloads of jobs: one schema per kind that has one. A payload lies in the job's
 * record, so it names things by their ids and never holds a secret.
 *
 * @module
 */
import { z } from "zod";
import { EMAIL_CHARS_MAX, LANGUAGE_CODE_CHARS_MAX, NAME_CHARS_MAX } from "../limits/content.ts";
import {
  MAIL_ADDRESS_CHARS_MAX,
  MAIL_RECIPIENTS_MAX,
  MAIL_TEXT_CHARS_MAX,
} from "../limits/packages.ts";
import { PACKAGE_KINDS } from "../model/entities/package_manifest.ts";
import { TRANSFER_ACTIONS } from "../model/transfers/transfer_state.ts";

/** Nothing. */
export const NoPayload = z.object({});

/** PUBLISH and UNPUBLISH. */
export const Publication = z.object({
  documentId: z.ulid(),
  collectionId: z.ulid(),
  slug: z.string(),
  /** The version that was made public or taken back. */
  n: z.int(),
  /** Set when a plugin's own write caused it: plugins are not notified. */
  byPlugin: z.boolean().optional(),
  /** The document's old and new position in publication order (epoch seconds); read from `n` if omitted. */
  places: z.array(z.int().nullable()).optional(),
  /** Its old and new tags, each with 0 if it leaves the tag, 1 if its position there changes, 2 if it stays. */
  tags: z.array(z.tuple([z.string(), z.int()])).optional(),
  /** Set when it was published with its first version: nothing can have referred to it before. */
  isNew: z.boolean().optional(),
  /** Set when only translations were or are public: their pages are rendered on request, and are to be purged. */
  inLanguages: z.boolean().optional(),
  /** The languages of a localized document that have changed; `""` is the original, with the values that all share. */
  languages: z.array(z.string()).optional(),
});
export type Publication = z.infer<typeof Publication>;

const ofLanguage = {
  documentId: z.ulid(),
  language: z.string().optional(),
  /** The user who set the time. */
  by: z.ulid().optional(),
};
/** SCHEDULE: the document, and the time of publication or of its end that it was made for (epoch seconds). */
export const Schedule = z.object({ ...ofLanguage, publishAt: z.int() })
  .or(z.object({ ...ofLanguage, unpublishAt: z.int() }));
export type Schedule = z.infer<typeof Schedule>;

/** IMPORT: the upload, and who replaces the site. */
export const ImportRequest = z.object({ importId: z.ulid(), userId: z.ulid() });
export type ImportRequest = z.infer<typeof ImportRequest>;

/** EXPORT: what goes into the backup, and why it is made. */
export const ExportRequest = z.object({
  redacted: z.boolean().default(false),
  media: z.boolean().default(false),
  reason: z.enum(["daily", "manual"]).default("daily"),
});
export type ExportRequest = z.infer<typeof ExportRequest>;

/** MIGRATE and RESERVE_UNIQUE: the field, and who changes it. */
export const FieldChange = z.object({
  collectionId: z.ulid(),
  fieldId: z.ulid(),
  userId: z.ulid().nullable(),
});

/** RESTORE: the instant, when it was asked for (both epoch seconds), and by whom. */
export const Restore = z.object({
  timestamp: z.int().nonnegative(),
  at: z.int().nonnegative(),
  userId: z.string().nullable(),
  /** Whether tokens that are revoked and users who are deleted stay so. */
  keepRevoked: z.boolean().optional(),
});

/** INSTALL: what is to be installed, and what was agreed to. */
export const InstallRequest = z.object({
  kind: z.enum(PACKAGE_KINDS),
  /** The URL to download it from; null if it was uploaded. */
  url: z.string().nullable(),
  /** Name of the bytes among the uploads. */
  upload: z.string(),
  accept: z.array(z.string()),
  /** Whether an older version may take the place of a newer one. */
  downgrade: z.boolean(),
  userId: z.string().nullable(),
});
export type InstallRequest = z.infer<typeof InstallRequest>;

/** TRANSFER: what is done for a transfer. */
export const Transfer = z.object({
  transferId: z.ulid(),
  action: z.enum(TRANSFER_ACTIONS),
});
export type Transfer = z.infer<typeof Transfer>;

/** TRANSFER_EXPORT: the format, and which documents are exported. */
export const TransferExport = z.object({
  kind: z.enum(["wxr", "markdown", "sanity", "json"]),
  /** Slugs; all collections if omitted. */
  collections: z.array(z.string()).optional(),
  /** What documents must meet, by the slug of their collection. */
  conditions: z.record(z.string(), z.json()).optional(),
});
export type TransferExport = z.infer<typeof TransferExport>;

/** TRANSLATION_EXPORT: the language to translate into, and which documents are exported. */
export const TranslationExport = TransferExport.omit({ kind: true }).extend({
  language: z.string(),
  /** The states of their translations; all if omitted. */
  states: z.array(z.string()).optional(),
});
export type TranslationExport = z.infer<typeof TranslationExport>;

/** TRANSLATION_IMPORT: the upload, and on whose behalf it is read. */
export const TranslationImport = z.object({
  importId: z.ulid(),
  name: z.string(),
  userId: z.ulid(),
  /** The languages that the user may write in; absent for all. */
  languages: z.array(z.string()).optional(),
  /** Whether texts are taken whose source has changed since. */
  force: z.boolean().default(false),
});
export type TranslationImport = z.infer<typeof TranslationImport>;

/** SEED: who is to be the author of the example site. */
export const Seed = z.object({ userId: z.ulid().nullable().default(null) });

/** REBUILD_SEARCH: whether an index that is populated is rebuilt too, and whether only that of languages is. */
export const RebuildSearch = z.object({
  force: z.boolean().default(false),
  languages: z.boolean().optional(),
});

/** RENDER_REFERRERS: the document or medium that has changed. */
export const RenderReferrers = z.object({ targetId: z.ulid() });

/** RENDER_TAGS: the collection whose tags have changed documents. */
export const RenderTags = z.object({ collectionId: z.ulid() });

/** RELEASE: what is to be done; `publishAt` (epoch seconds) when it has its time. */
export const Release = z.object({
  releaseId: z.ulid(),
  action: z.enum(["publish", "revert"]),
  publishAt: z.int().nullable(),
  userId: z.ulid().nullable(),
});
export type Release = z.infer<typeof Release>;

/** COMPACT_INDEX. */
export const CompactIndex = z.object({ collectionId: z.ulid() });

/** FLUSH_EDITS. */
export const FlushEdits = z.object({ documentId: z.ulid() });

/** DELIVER: a webhook, or a plugin; `hook` tells its addresses apart, and is empty for its code. */
export const DeliveryQueue = z.object({
  kind: z.enum(["webhook", "plugin"]),
  receiverId: z.ulid(),
  hook: z.string(),
});
export type DeliveryQueue = z.infer<typeof DeliveryQueue>;

/** SCHEMA: the push, and who pushes: a user, or a token by its name. */
export const SchemaPushRequest = z.object({
  pushId: z.ulid(),
  userId: z.ulid().nullable(),
  via: z.string().nullable(),
});

/** REPLAY_WEBHOOK: from when on, epoch seconds. */
export const ReplayWebhook = z.object({ webhookId: z.ulid(), since: z.int().nonnegative() });

/**
 * SEND_MAIL about an account: a link, whose one-time token is made when it is sent, or a notice of a change.
 * `email` is where it goes, when that is not the user's address at the time.
 */
export const AccountMail = z.strictObject({
  kind: z.enum([
    "password_reset",
    "invitation",
    "address_confirmation",
    "address_changed",
    "password_changed",
    "roles_changed",
    "passkey_added",
    "factors_removed",
    "passkey_cloned",
    "identity_linked",
    "new_browser",
  ]),
  userId: z.ulid(),
  email: z.string().max(EMAIL_CHARS_MAX).optional(),
});
export type AccountMail = z.infer<typeof AccountMail>;

/** SEND_MAIL about the work on a document: to some people, or (null) to all who may publish it. */
export const EditorialMail = z.strictObject({
  kind: z.literal("editorial"),
  event: z.enum(["review_asked", "review_returned", "review_published", "mentioned"]),
  to: z.array(z.ulid()).max(MAIL_RECIPIENTS_MAX).nullable(),
  /** The user who caused it and gets no mail. */
  by: z.ulid().nullable(),
  documentId: z.ulid(),
  /** The collection, which determines readers and publishers. */
  collectionId: z.ulid(),
  /** The language of the translation that it is about; absent for the original. */
  language: z.string().max(LANGUAGE_CODE_CHARS_MAX).optional(),
  /** The language that "all who may publish" must be allowed to publish; absent without languages. */
  publishIn: z.string().max(LANGUAGE_CODE_CHARS_MAX).optional(),
  title: z.string(),
  text: z.string(),
});
export type EditorialMail = z.infer<typeof EditorialMail>;

/** SEND_MAIL with what a user was notified of since the last such mail (kv/documents/mail_digest.ts). */
export const DigestMail = z.strictObject({ kind: z.literal("digest"), userId: z.ulid() });

/** SEND_MAIL that a plugin asks for. */
export const PluginMail = z.strictObject({
  kind: z.literal("plugin"),
  /** The name of the plugin, shown below the text. */
  plugin: z.string().max(NAME_CHARS_MAX),
  to: z.email().max(MAIL_ADDRESS_CHARS_MAX),
  subject: z.string().min(1).max(NAME_CHARS_MAX),
  text: z.string().min(1).max(MAIL_TEXT_CHARS_MAX),
});
export type PluginMail = z.infer<typeof PluginMail>;
