/**
 * `filter=<JSON>`: names with values or operators, joined by `and`, `or` and `not`. A bare value means `eq`, a
 * list `in`, null `exists: false`; the keys of one object must all hold.
 *
 * @module
 */
import { isJsonObject } from "../../kv/model/values/json_object.ts";
import { allOf, type Condition } from "../../kv/index/query/condition.ts";
import { FILTER_LEVELS_MAX, MATCH_LEVELS_MAX } from "../../kv/limits/requests.ts";
import type { IndexValue } from "../../kv/model/fields/field_type.ts";
import type { FilterOperator } from "../../kv/model/fields/filter_operator.ts";
import { targetSlugs } from "../../kv/model/fields/reference_target.ts";
import { Refusal, type RefusalCode } from "../../kv/refusals.ts";
import { filterInvalid, type FilterScope, parseOperator } from "./filter_budget.ts";
import {
  describeOperand,
  expectsList,
  operatorCondition,
  parseOperand,
} from "./filter_condition.ts";
import { type FilterTarget, filterTarget } from "./filter_target.ts";
import { forTargets } from "./for_targets.ts";
import { itemsCondition } from "./item_filter.ts";
import { parseJsonAt } from "./json_position.ts";

/** A position in a filter. */
interface FilterPosition {
  /** `filter.or.1.rating` */
  path: string;
  /** Levels of and, or and not that are open. */
  levels: number;
  /** Levels of `match` that are open. */
  matches: number;
}

/** The condition of a JSON filter. */
export function jsonCondition(text: string, scope: FilterScope): Condition {
  const value = parseJsonAt(text, (fault, position) => {
    throw filterInvalid(`filter is not valid JSON at position ${position}: ${fault}`);
  });
  return valueCondition(value, scope);
}

/** The same of a filter that was JSON within JSON. */
export function valueCondition(filter: unknown, scope: FilterScope): Condition {
  return objectCondition(filter, scope, { path: "filter", levels: 0, matches: 0 });
}

function objectCondition(value: unknown, scope: FilterScope, at: FilterPosition): Condition {
  if (!isJsonObject(value)) throw filterInvalid(`${at.path} must be an object`);
  return allOf(
    ...Object.entries(value).map(([key, inner]): Condition => {
      const context = { ...at, path: `${at.path}.${key.slice(0, 100)}` };
      switch (key) {
        case "and":
        case "or":
          return { kind: key, of: joined(inner, scope, deeper(context)) };
        case "not":
          return { kind: "not", of: objectCondition(inner, scope, deeper(context)) };
        default:
          return nameCondition(key, inner, scope, context);
      }
    }),
  );
}

function joined(value: unknown, scope: FilterScope, at: FilterPosition): Condition[] {
  if (!Array.isArray(value)) throw filterInvalid(`${at.path} must be a list of objects`);
  return value.map((one, index) =>
    objectCondition(one, scope, { ...at, path: `${at.path}.${index}` })
  );
}

function deeper(at: FilterPosition): FilterPosition {
  if (at.levels < FILTER_LEVELS_MAX) return { ...at, levels: at.levels + 1 };
  throw filterInvalid(
    `${at.path} is nested too deeply: at most ${FILTER_LEVELS_MAX} levels of and, or and not are allowed`,
  );
}

/** A name with a value, a list, null, or an object of operators. */
function nameCondition(
  name: string,
  value: unknown,
  scope: FilterScope,
  at: FilterPosition,
): Condition {
  const items = itemsCondition(name, value, scope, {
    path: at.path,
    item: (operand, inner, path) => objectCondition(operand, inner, deeper({ ...at, path })),
  });
  if (items !== null) return items;
  const target = filterTarget(name, scope.collection, scope, at.path);
  if (value === null) return withOperator(target, "exists", false, scope, at);
  if (Array.isArray(value)) return withOperator(target, "in", value, scope, at);
  if (!isJsonObject(value)) return withOperator(target, "eq", value, scope, at);
  return allOf(
    ...Object.entries(value).map(([text, operand]) => {
      const operator = parseOperator(target, text, { path: at.path, isJson: true });
      return withOperator(target, operator, operand, scope, { ...at, path: `${at.path}.${text}` });
    }),
  );
}

function withOperator(
  target: FilterTarget,
  operator: FilterOperator,
  operand: unknown,
  scope: FilterScope,
  at: FilterPosition,
): Condition {
  if (operator === "match") return matchCondition(target, operand, scope, at);
  const takesOne = !expectsList(operator) || operator === "eq" || operator === "ne";
  if (Array.isArray(operand) === takesOne) {
    throw filterInvalid(`${at.path} must be ${takesOne ? "one value" : "a list of values"}`);
  }
  const given: unknown[] = Array.isArray(operand) ? operand : [operand];
  scope.budget.count(given.length);
  const values = given.flatMap((one): IndexValue[] => {
    // Null is a value like any other where values are compared for being equal.
    if (one === null && expectsList(operator) && operator !== "all") return [null];
    const parsed = parseValue(target, operator, one);
    if (parsed !== undefined) return [parsed];
    scope.budget.refuse(at.path, `Must be ${describeOperand(target, operator)}`);
    return [];
  });
  return operatorCondition(target, operator, values);
}

/** A JSON value of the kind that the operator compares with. */
function parseValue(
  target: FilterTarget,
  operator: FilterOperator,
  value: unknown,
): IndexValue | undefined {
  const kind = operator === "exists" ? "boolean" : target.kind;
  const found: string = typeof value;
  return found === kind ? parseOperand(target, operator, String(value)) : undefined;
}

/** The target's own fields, of documents that may be seen. */
function matchCondition(
  target: FilterTarget,
  operand: unknown,
  scope: FilterScope,
  at: FilterPosition,
): Condition {
  if (at.matches >= MATCH_LEVELS_MAX) {
    throw filterInvalid(
      `${at.path} is nested too deeply: at most ${MATCH_LEVELS_MAX} levels of match are allowed`,
    );
  }
  const { visibility } = scope;
  const targets = targetSlugs(target.field!.options).flatMap((slug) => {
    const collection = visibility.collection(slug);
    const statuses = collection === undefined ? null : visibility.statuses(collection);
    return collection === undefined || statuses === null ? [] : [{ collection, statuses }];
  });
  const inner = { ...at, matches: at.matches + 1 };
  const of: Condition[] = [];
  forTargets(targets, new Refusal("FORBIDDEN"), ({ collection, statuses }) => {
    const where = objectCondition(operand, { ...scope, collection }, inner);
    of.push({ kind: "match", by: target.by, target: { collection, statuses, where } });
  }, ({ code }) => OF_FIELDS.has(code));
  const [only, ...others] = of;
  return only !== undefined && others.length === 0 ? only : { kind: "or", of };
}

/** Refusals that a collection gives because it has no such field. */
const OF_FIELDS: ReadonlySet<RefusalCode> = new Set([
  "FILTER_FIELD_INVALID",
  "FIELD_NOT_FILTERABLE",
  "FILTER_OPERATOR_INVALID",
]);
