/**
 * SCIM filters, as far as directories use them: `eq` on a few attributes, joined by `and`.
 *
 * @module
 */
import { SCIM_COMPARISONS_MAX } from "../../kv/limits/people.ts";
import { ScimError } from "./scim_answer.ts";

/** A comparison; the attribute in lower case. */
export interface Comparison {
  attribute: string;
  value: string;
}

/**
 * Parses a filter.
 *
 * @throws {ScimError} `invalidFilter` for anything else than `eq` on the attributes.
 */
export function parseFilter(text: string | undefined, attributes: readonly string[]): Comparison[] {
  const comparisons: Comparison[] = [];
  let rest = (text ?? "").trim();
  while (rest !== "") {
    const joined = comparisons.length === 0 ? rest : /^and\s+(.*)$/is.exec(rest)?.[1];
    const match = /^([\w:.$-]+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*(.*)$/is.exec(joined ?? "");
    const attribute = match?.[1]?.replace(/^urn:[\w:.]+:(?=\w+$)/i, "").toLowerCase() ?? "";
    if (match === null || !attributes.includes(attribute)) throw invalid();
    if (comparisons.length >= SCIM_COMPARISONS_MAX) throw invalid();
    comparisons.push({ attribute, value: valueOf(match[2] ?? "") });
    rest = match[3]?.trim() ?? "";
  }
  return comparisons;
}

function valueOf(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw invalid();
  }
}

function invalid(): ScimError {
  return new ScimError(
    400,
    "Only eq on a few attributes, joined by and, is supported",
    "invalidFilter",
  );
}
