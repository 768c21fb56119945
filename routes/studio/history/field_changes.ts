/**
 * Differences between two states, field by field, with the labels that editors know.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import type { Json, State } from "../../../kv/model/entities/entity.ts";
import type { EntityType } from "../../../kv/model/entities/entity_kinds.ts";
import { sameJson } from "../../../kv/model/values/same_json.ts";
import type { FieldDefinition, NestedField } from "../../../kv/model/fields/field_definition.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import { isPicture } from "../../../kv/model/entities/media.ts";
import { isFramingRoot } from "../../../kv/model/entities/working_copy.ts";
import type { Deps } from "../../deps/deps.ts";
import { exactTime } from "../components/time.tsx";
import { findReferenced, type Referenced, type ReferencedMedium } from "../controls/referenced.ts";
import type { Visit } from "../serving/studio_env.ts";
import { textPictures } from "../text_pictures.ts";
import { capitalized } from "../wording/words.ts";
import { describeValue, type Pointed, pointedTo, rowWords, type ValueText } from "./value_text.ts";
import { comparedBlocks } from "./block_form.ts";
import { type BlockDiff, diffRichText } from "./rich_text_diff.ts";
import { diffWords, type Run } from "./word_diff.ts";

/** A field that differs: as words, or as two values. */
export interface FieldChange {
  /** The field's name in the API, for document content; null otherwise. */
  name: string | null;
  label: string;
  runs: Run[] | null;
  before: string;
  after: string;
  /** The old and new image, if the values are images. */
  images?: [was: ReferencedMedium | null, is: ReferencedMedium | null];
  /** The blocks of a rich text. */
  blocks?: BlockDiff[];
}

/** The context of a comparison. */
interface ComparisonScope {
  schema: Schema;
  timezone: string;
  referenced: Referenced;
}

/** Times that every write moves, and what translations are compared with. */
const UNINTERESTING: ReadonlySet<string> = new Set(["updatedAt", "changedAt", "originalVersion"]);
/** Immutable properties of a document. */
const BORN_WITH: ReadonlySet<string> = new Set(["id", "collectionId", "createdBy"]);
/** Properties in epoch seconds. */
const TIMES: ReadonlySet<string> = new Set([
  "createdAt",
  "publishAt",
  "publishedAt",
  "expiresAt",
  "deletedAt",
  "revokedAt",
]);
const LABELS: Readonly<Record<string, string>> = {
  title: "Title",
  slug: "URL",
  status: "Status",
  publishAt: "Scheduled for",
  publishedAt: "First published",
  blocks: "Page blocks",
};

/** The page blocks, which every document has in addition to the fields of its collection. */
export const PAGE_BLOCKS: NestedField = {
  name: "blocks",
  label: LABELS.blocks!,
  type: "block",
  required: false,
  help: "",
  options: {},
};

/** The differing fields of two states, with the names of their references. */
export async function compareFields(
  deps: Pick<Deps, "content" | "reader">,
  type: EntityType,
  before: State | null,
  after: State | null,
  visit: Pick<Visit, "schema" | "timezone" | "documents">,
): Promise<FieldChange[]> {
  const { schema, timezone } = visit;
  const [a, b] = [flat(type, before), flat(type, after)];
  const pointed = changedKeys(a, b, type).flatMap((key) => {
    const field = definitionOf(type, key, after ?? before, schema);
    if (field === undefined) return [];
    return [a, b].flatMap((values) => [
      ...pointedTo(values[key] ?? null, field, schema),
      ...imagesInText(values[key], field),
    ]);
  });
  const referenced = await findReferenced(deps, pointed, visit);
  return fieldChanges(type, before, after, { schema, timezone, referenced });
}

/** The fields in which two states differ; null means that the state does not exist. */
export function fieldChanges(
  type: EntityType,
  before: State | null,
  after: State | null,
  scope: ComparisonScope,
): FieldChange[] {
  const { schema, timezone } = scope;
  const [a, b] = [flat(type, before), flat(type, after)];
  return changedKeys(a, b, type).map((key) => {
    const field = definitionOf(type, key, after ?? before, schema);
    const say = (value: Json): ValueText => {
      if (key === "review" && type === "document") return describeReview(value);
      return TIMES.has(key) && typeof value === "number"
        ? { text: exactTime(value, timezone), isWords: true }
        : describeValue(value, field, scope);
    };
    const images = imagesOf(field, [a[key], b[key]], scope.referenced);
    const blocks = blocksOf(field, [a[key] ?? null, b[key] ?? null], scope);
    return {
      name: type === "document" ? nameOf(key, after ?? before, schema) : null,
      label: labelOf(type, key, after ?? before, schema),
      ...compared(say, a[key] ?? null, b[key] ?? null),
      ...(images && { images }),
      ...(blocks && { blocks }),
    };
  });
}

/** Two values in words; as the JSON that they are where words would not tell them apart. */
function compared(
  say: (value: Json) => ValueText,
  before: Json,
  after: Json,
): Pick<FieldChange, "runs" | "before" | "after"> {
  const [was, is] = [say(before), say(after)];
  if (was.text === is.text) {
    const text = (value: Json) => value === null ? "" : JSON.stringify(value, null, 2);
    return { runs: null, before: text(before), after: text(after) };
  }
  const runs = was.isWords && is.isWords ? diffWords(was.text, is.text) : null;
  return { runs, before: was.text, after: is.text };
}

/** The history shows the author and time of a review itself. */
function describeReview(value: Json): ValueText {
  if (!isJsonObject(value)) return { text: "", isWords: true };
  const [what, words] = value.state === "asked"
    ? ["Requested", value.note]
    : ["Changes requested", value.answer];
  return { text: words ? `${what}: ${words}` : what, isWords: true };
}

function imagesOf(
  field: NestedField | undefined,
  values: readonly [Json | undefined, Json | undefined],
  { media }: Referenced,
): FieldChange["images"] {
  if (field === undefined || fieldType(field.type).referenceTo !== "media") return undefined;
  const [was, is] = values.map((id) => media.get(String(id)))
    .map((medium) => medium !== undefined && isPicture(medium.mime) ? medium : null);
  return was || is ? [was ?? null, is ?? null] : undefined;
}

function imagesInText(value: Json | undefined, field: NestedField): Pointed[] {
  if (!fieldType(field.type).richText) return [];
  return textPictures(value).map(({ media }) => ({ kind: "media", id: media }));
}

/** The blocks of two rich texts; undefined for other values. */
function blocksOf(
  field: NestedField | undefined,
  [before, after]: readonly [Json, Json],
  scope: ComparisonScope,
): BlockDiff[] | undefined {
  if (field === undefined || !fieldType(field.type).richText) return undefined;
  if (![before, after].every((value) => value === null || Array.isArray(value))) return undefined;
  const describe = ({ _type, _key: _, ...values }: JsonObject) => {
    const definition = scope.schema.blocks.get(String(_type));
    if (definition === undefined) return null;
    return { label: definition.label, text: rowWords(values, definition.fields, scope) };
  };
  const context = { media: scope.referenced.media, describe };
  return diffRichText(comparedBlocks(before, context), comparedBlocks(after, context));
}

/** The labels of the fields in which two states differ. */
export function changedLabels(
  type: EntityType,
  before: State,
  after: State,
  schema: Schema,
): string[] {
  return changedKeys(flat(type, before), flat(type, after), type)
    .map((key) => labelOf(type, key, after, schema));
}

function changedKeys(
  a: Record<string, Json>,
  b: Record<string, Json>,
  type: EntityType,
): string[] {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.filter((key) =>
    !UNINTERESTING.has(key) && !(type === "document" && BORN_WITH.has(key)) &&
    !sameJson(a[key] ?? null, b[key] ?? null)
  );
}

/** The field values of a document, next to its framing keys. */
function flat(type: EntityType, state: State | null): Record<string, Json> {
  if (state === null) return {};
  if (type !== "document") return state;
  const { data = {}, ...framing } = state;
  const fields = Object.entries(data as Record<string, Json>)
    .map(([key, value]) => [`data.${key}`, value] as const);
  return { ...framing, ...Object.fromEntries(fields) };
}

function labelOf(type: EntityType, key: string, state: State | null, schema: Schema): string {
  if (type !== "document" || !key.startsWith("data.")) return LABELS[key] ?? capitalized(key);
  const own = key.slice("data.".length);
  return fieldOf(own, state, schema)?.label ?? `${own} (removed field)`;
}

function nameOf(key: string, state: State | null, schema: Schema): string | null {
  if (isFramingRoot(key)) return key;
  if (!key.startsWith("data.")) return null;
  return fieldOf(key.slice("data.".length), state, schema)?.name ?? null;
}

function fieldOf(key: string, state: State | null, schema: Schema): FieldDefinition | undefined {
  const fields = schema.byId.get(String(state?.collectionId))?.fields ?? [];
  return fields.find((field) => field.key === key);
}

/** The definition of a value of a document; that of its page blocks is the same everywhere. */
function definitionOf(
  type: EntityType,
  key: string,
  state: State | null,
  schema: Schema,
): NestedField | undefined {
  if (type !== "document") return undefined;
  if (key === "blocks") return PAGE_BLOCKS;
  return key.startsWith("data.") ? fieldOf(key.slice("data.".length), state, schema) : undefined;
}
