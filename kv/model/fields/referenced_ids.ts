/**
 * The references of a document: every id in its values, blocks and working copy. Found without field
 * definitions, so that a reference survives any change of them.
 *
 * @module
 */
import { isUlid } from "../values/ulid.ts";
import type { DocumentState } from "../entities/document.ts";
import type { Json } from "../entities/entity.ts";

/** The ids that a document references, each once, in the order of their first occurrence. */
export function referencedIds(
  { data, blocks, workingCopy, translations }:
    & Pick<DocumentState, "data" | "blocks" | "workingCopy">
    & { translations?: DocumentState["translations"] | undefined },
): Set<string> {
  const found = new Set<string>();
  collect(data, found);
  collect(blocks, found);
  collect(workingCopy, found);
  for (const translation of Object.values(translations ?? {})) {
    collect(translation.data, found);
    collect(translation.blocks, found);
    collect(translation.workingCopy, found);
  }
  return found;
}

/** Whether there are ids in a value. */
export function holdsIds(value: Json | undefined): boolean {
  const found = new Set<string>();
  collect(value, found);
  return found.size > 0;
}

/** The ids in the value of a reference field of any type, without values that an earlier type left. */
export function idsIn(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
}

function collect(value: Json | undefined, found: Set<string>): void {
  if (typeof value === "string") {
    if (value.length === 26 && isUlid(value)) found.add(value);
  } else if (Array.isArray(value)) {
    for (const part of value) collect(part, found);
  } else if (typeof value === "object" && value !== null) {
    // Entries of an object with thousands of keys take five times as long.
    for (const name of Object.keys(value)) if (!isOwnId(name, value)) collect(value[name], found);
  }
}

/** Blocks and rich text name themselves; that is no reference. */
function isOwnId(name: string, holder: { [name: string]: Json }): boolean {
  if (name === "_key") return true;
  return name === "id" && typeof holder.type === "string" && Object.hasOwn(holder, "data");
}
