/**
 * What differs between two states, field by field, in the words that editors know.
 *
 * @module
 */
import { isJsonObject } from "../../../kv/model/json_object.ts";
import type { Schema } from "../../../kv/model/collection.ts";
import type { Json, State } from "../../../kv/model/entity.ts";
import type { EntityType } from "../../../kv/model/entity_kinds.ts";
import { sameJson } from "../../../kv/model/same_json.ts";
import type { FieldDefinition } from "../../../kv/model/field_definition.ts";
import { isFramingRoot } from "../../../kv/model/working_copy.ts";
import { isUlid } from "../../../kv/model/ulid.ts";
import { exactTime } from "../components/time.tsx";
import { FIELD_FACETS } from "../controls/field_facets.tsx";
import { capitalized } from "../words.ts";
import { diffWords, type Run } from "./word_diff.ts";

/** A field that differs: as words, or as two values. */
export interface FieldChange {
  /** What the API knows it by, for a document's content; null for all else. */
  name: string | null;
  label: string;
  runs: Run[] | null;
  before: string;
  after: string;
}

/** Times that every write moves. */
const UNINTERESTING: ReadonlySet<string> = new Set(["updatedAt"]);
/** What is kept as epoch seconds. */
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
  slug: "Address",
  status: "Status",
  publishAt: "Scheduled for",
  publishedAt: "First published",
  blocks: "Page blocks",
};

/** The fields in which two states differ; null is a state that is not there. */
export function fieldChanges(
  type: EntityType,
  before: State | null,
  after: State | null,
  { schema, timezone }: { schema: Schema; timezone: string },
): FieldChange[] {
  const [a, b] = [flat(type, before), flat(type, after)];
  return changedKeys(a, b)
    .map((key) => {
      const isTime = TIMES.has(key) || isTimeField(type, key, after ?? before, schema);
      const text = (value: Json) =>
        isTime && typeof value === "number" ? exactTime(value, timezone) : textOf(value);
      const [was, is] = [text(a[key] ?? null), text(b[key] ?? null)];
      const asWords = isText(a[key]) && isText(b[key]);
      return {
        name: type === "document" ? nameOf(key, after ?? before, schema) : null,
        label: labelOf(type, key, after ?? before, schema),
        runs: asWords ? diffWords(was, is) : null,
        before: was,
        after: is,
      };
    });
}

/** What the fields are called in which two states differ. */
export function changedLabels(
  type: EntityType,
  before: State,
  after: State,
  schema: Schema,
): string[] {
  return changedKeys(flat(type, before), flat(type, after))
    .map((key) => labelOf(type, key, after, schema));
}

function changedKeys(a: Record<string, Json>, b: Record<string, Json>): string[] {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.filter((key) => !UNINTERESTING.has(key) && !sameJson(a[key] ?? null, b[key] ?? null));
}

/** The values of a document stand beside its framing. */
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

function isTimeField(type: EntityType, key: string, state: State | null, schema: Schema): boolean {
  if (type !== "document" || !key.startsWith("data.")) return false;
  const field = fieldOf(key.slice("data.".length), state, schema);
  return field !== undefined && FIELD_FACETS[field.type].filter === "date";
}

function isText(value: Json | undefined): boolean {
  return value === undefined || value === null || typeof value === "string" || isRichText(value);
}

function isRichText(value: Json): boolean {
  return Array.isArray(value) && value.length > 0 &&
    value.every((block) => isJsonObject(block) && "_type" in block);
}

/** A value as it is compared: rich text by its words, everything else as it is. */
function textOf(value: Json): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value) && value.length === 0) return "";
  if (!isRichText(value)) return JSON.stringify(value, null, 2);
  return (value as Record<string, Json>[]).map((block) => {
    if (!Array.isArray(block.children)) return objectText(block);
    return block.children.map((span) => String((span as Record<string, Json>).text ?? "")).join("");
  }).join("\n\n");
}

/** An image or another block inside of a text: what it is, and what it says. */
function objectText({ _type, _key: _, ...values }: Record<string, Json>): string {
  const said = Object.values(values).filter((value) =>
    typeof value === "string" && value !== "" && !isUlid(value)
  );
  return [capitalized(String(_type)), ...said].join(": ");
}
