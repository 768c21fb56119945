/**
 * What is wrong with a plan: definitions that no field can have, and targets that do not exist.
 *
 * @module
 */
import type { Detail } from "../../refusals.ts";
import { Refusal } from "../../refusals.ts";
import type { Schema } from "../entities/collection.ts";
import type { Json } from "../entities/entity.ts";
import { type FieldInput, readFieldInput } from "../fields/field_input.ts";
import { FIELD_TYPES } from "../fields/types/registry.ts";
import { parseCollection } from "../input/collection_input.ts";
import { below } from "../input/zod_details.ts";
import { mappingDetails } from "./plan_mapping_check.ts";
import { type Plan, type PlanCollection, type PlanField, targetSlug } from "./plan.ts";

/** Types whose values lists can be filtered by. */
const INDEXED: ReadonlySet<string> = new Set([
  ...["number", "boolean", "datetime", "select", "multi_select", "reference", "references"],
]);
const SORTED: ReadonlySet<string> = new Set(["number", "datetime"]);

/** The definition of the field that a plan's field becomes, as a body. */
function fieldBody(
  { to, type, options, localized }: PlanField,
  hasLanguages = false,
): Record<string, Json> {
  return {
    name: to,
    label: labelOf(to),
    type,
    options: options as Json,
    ...(INDEXED.has(type) && { indexed: true }),
    ...(SORTED.has(type) && { sortable: true }),
    ...(hasLanguages && localized && { localized: true }),
  };
}

/** `publishedOn` and `published_on` are both "Published on". */
export function labelOf(name: string): string {
  const words = name.replace(/[_-]+/g, " ").replace(/([a-z0-9])([A-Z])/g, "$1 $2").trim();
  const label = words.replace(/ [A-Z](?![A-Z])/g, (part) => part.toLowerCase());
  return (label.charAt(0).toUpperCase() + label.slice(1)).slice(0, 200) || name;
}

/** The definition of the field that a plan's field becomes; null if there can be none. */
export function fieldInput(field: PlanField, hasLanguages = false): FieldInput | null {
  return readFieldInput(fieldBody(field, hasLanguages)).input;
}

/** Everything that is wrong with a plan under a schema; `sources` are the kinds of rows that were found. */
export function planDetails(
  plan: Plan,
  schema: Schema,
  sources: ReadonlySet<string>,
): Detail[] {
  const targets = new Set(plan.collections.map(targetSlug));
  const details = plan.collections.flatMap((one, index) => {
    const before = plan.collections.slice(0, index);
    const details = [
      ...sourceDetails(one, sources, before),
      ...(one.mode === "skip" ? [] : targetDetails(one, schema)),
      ...one.fields.flatMap((field, position) =>
        [
          ...fieldDetails(one, position, schema, targets),
          ...sharedDetails(one, field, before),
          ...defaultDetails(field, schema),
        ].map((detail) => below(`fields.${position}`, detail))
      ),
      ...matchDetails(one, schema),
    ];
    return details.map((detail) => below(`plan.collections.${index}`, detail));
  });
  return [...details, ...mappingDetails(plan, schema, targets)];
}

function sourceDetails(
  { source }: PlanCollection,
  sources: ReadonlySet<string>,
  before: readonly PlanCollection[],
): Detail[] {
  if (!sources.has(source)) {
    return [{ field: "source", code: "INVALID_CHOICE", message: "The upload has no such rows" }];
  }
  // A row becomes one document.
  if (!before.some((one) => one.source === source)) return [];
  return [{ field: "source", code: "NOT_UNIQUE", message: "Is listed twice" }];
}

/** Rows of several kinds can become documents of one collection, whose fields have one type. */
function sharedDetails(
  { target, mode }: PlanCollection,
  { to, type }: PlanField,
  before: readonly PlanCollection[],
): Detail[] {
  const slug = targetSlug({ target });
  const other = before.filter((one) => one.mode !== "skip" && targetSlug(one) === slug)
    .flatMap(({ fields }) => fields).find((field) => field.to === to);
  if (mode === "skip" || other === undefined || other.type === type) return [];
  const message = `Another kind of rows makes this field with the type ${other.type}`;
  return [{ field: "type", code: "INVALID_TYPE", message }];
}

/** What is wrong with the value that a field gets where a row has none. */
function defaultDetails(field: PlanField, { blocks }: Schema): Detail[] {
  const { default: value = null } = field;
  const input = value === null ? null : fieldInput(field);
  if (input === null) return [];
  const details: Detail[] = [];
  const scope = { path: "default", complete: false, blocks, details, references: [] };
  FIELD_TYPES[input.type].check(value, input, scope);
  return details;
}

function targetDetails({ target }: PlanCollection, schema: Schema): Detail[] {
  if (typeof target === "string") {
    if (schema.bySlug.has(target)) return [];
    const message = "No collection has this slug; give {slug, name} for a new one";
    return [{ field: "target", code: "INVALID_CHOICE", message }];
  }
  if (schema.bySlug.has(target.slug)) return [];
  try {
    parseCollection({ ...target });
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return (error.facts.details ?? []).map((detail) => below("target", detail));
  }
}

function fieldDetails(
  { fields, target }: PlanCollection,
  position: number,
  schema: Schema,
  targets: ReadonlySet<string>,
): Detail[] {
  const field = fields[position];
  if (field === undefined) return [];
  const { details } = readFieldInput(fieldBody(field));
  const found = details.filter(({ field }) => field !== "indexed" && field !== "sortable")
    .map((detail) => detail.field === "name" ? { ...detail, field: "to" } : detail);
  const isTwice = fields.findIndex(({ to }) => to === field.to) < position;
  if (isTwice) found.push({ field: "to", code: "NOT_UNIQUE", message: "Is listed twice" });
  const slug = targetSlug({ target });
  const present = schema.bySlug.get(slug)?.fields.find(({ name }) => name === field.to);
  if (present !== undefined && present.type !== field.type) {
    const message = `The collection has a field of this name with the type ${present.type}`;
    found.push({ field: "type", code: "INVALID_TYPE", message });
  }
  found.push(...referenceDetails(field, (slug) => schema.bySlug.has(slug) || targets.has(slug)));
  return found;
}

/** The collections of a reference that neither the site nor the plan has. */
function referenceDetails(
  { options: { collection, collections } }: PlanField,
  isKnown: (slug: string) => boolean,
): Detail[] {
  const several = Array.isArray(collections) ? collections : [];
  const named: [string, unknown][] = [
    ["options.collection", collection],
    ...several.map((slug, at): [string, unknown] => [`options.collections.${at}`, slug]),
  ];
  const message = "Neither the site nor the plan has this collection";
  return named.filter(([, slug]) => typeof slug === "string" && !isKnown(slug))
    .map(([field]) => ({ field, code: "INVALID_CHOICE", message }));
}

function matchDetails({ match, fields, target }: PlanCollection, schema: Schema): Detail[] {
  if (!match.startsWith("field:")) return [];
  const name = match.slice("field:".length);
  const present = schema.bySlug.get(targetSlug({ target }))?.fields ?? [];
  const isKnown = fields.some(({ to }) => to === name) &&
    [...present.map(({ name }) => name), ...fields.map(({ to }) => to)].includes(name);
  if (isKnown) return [];
  return [{ field: "match", code: "INVALID_CHOICE", message: "The plan has no such field" }];
}
