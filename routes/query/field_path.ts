/**
 * Paths of `fields` and `include`, and the keys that they name as a tree.
 *
 * @module
 */
import { REVERSE_PREFIX } from "../../kv/model/entities/document.ts";

/** The keys that a value keeps; null under a key keeps all of its value. */
export interface FieldTree {
  /** `document` for documents and media, which keep their ids, `blocks` for lists of blocks by type. */
  kind: "document" | "rows" | "blocks";
  keys: Map<string, FieldTree | null>;
}

/** The names of a path; that of a reverse include has a dot. */
export function pathSteps(path: string): string[] {
  const steps: string[] = [];
  for (const part of path.split(".")) {
    const last = steps.at(-1);
    const isOpen = last?.startsWith(REVERSE_PREFIX) === true && !last.includes(".");
    if (isOpen) steps[steps.length - 1] = `${last}.${part}`;
    else steps.push(part);
  }
  return steps;
}
