/**
 * The common part of field definitions, in a collection as inside a repeater, group or block: parsing their
 * attributes, and the options that their type accepts.
 *
 * @module
 */
import { z } from "zod";
import {
  FIELD_NESTING_MAX,
  INDEXED_GROUP_LEVELS_MAX,
  NESTED_FIELDS_MAX,
} from "../../limits/content.ts";
import type { Detail } from "../../refusals.ts";
import { FIELD_TYPE_NAMES, type FieldOptions, type NestedField } from "./field_definition.ts";
import { FieldPlacement, PLACEMENT_NAMES } from "./field_placement.ts";
import type { CheckScope, FieldType } from "./field_type.ts";
import type { TypeOf } from "../values/nested_values.ts";
import { isJsonObject } from "../values/json_object.ts";
import { boundedText } from "../values/text_check.ts";
import { customIssue, zodDetails } from "../input/zod_details.ts";

/** How fields are named. */
const FIELD_NAME = /^[a-z][a-zA-Z0-9_]{0,63}$/;

/** Names that every object has of itself: a value that is not there must not be found under one. */
export const UNSAFE_NAMES: ReadonlySet<string> = new Set([
  "prototype",
  ...Object.getOwnPropertyNames(Object.prototype),
]);

/** The attributes that every field has; `options` are parsed by its type. */
export const fieldShape = {
  name: z.string().regex(FIELD_NAME, "Must be a letter, then letters, digits and _ (at most 64)")
    .refine((name) => !UNSAFE_NAMES.has(name), {
      message: "The name is reserved",
      params: { code: "INVALID_CHOICE" },
    }),
  label: boundedText(0, 200).nullish(),
  type: z.enum(FIELD_TYPE_NAMES),
  required: z.boolean().default(false),
  help: boundedText(0, 2_000).nullish(),
  options: z.unknown().optional(),
};

/** Nested fields are not unique; only those inside of groups can be indexed, which the definition checks. */
export const nestedShape = z.strictObject({
  ...fieldShape,
  unique: z.literal(false).optional(),
  indexed: z.boolean().optional(),
  sortable: z.boolean().optional(),
});

/** The parsed shape, with unparsed options. */
type Attributes = z.infer<z.ZodObject<typeof fieldShape>>;

/** Parses a definition: its attributes by `shape`, its options by its type, all failures together. */
export function readField<T extends Attributes>(
  shape: z.ZodType<T>,
  body: unknown,
  typeOf: TypeOf,
): { attributes: T | null; field: NestedField | null; details: Detail[] } {
  const parsed = shape.safeParse(body);
  const details = parsed.success ? [] : zodDetails(parsed.error, "", body);
  const given = typeof body === "object" && body !== null ? body as Partial<Attributes> : {};
  const type = fieldShape.type.safeParse(given.type);
  if (!type.success) return { attributes: null, field: null, details };
  const { options, details: failures } = readOptions(
    typeOf(type.data),
    withoutNulls(given.options),
  );
  details.push(...failures);
  if (!parsed.success || options === null) return { attributes: null, field: null, details };
  const { name, label, required, help } = parsed.data;
  const field: NestedField = {
    name,
    label: label || name,
    type: type.data,
    required,
    help: help ?? "",
    options,
  };
  details.push(...defaultDetails(field, typeOf));
  return { attributes: parsed.data, field, details };
}

/** Parses the options of a type, and those that all types have. */
function readOptions(
  type: FieldType,
  given: unknown,
): { options: FieldOptions | null; details: Detail[] } {
  const { role, placement, own } = isJsonObject(given) ? taken(given) : { own: given };
  const parsed = type.options.safeParse(own);
  const said = z.enum(type.roles).optional().safeParse(role);
  const placed = FieldPlacement.safeParse(placement ?? {});
  const details = [
    ...parsed.success ? [] : zodDetails(parsed.error, "options", given),
    ...said.success ? [] : zodDetails(said.error, "options.role", role),
    ...placed.success ? [] : zodDetails(placed.error, "options", placement),
  ];
  if (!parsed.success || !said.success || !placed.success) return { options: null, details };
  const { side, ...place } = placed.data;
  const options = {
    ...parsed.data,
    ...(said.data && { role: said.data }),
    ...place,
    ...(side && { side }),
  };
  return { options, details };
}

/** The properties of all types, without the options of single types. */
function taken({ role, ...rest }: Record<string, unknown>) {
  const isPlacement = (name: string) => (PLACEMENT_NAMES as string[]).includes(name);
  const entries = Object.entries(rest);
  const placement = Object.fromEntries(entries.filter(([name]) => isPlacement(name)));
  const own = Object.fromEntries(entries.filter(([name]) => !isPlacement(name)));
  return { role, placement, own };
}

/** A definition's own nested definitions, as an option; every failure of every one of them is reported. */
export function nestedFields(typeOf: TypeOf): z.ZodType<NestedField[]> {
  return z.array(z.unknown()).max(NESTED_FIELDS_MAX).transform((bodies, context) => {
    const fields: NestedField[] = [];
    const names = new Set<string>();
    for (const [position, body] of bodies.entries()) {
      const { attributes, field, details } = readField(nestedShape, body, typeOf);
      const refused = flagDetails(attributes ?? {}, field, typeOf);
      details.push(...refused);
      for (const { field: path, code, message } of details) {
        const steps = path === "" ? [position] : [position, ...path.split(".")];
        context.addIssue(customIssue(code, message, steps));
      }
      if (field === null || refused.length > 0) continue;
      for (const name of PLACEMENT_NAMES) {
        if (field.options[name] === undefined) continue;
        const message = "Only a collection's own fields have a place in the form";
        context.addIssue(customIssue("UNKNOWN_KEY", message, [position, "options", name]));
      }
      if (names.has(field.name)) {
        context.addIssue(customIssue("NOT_UNIQUE", "Is listed twice", [position, "name"]));
      }
      names.add(field.name);
      if (attributes?.indexed) field.indexed = true;
      if (attributes?.sortable) field.sortable = true;
      fields.push(field);
    }
    return fields;
  });
}

/** A flag may be set only where the type bears it. */
function flagDetails(
  flags: { indexed?: boolean | undefined; sortable?: boolean | undefined },
  field: NestedField | null,
  typeOf: TypeOf,
): Detail[] {
  if (field === null) return [];
  const { can } = typeOf(field.type);
  const refused = [
    ...(flags.indexed && !can.index ? ["indexed"] : []),
    ...(flags.sortable && !can.sort ? ["sortable"] : []),
  ];
  return refused.map((flag) => ({
    field: flag,
    code: "INVALID_CHOICE",
    message: `A ${field.type} field cannot be ${flag}`,
  }));
}

/**
 * The details of nested fields that are indexed or sortable where no column can hold their values: inside of
 * lists, or too deep. `levels` are the groups that are open; null inside of a list.
 */
export function indexedDetails(
  fields: readonly NestedField[],
  levels: number | null,
  path: string,
  typeOf: TypeOf,
): Detail[] {
  return fields.flatMap((field, at) => {
    const here = `${path}.${at}`;
    const isGroup = typeOf(field.type).kind === "object";
    const inside = levels === null || !isGroup ? null : levels + 1;
    const inner = indexedDetails(
      field.options.fields ?? [],
      inside,
      `${here}.options.fields`,
      typeOf,
    );
    if (levels !== null && levels <= INDEXED_GROUP_LEVELS_MAX) return inner;
    const message = levels === null
      ? "Only fields inside of groups can be indexed"
      : `At most ${INDEXED_GROUP_LEVELS_MAX} levels of groups have indexed fields`;
    const own = (["indexed", "sortable"] as const).filter((flag) => field[flag] === true);
    return [
      ...own.map((flag): Detail => ({ field: `${here}.${flag}`, code: "INVALID_CHOICE", message })),
      ...inner,
    ];
  });
}

/** How many levels of repeaters and groups a field opens. */
function nestingOf(field: NestedField): number {
  const nested = field.options.fields;
  return nested === undefined ? 0 : 1 + Math.max(0, ...nested.map(nestingOf));
}

/** The detail of a field that nests too deeply, if it does. */
export function nestingDetails(field: NestedField): Detail[] {
  if (nestingOf(field) <= FIELD_NESTING_MAX) return [];
  const message = `At most ${FIELD_NESTING_MAX} levels of repeaters and groups`;
  return [{ field: "options.fields", code: "TOO_LARGE", message }];
}

/** A default must be a value that the field accepts. */
function defaultDetails(field: NestedField, typeOf: TypeOf): Detail[] {
  if (field.options.default === undefined) return [];
  const scope: CheckScope = {
    path: "options.default",
    complete: false,
    blocks: new Map(),
    details: [],
    references: [],
  };
  typeOf(field.type).check(field.options.default, field, scope);
  return scope.details;
}

/** Forms send `null` for an option that is not set. */
function withoutNulls(options: unknown): unknown {
  if (options === undefined || options === null) return {};
  if (!isJsonObject(options as FieldOptions["default"])) return options;
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
}
