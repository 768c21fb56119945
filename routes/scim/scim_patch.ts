/**
 * SCIM patches as directories send them: operations in any case, booleans as text, paths left out.
 *
 * @module
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../kv/model/values/json_object.ts";
import { SCIM_OPERATIONS_MAX } from "../../kv/limits/people.ts";
import { ScimError, withoutSchema } from "./scim_answer.ts";

/** One change of one attribute. */
export interface Change {
  op: "add" | "replace" | "remove";
  /** In lower case, without the URN of its schema. */
  path: string;
  value: Json;
}

const OPERATIONS: readonly string[] = ["add", "replace", "remove"];

/** The changes of a patch in order; an operation without a path is one for each member of its value. */
export function parsePatch(body: Record<string, Json>): Change[] {
  const operations = memberOf(body, "operations");
  if (!Array.isArray(operations) || operations.length > SCIM_OPERATIONS_MAX) {
    throw new ScimError(400, "Operations must be a list", "invalidSyntax");
  }
  return operations.flatMap((operation) => {
    if (!isJsonObject(operation)) {
      throw new ScimError(400, "An operation must be an object", "invalidSyntax");
    }
    const op = String(memberOf(operation, "op") ?? "").toLowerCase();
    if (!OPERATIONS.includes(op)) throw new ScimError(400, "Unknown operation", "invalidSyntax");
    const path = memberOf(operation, "path");
    const value = memberOf(operation, "value") ?? null;
    if (typeof path === "string") return [changeOf(op, path, value)];
    if (op === "remove") throw new ScimError(400, "A removal needs a path", "noTarget");
    if (!isJsonObject(value)) {
      throw new ScimError(400, "A value without a path must be an object", "invalidValue");
    }
    return Object.entries(value).map(([name, one]) => changeOf(op, name, one));
  });
}

function changeOf(op: string, path: string, value: Json): Change {
  return { op: op as Change["op"], path: lowerAttributes(withoutSchema(path)), value };
}

/** Attribute names in lower case; values in a filter as they are. */
function lowerAttributes(path: string): string {
  return path.split('"').map((part, index) => index % 2 === 0 ? part.toLowerCase() : part)
    .join('"');
}

/** The member of an object with a name in any case. */
export function memberOf(object: JsonObject, name: string): Json | undefined {
  const key = Object.keys(object).find((one) => one.toLowerCase() === name);
  return key === undefined ? undefined : object[key];
}

/** The value of an attribute that has one; Entra ID also sends it as a list, `[{"value": "…"}]`. */
export function singleValue(value: Json): Json {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
  if (only === undefined) return value;
  return isJsonObject(only) ? memberOf(only, "value") ?? only : only;
}

/** A boolean, also as the text that some directories send. */
export function booleanOf(value: Json, name: string): boolean {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.toLowerCase() : "";
  if (text === "true" || text === "false") return text === "true";
  throw new ScimError(400, `${name} must be a boolean`, "invalidValue");
}
