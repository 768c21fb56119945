/**
 * Bodies that write a translation of a document: title, slug and the values of localized fields, flat on one
 * object.
 *
 * @module
 */
import { type Detail, Refusal } from "../../refusals.ts";
import type { Collection, Schema } from "../entities/collection.ts";
import type { DocumentState } from "../entities/document.ts";
import type { Json } from "../entities/entity.ts";
import type { Translation } from "../languages/translation.ts";
import { isJsonObject } from "../values/json_object.ts";
import { type DocumentInput, readDocumentBody } from "./document_input.ts";
import { languageDetails, withoutLanguageKeys } from "./language_keys.ts";

/** How a translation's body is read. */
export interface TranslationInputOptions {
  /** The language of the path. */
  code: string;
  blocks: "accept" | "ignore";
  /** The translation as it is; null for a new one. */
  current: Translation | null;
  /** What published values may come from, besides the body: own values and, with gaps, those of the chain. */
  kept: DocumentState;
}

/** The parsed body. */
export interface TranslationInput extends DocumentInput {
  /** Whether the body has own values for `blocks`; null for none of its own. */
  ownBlocks?: Json[] | null;
}

/** The keys that begin a new translation; of one that exists, `status` cannot be changed here. */
const FRAMING = ["title", "slug", "status"];

/** Parses the body of a write of a translation; its failures come with it. */
export function readTranslationBody(
  given: Record<string, Json>,
  collection: Collection,
  schema: Schema,
  { code, blocks, current, kept }: TranslationInputOptions,
): { input: TranslationInput; details: Detail[] } {
  if (!isJsonObject(given)) throw new Refusal("BODY_INVALID");
  const details: Detail[] = [];
  const body = withoutFraming(given, code, details);
  const fields = collection.fields.filter(({ localized }) => localized);
  const localized = { ...collection, fields };
  const isNew = current === null;
  const { blocks: tree, ...rest } = body;
  const values = isNew
    ? Object.fromEntries(Object.entries(rest).filter(([key]) => !FRAMING.includes(key)))
    : rest;
  const framing = isNew ? readFraming(body, collection, schema) : null;
  const status = framing?.input.status ?? kept.status;
  const withTree = blocks === "accept" && tree !== undefined && tree !== null;
  const read = readDocumentBody(
    withTree ? { ...values, blocks: tree } : values,
    localized,
    schema,
    { mode: "patch", blocks, current: { ...kept, status } },
  );
  const input: TranslationInput = { ...read.input, ...framing && framingOf(framing.input) };
  if (blocks === "accept" && tree !== undefined) input.ownBlocks = read.input.blocks ?? null;
  details.push(...framing?.details ?? [], ...read.details);
  return { input, details };
}

/** The body without what only tells of languages, and without values that fell back. */
function withoutFraming(
  given: Record<string, Json>,
  code: string,
  details: Detail[],
): Record<string, Json> {
  details.push(...languageDetails(given, code, `Must be ${code}, as the address says`));
  return withoutLanguageKeys(given);
}

function readFraming(body: Record<string, Json>, collection: Collection, schema: Schema) {
  const framing = Object.fromEntries(
    FRAMING.flatMap((key) => Object.hasOwn(body, key) ? [[key, body[key]!]] : []),
  );
  const { input, details } = readDocumentBody(framing, { ...collection, fields: [] }, schema, {
    mode: "create",
    blocks: "ignore",
  });
  return { input, details };
}

function framingOf({ title, slug, status }: DocumentInput): Partial<DocumentInput> {
  return {
    ...(title !== undefined && { title }),
    ...(slug !== undefined && { slug }),
    ...(status !== undefined && { status }),
  };
}
