/**
 * Names of collections in generated code: `posts` becomes `listPosts`, `getPost`, `Post`. Names are
 * assigned in order of creation, so a new collection never changes the name of an older one.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";

/** The names of one collection, in PascalCase. */
export interface CollectionNames {
  one: string;
  many: string;
}

/** Names that the description, the types module or their target languages use. */
const TAKEN = [
  "Problem",
  "ProblemError",
  "Detail",
  "ListMeta",
  "SearchMeta",
  "SearchHit",
  "SearchPage",
  "BulkLine",
  "BulkAnswer",
  "Change",
  "ChangePage",
  "WebhookEvent",
  "WebhookMessage",
  "PortableTextBlock",
  "Block",
  "Status",
  "Json",
  "Page",
  "Collections",
  "CollectionClient",
  "Client",
  "DocumentUpserted",
  "DocumentRemoved",
  "SyncQuery",
  "SyncBatch",
  "UploadLine",
  "UploadAnswer",
  "UploadProgress",
  "UploadOptions",
  "ClientSend",
  "ClientCall",
  "CallSettings",
  "ClientGet",
  "ClientPost",
  "ClientOptions",
  "ApiError",
  "ListQuery",
  "SearchQuery",
  "Framing",
  "CreateFraming",
  "PatchFraming",
  "ReadOnlyProperties",
  "EqualityOperator",
  "OrderOperator",
  "AddressOperator",
  "TextOperator",
  "ListOperator",
  "Operands",
  "Operators",
  "Condition",
  "ReferenceCondition",
  "LogicalFilter",
  "ItemFilter",
  "ItemsCondition",
  "FramingFilter",
  "Medium",
  "MediumList",
  "MediumPatch",
  "MediumFromAddress",
  "MediumSignature",
  "FieldSource",
  "CollectionSource",
  "DocumentOf",
  "ValuesOf",
  "ChoicesOf",
  "NestedOf",
  "ValueOf",
  "Slug",
  "AnyDocument",
  "RichTextForm",
  "SearchMatch",
  "FieldName",
  "TargetKey",
  "InnerKey",
  "ItemKey",
  "Narrowed",
  "NarrowedValue",
  "NarrowedItem",
  "LevelBelow",
  "IncludePath",
  "ReferenceRows",
  "ReferenceGroup",
  "ReferenceBlocks",
  "ReferencesIn",
  "PathWithin",
  "BlockValues",
  "IncludedValues",
  "IncludedValue",
  "IncludedBlock",
  "FirstStep",
  "RemainingPath",
  "WithRichText",
  "IncludeTarget",
  "NamedTarget",
  "IsUnion",
  "WithIncludes",
  "ReadResult",
  "BlockOf",
  "BlockInput",
  "BlockInputs",
  "AnyBlock",
  "RichTextSpan",
  "RichTextLine",
  "RichTextObject",
  "RichTextBlock",
  "BuiltInObjects",
  "DocumentVersion",
  "TranslationState",
  "TranslationOf",
  "TranslationClient",
  "AnyInclude",
  "IncludesOf",
  "DirectReferences",
  "IncludeObject",
  "IncludeOptions",
  "PathsOf",
  "FieldsOf",
  "InnerOf",
  "WithOptions",
  "IndirectPath",
  "OptionValue",
  "OptionTarget",
  "WholeResult",
  "FirstKey",
  "MediaQuery",
  "MediaList",
  "NewMedium",
  "FileProgress",
  "FileOptions",
  "SignOptions",
  "MediaClient",
  "UploadRequest",
  "CreateOptions",
  "TranslationLanguage",
  "ReadQuery",
  "ValueCount",
  "Summary",
  "List",
  "WriteOptions",
  "ReadOptions",
  "Sort",
  "Any",
  "Array",
  "Boolean",
  "Class",
  "Date",
  "Error",
  "Function",
  "Headers",
  "Iterable",
  "AsyncIterable",
  "AsyncGenerator",
  "Map",
  "Number",
  "Object",
  "Omit",
  "Partial",
  "Pick",
  "Promise",
  "Readonly",
  "Record",
  "Request",
  "RequestInit",
  "Response",
  "Set",
  "String",
  "Symbol",
  "Type",
  "URL",
  "URLSearchParams",
];

/** Operations that belong to no collection. */
export const SHARED_OPERATIONS = {
  search: "searchDocuments",
  changes: "listChanges",
  meta: "getApiDescription",
  types: "getApiTypes",
  explorer: "getApiExplorer",
} as const;

/** The names of a collection that {@linkcode collectionNames} was given. */
export function namesOf(
  names: ReadonlyMap<string, CollectionNames>,
  slug: string,
): CollectionNames {
  const found = names.get(slug);
  if (found === undefined) throw new Error(`The collection ${slug} has no names`);
  return found;
}

/** The names of every collection, by slug. */
export function collectionNames(collections: Collection[]): Map<string, CollectionNames> {
  const taken = new Set([
    ...TAKEN.map((name) => name.toLowerCase()),
    ...Object.values(SHARED_OPERATIONS).map((name) => name.toLowerCase()),
  ]);
  const names = new Map<string, CollectionNames>();
  const oldestFirst = [...collections].sort((a, b) => a.id < b.id ? -1 : 1);
  for (const { slug } of oldestFirst) names.set(slug, reserveNames(slug, taken));
  return names;
}

/** The name without a number, or the first number that makes all that is derived from it free. */
function reserveNames(slug: string, taken: Set<string>): CollectionNames {
  const preferred = preferredNames(slug);
  for (let n = 1;; n += 1) {
    const suffix = n === 1 ? "" : String(n);
    const names = { one: preferred.one + suffix, many: preferred.many + suffix };
    const claims = derivedNames(names).map((name) => name.toLowerCase());
    if (claims.some((claim) => taken.has(claim))) continue;
    for (const claim of claims) taken.add(claim);
    return names;
  }
}

function derivedNames({ one, many }: CollectionNames): string[] {
  return [
    ...[one, `${one}Create`, `${one}Patch`, `${one}List`, `${one}Filter`, `${one}SortField`],
    ...[`list${many}`, `get${one}`, `get${one}BySlug`, `put${one}BySlug`],
    ...[`create${one}`, `update${one}`, `delete${one}`, `bulk${many}`],
  ];
}

function preferredNames(slug: string): CollectionNames {
  const words = slug.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const last = words.pop() ?? "collection";
  const start = words.map(capitalised).join("");
  const legal = (name: string) => /^[0-9]/.test(name) ? `_${name}` : name;
  return {
    one: legal(start + capitalised(singular(last))),
    many: legal(start + capitalised(last)),
  };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const SAME_IN_BOTH = new Set(["news", "series", "species", "lens", "means", "always", "sales"]);

/** The English singular of a lower-case word, where the word's ending gives it away. */
function singular(word: string): string {
  if (SAME_IN_BOTH.has(word) || /(?:ss|us|is)$/.test(word) || word.length < 4) return word;
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return word.slice(0, -3) + "y";
  if (/(?:sses|shes|ches|xes|zzes|uses)$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
