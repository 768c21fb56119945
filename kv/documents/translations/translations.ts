/**
 * Translations of documents: written, published and taken away as parts of the document's own state, by its
 * versioned writes.
 *
 * @module
 */
import type { Content } from "../content.ts";
import { danglingReferences } from "../dangling_references.ts";
import { type Body, documentHead, documentWrite, type DocumentWriteOptions } from "../documents.ts";
import { freeTranslationSlug } from "../derived_slug.ts";
import { schemaOf, stageDocument, type WriteResult } from "../write.ts";
import { DETAILS_MAX } from "../../limits/requests.ts";
import {
  codesOf,
  type Collection,
  languagesOf,
  type Schema,
} from "../../model/entities/collection.ts";
import { type DocumentState, isForPublic } from "../../model/entities/document.ts";
import type { Actor, Json } from "../../model/entities/entity.ts";
import { inLanguage, publicView, translationLaidOver } from "../../model/languages/in_language.ts";
import type { WorkingCopy } from "../../model/entities/working_copy.ts";
import {
  originalOf,
  ownRoots,
  sourceOf,
  type Translation,
  translationOf,
  withTranslation,
} from "../../model/languages/translation.ts";
import { checkComplete } from "../../model/input/document_check.ts";
import { readTranslationBody, type TranslationInput } from "../../model/input/translation_input.ts";
import { ownValue } from "../../model/primitives/own_value.ts";
import { sameJson } from "../../model/values/same_json.ts";
import { slugify } from "../../model/values/slug.ts";
import { type Detail, Refusal } from "../../refusals.ts";
import type { Transaction } from "../../versioning/transaction.ts";

/** Options of a write of a translation. */
export interface TranslationWriteOptions
  extends Omit<DocumentWriteOptions, "precondition" | "assumption"> {
  /** Refuses with PRECONDITION_FAILED unless it is true of the document as it is. */
  condition?: (state: DocumentState, collection: Collection) => boolean;
  /** Whether the working copy of a published translation is written instead of what is public. */
  toWorkingCopy?: boolean;
  /** Whether the body replaces all own values. */
  replaces?: boolean;
}

/** The result of a write of a translation. */
export interface TranslationResult extends WriteResult {
  collection: Collection;
  /** Whether the translation is new. */
  created?: boolean;
}

/** A document and one of its languages at the start of a write. */
export interface TranslationHead {
  schema: Schema;
  head: Awaited<ReturnType<typeof documentHead>>["head"];
  state: DocumentState;
  collection: Collection;
  /** Null for one that it does not have. */
  translation: Translation | null;
}

/** Reads a document for a write of a translation; refuses languages that it cannot have. */
export async function translationHead(
  transaction: Transaction,
  content: Content,
  id: string,
  code: string,
  options: TranslationWriteOptions,
): Promise<TranslationHead> {
  const schema = await schemaOf(transaction, content);
  const { head, state, collection } = await documentHead(
    transaction,
    content,
    schema,
    id,
    options as DocumentWriteOptions,
  );
  if (state.status === "trashed" && !options.trashed) throw new Refusal("NOT_FOUND");
  refuseLanguage(collection, code);
  if (originalOf(state, collection) === code) {
    throw new Refusal("VALIDATION_FAILED", {
      details: [{
        field: "_language",
        code: "INVALID_LANGUAGE",
        message: "The document is written in this language: change the document itself",
      }],
    });
  }
  return { schema, head, state, collection, translation: translationOf(state, code) ?? null };
}

/** A change of a translation that a document has. */
export interface TranslationChange {
  summary: string;
  /** What becomes of it: null takes it away, the same object changes nothing. Refuses by throwing. */
  change: (
    found: TranslationHead & { translation: Translation },
    at: number,
  ) => Translation | null;
  /** False: what is public does not change. */
  republish?: false;
}

/** Stages a change of a translation; NOT_FOUND for one that the document does not have. */
export async function stageTranslation(
  transaction: Transaction,
  content: Content,
  id: string,
  code: string,
  { change, ...saved }: TranslationChange,
  options: TranslationWriteOptions = {},
): Promise<TranslationResult> {
  const found = await translationHead(transaction, content, id, code, options);
  const { head, state, collection, translation } = found;
  if (translation === null) throw new Refusal("NOT_FOUND");
  const next = change({ ...found, translation }, transaction.at);
  refuseUnmet(found, options);
  if (next === translation) return { state, n: head.row.n, jobId: null, collection };
  const after = withTranslation(state, code, next);
  const write = { collection, head, after, options: saved };
  return { ...await stageDocument(transaction, content, write), collection };
}

/** Refuses unless the document is as the caller has seen it. */
function refuseUnmet(
  { state, collection }: TranslationHead,
  { condition }: TranslationWriteOptions,
): void {
  if (condition !== undefined && !condition(state, collection)) {
    throw new Refusal("PRECONDITION_FAILED");
  }
}

/** Refuses a language in a body: one that there is none of, or that the collection leaves out. */
export function refuseLanguageOf(collection: Collection, code: string, field: string): void {
  if (codesOf(collection).includes(code)) return;
  throw new Refusal("VALIDATION_FAILED", {
    details: [{
      field,
      code: "INVALID_LANGUAGE",
      message: `Must be one of ${codesOf(collection).join(", ")}`,
    }],
  });
}

/** Refuses a language in a path: one that the site does not have, or that the collection leaves out. */
export function refuseLanguage(collection: Collection, code: string): void {
  const site = languagesOf(collection);
  if (site === undefined || !site.byCode.has(code)) throw new Refusal("NOT_FOUND");
  if (codesOf(collection).includes(code)) return;
  throw new Refusal("VALIDATION_FAILED", {
    details: [{
      field: "_language",
      code: "INVALID_LANGUAGE",
      message: collection.localized
        ? "The collection has no translations in this language"
        : "The collection is not localized",
    }],
  });
}

/** Makes a translation or changes it by a body. */
export function writeTranslation(
  content: Content,
  actor: Actor,
  id: string,
  code: string,
  body: Body,
  options: TranslationWriteOptions = {},
): Promise<TranslationResult> {
  return documentWrite(
    content,
    actor,
    (transaction) => decideTranslation(transaction, content, id, code, body, options),
    options,
  );
}

/** Stages the write of a translation. */
export async function decideTranslation(
  transaction: Transaction,
  content: Content,
  id: string,
  code: string,
  body: Body,
  options: TranslationWriteOptions = {},
): Promise<TranslationResult> {
  const found = await translationHead(transaction, content, id, code, options);
  const { schema, head, state, collection } = found;
  const isCopy = options.toWorkingCopy === true && found.translation?.status === "published";
  const translation = isCopy
    ? translationLaidOver(found.translation as Translation)
    : found.translation;
  const own = options.replaces ? {} : translation?.data ?? {};
  const { input, details } = readTranslationBody(body, collection, schema, {
    code,
    blocks: options.blocks ?? "ignore",
    current: translation,
    kept: keptValues(found, code, own, isCopy),
  });
  if (options.replaces && options.blocks === "accept") input.ownBlocks ??= null;
  details.push(...options.failures ?? []);
  const isMoved = input.status !== undefined && input.status !== translation?.status;
  if (translation !== null && isMoved) {
    if (details.length === 0) throw new Refusal("STATUS_TRANSITION_NOT_SUPPORTED");
  }
  const at = Math.max(transaction.at, head.row.at);
  const base = translation ?? newTranslation(input, at);
  const next = withValues(base, input, own);
  if (options.draftsOnly && isForPublic(next.status) && !isCopy) {
    throw new Refusal("FORBIDDEN", {
      about: `the translation is ${next.status}, which requires permission to publish`,
    });
  }
  if (next.status === "published" && details.length === 0 && !isCopy) {
    details.push(...await dangling(transaction, found, next));
  }
  if (details.length > 0) {
    throw new Refusal("VALIDATION_FAILED", { details: details.slice(0, DETAILS_MAX) });
  }
  refuseUnmet(found, options);
  if (translation === null && input.slug === undefined) {
    const wanted = slugify(input.title ?? "", schema.slugs);
    next.slug = await freeTranslationSlug(transaction, collection, code, wanted);
  }
  if (translation !== null && sameJson(next, translation)) {
    return { state, n: head.row.n, jobId: null, collection };
  }
  next.updatedAt = at;
  next.beside = besides(found, translation, next);
  if (isCopy) next.updatedAt = translation?.updatedAt ?? at;
  const toStore = isCopy ? withWorkingCopy(found.translation as Translation, next) : next;
  const after = withTranslation(state, code, toStore);
  const summary = options.summary ??
    (translation === null ? `Translation ${code} added` : `Translation ${code} changed`);
  const written = await withFieldsOfBody(code, () =>
    stageDocument(transaction, content, {
      collection,
      head,
      after,
      options: {
        summary,
        ...(options.byPlugin && { byPlugin: true }),
        ...(isCopy && { republish: false }),
      },
    }));
  return { ...written, collection, ...(translation === null && { created: true }) };
}

/** Runs a write; the details of its refusal name fields as the body of a translation does, without the language. */
async function withFieldsOfBody<Result>(
  code: string,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof Refusal) || error.facts.details === undefined) throw error;
    const start = `${code}.`;
    const details = error.facts.details.map((detail) => {
      const { field } = detail;
      return field.startsWith(start) ? { ...detail, field: field.slice(start.length) } : detail;
    });
    throw new Refusal(error.code, { ...error.facts, details }, { cause: error });
  }
}

/** The published translation with what differs from it as its working copy. */
export function withWorkingCopy(translation: Translation, edited: Translation): Translation {
  const { workingCopy: _before, ...published } = translation;
  const workingCopy: WorkingCopy = {};
  for (const root of ["title", "slug", "blocks"] as const) {
    if (!sameJson(published[root], edited[root])) workingCopy[root] = edited[root] ?? null;
  }
  for (const key of new Set([...Object.keys(published.data), ...Object.keys(edited.data)])) {
    const value = ownValue(edited.data, key) ?? null;
    if (!sameJson(ownValue(published.data, key) ?? null, value)) workingCopy[key] = value;
  }
  const next = { ...published, beside: edited.beside };
  return Object.keys(workingCopy).length === 0 ? next : { ...next, workingCopy };
}

function newTranslation(
  { title = "", slug = "", status }: TranslationInput,
  at: number,
): Translation {
  const is = (status ?? "draft") as Translation["status"];
  return {
    title,
    slug,
    status: is,
    updatedAt: at,
    publishedAt: is === "published" ? at : null,
    publishAt: null,
    data: {},
    beside: {},
  };
}

function withValues(
  base: Translation,
  { title, slug, values, ownBlocks }: TranslationInput,
  own: Translation["data"],
): Translation {
  const data = { ...own };
  for (const [key, value] of Object.entries(values)) {
    if (value === null) delete data[key];
    else data[key] = value;
  }
  const next: Translation = { ...base, data };
  if (title !== undefined) next.title = title;
  if (slug !== undefined) next.slug = slug;
  if (ownBlocks === null) delete next.blocks;
  else if (ownBlocks !== undefined) next.blocks = ownBlocks;
  return next;
}

/** The state that requirements of a published translation are met by, besides what a body gives. */
function keptValues(
  { state, collection, translation }: TranslationHead,
  code: string,
  own: Translation["data"],
  isCopy: boolean,
): DocumentState {
  // The requirements of a public translation are checked when the changes are published.
  const status = isCopy ? "draft" : translation?.status ?? "draft";
  const language = languagesOf(collection)?.byCode.get(code);
  const kept: DocumentState = { ...state, status, data: { ...own } };
  if (!language?.gaps) return kept;
  const [first, ...rest] = language.fallback ?? [];
  if (first === undefined) return kept;
  const seen = inLanguage(state, collection, publicView(first, rest, { substitutes: true }));
  return seen === null ? kept : { ...kept, data: { ...seen.state.data, ...own } };
}

/** A collection with its localized fields alone. */
export function localizedPart(collection: Collection): Collection {
  return { ...collection, fields: collection.fields.filter(({ localized }) => localized) };
}

/** References that lead nowhere, in own values of localized fields. */
async function dangling(
  transaction: Transaction,
  { schema, state, collection }: TranslationHead,
  next: Translation,
): Promise<Detail[]> {
  const own = { ...state, data: next.data };
  const { references } = checkComplete(own, localizedPart(collection), schema);
  return await danglingReferences(transaction, schema, references);
}

/** What each own value was written beside: today's original, where the value is new. */
export function besides(
  { state, head }: { state: DocumentState; head: { row: { n: number } } },
  before: Translation | null,
  next: Translation,
): Translation["beside"] {
  const version = state.originalVersion ?? head.row.n;
  const valueOf = (translation: Translation, root: string): Json | undefined =>
    root === "title"
      ? translation.title
      : root === "blocks"
      ? translation.blocks
      : ownValue(translation.data, root);
  return Object.fromEntries(
    ownRoots(next).map((root) => {
      const known = before && ownValue(before.beside, root);
      const isKept = known && sameJson(valueOf(before, root), valueOf(next, root));
      return [root, isKept ? known : sourceOf(state, root, version)];
    }),
  );
}
