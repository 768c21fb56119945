/**
 * The schemas of the admin API: the types of keys in bodies, and what is answered.
 *
 * @module
 */
import { FIELD_TYPE_NAMES } from "../../../kv/model/fields/field_definition.ts";
import { PERMISSION_NAMES } from "../../../kv/model/entities/permission.ts";
import { STATUSES } from "../../../kv/model/entities/document.ts";
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import { ULID_SCHEMA } from "../../../kv/model/input/wire_schemas.ts";
import { REFUSALS } from "../../../kv/refusals.ts";

const TEXT: JsonSchema = { type: "string" };
const FLAG: JsonSchema = { type: "boolean" };
const NUMBER: JsonSchema = { type: "integer" };
const TIME: JsonSchema = { type: "integer", description: "Unix epoch seconds." };
const TIME_OR_NULL: JsonSchema = { type: ["integer", "null"], description: "Unix epoch seconds." };
const OBJECT: JsonSchema = { type: "object", additionalProperties: true };
const ID: JsonSchema = { ...ULID_SCHEMA };
const FIELD_TYPE: JsonSchema = { type: "string", enum: [...FIELD_TYPE_NAMES] };
const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });
const TEXTS = listOf(TEXT);

/** Types of keys that are no text. Names in camel case stand for keys that others have with another type. */
const KEY_TYPES: Readonly<Record<string, JsonSchema>> = {
  seedExample: FLAG,
  fields: listOf({ $ref: "#/components/schemas/Field" }),
  exposed: FLAG,
  singleton: FLAG,
  icon: { type: ["string", "null"] },
  pageless: FLAG,
  unlisted: FLAG,
  undated: FLAG,
  fieldType: FIELD_TYPE,
  required: FLAG,
  unique: FLAG,
  indexed: FLAG,
  sortable: FLAG,
  options: OBJECT,
  position: NUMBER,
  documentStatus: { type: "string", enum: [...STATUSES] },
  slug: { type: ["string", "null"] },
  blocks: listOf(OBJECT),
  ttl: NUMBER,
  publishAt: TIME_OR_NULL,
  unpublishAt: TIME_OR_NULL,
  field: { type: ["string", "null"] },
  resolved: FLAG,
  redacted: FLAG,
  private: FLAG,
  ids: listOf(ID),
  tags: TEXTS,
  addTags: TEXTS,
  removeTags: TEXTS,
  focus: { type: ["object", "null"] },
  crops: { type: ["object", "null"] },
  action: { type: "string", enum: ["publish", "unpublish"] },
  timestamp: TIME,
  permissions: listOf({ type: "string", enum: [...PERMISSION_NAMES] }),
  force: FLAG,
  scopes: TEXTS,
  quotaPerMinute: NUMBER,
  allowedOrigins: TEXTS,
  expiresAt: TIME_OR_NULL,
  overlapSeconds: NUMBER,
  plan: OBJECT,
  dryRun: FLAG,
  roles: TEXTS,
  workingCopy: FLAG,
  content: FLAG,
  fieldNames: TEXTS,
  versionName: { type: ["string", "null"] },
  viewCollection: { type: ["string", "null"] },
  shared: FLAG,
  events: TEXTS,
  webhookCollections: { type: ["array", "null"], items: TEXT },
  filter: { type: ["object", "null"] },
  enabled: FLAG,
  since: TIME,
  schemaFiles: OBJECT,
  etag: { type: ["string", "null"] },
  alts: OBJECT,
  allowLoss: FLAG,
  delete: FLAG,
  languages: { type: ["array", "null"], items: TEXT },
  publishedLanguages: { anyOf: [TEXTS, { const: "*" }] },
  roleCollections: listOf(OBJECT),
  slugs: TEXTS,
  states: TEXTS,
  requireSecondFactor: FLAG,
};

/** Keys whose names in the tables of operations are others, because their types differ. */
const KEY_NAMES: Readonly<Record<string, string>> = {
  fieldName: "name",
  fieldType: "type",
  documentStatus: "status",
  mediaTitle: "title",
  fieldNames: "fields",
  schemaFiles: "files",
  versionName: "name",
  viewCollection: "collection",
  webhookCollections: "collections",
  publishedLanguages: "languages",
  roleCollections: "collections",
  slugs: "collections",
};

/** The schema of a body, from the names of its keys. */
export function bodySchema(keys: string): JsonSchema {
  const names = keys.split(" ");
  const properties: { [name: string]: JsonSchema } = {};
  const required: string[] = [];
  for (const text of names) {
    const key = text.replace("!", "");
    if (key === "any") continue;
    const name = KEY_NAMES[key] ?? key;
    properties[name] = KEY_TYPES[key] ?? TEXT;
    if (text.endsWith("!")) required.push(name);
  }
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    properties,
    additionalProperties: names.includes("any"),
  };
}

/** An object with some keys; others may be there. */
function answered(properties: { [name: string]: JsonSchema }, optional: string[] = []): JsonSchema {
  return {
    type: "object",
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
    additionalProperties: true,
  };
}

const FIELD_KEYS: { [name: string]: JsonSchema } = {
  name: TEXT,
  label: TEXT,
  type: FIELD_TYPE,
  required: FLAG,
  unique: FLAG,
  indexed: FLAG,
  sortable: FLAG,
  help: TEXT,
  options: OBJECT,
};

const TOKEN_KEYS = { id: ID, name: TEXT, scopes: TEXTS };
const WEBHOOK_KEYS = { id: ID, name: TEXT, url: TEXT, events: TEXTS, enabled: FLAG };

/** The component schemas by name. */
export const ADMIN_SCHEMAS: { [name: string]: JsonSchema } = {
  Any: { description: "Any JSON." },
  Problem: answered({
    error: answered({
      code: { type: "string", enum: Object.keys(REFUSALS) },
      message: TEXT,
      details: listOf(answered({ field: TEXT, code: TEXT, message: TEXT })),
    }, ["details"]),
  }),
  PageMeta: answered({ page: NUMBER, perPage: NUMBER, total: NUMBER }, [
    "page",
    "perPage",
    "total",
  ]),
  SetupState: answered({ needed: FLAG }),
  SignedIn: answered({ user: OBJECT }, ["user"]),
  Field: answered(FIELD_KEYS, Object.keys(FIELD_KEYS).filter((key) => key !== "name")),
  Block: answered({
    id: ID,
    name: TEXT,
    label: TEXT,
    fields: listOf({ $ref: "#/components/schemas/Field" }),
  }),
  Collection: answered({
    id: ID,
    slug: TEXT,
    name: TEXT,
    description: TEXT,
    exposed: FLAG,
    fields: listOf({ $ref: "#/components/schemas/Field" }),
  }),
  Document: answered({ id: ID, title: TEXT, slug: TEXT, status: TEXT, collection: TEXT }),
  Preview: answered({ id: ID, url: TEXT, expiresAt: TIME }, ["url"]),
  Job: answered({ jobId: ID }, ["jobId"]),
  QueuedJob: answered({ status: TEXT, jobId: ID }),
  JobState: answered({ id: ID, type: TEXT, state: TEXT }),
  Medium: answered({ id: ID, filename: TEXT, mime: TEXT, bytes: NUMBER, alt: TEXT, url: TEXT }),
  MediaLimits: answered({ maxBytes: NUMBER, allowedMimes: TEXTS, transformsEnabled: FLAG }),
  Package: answered({ id: TEXT, version: TEXT }, ["version"]),
  Release: answered({ id: ID, name: TEXT, state: TEXT, documents: listOf(OBJECT) }),
  ReleaseCheck: answered({ ok: FLAG, documents: listOf(OBJECT) }),
  Role: answered({ id: ID, name: TEXT, permissions: TEXTS }),
  Settings: OBJECT,
  Token: answered(TOKEN_KEYS),
  NewToken: answered({ ...TOKEN_KEYS, token: TEXT }),
  Transfer: answered({ id: ID }),
  User: answered({ id: ID, email: TEXT, displayName: TEXT, roles: TEXTS }),
  Version: OBJECT,
  View: answered({ id: ID, name: TEXT }),
  Webhook: answered(WEBHOOK_KEYS),
  NewWebhook: answered({ ...WEBHOOK_KEYS, secret: TEXT }),
  Delivery: answered({ id: TEXT, state: TEXT }),
  AuditEntry: OBJECT,
  SchemaState: answered({ etag: TEXT, files: OBJECT }),
  SchemaDiff: answered({
    etag: TEXT,
    operations: listOf(answered({ line: TEXT, isRemoval: FLAG, lost: NUMBER })),
  }),
};
