/**
 * The query language in the types module: filters, keys and includes that the compiler checks against the
 * schema, and answers that they narrow.
 *
 * @module
 */
import type { BlockDefinition, Collection } from "../../../kv/model/entities/collection.ts";
import { columnFields, type IndexedField } from "../../../kv/model/fields/indexed_fields.ts";
import { targetSlugs } from "../../../kv/model/fields/reference_target.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import {
  ADDRESS_OPERATORS,
  EQUALITY_OPERATORS,
  type FilterOperator,
  LIST_OPERATORS,
  ORDER_OPERATORS,
  REFERENCE_OPERATORS,
  TEXT_OPERATORS,
} from "../../../kv/model/fields/filter_operator.ts";
import { hasFacet } from "../../query/facet_keys.ts";
import { FILTERED_FRAMING, framingOperators } from "../../query/filter_target.ts";
import { REVERSE_PREFIX } from "../../../kv/model/entities/document.ts";
import { type ReferenceNode, referenceTree, reverseNames } from "../../query/include.ts";
import { RANK_KEYS, RICH_TEXT_FORMS } from "../../query/projection.ts";
import { mediumMembers } from "./types_medium.ts";
import { union } from "./types_value.ts";

/** The names of the operator sets. */
const OPERATOR_SETS: ReadonlyMap<readonly FilterOperator[], string> = new Map<
  readonly FilterOperator[],
  string
>([
  [EQUALITY_OPERATORS, "EqualityOperator"],
  [ORDER_OPERATORS, "OrderOperator"],
  [ADDRESS_OPERATORS, "AddressOperator"],
  [TEXT_OPERATORS, "TextOperator"],
  [LIST_OPERATORS, "ListOperator"],
]);

/** Keys of a filter that join others; a field of such a name can only be filtered by as a parameter. */
const JOINING: ReadonlySet<string> = new Set(["and", "or", "not"]);

/** What references to any collection lead to in the types. */
const ANY_TARGET = "$any";
/** What references to media lead to in the types. */
export const MEDIA_TARGET = "$media";

/** A member of a collection's filter; null for a field that has none. */
export function filterMember(
  { name, type, options }: IndexedField,
  valueType: string,
  targetFilter: (slug: string) => string | undefined,
): string | null {
  if (JOINING.has(name)) return null;
  const { operators } = fieldType(type);
  if (!(operators as readonly FilterOperator[]).includes("match")) {
    return `  ${keyText(name)}?: Condition<${valueType}, ${OPERATOR_SETS.get(
      operators,
    )!}> | undefined;`;
  }
  const targets = targetSlugs(options).map(targetFilter).filter((one) => one !== undefined);
  const without = operators === REFERENCE_OPERATORS ? "EqualityOperator" : "ListOperator";
  const condition = targets.length === 0
    ? `Condition<string, ${without}>`
    : `ReferenceCondition<${targets.join(" | ")}${
      operators === REFERENCE_OPERATORS ? "" : `, ${without}`
    }>`;
  return `  ${keyText(name)}?: ${condition} | undefined;`;
}

/** The member of a collection's filter for the items of a list, by the members of one item's. */
export function itemsMember(name: string, members: readonly string[]): string {
  return `  ${keyText(name)}?: ItemsCondition<{\n${
    members.map((one) => `  ${one}`).join("\n")
  }\n  }> | undefined;`;
}

/**
 * The targets of a collection's references as an object type; only those that `include` can show.
 */
export function referenceTargets(
  collection: Collection,
  blocks: ReadonlyMap<string, BlockDefinition>,
  isExposed: (slug: string) => boolean,
): string {
  return membersOf(referenceTree(collection, blocks), isExposed);
}

/** The reverse includes of a collection with the collections that they bring, as an object type. */
export function reversedTargets(collection: Collection, exposed: readonly Collection[]): string {
  return objectOf(
    reverseNames(collection, exposed).map((name) => [
      name,
      name.slice(REVERSE_PREFIX.length, name.lastIndexOf(".")),
    ]),
  );
}

/** The names of nested values that contain references. */
const HOLDERS = {
  rows: "ReferenceRows",
  group: "ReferenceGroup",
  blocks: "ReferenceBlocks",
  block: "ReferenceGroup",
} as const;

function membersOf(nodes: readonly ReferenceNode[], isExposed: (slug: string) => boolean): string {
  const members = nodes.flatMap(({ name, kind, field, inner }): string[] => {
    if (kind === "media") return [`${name}: ${JSON.stringify(MEDIA_TARGET)}`];
    if (kind === "document") {
      const targets = targetSlugs(field!.options);
      if (targets.length === 0) return [`${name}: ${JSON.stringify(ANY_TARGET)}`];
      const exposed = targets.filter(isExposed);
      return exposed.length === 0 ? [] : [`${name}: ${union(exposed)}`];
    }
    const held = membersOf(inner, isExposed);
    if (held === "{}") return [];
    const isList = field !== null && fieldType(field.type).wire(field).type === "array";
    return [`${name}: ${HOLDERS[kind === "rows" && !isList ? "group" : kind]}<${held}>`];
  });
  return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
}

/** The facets of a collection, as an object type. */
export function facetKinds(collection: Collection): string {
  return objectOf(
    columnFields(collection).filter(hasFacet).map((
      { name, type },
    ) => [name, fieldType(type).facet!]),
  );
}

function objectOf(members: string[][]): string {
  const texts = members.map(([name = "", text]) => `${keyText(name)}: ${JSON.stringify(text)}`);
  return texts.length === 0 ? "{}" : `{ ${texts.join("; ")} }`;
}

/** A name as the key of a type; a path needs quotation marks. */
function keyText(name: string): string {
  return /[^\w$]/.test(name) ? JSON.stringify(name) : name;
}

function operatorSets(): string {
  return [...OPERATOR_SETS].map(([operators, name]) => `export type ${name} = ${union(operators)};`)
    .join("\n");
}

function framingMembers(): string {
  const types: Partial<Record<string, string>> = { id: "string", slug: "string", title: "string" };
  return FILTERED_FRAMING.map((name) => {
    const type = name === "status" ? "Status" : types[name] ?? "number";
    return `  ${name}?: Condition<${type}, ${OPERATOR_SETS.get(
      framingOperators(name),
    )!}> | undefined;`;
  }).join("\n");
}

/** Types of filters, projections and answers. */
export const QUERY_TYPES = `${operatorSets()}

/** The operand of each operator. */
export interface Operands<T> {
  eq: T | null;
  ne: T | null;
  in: readonly (T | null)[];
  nin: readonly (T | null)[];
  exists: boolean;
  gt: T;
  gte: T;
  lt: T;
  lte: T;
  contains: string;
  startsWith: string;
  endsWith: string;
  all: readonly T[];
}

/** Operators; all must match. */
export type Operators<T, O extends keyof Operands<T>> = { [K in O]?: Operands<T>[K] | undefined };

/** A value, a list of alternatives, null for no value, or operators. */
export type Condition<T, O extends keyof Operands<T>> = T | readonly (T | null)[] | null | Operators<T, O>;

/** The ID of a document, or a filter that the referenced document must match. */
export type ReferenceCondition<F, O extends keyof Operands<string> = EqualityOperator> =
  | Condition<string, O>
  | (Operators<string, O> & { match?: F | undefined });

/** Combined filters; all keys of one filter must match. */
export interface LogicalFilter<F> {
  and?: readonly F[] | undefined;
  or?: readonly F[] | undefined;
  not?: F | undefined;
}

/** Conditions on an item; all of its keys must match. */
export type ItemFilter<M> = M & {
  and?: readonly ItemFilter<M>[] | undefined;
  or?: readonly ItemFilter<M>[] | undefined;
  not?: ItemFilter<M> | undefined;
};

/** How many items of a list must match; \`every\` and \`none\` also match a list without items. */
export interface ItemsCondition<M> {
  some?: ItemFilter<M> | undefined;
  every?: ItemFilter<M> | undefined;
  none?: ItemFilter<M> | undefined;
}

/** Filters for every collection. */
export interface FramingFilter {
${framingMembers()}
}

/** A media asset. */
export interface Medium {
${mediumMembers()}
}

/** A collection's slug. */
export type Slug = keyof Collections;

/** A document of any collection. */
export type AnyDocument = Collections[Slug]["document"];

/** String formats of rich text. */
export type RichTextForm = ${union(RICH_TEXT_FORMS)};

/** Search metadata of a document, if requested in \`fields\`. */
export interface SearchMatch {
  ${RANK_KEYS[0]}: number;
  /** HTML with matches in mark elements. */
  ${RANK_KEYS[1]}: string;
}

/** Keys allowed in \`fields\`, and those inside groups, lists, blocks and included documents after a dot. */
export type FieldName<S extends Slug> =
  | keyof Collections[S]["document"] & string
  | {
    [K in keyof Collections[S]["document"] & string]: K extends keyof DirectReferences<S>
      ? \`\${K}.\${TargetKey<DirectReferences<S>[K]>}\`
      : \`\${K}.\${InnerKey<NonNullable<Collections[S]["document"][K]>>}\`;
  }[keyof Collections[S]["document"] & string];

type TargetKey<X> = X extends Slug ? keyof Collections[X]["document"] & string
  : X extends "${MEDIA_TARGET}" ? keyof Medium & string
  : never;

type InnerKey<V> = V extends readonly (infer E)[] ? ItemKey<E> : V extends object ? keyof V & string : never;

type ItemKey<E> = E extends { type: infer T extends string; data: infer D } ? \`\${T}.\${keyof D & string}\`
  : E extends { _type: string } ? never
  : E extends object ? keyof E & string
  : never;

/** Options for reading a document. */
export interface ReadQuery<F extends string, I extends AnyInclude, R extends RichTextForm> {
  /** Return only these fields, plus \`id\`. */
  fields?: readonly F[] | undefined;
  /** References to replace with their documents or media: a list of paths, or options by path. */
  include?: I | undefined;
  /** Fields whose references are counted in \`_counts\`, and reverse includes such as "<-comments.post". */
  counts?: readonly string[] | undefined;
  richText?: R | undefined;
  /** Include unpublished changes; requires the read-drafts scope. */
  draft?: boolean | undefined;
  /** As it will be once this open release is published; requires the read-drafts scope. */
  release?: string | undefined;
  /** As of the end of this second; requires the read-history scope. */
  at?: number | undefined;
}

/** Options for listing documents. */
export interface ListQuery<
  S extends Slug,
  F extends FieldName<S> | keyof SearchMatch = FieldName<S> | keyof SearchMatch,
  I extends IncludesOf<S> = IncludesOf<S>,
  X extends keyof Collections[S]["facets"] & string = keyof Collections[S]["facets"] & string,
  R extends RichTextForm = RichTextForm,
> extends ReadQuery<F, I, R> {
  page?: number | undefined;
  perPage?: number | undefined;
  /** Use instead of \`page\`: empty for the first page, then \`meta.nextCursor\`. */
  cursor?: string | undefined;
  /** Fields to sort by, most significant first; prefix with "-" for descending order. */
  sort?: readonly (Collections[S]["sort"] | \`-\${Collections[S]["sort"]}\` | "random")[] | undefined;
  /** Seed of the sort "random": the same seed gives the same order. */
  seed?: string | undefined;
  status?: "draft" | "published" | "scheduled" | "archived" | undefined;
  /** All keys must match; a list matches any of its values, null matches no value. */
  filter?: Collections[S]["filter"] | undefined;
  /** Fields to aggregate over all matching documents. */
  facets?: readonly X[] | undefined;
  /** Full-text search within the selected documents. */
  q?: string | undefined;
}

/** The number of documents with a value. */
export interface ValueCount {
  value: string | boolean;
  count: number;
}

/** Statistics of numbers or times. */
export interface Summary {
  min: number | null;
  max: number | null;
  sum: number;
  avg: number | null;
  count: number;
}

/** Metadata of a list. */
export interface ListMeta<S extends Slug, X extends string> {
  /** Absent when paging by cursor. */
  page?: number;
  perPage: number;
  total: number;
  /** When paging by cursor: cursor of the next page, null on the last page. */
  nextCursor?: string | null;
  facets: { [K in X & keyof Collections[S]["facets"]]: Collections[S]["facets"][K] extends "summary" ? Summary : ValueCount[] };
  /** True if versions needed for \`at\` have been pruned, or if \`q\` did not search all drafts. */
  incomplete?: true;
  /** Documents omitted from this page because they cannot be read at the moment. */
  unavailable?: string[];
}

/** A list of documents. */
export interface List<S extends Slug, D, X extends string> {
  data: D[];
  meta: ListMeta<S, X>;
}`;
