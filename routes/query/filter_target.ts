/**
 * Targets of filters: framing keys and indexed fields, with their operators and how their values
 * are parsed.
 *
 * @module
 */
import type { FilterKey } from "../../kv/index/segments/list_columns.ts";
import { sortForm } from "../../kv/index/segments/texts.ts";
import { INDEXED_CHARS_MAX } from "../../kv/limits/content.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { FRAMING_KEYS, type Status, STATUSES } from "../../kv/model/entities/document.ts";
import type { NestedField } from "../../kv/model/fields/field_definition.ts";
import { findColumnField } from "../../kv/model/fields/indexed_fields.ts";
import type { IndexValue } from "../../kv/model/fields/field_type.ts";
import { datetime } from "../../kv/model/fields/types/datetime.ts";
import { fieldType } from "../../kv/model/fields/types/registry.ts";
import {
  EQUALITY_OPERATORS,
  type FilterOperator,
  ORDER_OPERATORS,
  TEXT_OPERATORS,
} from "../../kv/model/fields/filter_operator.ts";
import { idFilter } from "../../kv/model/values/scalar_index.ts";
import { isText, longerThan } from "../../kv/model/values/text_check.ts";
import { Refusal } from "../../kv/refusals.ts";

/** The target of a filter. */
export interface FilterTarget {
  name: string;
  by: FilterKey;
  operators: readonly FilterOperator[];
  /** The type of its JSON values. */
  kind: "number" | "boolean" | "string";
  /** A description of valid values for messages: "a number". */
  validValues: string;
  /** A value from its text; undefined when no document can have it. */
  parse: (text: string) => IndexValue | undefined;
  /** The field; null for a framing key. */
  field: NestedField | null;
}

/** Framing keys that can be filtered by. */
export const FILTERED_FRAMING = FRAMING_KEYS;

/** A framing key that can be filtered by. */
export type FilteredFraming = typeof FILTERED_FRAMING[number] | "publishAt";

/** Names that a filter can use apart from fields. */
interface KnownKeys {
  framing: readonly FilteredFraming[];
  /** Statuses that documents can have. */
  filtered: readonly Status[];
}

/** Choices that a message names. */
const CHOICES_SHOWN = 20;

const NO_FIELD = datetimeField();

/** A time of every document, as a filter reads it. */
const TIME = {
  operators: ORDER_OPERATORS,
  kind: "number",
  validValues: "an integer in Unix epoch seconds",
  parse: (text: string) => datetime.parseFilter(text, NO_FIELD),
} as const;
/** Slugs and titles, compared as they sort. */
const TITLE = {
  operators: TEXT_OPERATORS,
  kind: "string",
  validValues: "text",
  parse: (text: string) => indexedText(text),
} as const;

const FRAMING: Readonly<
  Record<FilteredFraming, Pick<FilterTarget, "operators" | "kind" | "validValues" | "parse">>
> = {
  id: { operators: EQUALITY_OPERATORS, kind: "string", validValues: "an ID", parse: idFilter },
  slug: TITLE,
  title: TITLE,
  status: statusTarget(STATUSES),
  createdAt: TIME,
  updatedAt: TIME,
  publishedAt: TIME,
  publishAt: TIME,
};

function statusTarget(statuses: readonly Status[]) {
  return {
    operators: EQUALITY_OPERATORS,
    kind: "string",
    validValues: `one of ${statuses.join(", ")}`,
    parse: (text: string) => statuses.find((status) => status === text),
  } as const;
}

/** The operators of a framing key. */
export function framingOperators(key: FilteredFraming): readonly FilterOperator[] {
  return FRAMING[key].operators;
}

/**
 * Finds the target of a name in a collection. `framing` lists the framing keys that can be used,
 * `filtered` the statuses that documents can have, `path` the position of the name for messages.
 */
export function filterTarget(
  name: string,
  collection: Collection,
  { framing, filtered }: KnownKeys,
  path = name,
): FilterTarget {
  const key = framing.find((one) => one === name);
  if (key === "status") return { name, by: key, field: null, ...statusTarget(filtered) };
  if (key !== undefined) return { name, by: key, field: null, ...FRAMING[key] };
  const field = findColumnField(collection, name);
  const isUnknown = field === undefined || (field.steps.length > 0 && !field.indexed);
  if (isUnknown) throw new Refusal("FILTER_FIELD_INVALID", { about: path.slice(0, 200) });
  const { operators, kind, parseFilter } = fieldType(field.type);
  if (!field.indexed || operators.length === 0) {
    throw new Refusal("FIELD_NOT_FILTERABLE", { about: path.slice(0, 200) });
  }
  return {
    name,
    by: { fieldKey: field.key },
    operators,
    kind: kind === "number" || kind === "boolean" ? kind : "string",
    validValues: describeValues(field),
    parse: (text) => longerThan(text, INDEXED_CHARS_MAX) ? undefined : parseFilter(text, field),
    field,
  };
}

/** The sort form of a text; undefined if it is not text, or longer than the index stores. */
export function indexedText(text: string): string | undefined {
  return isText(text) && !longerThan(text, INDEXED_CHARS_MAX) ? sortForm(text) : undefined;
}

/** A description of the values of a field, for messages. */
function describeValues({ type, options: { choices } }: NestedField): string {
  const { kind, referenceTo } = fieldType(type);
  if (choices !== undefined) return `one of ${choices.slice(0, CHOICES_SHOWN).join(", ")}`;
  if (referenceTo !== null) return "an ID";
  if (kind === "boolean") return "true or false";
  if (type === "text") return `text of at most ${INDEXED_CHARS_MAX} characters`;
  return `a value of the type ${type}`;
}

/** Times of every document have no bounds of their own. */
function datetimeField(): NestedField {
  return { options: {} } as NestedField;
}
