/**
 * The shape that every state must have for the service to read it: checked for the current states that a
 * backup would restore, not for states that old versions recorded.
 *
 * @module
 */
import { COLLECTION_ICONS } from "../input/collection_icon.ts";
import { z } from "zod";
import { STATUSES } from "./document.ts";
import { FIELD_TYPE_NAMES } from "../fields/field_definition.ts";
import { ALL_MIMES } from "./media.ts";
import { Factors, Identity } from "../people/factors.ts";
import { RELEASE_ACTIONS, RELEASE_STATES } from "./release.ts";

const id = z.ulid();
const text = z.string();
const flag = z.boolean();
const time = z.int().nonnegative();
const options = z.record(text, z.unknown());

const nestedField = z.looseObject({
  name: text.min(1),
  label: text,
  type: z.enum(FIELD_TYPE_NAMES),
  required: flag,
  options,
});

/** A theme or plugin. */
export const installed = z.looseObject({
  id,
  packageId: text.min(1),
  name: text,
  version: text,
  publisher: text,
  capabilities: z.array(text),
  hosts: z.array(text),
  hooks: z.array(z.looseObject({ event: text, url: text.optional() })),
  settings: options,
  archive: z.looseObject({ sha256: text.regex(/^[0-9a-f]{64}$/), bytes: time }),
  enabled: flag,
});

/** A user. */
export const user = z.looseObject({
  id,
  email: text.min(3),
  displayName: text,
  passwordHash: text.nullable(),
  passwordId: text.nullable(),
  sessionsId: text.optional(),
  disabledAt: time.optional(),
  externalId: text.optional(),
  notificationEmails: z.enum(["daily", "never"]).optional(),
  factors: Factors.optional(),
  identities: z.array(Identity).optional(),
});

/** A role. */
export const role = z.looseObject({
  id,
  name: text.min(1),
  permissions: z.array(text),
  collections: z.array(z.looseObject({ collectionId: id, actions: z.array(text) })).optional(),
  languages: z.array(text).optional(),
  requireSecondFactor: flag.optional(),
  secondFactorSince: time.optional(),
  builtIn: flag,
});

/** A role that a user has. */
export const grant = z.looseObject({ id, userId: id, roleId: id });

/** A setting. */
export const setting = z.looseObject({ id, key: text.min(1) });

/** A collection. */
export const collection = z.looseObject({
  id,
  slug: text.min(1),
  name: text,
  exposed: flag,
  singleton: z.literal(true).optional(),
  icon: z.enum(COLLECTION_ICONS).optional(),
  singular: text.optional(),
  group: text.optional(),
  position: z.number().optional(),
  pageless: z.literal(true).optional(),
  unlisted: z.literal(true).optional(),
  undated: z.literal(true).optional(),
});

/** A field of a collection. */
export const field = nestedField.extend({
  id,
  collectionId: id,
  key: text.min(1),
  unique: flag,
  indexed: flag,
  sortable: flag,
  position: z.number(),
});

/** A definition of blocks. */
export const block = z.looseObject({ id, name: text.min(1), fields: z.array(nestedField) });

/** A document. */
export const document = z.looseObject({
  id,
  collectionId: id,
  slug: text.min(1),
  title: text,
  status: z.enum(STATUSES),
  createdAt: time,
  createdBy: id.optional(),
  updatedAt: time,
  publishedAt: time.nullable(),
  publishAt: time.nullable(),
  data: options,
  blocks: z.array(z.unknown()),
});

/** An API token. */
export const token = z.looseObject({
  id,
  name: text,
  scopes: z.array(text),
  quotaPerMinute: z.int().positive(),
  allowedOrigins: z.array(text),
  hash: text.min(1),
});

/** A medium. */
export const medium = z.looseObject({
  id,
  filename: text.min(1),
  mime: z.enum(ALL_MIMES),
  bytes: time,
  sha256: text.regex(/^[0-9a-f]{64}$/),
  object: text.regex(/^[0-9A-Za-z]{1,64}$/),
});

/** The settings of a plugin. */
export const pluginConfig = z.looseObject({ id, pluginId: id });

/** A permission. */
export const permission = z.looseObject({ id, name: text.min(1) });

/** A release. */
export const release = z.looseObject({
  id,
  name: text.min(1),
  description: text,
  state: z.enum(RELEASE_STATES),
  publishAt: time.nullable(),
  jobId: text.nullable(),
  documents: z.array(z.looseObject({ documentId: id, action: z.enum(RELEASE_ACTIONS) })),
});

/** A webhook. */
export const webhook = z.looseObject({
  id,
  name: text.min(1),
  url: text,
  events: z.array(text),
  collectionIds: z.array(id).nullable(),
  filter: z.looseObject({}).nullable().optional(),
  enabled: flag,
  enabledVersion: time,
  secret: text,
});

/** The comments on a document. */
export const discussion = z.looseObject({
  id,
  comments: z.array(z.looseObject({
    id,
    field: text.nullable(),
    anchor: z.looseObject({
      start: z.looseObject({ key: text, offset: z.int().min(0) }),
      end: z.looseObject({ key: text, offset: z.int().min(0) }),
      quote: text,
    }).optional(),
    replyTo: id.nullable(),
    text,
    mentions: z.array(id),
    createdBy: id.nullable(),
    createdAt: time,
    editedAt: time.nullable(),
    resolvedBy: id.nullable(),
    resolvedAt: time.nullable(),
  })),
});
