/**
 * The state of parsing the filters of a request: collection, visibility, errors so far, and the
 * remaining budget of conditions and values.
 *
 * @module
 */
import { FILTER_CONDITIONS_MAX, FILTER_VALUES_MAX } from "../../kv/limits/requests.ts";
import type { BlockDefinition, Collection } from "../../kv/model/entities/collection.ts";
import type { Status } from "../../kv/model/entities/document.ts";
import type { FilterOperator } from "../../kv/model/fields/filter_operator.ts";
import { targetSlugs } from "../../kv/model/fields/reference_target.ts";
import { type Detail, Refusal } from "../../kv/refusals.ts";
import type { FilteredFraming, FilterTarget } from "./filter_target.ts";

/** The visibility of a token or user. */
export interface Visibility {
  /** The statuses of a collection; null when it may not be read. */
  statuses(collection: Collection): readonly Status[] | null;
  /** A collection by its slug; undefined when there is none. */
  collection(slug: string): Collection | undefined;
}

/** Options for parsing filters. */
export interface FilterScope {
  collection: Collection;
  /** Framing keys that can be filtered by. */
  framing: readonly FilteredFraming[];
  /** Statuses that documents here can have. */
  filtered: readonly Status[];
  visibility: Visibility;
  /** Block definitions by name: items of blocks have their keys. */
  blocks: ReadonlyMap<string, BlockDefinition>;
  budget: FilterBudget;
}

/** Counts conditions and values, and gathers the values that do not fit. */
export class FilterBudget {
  readonly details: Detail[] = [];
  #conditions = 0;
  #values = 0;

  /** Counts a condition with its values. */
  count(values: number): void {
    this.#conditions += 1;
    this.#values += values;
    if (this.#values > FILTER_VALUES_MAX) {
      throw filterInvalid(`at most ${FILTER_VALUES_MAX} values are allowed`);
    }
    if (this.#conditions > FILTER_CONDITIONS_MAX) {
      throw filterInvalid(`at most ${FILTER_CONDITIONS_MAX} conditions are allowed`);
    }
  }

  /** Notes a value that does not fit. */
  refuse(field: string, message: string): void {
    this.details.push({ field, code: "INVALID_FILTER_VALUE", message });
  }

  /** Throws when values did not fit. */
  check(): void {
    if (this.details.length === 0) return;
    const details = this.details.slice(0, FILTER_VALUES_MAX);
    throw new Refusal("VALIDATION_FAILED", { details });
  }
}

/** A filter that cannot be read. */
export function filterInvalid(about: string): Refusal {
  return new Refusal("FILTER_INVALID", { about });
}

/** The operator of this name, if the target supports it; `path` is its position for messages. */
export function parseOperator(
  { operators, field }: FilterTarget,
  text: string,
  { path, isJson }: { path: string; isJson: boolean },
): FilterOperator {
  // Parameters cannot spell a filter of other documents, and a reference may lead to any collection.
  const hasMatch = isJson && field !== null && targetSlugs(field.options).length > 0;
  const supported = operators.filter((one) => one !== "match" || hasMatch);
  const operator = supported.find((one) => one === text);
  if (operator !== undefined) return operator;
  throw new Refusal("FILTER_OPERATOR_INVALID", {
    about: `${path} does not support ${text.slice(0, 50) || "an empty operator"}; use one of: ${
      supported.join(", ")
    }`,
  });
}
