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
import { type ReferenceNode, referenceTree } from "../../query/include.ts";
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

/** The target type of references to any collection, and of media. */
const ANY_TARGET = "$any";
const MEDIA_TARGET = "$media";

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
  return name.includes(".") ? JSON.stringify(name) : name;
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

/** Keys allowed in \`fields\`. */
export type FieldName<S extends Slug> = keyof Collections[S]["document"] & string;

/** Rows that contain references. */
export interface ReferenceRows<R> {
  rows: R;
}

/** A group, or the values of a block, that contain references. */
export interface ReferenceGroup<R> {
  group: R;
}

/** A list of blocks that contain references, by block type. */
export interface ReferenceBlocks<R> {
  blocks: R;
}

type ReferencesIn<X> = X extends ReferenceRows<infer R> ? R : X extends ReferenceGroup<infer R> ? R : X extends ReferenceBlocks<infer R> ? R : never;

interface LevelBelow {
  3: 2;
  2: 1;
  1: 0;
}

/** Paths allowed in \`include\`: reference fields, and nested ones after a dot, up to three levels. */
export type IncludePath<S extends Slug, L extends number = 3> = L extends keyof LevelBelow
  ? PathWithin<Collections[S]["references"], L>
  : never;

type PathWithin<X, L extends keyof LevelBelow> = {
  [K in keyof X & string]: X[K] extends string
    ? K | (X[K] extends infer T extends Slug ? \`\${K}.\${IncludePath<T, LevelBelow[L]>}\` : never)
    : \`\${K}.\${PathWithin<ReferencesIn<X[K]>, L>}\`;
}[keyof X & string];

type FirstStep<I extends string> = I extends \`\${infer H}.\${string}\` ? H : I;

type RemainingPath<I extends string, K> = K extends string ? I extends \`\${K}.\${infer R}\` ? R : never : never;

type WithRichText<V, R extends RichTextForm> = [R] extends [never] ? V
  : Json extends V ? V
  : V extends PortableTextBlock[] ? string
  : V extends (infer E)[] ? WithRichText<E, R>[]
  : V extends object ? { [K in keyof V]: WithRichText<V[K], R> }
  : V;

/** Included documents of several collections say which one they are of. */
type NamedTarget<X extends string, I extends string, R extends RichTextForm> = [IsUnion<X>] extends [true]
  ? X extends Slug ? IncludeTarget<X, I, R> & { _collection: X } : never
  : IncludeTarget<X, I, R>;

type IsUnion<T, U = T> = T extends unknown ? [U] extends [T] ? false : true : never;

type IncludeTarget<T, I extends string, R extends RichTextForm> = T extends Slug ? WithIncludes<T, I, R>
  : T extends "${MEDIA_TARGET}" ? Medium
  : WithRichText<AnyDocument, R>;

/** A document with included documents in place of their IDs; an ID that the token may not see stays. */
export type WithIncludes<S extends Slug, I extends string = never, R extends RichTextForm = never> = [I | R] extends [never]
  ? Collections[S]["document"]
  : IncludedValues<Collections[S]["document"], Collections[S]["references"], I, R>;

/** Values with their included documents, by reference. */
type IncludedValues<V, X, I extends string, R extends RichTextForm> = {
  [K in keyof V]: K extends FirstStep<I> & keyof X ? IncludedValue<V[K], X[K], RemainingPath<I, K>, R> : WithRichText<V[K], R>;
};

type IncludedValue<V, X, I extends string, R extends RichTextForm> = [X] extends [string]
  ? NonNullable<V> extends unknown[] ? (NamedTarget<X, I, R> | string)[] | null : NamedTarget<X, I, R> | string | null
  : X extends ReferenceRows<infer H> ? V extends (infer E)[] ? IncludedValues<E, H, I, R>[] : V
  : X extends ReferenceGroup<infer H> ? V extends object ? IncludedValues<V, H, I, R> : V
  : X extends ReferenceBlocks<infer H> ? V extends { type: string }[] ? IncludedBlock<H, I, R>[] : V
  : V;

/** A block with its included documents; blocks of other types are unchanged. */
type IncludedBlock<X, I extends string, R extends RichTextForm> =
  | {
    [T in keyof X & keyof BlockValues & FirstStep<I>]: {
      type: T;
      id: string;
      data: IncludedValues<BlockValues[T], ReferencesIn<X[T]>, RemainingPath<I, T>, R>;
    };
  }[keyof X & keyof BlockValues & FirstStep<I>]
  | { type: Exclude<keyof BlockValues, FirstStep<I>>; id: string; data: { [name: string]: Json } };

/** The shape of a returned document: the keys in \`fields\`, \`id\`, and included documents. */
export type ReadResult<S extends Slug, F extends string, I extends string, R extends RichTextForm> = [F] extends [never]
  ? WithIncludes<S, I, R>
  : Pick<WithIncludes<S, I, R> & SearchMatch, (F | "id" | FirstStep<I>) & keyof (WithIncludes<S, I, R> & SearchMatch)>;

/** Options for reading a document. */
export interface ReadQuery<F extends string, I extends string, R extends RichTextForm> {
  /** Return only these fields, plus \`id\`. */
  fields?: readonly F[] | undefined;
  /** References to replace with their documents or media. */
  include?: readonly I[] | undefined;
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
  I extends IncludePath<S> = IncludePath<S>,
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
