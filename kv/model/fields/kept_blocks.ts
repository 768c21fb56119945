/**
 * The blocks that a document has already. A definition that was removed, renamed or made stricter since
 * is no reason to refuse them: an editor who changes something else in the document sends them back as they
 * are.
 *
 * @module
 */
import { sameJson } from "../values/same_json.ts";
import type { DocumentState } from "../entities/document.ts";
import { isJsonObject, type JsonObject } from "../values/json_object.ts";

/** The blocks of a stored document, wherever they are in it. */
export class KeptBlocks {
  readonly #state: Pick<DocumentState, "data" | "blocks">;
  #byId: Map<string, JsonObject[]> | null = null;

  constructor(state: Pick<DocumentState, "data" | "blocks">) {
    this.#state = state;
  }

  /** Whether the document has exactly this block. */
  has(block: JsonObject): boolean {
    const { id } = block;
    if (typeof id !== "string") return false;
    // Hardly any write needs to know.
    this.#byId ??= blocksById(this.#state);
    return this.#byId.get(id)?.some((kept) => sameJson(kept, block)) ?? false;
  }
}

function blocksById({ data, blocks }: Pick<DocumentState, "data" | "blocks">) {
  const found = new Map<string, JsonObject[]>();
  for (const value of objectsIn([blocks, data])) {
    const { id, type, data: values } = value;
    if (typeof id !== "string" || typeof type !== "string" || !isJsonObject(values)) continue;
    found.set(id, [...found.get(id) ?? [], value]);
  }
  return found;
}

/** Whether a value holds a block of this name: an instance in a field, or an object in rich text. */
export function holdsBlock(value: unknown, name: string): boolean {
  return objectsIn(value).some(({ type, _type }) => type === name || _type === name);
}

/** All objects in a value. */
function* objectsIn(whole: unknown): Generator<JsonObject> {
  const waiting = [whole];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const part of Object.values(value)) waiting.push(part);
    if (isJsonObject(value)) yield value;
  }
}
