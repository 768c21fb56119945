/**
 * Bodies that define a field of a collection, whole or in part.
 *
 * @module
 */
import { writable } from "../input/definition_body.ts";
import { z } from "zod";
import { POSITION_MAX } from "../../limits/requests.ts";
import { type Detail, Refusal } from "../../refusals.ts";
import { RESERVED_FIELD_NAMES } from "../entities/document.ts";
import type { Json } from "../entities/entity.ts";
import type { FieldDefinition, NestedField } from "./field_definition.ts";
import { fieldShape, indexedDetails, nestingDetails, readField } from "./field_shape.ts";
import { fieldType } from "./types/registry.ts";
import { isJsonObject } from "../values/json_object.ts";
import { labels } from "../languages/labels.ts";

/** The body of a new field. */
export const NewField = z.strictObject({
  ...fieldShape,
  name: fieldShape.name.refine((name) => !RESERVED_FIELD_NAMES.has(name), {
    message: "The name is reserved",
    params: { code: "INVALID_CHOICE" },
  }),
  unique: z.boolean().default(false),
  indexed: z.boolean().default(false),
  sortable: z.boolean().default(false),
  /** Place among the fields; without one a new field comes last. */
  position: z.int().min(0).max(POSITION_MAX).exactOptional(),
  /** Whether values have translations; absent for no. */
  localized: z.boolean().exactOptional(),
  labels: labels.exactOptional(),
});

/** A field as its author defines it. */
export type FieldInput =
  & NestedField
  & Omit<z.infer<typeof NewField>, keyof typeof fieldShape>;

/** Which ability of a type each flag asks for. */
const FLAGS = { unique: "unique", indexed: "index", sortable: "sort" } as const;

/** Keys of a field on the wire that are not written; a body that was read can be sent back. */
const READ_ONLY = ["collectionId", "key", "migrating"];

/** Parses the definition of a new field. */
export function parseField(body: unknown): FieldInput {
  const { input, details } = readFieldInput(body);
  if (input === null) throw new Refusal("VALIDATION_FAILED", { details });
  return input;
}

/**
 * Parses a change of `current` and returns the whole definition that comes of it. Given `options` take
 * the place of the present ones; a changed type keeps those options and flags that it knows.
 */
export function parseFieldPatch(body: unknown, current: FieldDefinition): FieldInput {
  const { name, label, type, required, help, options, unique, indexed, sortable, position } =
    current;
  const { localized, labels } = current;
  const present = {
    name,
    label,
    type,
    required,
    help,
    options,
    unique,
    indexed,
    sortable,
    position,
    ...(localized && { localized }),
    ...(labels && { labels }),
  };
  if (!isJsonObject(body as Json)) return parseField(body);
  const given = body as { [key: string]: Json };
  const next: Record<string, unknown> = { ...present, ...given };
  if (given.type !== undefined && given.type !== type) dropUnknown(next, given);
  return parseField(next);
}

/** Parses a definition; its failures come with it instead of being thrown. */
export function readFieldInput(body: unknown): { input: FieldInput | null; details: Detail[] } {
  const { attributes, field, details } = readField(
    NewField,
    isJsonObject(body) ? writable(body, READ_ONLY) : body,
    fieldType,
  );
  details.push(...flagDetails(body));
  if (field !== null) {
    details.push(...nestingDetails(field));
    const levels = fieldType(field.type).kind === "object" ? 1 : null;
    const { fields = [] } = field.options;
    details.push(...indexedDetails(fields, levels, "options.fields", fieldType));
  }
  if (attributes === null || field === null || details.length > 0) return { input: null, details };
  return { input: { ...attributes, ...field }, details };
}

/** A flag may be set only where the type bears it. */
function flagDetails(body: unknown): Detail[] {
  if (!isJsonObject(body as Json)) return [];
  const given = body as { [key: string]: Json };
  const type = fieldShape.type.safeParse(given.type);
  if (!type.success) return [];
  const { can } = fieldType(type.data);
  return (["unique", "indexed", "sortable"] as const)
    .filter((flag) => given[flag] === true && !can[FLAGS[flag]])
    .map((flag) => ({
      field: flag,
      code: "INVALID_CHOICE",
      message: `A ${type.data} field cannot be ${flag}`,
    }));
}

/** Takes out of a definition with a changed type options of the previous type that were not given again. */
function dropUnknown(next: Record<string, unknown>, given: { [key: string]: Json }): void {
  const type = fieldShape.type.safeParse(next.type);
  if (!type.success) return;
  const { can } = fieldType(type.data);
  for (const flag of ["unique", "indexed", "sortable"] as const) {
    if (given[flag] === undefined && !can[FLAGS[flag]]) next[flag] = false;
  }
  if (given.options !== undefined) return;
  const options: Record<string, unknown> = { ...next.options as object };
  next.options = options;
  for (const { field } of readFieldInput(next).details) {
    const [scope, option] = field.split(".");
    if (scope === "options" && option !== undefined) delete options[option];
  }
}
