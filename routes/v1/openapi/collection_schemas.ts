/**
 * Component schemas of one collection: a document as it is read, created and patched, and a page of them.
 *
 * @module
 */
import { SLUG_CHARS_MAX, TITLE_CHARS_MAX } from "../../../kv/limits.ts";
import type { Collection } from "../../../kv/model/collection.ts";
import type { JsonSchema } from "../../../kv/model/field_type.ts";
import { markdown } from "./answers.ts";
import { isDemanded, readSchema, writeSchema } from "./field_schema.ts";
import { SLUG } from "../../../kv/model/slug.ts";
import type { CollectionNames } from "./names.ts";
import { EPOCH_SECONDS, ref, ULID } from "./shared_schemas.ts";

/** Keys that bodies may carry and that are ignored, so that what was read can be sent back. */
const IGNORED = ["id", "createdAt", "updatedAt", "publishedAt", "blocks"];

/** The four schemas of a collection, by component name. */
export function collectionSchemas(
  collection: Collection,
  { one }: CollectionNames,
): { [name: string]: JsonSchema } {
  return {
    [one]: documentSchema(collection),
    [`${one}Create`]: createSchema(collection),
    [`${one}Patch`]: patchSchema(collection),
    [`${one}List`]: {
      type: "object",
      required: ["data", "meta"],
      additionalProperties: false,
      properties: { data: { type: "array", items: ref(one) }, meta: ref("ListMeta") },
    },
  };
}

function documentSchema(collection: Collection): JsonSchema {
  const properties: JsonSchema = {
    id: ULID,
    slug: { type: "string" },
    title: { type: "string" },
    status: ref("Status"),
    createdAt: EPOCH_SECONDS,
    updatedAt: EPOCH_SECONDS,
    publishedAt: {
      type: ["integer", "null"],
      description: "Unix epoch seconds; null before the first publication.",
    },
  };
  for (const field of collection.fields) properties[field.name] = readSchema(field);
  properties.blocks = { type: "array", items: ref("Block"), description: "The block tree." };
  return {
    type: "object",
    title: collection.name,
    ...(collection.description === "" ? {} : { description: markdown(collection.description) }),
    required: Object.keys(properties),
    additionalProperties: false,
    properties,
  };
}

const TITLE: JsonSchema = {
  type: "string",
  minLength: 1,
  maxLength: TITLE_CHARS_MAX,
  pattern: "\\S",
};

const GIVEN_SLUG: JsonSchema = {
  type: "string",
  pattern: SLUG.source,
  maxLength: SLUG_CHARS_MAX,
  description: "Unique in the collection.",
};

function createSchema(collection: Collection): JsonSchema {
  return {
    type: "object",
    description: "Fields may be left out unless the document is created as published.",
    required: ["title"],
    ...publishedRule(collection),
    additionalProperties: false,
    properties: {
      title: TITLE,
      slug: {
        ...GIVEN_SLUG,
        description: "Unique in the collection; derived from the title when left out.",
      },
      status: {
        type: "string",
        enum: ["draft", "published", "scheduled"],
        description: "Default: draft.",
      },
      ...fieldProperties(collection, true),
      ...ignoredProperties(),
    },
  };
}

function patchSchema(collection: Collection): JsonSchema {
  return {
    type: "object",
    description: "What is left out stays; null clears a field. " +
      "The result is checked for required fields when the document is published.",
    additionalProperties: false,
    properties: {
      title: TITLE,
      slug: GIVEN_SLUG,
      status: {
        type: "string",
        enum: ["draft", "published", "scheduled", "archived"],
        description: "Only the present status is accepted.",
      },
      ...fieldProperties(collection, false),
      ...ignoredProperties(),
    },
  };
}

/** What a document needs to be created as published. */
function publishedRule(collection: Collection): JsonSchema {
  const demanded = collection.fields.filter(isDemanded).map((field) => field.name);
  if (demanded.length === 0) return {};
  const given = Object.fromEntries(demanded.map((name) => [name, { not: { type: "null" } }]));
  return {
    if: { required: ["status"], properties: { status: { const: "published" } } },
    then: { required: demanded, properties: given },
  };
}

function fieldProperties(collection: Collection, creating: boolean): JsonSchema {
  return Object.fromEntries(
    collection.fields.map((field) => [field.name, writeSchema(field, creating)]),
  );
}

function ignoredProperties(): JsonSchema {
  return Object.fromEntries(IGNORED.map((name) => [name, { description: "Ignored." }]));
}
