/**
 * Validates the result of edits by the same checks as any other body, restricted to what has changed.
 *
 * @module
 */
import { isSlugTaken, takenForGood, takenValueDetails } from "../documents/reservations.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { readDocumentBody } from "../model/input/document_input.ts";
import type { Json } from "../model/entities/entity.ts";
import { FRAMING_ROOTS, isFramingRoot } from "../model/entities/working_copy.ts";
import { textBefore } from "../model/primitives/text_before.ts";
import type { Detail } from "../refusals.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { rootValue, withRoot } from "./working_state.ts";

/** A change to validate. */
export interface ProposedChange {
  /** The stored document. */
  before: DocumentState;
  after: DocumentState;
  /** The changed roots. */
  roots: Iterable<string>;
}

/** The outcome of validation. */
export interface ChangeVerdict {
  /** The state as it would be stored. */
  state: DocumentState;
  /** Errors, by root. */
  faults: Map<string, Detail[]>;
}

/** Checks the changed roots of a state. */
export async function validateChange(
  transaction: Transaction,
  schema: Schema,
  collection: Collection,
  { before, after, roots }: ProposedChange,
): Promise<ChangeVerdict> {
  const names = namesOf(roots, collection);
  const body: { [name: string]: Json } = {};
  for (const [name, root] of names) body[name] = rootValue(after, root) ?? null;
  // Required values are checked when the working copy is published.
  const current: DocumentState = { ...after, status: "draft" };
  const options = { mode: "patch", blocks: "accept", current, stored: before } as const;
  const { input, details: all } = readDocumentBody(body, collection, schema, options);
  // An error elsewhere in the document does not concern this change.
  const details = all.filter(({ field }) => names.has(textBefore(field, ".")));
  let state = after;
  for (const [key, value] of Object.entries(input.values)) state = withRoot(state, key, value);
  for (const root of FRAMING_ROOTS) {
    if (input[root] !== undefined) state = { ...state, [root]: input[root] };
  }
  if (details.length === 0) {
    const taken = await takenForGood(transaction, { collection, before, after: state });
    details.push(...takenValueDetails(taken));
    if (names.has("slug") && isSlugTaken(taken)) {
      details.push({
        field: "slug",
        code: "NOT_UNIQUE",
        message: "Another document has this slug",
      });
    }
  }
  return { state, faults: faultsOf(details, names) };
}

/** Names on the wire, with their roots; the values of a deleted field stay as they are. */
function namesOf(roots: Iterable<string>, collection: Collection): Map<string, string> {
  const names = new Map<string, string>();
  for (const root of roots) {
    const field = collection.fields.find(({ key }) => key === root);
    if (field !== undefined) names.set(field.name, root);
    else if (isFramingRoot(root)) names.set(root, root);
  }
  return names;
}

function faultsOf(details: Detail[], names: Map<string, string>): Map<string, Detail[]> {
  const faults = new Map<string, Detail[]>();
  for (const detail of details) {
    const name = textBefore(detail.field, ".");
    const root = names.get(name) ?? name;
    faults.set(root, [...faults.get(root) ?? [], detail]);
  }
  return faults;
}
