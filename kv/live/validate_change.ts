/**
 * Validates the result of edits by the same checks as any other body, restricted to what has changed.
 *
 * @module
 */
import {
  isOriginalsSlug,
  isSlugTaken,
  reservationMoves,
  takenForGood,
  type TakenReservation,
  takenValueDetails,
} from "../documents/reservations.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { readDocumentBody } from "../model/input/document_input.ts";
import { readTranslationBody } from "../model/input/translation_input.ts";
import { translationOf, withTranslation } from "../model/languages/translation.ts";
import type { Json } from "../model/entities/entity.ts";
import { FRAMING_ROOTS, isFramingRoot } from "../model/entities/working_copy.ts";
import { textBefore } from "../model/primitives/text_before.ts";
import type { Detail } from "../refusals.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { partsOfRoot, rootIn, rootValue, withRoot } from "./edited_root.ts";

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

/** Checks the changed roots of a state, language by language. */
export async function validateChange(
  transaction: Transaction,
  schema: Schema,
  collection: Collection,
  { before, after, roots }: ProposedChange,
): Promise<ChangeVerdict> {
  const byLanguage = Map.groupBy(roots, (root) => partsOfRoot(root).language);
  let state = after;
  const faults: ChangeVerdict["faults"] = new Map();
  for (const [language, own] of byLanguage) {
    const names = namesOf(own, collection, language);
    const change = { before, after: state, names };
    const verdict = language === undefined
      ? await validateOriginal(transaction, schema, collection, change)
      : await validateTranslation(transaction, schema, collection, language, change);
    state = verdict.state;
    for (const [root, details] of faultsOf(verdict.details, names)) faults.set(root, details);
  }
  return { state, faults };
}

/** A change of one language; `names` are those on the wire, with their roots. */
interface NamedChange {
  before: DocumentState;
  after: DocumentState;
  names: Map<string, string>;
}

async function validateOriginal(
  transaction: Transaction,
  schema: Schema,
  collection: Collection,
  { before, after, names }: NamedChange,
): Promise<{ state: DocumentState; details: Detail[] }> {
  // Required values are checked when the working copy is published.
  const current: DocumentState = { ...after, status: "draft" };
  const options = { mode: "patch", blocks: "accept", current, stored: before } as const;
  const body = bodyOf(after, names);
  const { input, details: all } = readDocumentBody(body, collection, schema, options);
  // An error elsewhere in the document does not concern this change.
  const details = all.filter(({ field }) => names.has(textBefore(field, ".")));
  let state = after;
  for (const [key, value] of Object.entries(input.values)) state = withRoot(state, key, value);
  for (const root of FRAMING_ROOTS) {
    if (input[root] !== undefined) state = { ...state, [root]: input[root] };
  }
  if (details.length === 0) {
    const { translations = {} } = before;
    const alone = { ...state, translations };
    const taken = await takenForGood(transaction, { collection, before, after: alone });
    details.push(...takenDetails(taken, names));
  }
  return { state, details };
}

async function validateTranslation(
  transaction: Transaction,
  schema: Schema,
  collection: Collection,
  language: string,
  { before, after, names }: NamedChange,
): Promise<{ state: DocumentState; details: Detail[] }> {
  const current = translationOf(after, language);
  if (current === undefined) return { state: after, details: [] };
  const { input, details: all } = readTranslationBody(bodyOf(after, names), collection, schema, {
    code: language,
    blocks: "accept",
    current,
    // A value that is stored already is not checked again.
    kept: { ...before, status: "draft", data: translationOf(before, language)?.data ?? {} },
  });
  const details = all.filter(({ field }) => names.has(textBefore(field, ".")));
  let state = after;
  const put = (name: string, value: Json) => state = withRoot(state, rootIn(language, name), value);
  for (const [key, value] of Object.entries(input.values)) put(key, value);
  if (input.title !== undefined) put("title", input.title);
  if (input.slug !== undefined) put("slug", input.slug);
  if (input.ownBlocks !== undefined) put("blocks", input.ownBlocks);
  if (details.length === 0) {
    const alone = withTranslation(before, language, translationOf(state, language) ?? null);
    const change = { collection, before, after: alone };
    const taken = await takenForGood(transaction, change);
    details.push(...takenDetails(taken, names, `${language}.`));
    for (const move of isSlugTaken(taken) ? [] : reservationMoves(change)) {
      if (await isOriginalsSlug(transaction, change, move)) details.push(SLUG_TAKEN);
    }
  }
  return { state, details };
}

const SLUG_TAKEN: Detail = {
  field: "slug",
  code: "NOT_UNIQUE",
  message: "Another document has this slug",
};

/** What other documents have of a change; unique values of a translation are named after its language. */
function takenDetails(
  taken: readonly TakenReservation[],
  names: Map<string, string>,
  prefix = "",
): Detail[] {
  const details = takenValueDetails(taken).map((detail) => ({
    ...detail,
    field: detail.field.slice(prefix.length),
  }));
  return names.has("slug") && isSlugTaken(taken) ? [...details, SLUG_TAKEN] : details;
}

/** The changed values of a language, by their names on the wire. */
function bodyOf(state: DocumentState, names: Map<string, string>): { [name: string]: Json } {
  return Object.fromEntries(
    [...names].map(([name, root]) => [name, rootValue(state, root) ?? null]),
  );
}

/**
 * Names on the wire, with their roots; the values of a deleted field stay as they are, and so do translations of one
 * that is no longer localized.
 */
function namesOf(
  roots: readonly string[],
  { fields }: Collection,
  language: string | undefined,
): Map<string, string> {
  const names = new Map<string, string>();
  for (const root of roots) {
    const { name } = partsOfRoot(root);
    const field = fields.find(({ key }) => key === name);
    if (isFramingRoot(name)) names.set(name, root);
    else if (field !== undefined && (language === undefined || field.localized)) {
      names.set(field.name, root);
    }
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
