/**
 * Includes in the types module: paths and options that the compiler checks, and documents with what they include.
 *
 * @module
 */
import { MEDIA_TARGET } from "./types_query.ts";

/** Types of includes, and of documents with them. */
export const INCLUDE_TYPES = `/** Rows that contain references. */
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
  | BlockOf<Exclude<keyof BlockValues, FirstStep<I>>>;

/** Includes in any form: a union of paths, a list of them, or options by path. */
export type AnyInclude = string | readonly string[] | object;

/** What \`include\` takes: paths, or an object with options by path. */
export type IncludesOf<S extends Slug> = readonly IncludePath<S>[] | IncludeObject<S>;

type DirectReferences<S extends Slug> = {
  [K in keyof Collections[S]["references"] & string as Collections[S]["references"][K] extends string ? K : never]: Collections[S]["references"][K];
};

/** Includes with options. A path through a list or group, or through another document, takes no options. */
export type IncludeObject<S extends Slug> =
  & { [K in keyof DirectReferences<S>]?: true | IncludeOptions<DirectReferences<S>[K]> }
  & { [K in keyof Collections[S]["reversed"]]?: true | IncludeOptions<Collections[S]["reversed"][K]> }
  & { [K in Exclude<IncludePath<S>, keyof DirectReferences<S>>]?: true };

/** Which documents an include keeps, in which order, and what is returned of them. */
export type IncludeOptions<X> = X extends Slug ? {
    filter?: Collections[X]["filter"] | undefined;
    /** Fields to sort by, most significant first; prefix with "-" for descending order. */
    sort?: readonly (Collections[X]["sort"] | \`-\${Collections[X]["sort"]}\`)[] | undefined;
    /** For lists of references and reverse includes. */
    limit?: number | undefined;
    /** Return only these fields, plus \`id\`. */
    fields?: readonly FieldName<X>[] | undefined;
    include?: IncludeObject<X> | undefined;
  }
  : X extends "${MEDIA_TARGET}" ? { fields?: readonly (keyof Medium & string)[] | undefined }
  : { limit?: number | undefined };

type PathsOf<I> = [I] extends [string] ? I : I extends readonly (infer P extends string)[] ? P : never;

type FieldsOf<O> = O extends { fields: readonly (infer F extends string)[] } ? F : never;

type InnerOf<O> = O extends { include: infer J extends object } ? J : readonly [];

/** A document with includes that have options. */
type WithOptions<S extends Slug, J, R extends RichTextForm> =
  & {
    [K in keyof WithIncludes<S, IndirectPath<S, J>, R>]: K extends keyof J & keyof DirectReferences<S>
      ? OptionValue<Collections[S]["document"][K & keyof Collections[S]["document"]], DirectReferences<S>[K], J[K], R>
      : WithIncludes<S, IndirectPath<S, J>, R>[K];
  }
  & {
    /** Left out if the token may not read the collection. */
    [K in keyof J & keyof Collections[S]["reversed"]]?: OptionTarget<Collections[S]["reversed"][K], J[K], R>[];
  };

type IndirectPath<S extends Slug, J> = Exclude<keyof J & IncludePath<S>, keyof DirectReferences<S>>;

type OptionValue<V, X, O, R extends RichTextForm> = NonNullable<V> extends unknown[]
  ? (OptionTarget<X, O, R> | string)[] | null
  : OptionTarget<X, O, R> | string | null;

/** Included documents of several collections say which one they are of. */
type OptionTarget<X, O, R extends RichTextForm> = [IsUnion<X>] extends [true]
  ? X extends Slug ? ReadResult<X, FieldsOf<O>, InnerOf<O>, R> & { _collection: X } : never
  : X extends Slug ? ReadResult<X, FieldsOf<O>, InnerOf<O>, R>
  : X extends "${MEDIA_TARGET}" ? ([FieldsOf<O>] extends [never] ? Medium : Pick<Medium, (FieldsOf<O> | "id") & keyof Medium>)
  : WithRichText<AnyDocument, R>;

/** The shape of a returned document: the keys in \`fields\`, \`id\`, and included documents. */
export type ReadResult<S extends Slug, F extends string, I extends AnyInclude, R extends RichTextForm> = [F] extends [never]
  ? WholeResult<S, I, R>
  : Narrowed<
    Pick<WholeResult<S, I, R> & SearchMatch, (FirstStep<F> | "id" | FirstStep<PathsOf<I>> | FirstKey<I>) & keyof (WholeResult<S, I, R> & SearchMatch)>,
    F
  >;

/** Values of which only some keys are returned: a name stands for the whole, a path for a part. */
type Narrowed<V, F extends string> = {
  [K in keyof V]: K extends F ? V[K] : K extends FirstStep<F> ? NarrowedValue<V[K], RemainingPath<F, K>> : V[K];
};

type NarrowedValue<V, P extends string> = V extends readonly (infer E)[] ? NarrowedItem<E, P>[] : NarrowedItem<V, P>;

type NarrowedItem<E, P extends string> = E extends { type: infer T extends string; id: string; data: infer D }
  ? T extends FirstStep<P> ? { type: T; id: string; data: Pick<D, RemainingPath<P, T> & keyof D> } : { type: T; id: string }
  : E extends { id: string } ? Pick<E, (FirstStep<P> | "id") & keyof E>
  : E extends object ? Pick<E, FirstStep<P> & keyof E>
  : E;

type WholeResult<S extends Slug, I, R extends RichTextForm> = [I] extends [string | readonly unknown[]] ? WithIncludes<S, PathsOf<I>, R> : WithOptions<S, I, R>;

type FirstKey<I> = [I] extends [string | readonly unknown[]] ? never : keyof I extends infer K extends string ? K extends \`<-\${string}\` ? K : FirstStep<K> : never;`;
