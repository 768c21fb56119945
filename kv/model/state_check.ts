/**
 * What every state must have for the service to live with it: asked of the states that a back-up would
 * put in place, not of what versions recorded in former times.
 *
 * @module
 */
import { z } from "zod";
import { STATUSES } from "./document.ts";
import type { EntityType, State } from "./entity.ts";
import { FIELD_TYPE_NAMES } from "./field_definition.ts";
import { MEDIA_MIMES } from "./media.ts";

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

const installed = z.looseObject({
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

const STATES: { readonly [type in EntityType]?: z.ZodType } = {
  user: z.looseObject({
    id,
    email: text.min(3),
    displayName: text,
    passwordHash: text.nullable(),
    passwordId: text.nullable(),
  }),
  role: z.looseObject({ id, name: text.min(1), permissions: z.array(text), builtIn: flag }),
  user_role: z.looseObject({ id, userId: id, roleId: id }),
  setting: z.looseObject({ id, key: text.min(1) }),
  collection: z.looseObject({ id, slug: text.min(1), name: text, exposed: flag }),
  field_definition: nestedField.extend({
    id,
    collectionId: id,
    key: text.min(1),
    unique: flag,
    indexed: flag,
    sortable: flag,
    position: z.number(),
  }),
  block_definition: z.looseObject({ id, name: text.min(1), fields: z.array(nestedField) }),
  document: z.looseObject({
    id,
    collectionId: id,
    slug: text.min(1),
    title: text,
    status: z.enum(STATUSES),
    createdAt: time,
    updatedAt: time,
    publishedAt: time.nullable(),
    publishAt: time.nullable(),
    data: options,
    blocks: z.array(z.unknown()),
  }),
  api_token: z.looseObject({
    id,
    name: text,
    scopes: z.array(text),
    quotaPerMinute: z.int().positive(),
    allowedOrigins: z.array(text),
    hash: text.min(1),
  }),
  media_metadata: z.looseObject({
    id,
    filename: text.min(1),
    mime: z.enum(MEDIA_MIMES),
    bytes: time,
    sha256: text.regex(/^[0-9a-f]{64}$/),
    object: text.regex(/^[0-9A-Za-z]{1,64}$/),
  }),
  theme: installed.extend({ kind: z.literal("theme") }),
  plugin: installed.extend({ kind: z.literal("plugin") }),
  plugin_config: z.looseObject({ id, pluginId: id }),
};

/** What is wrong with a state; null when the service can live with it. */
export function stateFault(type: EntityType, entityId: string, state: State): string | null {
  if (state.id !== entityId) return "the state is another entity's";
  const result = STATES[type]?.safeParse(state);
  if (result === undefined || result.success) return null;
  const [issue] = result.error.issues;
  return `the state's ${issue!.path.join(".") || "form"} is wrong`;
}
