/**
 * Component schemas of one collection: documents to read, create and update, and lists of them.
 *
 * @module
 */
import { SLUG_CHARS_MAX, TITLE_CHARS_MAX } from "../../../kv/limits/content.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { STATUSES } from "../../../kv/model/entities/document.ts";
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import { markdown } from "./answers.ts";
import { isDemanded, nullable, type ValueSchemas, valueSchemas } from "./field_schema.ts";
import { type SlugForm, slugPattern } from "../../../kv/model/values/slug.ts";
import {
  languageBodyProperties,
  languageProperties,
  translationSchemas,
} from "./language_parts.ts";
import type { CollectionNames } from "./names.ts";
import { EPOCH_SECONDS, ref, ULID } from "./shared_schemas.ts";

/** Keys that are ignored in bodies, so that a client can send back a document as it received it. */
const IGNORED = ["id", "createdAt", "updatedAt", "publishedAt", "blocks"];

/** The fields of a collection by name, with their schemas. */
type Fields = (readonly [string, ValueSchemas])[];

/** The four schemas of a collection, by component name. */
export function collectionSchemas(
  collection: Collection,
  { one }: CollectionNames,
  { slugs, reverse = [] }: { slugs?: SlugForm | undefined; reverse?: readonly string[] } = {},
): { [name: string]: JsonSchema } {
  const fields = collection.fields.map((field) => [field.name, valueSchemas(field)] as const);
  return {
    [one]: documentSchema(collection, fields),
    [`${one}Create`]: createSchema(collection, fields, givenSlug(slugs)),
    [`${one}Patch`]: patchSchema(collection, fields, givenSlug(slugs)),
    ...translationSchemas(collection, { one }),
    [`${one}Part`]: partSchema(collection, fields, reverse),
    [`${one}List`]: {
      type: "object",
      required: ["data", "meta"],
      additionalProperties: false,
      properties: {
        data: { type: "array", items: ref(one) },
        meta: ref("ListMeta"),
      },
    },
    [`${one}PartList`]: {
      type: "object",
      required: ["data", "meta"],
      additionalProperties: false,
      properties: { data: { type: "array", items: ref(`${one}Part`) }, meta: ref("ListMeta") },
    },
  };
}

function documentSchema(collection: Collection, fields: Fields): JsonSchema {
  const properties: JsonSchema = {
    id: ULID,
    slug: { type: "string" },
    title: { type: "string" },
    status: ref("Status"),
    createdAt: EPOCH_SECONDS,
    updatedAt: EPOCH_SECONDS,
    publishedAt: {
      type: ["integer", "null"],
      description: "Unix epoch seconds; null if the document was never published.",
    },
  };
  for (const [name, { read }] of fields) properties[name] = read;
  properties.blocks = { type: "array", items: ref("Block"), description: "The block tree." };
  const required = Object.keys(properties);
  Object.assign(properties, languageProperties(collection));
  return {
    type: "object",
    title: collection.name,
    ...(collection.description === "" ? {} : { description: markdown(collection.description) }),
    required,
    additionalProperties: false,
    properties,
  };
}

/** A document shaped by `fields`, `include` and `richText`. */
function partSchema(
  collection: Collection,
  fields: Fields,
  reverse: readonly string[],
): JsonSchema {
  const whole = documentSchema(collection, fields);
  const properties: JsonSchema = { ...whole.properties as JsonSchema };
  for (const field of collection.fields) {
    const { referenceTo, richText } = fieldType(field.type);
    const read = properties[field.name] as JsonSchema;
    if (referenceTo !== null) {
      const included = { type: "object", description: "The document or media asset, if included." };
      const isList = fieldType(field.type).kind === "array";
      properties[field.name] = {
        anyOf: [
          read,
          isList ? { type: "array", items: { anyOf: [ULID, included] } } : included,
        ],
      };
    } else if (richText) properties[field.name] = { anyOf: [read, { type: "string" }] };
  }
  properties._counts = {
    type: "object",
    description:
      "How many documents it refers to, or is referred to by. Only present with `counts`.",
    additionalProperties: { type: "integer" },
  };
  properties._partial = {
    type: "array",
    description: "Keys whose lists an include has cut; ignored when sent back.",
    items: { type: "string" },
  };
  for (const name of reverse) {
    properties[name] = {
      type: "array",
      description: "Documents that refer to this one, if included.",
      items: { type: "object" },
    };
  }
  properties._rank = {
    type: "number",
    description: "Relevance, higher is better. Only present with `q`.",
  };
  properties._snippet = {
    type: "string",
    description: "HTML-escaped text with matches in `<mark>`. Only present with `q`.",
  };
  return {
    type: "object",
    description: "A document shaped by `fields`, `include` and `richText`.",
    required: ["id"],
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

function givenSlug(slugs?: SlugForm): JsonSchema {
  return {
    type: "string",
    pattern: slugPattern(slugs),
    maxLength: SLUG_CHARS_MAX,
    description: "Unique in the collection.",
  };
}

function createSchema(collection: Collection, fields: Fields, slug: JsonSchema): JsonSchema {
  return {
    type: "object",
    description: "All fields are optional unless the document is created as published.",
    required: ["title"],
    ...publishedRule(collection),
    additionalProperties: false,
    properties: {
      title: TITLE,
      slug: {
        ...nullable(slug),
        description: "Unique in the collection. Derived from the title if omitted or null.",
      },
      status: {
        type: "string",
        enum: ["draft", "published", "scheduled"],
        description: "Default: draft.",
      },
      ...Object.fromEntries(fields.map(([name, { create }]) => [name, create])),
      ...ignoredProperties(),
      ...languageBodyProperties(collection),
    },
  };
}

function patchSchema(collection: Collection, fields: Fields, slug: JsonSchema): JsonSchema {
  return {
    type: "object",
    description: "Omitted fields stay unchanged; null clears a field. " +
      "If the document is published, the result must have all required fields.",
    additionalProperties: false,
    properties: {
      title: TITLE,
      slug,
      status: {
        type: "string",
        enum: [...STATUSES],
        description: "Only the current status is accepted.",
      },
      ...Object.fromEntries(fields.map(([name, { patch }]) => [name, patch])),
      ...ignoredProperties(),
      ...languageBodyProperties(collection),
    },
  };
}

/** Fields that are required to create a published document. */
function publishedRule(collection: Collection): JsonSchema {
  const demanded = collection.fields.filter(isDemanded).map((field) => field.name);
  if (demanded.length === 0) return {};
  const given = Object.fromEntries(demanded.map((name) => [name, { not: { type: "null" } }]));
  return {
    if: { required: ["status"], properties: { status: { const: "published" } } },
    then: { required: demanded, properties: given },
  };
}

function ignoredProperties(): JsonSchema {
  return Object.fromEntries(IGNORED.map((name) => [name, { description: "Ignored." }]));
}
