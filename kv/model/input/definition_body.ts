/**
 * Bodies of definitions. Clients may send back the read-only members that a response adds to a definition.
 *
 * @module
 */
import { Refusal } from "../../refusals.ts";
import { isJsonObject, type JsonObject } from "../values/json_object.ts";

/** Members of definitions on the wire that are not written. */
const READ_ONLY = ["id", "createdAt", "updatedAt"];

/**
 * The members of a body that are written.
 *
 * @throws {Refusal} BODY_INVALID when it is no object.
 */
export function writable(body: unknown, more: readonly string[] = []): JsonObject {
  if (!isJsonObject(body)) throw new Refusal("BODY_INVALID");
  return Object.fromEntries(
    Object.entries(body).filter(([key]) => !READ_ONLY.includes(key) && !more.includes(key)),
  );
}
