/**
 * Filters as parameters: `field.<name>=v` and `field.<name>[<op>]=v`. Several parameters must all hold; `eq`
 * of one name means any of its values, `ne` none of them.
 *
 * @module
 */
import type { Condition } from "../../kv/index/query/condition.ts";
import type { IndexValue } from "../../kv/model/fields/field_type.ts";
import type { FilterOperator } from "../../kv/model/fields/filter_operator.ts";
import { filterInvalid, type FilterScope, parseOperator } from "./filter_budget.ts";
import {
  describeOperand,
  expectsList,
  operatorCondition,
  parseOperand,
} from "./filter_condition.ts";
import { type FilterTarget, filterTarget } from "./filter_target.ts";
import type { Parameter } from "./parameters.ts";

/** The same filter, given once or several times. */
interface ParsedFilter {
  target: FilterTarget;
  operator: FilterOperator;
  values: IndexValue[];
}

const FILTER = /^field\.(.*?)(?:\[([^\]]*)\])?$/s;
/** `from.<name>` and `to.<name>` are `gte` and `lte` by another name. */
const ENDS = { from: "gte", to: "lte" } as const satisfies Record<string, FilterOperator>;

/** The conditions of `field.…` parameters, and of `from.…` and `to.…` where those are known. */
export function parameterConditions(
  parameters: readonly Parameter[],
  scope: FilterScope,
  hasEnds: boolean,
): Condition[] {
  const filters = new Map<string, ParsedFilter>();
  for (const parameter of parameters) {
    const named = nameOf(parameter.name, hasEnds);
    if (named === null) continue;
    const target = filterTarget(named.name, scope.collection, scope);
    const operator = parseOperator(target, named.operator, { path: named.name, isJson: false });
    const key = `${operator} ${named.name}`;
    const known = filters.get(key);
    const given = known ?? { target, operator, values: [] };
    if (known !== undefined && operator !== "eq" && operator !== "ne") {
      throw filterInvalid(`${parameter.name} must be given only once`);
    }
    filters.set(key, given);
    addValues(given, parameter, scope);
  }
  return [...filters.values()].map(({ target, operator, values }) => {
    scope.budget.count(values.length);
    return operatorCondition(target, operator as Exclude<FilterOperator, "match">, values);
  });
}

function nameOf(parameter: string, hasEnds: boolean): { name: string; operator: string } | null {
  const end = hasEnds ? /^(from|to)\.(.*)$/.exec(parameter) : null;
  if (end !== null) return { name: end[2]!, operator: ENDS[end[1] as keyof typeof ENDS] };
  const [, name, operator = "eq"] = FILTER.exec(parameter) ?? [];
  return name === undefined ? null : { name, operator };
}

function addValues(given: ParsedFilter, { name, value }: Parameter, { budget }: FilterScope): void {
  const { target, operator, values } = given;
  const isList = expectsList(operator) && operator !== "eq" && operator !== "ne";
  for (const text of isList && value !== undefined ? value.split(",") : [value]) {
    const parsed = text === undefined ? undefined : parseOperand(target, operator, text);
    if (parsed === undefined) budget.refuse(name, `Must be ${describeOperand(target, operator)}`);
    else values.push(parsed);
  }
}
