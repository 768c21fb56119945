/**
 * Whether two edits change the same part of a document.
 *
 * @module
 */
import { keyOf } from "../model/entities/document_path.ts";
import type { Json } from "../model/entities/entity.ts";

/** The paths of an edit. */
export interface Paths {
  set: { [path: string]: Json };
  unset: readonly string[];
}

/** Whether one changes a path that the other changes, or a part or parent of it. */
export function overlap(one: Paths, other: Paths): boolean {
  const others = touched(other);
  return touched(one).some((path) => others.some((second) => isWithin(path, second)));
}

/** An insertion touches the element before it, and the elements that it adds or moves. */
function touched({ set, unset }: Paths): string[][] {
  const paths = [...unset, ...Object.keys(set)].map((path) => path.split("."));
  const brought = Object.entries(set).flatMap(([path, value]) => {
    const steps = path.split(".");
    if (!steps.at(-1)?.startsWith("+")) return [];
    const elements = Array.isArray(value) ? value : [value];
    return elements.flatMap((element) => {
      const key = keyOf(element);
      return key === null ? [] : [[...steps.slice(0, -1), key]];
    });
  });
  return [...paths, ...brought].map((steps) => steps.map((step) => step.replace(/^\+/, "")));
}

function isWithin(one: readonly string[], other: readonly string[]): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, at) => step === other[at]);
}
