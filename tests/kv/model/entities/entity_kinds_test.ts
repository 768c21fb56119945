import assert from "node:assert/strict";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import {
  ENTITY_TYPES,
  type EntityType,
  kindOf,
} from "../../../../kv/model/entities/entity_kinds.ts";

const ID = "01KBA6Q7R8S9T0V1W2X3Y4Z5A6";
const DIGEST = "0".repeat(64);

const FIELD = { name: "body", label: "Body", type: "text", required: false, options: {} };
const PACKAGE = {
  id: ID,
  packageId: "com.acme.gallery",
  name: "Gallery",
  version: "1.0.0",
  publisher: "acme",
  capabilities: [],
  hosts: [],
  hooks: [{ event: "document.published" }],
  settings: {},
  archive: { sha256: DIGEST, bytes: 1 },
  enabled: true,
};
const COMMENT = {
  id: ID,
  field: null,
  replyTo: null,
  text: "Please shorten.",
  mentions: [ID],
  createdBy: null,
  createdAt: 1,
  editedAt: null,
  resolvedBy: null,
  resolvedAt: null,
};

/** The members that a state of each type must have to be restored. */
const REQUIRED: Record<EntityType, Record<string, Json>> = {
  user: { id: ID, email: "a@b", displayName: "Ada", passwordHash: null, passwordId: null },
  role: { id: ID, name: "desk", permissions: ["a.former.one"], builtIn: false },
  permission: { id: ID, name: "documents.read" },
  user_role: { id: ID, userId: ID, roleId: ID },
  setting: { id: ID, key: "site.title" },
  collection: { id: ID, slug: "posts", name: "Posts", exposed: true },
  field_definition: {
    ...FIELD,
    id: ID,
    collectionId: ID,
    key: "body",
    unique: false,
    indexed: false,
    sortable: false,
    position: 0,
  },
  document: {
    id: ID,
    collectionId: ID,
    slug: "one",
    title: "One",
    status: "draft",
    createdAt: 1,
    updatedAt: 1,
    publishedAt: null,
    publishAt: null,
    data: {},
    blocks: [],
  },
  api_token: {
    id: ID,
    name: "app",
    scopes: ["a-former-one:read"],
    quotaPerMinute: 60,
    allowedOrigins: [],
    hash: "h",
  },
  block_definition: { id: ID, name: "quote", fields: [FIELD] },
  theme: { ...PACKAGE, kind: "theme" },
  plugin: { ...PACKAGE, kind: "plugin" },
  plugin_config: { id: ID, pluginId: ID },
  media_metadata: {
    id: ID,
    filename: "a.png",
    mime: "image/png",
    bytes: 1,
    sha256: DIGEST,
    object: "o1",
  },
  webhook: {
    id: ID,
    name: "deploy",
    url: "https://example.org",
    events: ["a.former.one"],
    collectionIds: null,
    enabled: true,
    enabledVersion: 1,
    secret: "whsec_a",
  },
  release: {
    id: ID,
    name: "Spring",
    description: "",
    state: "open",
    publishAt: null,
    jobId: null,
    documents: [{ documentId: ID, action: "publish" }],
  },
  discussion: { id: ID, comments: [COMMENT] },
};

/** Copies of a value that each lack one member, at any depth. */
function* incomplete(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (const part of incomplete(value[0] ?? null)) yield [part];
  } else if (value !== null && typeof value === "object") {
    for (const [key, member] of Object.entries(value)) {
      const { [key]: _, ...rest } = value;
      yield rest;
      for (const part of incomplete(member)) yield { ...value, [key]: part };
    }
  }
}

for (const type of ENTITY_TYPES) {
  const { shape } = kindOf(type);
  const state = REQUIRED[type];

  Deno.test(`a state of ${type} needs no more than these members`, () => {
    assert.equal(shape.safeParse(state).success, true);
    assert.equal(shape.safeParse({ ...state, ofAnotherVersion: { a: 1 } }).success, true);
  });

  Deno.test(`a state of ${type} needs each of these members`, () => {
    const accepted = [...incomplete(state)].filter((part) => shape.safeParse(part).success);
    assert.deepEqual(accepted, []);
  });
}
