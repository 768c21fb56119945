/**
 * What the admin API answers about collections, fields, blocks and the schema as files.
 *
 * @module
 */
import { z } from "zod";
import { FIELD_TYPE_NAMES } from "../../../../kv/model/fields/field_definition.ts";
import { COLLECTION_ICONS } from "../../../../kv/model/input/collection_icon.ts";
import { count, id, openObject, text, textOrNull, texts, times } from "./answer_parts.ts";

const labels = z.record(z.string(), text).optional();
const nestedField = {
  name: text,
  label: text,
  labels,
  type: z.enum(FIELD_TYPE_NAMES),
  required: z.boolean(),
  help: text,
  options: openObject,
};
const Field = z.object({
  id,
  ...nestedField,
  unique: z.boolean(),
  indexed: z.boolean(),
  sortable: z.boolean(),
  localized: z.boolean().optional(),
  position: count,
  migrating: openObject.optional(),
  ...times,
});
const NestedField = z.object({
  ...nestedField,
  indexed: z.boolean().optional(),
  sortable: z.boolean().optional(),
});

const Example = z.object({ id, title: text, status: text });

const Operation = z.object({
  line: text,
  isRemoval: z.boolean(),
  lost: count.meta({ description: "Values that a changed type loses." }),
});
const SchemaDiff = z.object({ etag: text, operations: z.array(Operation) });

/** The answers by component name. */
export const STRUCTURE_ANSWERS = {
  Field,
  Block: z.object({ id, name: text, label: text, labels, fields: z.array(NestedField), ...times }),
  Collection: z.object({
    id,
    slug: text,
    name: text,
    labels,
    description: text,
    exposed: z.boolean(),
    singleton: z.boolean().optional(),
    icon: z.enum(COLLECTION_ICONS).optional(),
    singular: text.optional().meta({
      description: "The name of one of its documents in the studio.",
    }),
    group: text.optional().meta({
      description: "The heading that it is listed under in the studio.",
    }),
    position: count.optional().meta({
      description: "Its place in the studio's navigation: lowest first, then those without one.",
    }),
    pageless: z.boolean().optional(),
    unlisted: z.boolean().optional(),
    undated: z.boolean().optional(),
    localized: z.boolean().optional(),
    languages: texts.optional(),
    fields: z.array(Field),
    ...times,
  }),
  Impact: z.object({
    documents: count,
    published: count,
    examples: z.array(Example),
    tokens: texts.meta({ description: "Names of API tokens that are limited to it." }),
    definitions: texts.meta({ description: "Fields and blocks that refer to it." }),
  }),
  LocalizedChange: z.object({
    documents: count.meta({ description: "Documents with translations that would be hidden." }),
    languages: z.record(z.string(), count).meta({ description: "The same by language." }),
  }),
  TypeChange: z.object({
    from: text,
    to: text,
    documents: count,
    values: count,
    converted: count,
    failed: count,
    examples: z.array(z.object({ id, title: text, before: z.unknown(), after: z.unknown() })),
    failures: z.array(z.object({ id, title: text, value: z.unknown(), reason: text })),
  }),
  SchemaState: z.object({ etag: text, files: openObject }),
  SchemaDiff,
  SchemaPush: SchemaDiff.extend({ id, jobId: id }),
  SchemaRevert: z.object({ id, jobId: id }),
  SchemaJob: z.object({ id, state: text, step: textOrNull, error: textOrNull }),
};
