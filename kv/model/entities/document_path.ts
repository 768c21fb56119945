/**
 * Paths into a document, as live editing spells them: dotted steps through objects and arrays. In an
 * array a step is a position, the `_key` or `id` of an element, or `+key`: behind that element (`+`
 * alone: at the beginning).
 *
 * @module
 */
import { FIELD_PATH_CHARS_MAX, FIELD_PATH_STEPS_MAX } from "../../limits/content.ts";
import { ownValue } from "../primitives/own_value.ts";
import type { Json } from "./entity.ts";
import { isJsonObject, type JsonObject } from "../values/json_object.ts";

/**
 * How a path is followed: `strict` when it must lead somewhere, `rebase` when the operation was accepted
 * on another state and is placed as near as can be.
 */
export type PathMode = "strict" | "rebase";

/** The steps of a path; null when it is none. */
export function parsePath(text: string): string[] | null {
  if (text.length > FIELD_PATH_CHARS_MAX) return null;
  const steps = text.split(".");
  return steps.length > FIELD_PATH_STEPS_MAX || steps.includes("") ? null : steps;
}

/** `value` with `replacement` where the steps lead; undefined when they lead nowhere. */
export function withValue(
  value: Json | undefined,
  steps: readonly string[],
  replacement: Json,
  mode: PathMode,
): Json | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return replacement;
  const isNothing = value === undefined || value === null;
  const container = isNothing ? emptyFor(step) : value;
  if (Array.isArray(container)) return inArray(container, step, rest, replacement, mode);
  if (!isJsonObject(container)) return undefined;
  const inner = withValue(own(container, step), rest, replacement, mode);
  return inner === undefined ? undefined : { ...container, [step]: inner };
}

/** `value` without what the steps lead to; the same value when there is nothing. */
export function withoutValue(value: Json, steps: readonly string[]): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return null;
  if (Array.isArray(value)) {
    const index = indexOfStep(value, step);
    const element = index === null ? undefined : value[index];
    if (index === null || element === undefined) return value;
    return rest.length === 0
      ? value.toSpliced(index, 1)
      : value.with(index, withoutValue(element, rest));
  }
  const inner = isJsonObject(value) ? ownValue(value, step) : undefined;
  if (!isJsonObject(value) || inner === undefined) return value;
  if (rest.length > 0) return { ...value, [step]: withoutValue(inner, rest) };
  const { [step]: _gone, ...others } = value;
  return others;
}

function emptyFor(step: string): Json {
  return /^(\d+|\+.*)$/.test(step) ? [] : {};
}

function own(container: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(container, name) ? container[name] : undefined;
}

function inArray(
  elements: Json[],
  step: string,
  rest: readonly string[],
  replacement: Json,
  mode: PathMode,
): Json[] | undefined {
  if (step.startsWith("+")) {
    return rest.length > 0 ? undefined : inserted(elements, step.slice(1), replacement);
  }
  const index = indexOfStep(elements, step);
  if (index !== null) {
    const inner = withValue(elements[index], rest, replacement, mode);
    return inner === undefined ? undefined : elements.toSpliced(index, 1, inner);
  }
  // An element that was removed comes back with what was written into it.
  if (rest.length === 0 && keyOf(replacement) === step) return [...elements, replacement];
  if (mode === "strict" || !/^\d+$/.test(step)) return undefined;
  const inner = withValue(undefined, rest, replacement, mode);
  return inner === undefined ? undefined : [...elements, inner];
}

/** Elements that are there already move; without the one before them they come last. */
function inserted(elements: Json[], before: string, replacement: Json): Json[] {
  const fresh = Array.isArray(replacement) ? replacement : [replacement];
  const keys = new Set(fresh.map(keyOf));
  const others = elements.filter((element) => {
    const key = keyOf(element);
    return key === null || key === before || !keys.has(key);
  });
  const kept = fresh.filter((element) => keyOf(element) === null || keyOf(element) !== before);
  const found = before === "" ? -1 : others.findIndex((element) => keyOf(element) === before);
  const index = before !== "" && found < 0 ? others.length : found + 1;
  return others.toSpliced(index, 0, ...kept);
}

/** A whole number up to the length is a position, anything else names an element. */
function indexOfStep(elements: Json[], step: string): number | null {
  if (/^\d+$/.test(step) && Number(step) <= elements.length) return Number(step);
  const found = elements.findIndex((element) => keyOf(element) === step);
  return found < 0 ? null : found;
}

/** The key of an element among its siblings. */
export function keyOf(element: unknown): string | null {
  if (!isJsonObject(element)) return null;
  const key = element._key ?? element.id;
  return typeof key === "string" && key !== "" ? key : null;
}
