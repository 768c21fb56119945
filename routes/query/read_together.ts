/**
 * Parses the parts of a query so that one response reports the errors of all of them.
 *
 * @module
 */
import { DETAILS_MAX } from "../../kv/limits/requests.ts";
import { type Detail, Refusal } from "../../kv/refusals.ts";

/** Parses all parts; validation errors are collected, any other error is thrown at once. */
export function parseTogether<Parts extends readonly unknown[]>(
  ...parts: { [part in keyof Parts]: () => Parts[part] }
): Parts {
  let isInvalid = false;
  const details: Detail[] = [];
  const read = parts.map((part) => {
    try {
      return part();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "VALIDATION_FAILED") throw error;
      isInvalid = true;
      details.push(...error.facts.details ?? []);
    }
  });
  if (isInvalid) {
    throw new Refusal("VALIDATION_FAILED", { details: details.slice(0, DETAILS_MAX) });
  }
  return read as unknown as Parts;
}
