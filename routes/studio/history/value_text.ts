/**
 * Stored values as text for people: names instead of ids, and one line per field of nested values.
 *
 * @module
 */
import type { Schema } from "../../../kv/model/entities/collection.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import type { Reference } from "../../../kv/model/fields/field_type.ts";
import { idsIn } from "../../../kv/model/fields/referenced_ids.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { exactTime } from "../components/time.tsx";
import { FIELD_FACETS } from "../controls/field_facets.tsx";
import type { Referenced } from "../controls/referenced.ts";
import { capitalized } from "../wording/words.ts";

/** The context that descriptions of values depend on. */
export interface ValueContext {
  schema: Pick<Schema, "blocks">;
  timezone: string;
  referenced: Referenced;
}

/** A value as text, or as JSON if no other text fits. */
export interface ValueText {
  text: string;
  isWords: boolean;
}

/** A document or file that a value refers to. */
export type Pointed = Pick<Reference, "kind" | "id">;

/** Describes a value of a field; without a definition, by its shape alone. */
export function describeValue(
  value: Json,
  field: NestedField | undefined,
  speech: ValueContext,
): ValueText {
  const words = value === null ? "" : fieldWords(value, field, speech) ?? plainWords(value);
  return words === null
    ? { text: JSON.stringify(value, null, 2), isWords: false }
    : { text: words, isWords: true };
}

/** The references in a value of a field, at any depth. */
export function pointedTo(
  value: Json,
  field: NestedField,
  { blocks }: ValueContext["schema"],
): Pointed[] {
  const { referenceTo, nested } = fieldType(field.type);
  if (referenceTo !== null) {
    return idsIn(value).map((id) => ({ kind: referenceTo, id }));
  }
  const inside = nested?.(value, field, { path: field.name, blocks }) ?? [];
  return inside.flatMap((one) => pointedTo(one.value ?? null, one.field, { blocks }));
}

/** Describes a value by its field; null if it does not fit, such as a value of a former type. */
function fieldWords(
  value: Json,
  field: NestedField | undefined,
  speech: ValueContext,
): string | null {
  if (field === undefined) return null;
  const { holds, referenceTo } = fieldType(field.type);
  const fields = field.options.fields ?? [];
  if (holds === "blocks") return listed(value, (block) => blockWords(block, speech));
  if (holds === "rows") {
    if (isJsonObject(value)) return rowWords(value, fields, speech);
    return listed(value, (row) => isJsonObject(row) ? rowWords(row, fields, speech) : null);
  }
  if (referenceTo !== null && (typeof value === "string" || Array.isArray(value))) {
    return idsIn(value).map((id) => nameOf(referenceTo, id, speech)).join("\n");
  }
  const isTime = FIELD_FACETS[field.type].filter === "date" && typeof value === "number";
  return isTime ? exactTime(value, speech.timezone) : null;
}

/** A paragraph for each of several; null when one of them cannot be said. */
function listed(value: Json, wordsOf: (one: Json) => string | null): string | null {
  if (!Array.isArray(value)) return null;
  const texts = value.flatMap((one) => wordsOf(one) ?? []);
  if (texts.length < value.length) return null;
  return texts.join(texts.some((text) => text.includes("\n")) ? "\n\n" : "\n");
}

function blockWords(block: Json, speech: ValueContext): string | null {
  if (!isJsonObject(block) || typeof block.type !== "string") return null;
  const definition = speech.schema.blocks.get(block.type);
  const data = isJsonObject(block.data) ? block.data : {};
  const words = rowWords(data, definition?.fields ?? [], speech);
  const label = definition?.label ?? capitalized(block.type);
  return words === "" ? label : `${label}\n${words}`;
}

/** A line for each value; a single field goes without its label, as it does in the form. */
export function rowWords(
  row: JsonObject,
  fields: readonly NestedField[],
  speech: ValueContext,
): string {
  const known = new Map(fields.map((field) => [field.name, field]));
  const names = [...known.keys(), ...Object.keys(row).filter((name) => !known.has(name))];
  return names.flatMap((name) => {
    const { text } = describeValue(row[name] ?? null, known.get(name), speech);
    if (text === "") return [];
    if (names.length === 1 && known.has(name)) return [text];
    const label = known.get(name)?.label ?? capitalized(name);
    return [text.includes("\n") ? `${label}:\n${text}` : `${label}: ${text}`];
  }).join("\n");
}

function nameOf(kind: Pointed["kind"], id: string, { referenced }: ValueContext): string {
  const found = kind === "media"
    ? referenced.media.get(id)?.filename
    : referenced.documents.get(id)?.title;
  if (found === undefined) {
    return `Deleted ${kind === "media" ? "file" : "document"} (${id})`;
  }
  return found === "" ? "Untitled" : found;
}

/**
 * Describes a value by its shape: text, flag, number, a list of them, or rich text; null for other structures.
 */
function plainWords(value: Json): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return String(value);
  if (!Array.isArray(value)) return null;
  if (value.every((one) => typeof one === "string")) return value.join(", ");
  return value.every((block) => isJsonObject(block) && "_type" in block)
    ? richTextWords(value as JsonObject[])
    : null;
}

function richTextWords(blocks: JsonObject[]): string {
  return blocks.map((block) => {
    if (!Array.isArray(block.children)) return objectWords(block);
    return block.children.map((span) => String((span as JsonObject).text ?? "")).join("");
  }).join("\n\n");
}

/** An image or another block in a text: its type and text. */
function objectWords({ _type, _key: _, ...values }: JsonObject): string {
  const said = Object.values(values).filter((value) =>
    typeof value === "string" && value !== "" && !isUlid(value)
  );
  return [capitalized(String(_type)), ...said].join(": ");
}
