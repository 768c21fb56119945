/**
 * Reference fields name their targets by slug: which ones a definition names, and what becomes of it when a
 * collection gets another slug.
 *
 * @module
 */
import type { FieldDefinition, FieldOptions, NestedField } from "./field_definition.ts";

/** The slugs of the collections that a field's references lead to; empty for any collection. */
export function targetSlugs({ collection, collections }: FieldOptions): readonly string[] {
  return collections ?? (collection === undefined ? [] : [collection]);
}

/** The slug of the only collection that a field's references lead to; undefined if there are several. */
export function onlyTarget(options: FieldOptions): string | undefined {
  const [slug, ...others] = targetSlugs(options);
  return others.length === 0 ? slug : undefined;
}

/** Whether references lead to one of several named collections, so that documents name theirs. */
export function hasSeveralTargets(options: FieldOptions): boolean {
  return targetSlugs(options).length > 1;
}

/** A collection that a definition names, and where. */
interface NamedTarget {
  slug: string;
  /** `options.fields.0.options.collections.1` */
  path: string;
}

/** The slugs that a definition and those inside it name in `collections`. */
export function namedTargets(field: Pick<NestedField, "options">): NamedTarget[] {
  return targetsWithin(
    field,
    ({ collections = [] }) =>
      collections.map((slug, at) => ({ slug, path: `options.collections.${at}` })),
  );
}

/** The slugs of all collections that references of a definition and of those inside it lead to. */
export function everyTarget(field: Pick<NestedField, "options">): NamedTarget[] {
  return targetsWithin(
    field,
    (options) => targetSlugs(options).map((slug) => ({ slug, path: "options" })),
  );
}

function targetsWithin(
  { options }: Pick<NestedField, "options">,
  ownOf: (options: FieldOptions) => NamedTarget[],
): NamedTarget[] {
  const within = (options.fields ?? []).flatMap((field, at) =>
    targetsWithin(field, ownOf).map(({ slug, path }) => ({
      slug,
      path: `options.fields.${at}.${path}`,
    }))
  );
  return [...ownOf(options), ...within];
}

/** The field with references to `to` instead of `from`, at any depth; itself when it has none. */
function retargeted<T extends NestedField>(field: T, from: string, to: string): T {
  const { collection, collections, fields } = field.options;
  const nested = fields && retargetedAll(fields, from, to);
  const isAmong = collections?.includes(from) === true;
  if (collection !== from && !isAmong && nested === fields) return field;
  const options = { ...field.options };
  if (collection === from) options.collection = to;
  if (isAmong) options.collections = collections.map((slug) => slug === from ? to : slug);
  if (nested !== undefined) options.fields = nested;
  return { ...field, options };
}

/** The same for a field of a collection, which may be becoming another. */
export function retargetedField(
  field: FieldDefinition,
  from: string,
  to: string,
): FieldDefinition {
  const next = retargeted(field, from, to);
  if (field.migrating === undefined) return next;
  const becoming = retargeted(field.migrating.to, from, to);
  if (becoming === field.migrating.to) return next;
  return { ...next, migrating: { ...field.migrating, to: becoming } };
}

/** The same for a list of fields. */
export function retargetedAll<T extends NestedField>(fields: T[], from: string, to: string): T[] {
  const next = fields.map((field) => retargeted(field, from, to));
  return next.some((field, position) => field !== fields[position]) ? next : fields;
}
