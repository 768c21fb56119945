/**
 * The format of a backup: a gzip tarball of `manifest.json`, then `tables/<name>.jsonl`, then
 * `media.jsonl`, then, when they were asked for, the bytes of media under `media/<object>` and the packages
 * of themes and plugins under `packages/<digest>.tar.gz`.
 *
 * The table of an entity type holds its versions, by entity and number, whole states in them; the live
 * state of an entity is the one of its newest version. Seven more tables hold what history does not tell.
 *
 * @module
 */
import { z } from "zod";
import { CREDENTIALS_FILENAME, CREDENTIALS_MIME } from "../media_credentials.ts";
import {
  DESCRIPTION_CHARS_MAX,
  LANGUAGE_CODE_CHARS_MAX,
  MIME_CHARS_MAX,
  NAME_CHARS_MAX,
  TITLE_CHARS_MAX,
} from "../../limits/content.ts";
import {
  FORMER_ADDRESS_BYTES_MAX,
  TRANSFER_NAME_CHARS_MAX,
  TRANSFER_RUNS_MAX,
  TRANSFER_VALUE_CHARS_MAX,
} from "../../limits/transfers.ts";
import type { Json, State } from "./entity.ts";
import {
  ENTITY_TYPES,
  type EntityType,
  isEntityType,
  kindOf,
  type StateOf,
} from "./entity_kinds.ts";
import { Plan, TRANSFER_KINDS } from "../transfers/plan.ts";
import { RESTING_STATES, TRANSFER_ACTIONS } from "../transfers/transfer_state.ts";
import { isSlug } from "../values/slug.ts";
import { redact } from "../values/redact.ts";

/** The newest format that this service reads. It differs from 1 in slugs with letters of every script. */
export const BACKUP_FORMAT = 2;
/** The format of a backup whose slugs are ASCII: releases before that setting read it. */
export const ASCII_BACKUP_FORMAT = 1;

/** Tables in the order of the tarball; a replay in this order finds what it needs already there. */
export const TABLES = [
  "permission",
  "role",
  "user",
  "user_role",
  "setting",
  "collection",
  "field_definition",
  "block_definition",
  "field_key",
  "theme",
  "plugin",
  "plugin_config",
  "api_token",
  "media_metadata",
  "old_slug",
  "document",
  "webhook",
  "release",
  "discussion",
  "version_name",
  "former_address",
  "transfer",
  "transferred",
  "transfer_change",
] as const satisfies readonly (
  | EntityType
  | "field_key"
  | "old_slug"
  | "version_name"
  | "former_address"
  | "transfer"
  | "transferred"
  | "transfer_change"
)[];

/** The name of a table. */
export type TableName = typeof TABLES[number];

/** Tables that earlier backups do not have. */
const LATER_TABLES: ReadonlySet<TableName> = new Set([
  "webhook",
  "release",
  "discussion",
  "version_name",
  "former_address",
  "transfer",
  "transferred",
  "transfer_change",
]);

if (ENTITY_TYPES.some((type) => !(TABLES as readonly string[]).includes(type))) {
  throw new RangeError("An entity type has no table");
}

/** Names inside of the tarball. */
export const MANIFEST_NAME = "manifest.json";
export const MEDIA_NAME = "media.jsonl";
export const MEDIA_FOLDER = "media/";
/** The location of a table. */
export const tablePath = (table: string): string => `tables/${table}.jsonl`;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Count = z.int().nonnegative();

/** A table in the manifest. */
export const TableFacts = z.strictObject({ rows: Count, bytes: Count, sha256: Sha256 });
export type TableFacts = z.infer<typeof TableFacts>;

/** `manifest.json`. */
export const Manifest = z.strictObject({
  format: z.literal("cms-backup"),
  formatVersion: z.literal([ASCII_BACKUP_FORMAT, BACKUP_FORMAT]),
  /** Epoch seconds. */
  createdAt: Count,
  redacted: z.boolean(),
  tables: z.strictObject(
    Object.fromEntries(
      TABLES.map((table) => [table, LATER_TABLES.has(table) ? TableFacts.optional() : TableFacts]),
    ) as Record<TableName, z.ZodOptional<typeof TableFacts>>,
  ),
  /** `media.jsonl`, and whether the bytes of the media are in the tarball too. */
  media: TableFacts.extend({ included: z.boolean() }),
});
export type Manifest = z.infer<typeof Manifest>;

const ulid = z.ulid();

/** A row of an entity type's table: a version with its state, null for a tombstone. */
export const VersionLine = z.strictObject({
  id: ulid,
  entity_type: z.enum(ENTITY_TYPES),
  entity_id: ulid,
  version_number: z.int().min(1),
  changed_by: ulid.nullable(),
  change_summary: z.string().nullable(),
  changed_at: Count,
  /** Whether a document became public with it; backups of earlier releases do not say it. */
  published: z.boolean().optional(),
  /** The versions that were pruned between the row before and this one: the first of them, and of what time. */
  gap: z.strictObject({ first: z.int().min(2), at: Count, sitting: z.boolean() }).optional(),
  state: z.record(z.string(), z.unknown()).nullable(),
});
type LineFacts = Omit<z.infer<typeof VersionLine>, "entity_type" | "state">;
/** The same with the state of its type, which {@linkcode stateFault} has looked at. */
export type VersionLine = {
  [T in EntityType]: LineFacts & { entity_type: T; state: StateOf<T> | null };
}[EntityType];

/** A row of `field_key`: the field that first used a storage key. */
export const FieldKeyLine = z.strictObject({
  collection_id: ulid,
  key: z.string().regex(/^[a-zA-Z][a-zA-Z0-9_]{0,63}(?:~\d{1,6})?$/),
  field_id: ulid,
});
export type FieldKeyLine = z.infer<typeof FieldKeyLine>;

/** A row of `old_slug`: the document that gave up a slug while it was published. */
export const OldSlugLine = z.strictObject({
  collection_id: ulid,
  slug: z.string().max(NAME_CHARS_MAX).refine((slug) => isSlug(slug, "unicode")),
  document_id: ulid,
});
export type OldSlugLine = z.infer<typeof OldSlugLine>;

/** A row of `version_name`: a version's name. */
export const VersionNameLine = z.strictObject({
  entity_type: z.enum(ENTITY_TYPES),
  entity_id: ulid,
  version_number: z.int().min(1),
  name: z.string().min(1).max(TITLE_CHARS_MAX),
});
export type VersionNameLine = z.infer<typeof VersionNameLine>;

/** A row of `former_address`: an address that a document or asset had in another system. */
export const FormerAddressLine = z.strictObject({
  address: z.string().min(2).max(FORMER_ADDRESS_BYTES_MAX).startsWith("/"),
  entity_type: z.enum(["document", "media_metadata"]),
  entity_id: ulid,
  language: z.string().max(LANGUAGE_CODE_CHARS_MAX).optional(),
  transfer_id: ulid,
});
export type FormerAddressLine = z.infer<typeof FormerAddressLine>;

/** A row of `transfer`: a transfer that has written something; neither its files, nor an address or a token. */
export const TransferLine = z.strictObject({
  id: ulid,
  name: z.string(),
  kind: z.enum(TRANSFER_KINDS).nullable(),
  state: z.enum(RESTING_STATES),
  counts: z.record(z.string(), Count),
  plan: Plan.nullable(),
  runs: z.array(z.strictObject({ jobId: z.string(), action: z.enum(TRANSFER_ACTIONS) }))
    .max(TRANSFER_RUNS_MAX),
  created_by: ulid,
  created_at: Count,
});
export type TransferLine = z.infer<typeof TransferLine>;

const keyPart = z.string().max(TRANSFER_NAME_CHARS_MAX);

/** A row of `transferred`: the entity that a row of another system has become. */
export const TransferredLine = z.strictObject({
  source_key: keyPart,
  kind: keyPart,
  source_id: keyPart,
  entity_id: ulid,
  /** Digest of what was written last; empty if later changes are not in the backup. */
  hash: z.string().max(NAME_CHARS_MAX),
  /** Set while its document is still to be published, scheduled or archived. */
  waits: z.literal(true).optional(),
});
export type TransferredLine = z.infer<typeof TransferredLine>;

const longText = z.string().max(TRANSFER_VALUE_CHARS_MAX);

/** A row of `transfer_change`: what a transfer has done to an entity, which undoing it takes back. */
export const TransferChangeLine = z.strictObject({
  transfer_id: ulid,
  entity_type: z.enum(ENTITY_TYPES),
  entity_id: ulid,
  before: z.int().min(1).nullable(),
  n: z.int().min(1),
  row: z.strictObject({ sourceKey: longText, kind: longText, id: longText }).optional(),
});
export type TransferChangeLine = z.infer<typeof TransferChangeLine>;

/** A row of a table that holds no versions. */
export type KeyLine =
  | FieldKeyLine
  | OldSlugLine
  | VersionNameLine
  | FormerAddressLine
  | TransferLine
  | TransferredLine
  | TransferChangeLine;

const objectId = z.string().regex(/^[0-9A-Za-z]{1,64}$/);

/** A row of `media.jsonl`: a medium and what proves its bytes. */
export const MediaLine = z.strictObject({
  id: ulid,
  filename: z.string().max(DESCRIPTION_CHARS_MAX),
  mime: z.string().max(MIME_CHARS_MAX),
  bytes: Count,
  sha256: Sha256,
  object: objectId,
  /** The manifest of its Content Credentials, which is a file of its own. */
  credentials: z.strictObject({ object: objectId, bytes: Count, sha256: Sha256 }).optional(),
});
export type MediaLine = z.infer<typeof MediaLine>;

/** The objects of a medium: what each must be, and what it is called when it is missing. */
export function objectsOfLine(
  { object, sha256, mime, filename, credentials }: MediaLine,
): { object: string; sha256: string; mime: string; filename: string }[] {
  const bytes = { object, sha256, mime, filename };
  if (credentials === undefined) return [bytes];
  const name = `${filename}: ${CREDENTIALS_FILENAME}`;
  return [bytes, { ...credentials, mime: CREDENTIALS_MIME, filename: name }];
}

/** Whether a table holds versions of entities. */
export function isVersionTable(table: TableName): table is TableName & EntityType {
  return isEntityType(table);
}

/** A state for handing out: without hashes, secrets and mail addresses. */
export function redactForExport<T extends EntityType>(type: T, state: StateOf<T>): State {
  const seen: { [key: string]: Json } = redact(type, state);
  for (const key of kindOf(type).personal ?? []) delete seen[key];
  return seen;
}
