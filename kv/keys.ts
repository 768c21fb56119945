/**
 * The keyspace. Keys of jobs, indexes, search, pages, changes, live editing and a few more are in the `*_keys.ts` of
 * their units; no other file spells a key. A family is named by its first part and belongs to one file. Families that
 * are read by prefix order their parts by type, owner, then position. Names of parts never change, so that stores stay
 * readable.
 *
 * @module
 */
import type { EntityGroup, EntityType } from "./model/entities/entity_kinds.ts";

/** A key of the store; only strings and numbers are used as parts. */
export type Key = readonly (string | number)[];
/** The id of a segment. */
export type SegmentId = string | number;

/** The segments of an index (segments/). */
export interface SegmentKeys {
  /** Names the segments that count. */
  manifest: Key;
  /** Touched by every swap of the manifest, where readers look at such a key. */
  version: Key | null;
  /** Segments that are being written, and segments to delete. */
  leases: Key;
  /** All pieces of a segment. */
  segment: (id: SegmentId) => Key;
}

// Entities and their history (entities.ts, versioned_write.ts, versions.ts)
/** The current row of an entity; a tombstone stays behind when it is deleted. */
export const currentKey = (type: EntityType, id: string): Key => ["live", type, id];
/** All current rows. */
export const currentRowsPrefix: Key = ["live"];
/** All current rows of a type. */
export const currentPrefix = (type: EntityType): Key => ["live", type];
/** Version `n` of an entity. */
export const versionKey = (
  type: EntityType,
  id: string,
  n: number,
): Key => ["version", type, id, n];
/** All versions of an entity, oldest first. */
export const versionPrefix = (type: EntityType, id: string): Key => ["version", type, id];
/** All versions of all entities. */
export const versionRowsPrefix: Key = ["version"];
/** All versions of all entities of a type. */
export const versionTypePrefix = (type: EntityType): Key => ["version", type];
/** The location of a version ID, `[type, id, n]`, unless it follows from the ID (versioning/version_locations.ts). */
export const versionIdKey = (versionId: string): Key => ["version_id", versionId];
/** A note about version `n` (versioning/version_notes.ts): its name, or that a gap begins there. */
export const versionNoteKey = (
  type: EntityType,
  id: string,
  n: number,
): Key => [...versionNotePrefix(type, id), n];
/** The notes on all versions, or on those of one entity. */
export const versionNotePrefix = (
  ...of: [] | [EntityType] | [EntityType, string]
): Key => ["version_name", ...of];
/** Pieces of a state too large for its row; immutable, they belong to version `n`. */
export const stateChunkPrefix = (
  type: EntityType,
  id: string,
  n: number,
): Key => ["state_chunk", type, id, n];
/** The log of versions without their states; versions of one second and commit share the row of the first. */
export const logKey = (
  type: EntityType,
  at: number,
  id: string,
  n: number,
): Key => ["log", type, at, id, n];
/** The log of one type, in order of time. */
export const logPrefix = (type: EntityType): Key => ["log", type];

// History (timeline/, site_restore.ts, prune.ts)
/** A mark in the log: versions from `first` on, below `end`, were pruned away; `first` is in the place of a time. */
export const prunedMarkKey = (type: EntityType, id: string, first: number, end: number): Key =>
  logKey(type, first, id, end).concat("p");
/** An entry that was made from a version alone, in a row that no commit shares. */
export const rebuiltLogKey = (...of: Parameters<typeof logKey>): Key => logKey(...of).concat("r");
/** The segments that hold what is no longer in the log of a type. */
export const timelineManifestKey = (type: EntityType): Key => ["timeline", type, "manifest"];
/** The segments of a type's timeline. */
export const timelineSegmentKeys = (type: EntityType): SegmentKeys => ({
  manifest: timelineManifestKey(type),
  version: null,
  leases: ["timeline", type, "lease"],
  segment: (id) => ["timeline", type, "segment", id],
});
/** Everything that was compacted out of the logs. */
export const timelinePrefix: Key = ["timeline"];
/** Up to when a PRUNE has gone through all histories. */
export const prunedUntilKey: Key = ["pruned_until"];
/** The last restore of the whole site; its versionstamp is the cut between before and after. */
export const siteRestoreKey: Key = ["site_restore"];

// Version keys: each is checked and touched by every write of its domain, so that their caches are exact.
/** Collections, field definitions and block definitions. */
export const schemaKey: Key = ["schema"];
/** Users, roles, permissions and who has which. */
export const accessKey: Key = ["access"];
/** Settings. */
export const settingsKey: Key = ["settings"];
/** API tokens: a collection that is renamed changes the scopes of many of them. */
export const tokensKey: Key = ["tokens"];
/** Releases, and which documents are in them. */
export const releasesKey: Key = ["releases"];
/** The version key of each group of entities. */
export const groupKeys: { readonly [group in EntityGroup]: Key } = {
  schema: schemaKey,
  access: accessKey,
  settings: settingsKey,
  tokens: tokensKey,
  releases: releasesKey,
};

/** The field that first used a storage key; a key is never used by another field again. */
export const fieldKeyKey = (
  collectionId: string,
  key: string,
): Key => ["field_key", collectionId, key];

/** The code of the first-run setup, when the environment names none. */
export const setupCodeKey: Key = ["setup_code"];

/** The value of a document that a migration could not convert. */
export const lostValueKey = (jobId: string, id: string): Key => ["lost_value", jobId, id];
/** Everything that a migration could not convert, by document. */
export const lostValuePrefix = (jobId: string): Key => ["lost_value", jobId];

// Documents (documents.ts)
/** The document that holds a slug. */
export const slugKey = (collectionId: string, slug: string): Key => ["slug", collectionId, slug];
/** The document that has a slug in a language other than the site's. */
export const languageSlugKey = (
  collectionId: string,
  language: string,
  slug: string,
): Key => ["slug_in", collectionId, language, slug];
/** The document that gave up a slug in a language while its translation was published. */
export const oldLanguageSlugKey = (
  collectionId: string,
  language: string,
  slug: string,
): Key => ["old_slug_in", collectionId, language, slug];
/** All reservations of slugs. */
export const slugsPrefix: Key = ["slug"];
/** All reservations of slugs in languages. */
export const languageSlugsPrefix: Key = ["slug_in"];
/** The document that gave up a slug while it was published. */
export const oldSlugKey = (
  collectionId: string,
  slug: string,
): Key => ["old_slug", collectionId, slug];
/** The document that holds a unique value; `hash` identifies the value. */
export const uniqueKey = (
  collectionId: string,
  fieldKey: string,
  hash: string,
): Key => ["unique", collectionId, fieldKey, hash];
/** All reservations of values of a field. */
export const uniquePrefix = (
  collectionId: string,
  fieldKey: string,
): Key => ["unique", collectionId, fieldKey];
/** All reserved values. */
export const uniquesPrefix: Key = ["unique"];

// People, tokens, protection (users.ts, sessions.ts, tokens.ts, rate_limit/)
/** An admin session by the hash of its secret. */
export const sessionKey = (hash: string): Key => ["session", hash];
/** The sessions of a user. */
export const userSessionKey = (userId: string, hash: string): Key => ["user_session", userId, hash];
/** All sessions of a user. */
export const userSessionPrefix = (userId: string): Key => ["user_session", userId];
/** The user who has signed in with a browser, by the hash of the browser's secret. */
export const knownBrowserKey = (hash: string): Key => ["browser", hash];
/** An event of the audit log, in order of time. */
export const auditKey = (at: number, id: string): Key => ["audit", at, id];
/** An event of the audit log that waits for its webhook messages. */
export const undeliveredAuditKey = (id: string): Key => ["audit_untold", id];
/** All of those. */
export const undeliveredAuditPrefix: Key = ["audit_untold"];
/** A one-time token of a mail, by the hash of its secret. */
export const resetKey = (hash: string): Key => ["reset", hash];
/** A sign-in that waits for its second factor, by the hash of its secret. */
export const signInChallengeKey = (hash: string): Key => ["sign_in_challenge", hash];
/** A challenge that an authenticator has to sign, by its hash. */
export const passkeyChallengeKey = (hash: string): Key => ["passkey_challenge", hash];
/** The signature counter of a passkey, and its last use; without versions. */
export const passkeyUseKey = (userId: string, id: string): Key => ["passkey_use", userId, id];
/** The time step of the last code that a user has used. */
export const totpStepKey = (userId: string): Key => ["totp_step", userId];
/** A TOTP secret that its user has not confirmed yet. */
export const totpSetupKey = (userId: string): Key => ["totp_setup", userId];
/** A grant of access to a program (people/oauth/). */
export const oauthGrantKey = (id: string): Key => ["oauth_grant", id];
/** The grants of a user. */
export const oauthUserGrantKey = (
  userId: string,
  id: string,
): Key => ["oauth_user_grant", userId, id];
/** All grants of a user. */
export const oauthUserGrantPrefix = (userId: string): Key => ["oauth_user_grant", userId];
/** A request for access that waits for its user's consent, by the hash of its secret. */
export const oauthRequestKey = (hash: string): Key => ["oauth_request", hash];
/** An authorization code, by its hash; kept for a while after its use, so that a second use is seen. */
export const oauthCodeKey = (hash: string): Key => ["oauth_code", hash];
/** A device that waits for access, by the hash of its code. */
export const oauthDeviceKey = (hash: string): Key => ["oauth_device", hash];
/** The device that shows a code to its user. */
export const oauthUserCodeKey = (userCode: string): Key => ["oauth_user_code", userCode];
/** A client that has registered itself. */
export const oauthClientKey = (id: string): Key => ["oauth_client", id];
/** A sign-in at an OpenID provider that is under way, by the hash of its cookie (people/sso/). */
export const oidcFlowKey = (hash: string): Key => ["oidc_flow", hash];
/** A link that a user has asked for, by the hash of its secret. */
export const oidcLinkKey = (hash: string): Key => ["oidc_link", hash];
/** The sessions that belong to a session at a provider. */
export const oidcSessionKey = (provider: string, sid: string, hash: string): Key => [
  ...oidcSessionPrefix(provider, sid),
  hash,
];
/** All of them. */
export const oidcSessionPrefix = (
  provider: string,
  sid: string,
): Key => ["oidc_session", provider, sid];
/** A logout token that was used. */
export const oidcLogoutKey = (
  provider: string,
  hash: string,
): Key => ["oidc_logout", provider, hash];
/** The private keys with which the service signs in to the token endpoints of providers. */
export const oidcClientPrefix: Key = ["oidc_client_key"];
/** The key for one provider. */
export const oidcClientKey = (provider: string): Key => ["oidc_client_key", provider];
/** When a token was last used; written at most once a minute, without a version. */
export const lastUsedKey = (tokenId: string): Key => ["last_used", tokenId];
/** Requests made with a token, by the hour; written together with the key above. */
export const tokenUseKey = (tokenId: string): Key => ["token_use", tokenId];
/** The counts of all tokens. */
export const tokenUsePrefix: Key = ["token_use"];
/** The admitted requests of a rate-limit bucket. */
export const windowKey = (bucket: string): Key => ["window", bucket];
/** The request of a process for the next decision on a bucket. */
export const leaseClaimKey = (bucket: string, lease: string): Key => ["lease_claim", bucket, lease];
/** The claims to a lease of a bucket. */
export const leaseClaimsPrefix = (bucket: string): Key => ["lease_claim", bucket];
/** The format of everything that is stored. */
export const formatKey: Key = ["format"];
/** The fence that commits to a remote store check, so that an abandoned commit never takes effect. */
export const writeFenceKey = (slot: number): Key => ["write_fence", slot];
/** When the minute's cron last ran, in any process. */
export const cronTickKey: Key = ["cron_tick"];
/** A surrogate key that is still to be purged from caches. */
export const purgeTagKey = (tag: string): Key => ["purge_tag", tag];
/** All of them. */
export const purgeTagPrefix: Key = ["purge_tag"];

/** The key that addresses of private media are signed with. */
export const mediaSigningKeyKey: Key = ["media_signing_key"];

/** The hash of a file of steps that has run, by its path. */
export const schemaMigrationKey = (path: string): Key => ["schema_migration", path];

// Previews (documents/lists/previews.ts)
/** A preview: which document it shows, its end, and the hash of its secret. */
export const previewKey = (id: string): Key => ["preview", id];
/** All previews, oldest first. */
export const previewPrefix: Key = ["preview"];
/** A token that reads for a while (people/reading_tokens.ts): its scopes, its end, the hash of its secret. */
export const readingTokenKey = (id: string): Key => ["reading_token", id];

// Releases (releases/)
/** Marks an open release, so that open releases are found without reading the others. */
export const openReleaseKey = (id: string): Key => ["release_open", id];
/** All open releases, oldest first. */
export const openReleasePrefix: Key = ["release_open"];
/** The action of a release job for a document, and its result. */
export const releasePartKey = (
  jobId: string,
  documentId: string,
): Key => ["release_part", jobId, documentId];
/** All documents of such a job. */
export const releasePartPrefix = (jobId: string): Key => ["release_part", jobId];

// Saved views and layouts of document lists (documents/lists/saved_views.ts, documents/lists/list_layouts.ts)
/** How a user arranges the list of a collection; `list` is its id, or {@linkcode ALL_DOCUMENTS}. */
export const listLayoutKey = (userId: string, list: string): Key => ["list_layout", userId, list];
/** The list of all documents. */
export const ALL_DOCUMENTS = "all";

/** The ids of the collections that a user has pinned (people/pins.ts). */
export const pinsKey = (userId: string): Key => ["pins", userId];

/** A view; `owner` is a user, or {@linkcode SHARED_VIEWS} for everybody. */
export const savedViewKey = (owner: string, id: string): Key => ["saved_view", owner, id];
/** All views that an owner has. */
export const savedViewPrefix = (owner: string): Key => ["saved_view", owner];
/** The owner of views that everybody sees. */
export const SHARED_VIEWS = "shared";

/** The time up to which a user has read what they are notified of (documents/notifications.ts), epoch seconds. */
export const notificationsReadKey = (userId: string): Key => ["notifications_read", userId];

// Daily summaries (documents/mail_digest.ts)
/** What a user's next summary is about, in order of time. */
export const mailDigestKey = (userId: string, id: string): Key => ["mail_digest", userId, id];
/** All of it. */
export const mailDigestPrefix = (userId: string): Key => ["mail_digest", userId];

// Media (media.ts)
/** The object that holds the bytes with this digest; set again by every upload that shares it. */
export const mediaBytesKey = (sha256: string): Key => ["media_bytes", sha256];
/** All of them. */
export const mediaBytesPrefix: Key = ["media_bytes"];

// Shards (store/shards.ts): the rows of media, and what documents point to
// What shards were called in the first format. No older release opens a store once a step has run over it, and
// processes of two releases write side by side while one is rolled out: a better name is not worth either.
export const SHARDS = "shelves";
/** Touched by every change of a family's rows. */
export const shardsVersionKey = (family: string): Key => [SHARDS, family, "version"];
/** Stamps by shard, each touched by every change of the shard's rows. */
export const shardStampPrefix = (family: string): Key => [SHARDS, family, "stamp"];
/** Rows by shard, id, and a name that tells apart what one id has several of. */
export const shardRowPrefix = (family: string): Key => [SHARDS, family, "row"];
/** A stamp, a row, or the prefix of some rows. */
export const shardKey = (prefix: Key, ...parts: (string | number)[]): Key => [...prefix, ...parts];

// Counted rows (store/counted_rows.ts)
/** Set by each change of a counted row in a window of time; a window has the first characters of its ids. */
export const windowStampKey = (
  family: string,
  window: string,
): Key => ["counted_window", family, window];
/** The stamps of all windows that changed lately. */
export const windowStampPrefix = (family: string): Key => ["counted_window", family];
/** The same for a bucket: a second of a window. */
export const bucketStampKey = (family: string, window: string, bucket: string): Key => [
  ...bucketStampPrefix(family, window),
  bucket,
];
/** The stamps of the buckets of a window, or of all windows. */
export const bucketStampPrefix = (family: string, window?: string): Key => [
  "counted_bucket",
  family,
  ...window === undefined ? [] : [window],
];

// Publishing and the public site: pages/page_keys.ts
// Packages (plugin_health.ts, sweep_packages.ts)

/** How a plugin has fared lately, and whether it is paused. */
export const pluginHealthKey = (pluginId: string): Key => ["plugin_health", pluginId];
/** The hour, or day, for which plugins were last called. */
export const pluginScheduleKey = (event: string): Key => ["plugin_schedule", event];
/** That the bytes of a package are being removed, or were. */
export const packageSweepKey = (digest: string): Key => ["package_sweep", digest];

// Backups (backup/)
/** The facts about a backup. */
export const exportKey = (id: string): Key => ["export", id];
/** All backups, oldest first. */
export const exportPrefix: Key = ["export"];
/** The sweep of objects that has its turn, or had it last. */
export const objectSweepKey: Key = ["object_sweep"];
/** Which import replaces the site at present. */
export const importLockKey: Key = ["import_lock"];
/** Everything below a first part that an import replaces as a whole. */
export const replacedPrefixes: readonly Key[] = [
  ...["version_id", "version_name", "preview", "reading_token", "slug", "unique", "old_slug"],
  ...["field_key", "release_open", "transfer_change"],
].map((first): Key => [first]).concat([shardRowPrefix("media"), shardRowPrefix("references")]);
/** All pieces of states of a type. */
export const stateChunkTypePrefix = (type: EntityType): Key => ["state_chunk", type];
/** All storage keys that fields ever had. */
export const fieldKeyPrefix: Key = ["field_key"];
/** All slugs that documents gave up while published. */
export const oldSlugPrefix: Key = ["old_slug"];
/** All admin sessions. */
export const sessionPrefix: Key = ["session"];
