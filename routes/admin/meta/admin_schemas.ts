/**
 * JSON Schemas of the admin API, made from the schemas that parse its bodies and from those of `answers/`.
 *
 * @module
 */
import { z } from "zod";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { COMMON_ANSWERS } from "./answers/answer_parts.ts";
import { CONTENT_ANSWERS } from "./answers/content.ts";
import { PEOPLE_ANSWERS } from "./answers/people.ts";
import { STRUCTURE_ANSWERS } from "./answers/structure.ts";
import { SYSTEM_ANSWERS } from "./answers/system.ts";

/** A part of the description. */
export type Part = { [key: string]: Json };

const ANSWERS: { [name: string]: z.ZodType } = {
  ...COMMON_ANSWERS,
  ...CONTENT_ANSWERS,
  ...PEOPLE_ANSWERS,
  ...STRUCTURE_ANSWERS,
  ...SYSTEM_ANSWERS,
};

/** What JSON Schema cannot say is left out; whole numbers need no bounds for being exact. */
const OPTIONS = {
  io: "input",
  unrepresentable: "any",
  override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  },
} as const;

/** The schemas of answers by component name; they refer to each other. */
export function answerSchemas(): Part {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(ANSWERS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    ...OPTIONS,
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, bare(schema)]),
  );
}

/** The schema of a body. */
export function bodySchema(body: z.ZodType | undefined): Part {
  if (body === undefined) throw new Error("A body is not described");
  return bare(z.toJSONSchema(body, OPTIONS));
}

/** Only values of any JSON are recursive: their references become schemas that take everything. */
function bare(
  { $schema: _schema, $id: _id, $defs: _defs, ...schema }: z.core.JSONSchema.BaseSchema,
): Part {
  return JSON.parse(
    JSON.stringify(schema),
    (_key, value) =>
      typeof value?.$ref === "string" && value.$ref.startsWith("#/$defs/") ? {} : value,
  );
}
