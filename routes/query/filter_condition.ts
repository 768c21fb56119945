/**
 * An operator with its values, as a condition of the list index.
 *
 * @module
 */
import { allOf, type Bound, type Condition, hasValue } from "../../kv/index/query/condition.ts";
import { sortForm } from "../../kv/index/segments/texts.ts";
import type { IndexValue } from "../../kv/model/fields/field_type.ts";
import {
  type FilterOperator,
  RANGE_OPERATORS,
  SUBSTRING_OPERATORS,
} from "../../kv/model/fields/filter_operator.ts";
import { INDEXED_CHARS_MAX } from "../../kv/limits/content.ts";
import { type FilterTarget, indexedText } from "./filter_target.ts";

/** Operators whose value is one, and not a list. */
const SINGLE: ReadonlySet<FilterOperator> = new Set([
  "exists",
  ...RANGE_OPERATORS,
  ...SUBSTRING_OPERATORS,
  "match",
]);
const RANGES: ReadonlySet<FilterOperator> = new Set(RANGE_OPERATORS);
const PARTS: ReadonlySet<FilterOperator> = new Set(SUBSTRING_OPERATORS);

/** Whether an operator takes a list of values. */
export function expectsList(operator: FilterOperator): boolean {
  return !SINGLE.has(operator);
}

/** The operand that an operator accepts, for messages. */
export function describeOperand(target: FilterTarget, operator: FilterOperator): string {
  if (operator === "exists") return "true or false";
  return PARTS.has(operator) || isTextRange(target, operator)
    ? `text of at most ${INDEXED_CHARS_MAX} characters`
    : target.validValues;
}

/** A value of an operator from its text; undefined when nothing can have it. */
export function parseOperand(
  target: FilterTarget,
  operator: FilterOperator,
  text: string,
): IndexValue | undefined {
  if (operator === "exists") return text === "true" ? true : text === "false" ? false : undefined;
  if (PARTS.has(operator) || isTextRange(target, operator)) return indexedText(text);
  return target.parse(text);
}

/** The condition of an operator; `values` are what {@linkcode parseOperand} gave. */
export function operatorCondition(
  { by }: FilterTarget,
  operator: Exclude<FilterOperator, "match">,
  values: readonly IndexValue[],
): Condition {
  const [value = null] = values;
  switch (operator) {
    case "eq":
    case "in":
      return hasValue(by, ...values);
    case "ne":
    case "nin":
      return { kind: "not", of: hasValue(by, ...values) };
    case "all":
      return allOf(...values.map((one) => hasValue(by, one)));
    case "exists":
      return value === true ? { kind: "not", of: hasValue(by, null) } : hasValue(by, null);
    case "gt":
    case "gte":
      return { kind: "range", by, from: boundOf(value, operator === "gt"), to: null };
    case "lt":
    case "lte":
      return { kind: "range", by, from: null, to: boundOf(value, operator === "lt") };
    case "contains":
    case "startsWith":
    case "endsWith":
      return { kind: "part", by, where: operator, text: String(value) };
  }
}

function boundOf(value: IndexValue, isOpen: boolean): Bound {
  return { value: typeof value === "string" ? sortForm(value) : Number(value), isOpen };
}

function isTextRange({ kind }: FilterTarget, operator: FilterOperator): boolean {
  return kind === "string" && RANGES.has(operator);
}
