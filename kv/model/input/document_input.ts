/**
 * Bodies that create or change a document: framing and the values of fields, flat on one object. All
 * failures of a body are found together.
 *
 * @module
 */
import { TITLE_CHARS_MAX } from "../../limits/content.ts";
import { type Detail, type DetailCode, Refusal } from "../../refusals.ts";
import type { Collection, Schema } from "../entities/collection.ts";
import {
  type DocumentState,
  FRAMING_KEYS,
  PARTIAL_KEY,
  REVERSE_PREFIX,
  type Status,
} from "../entities/document.ts";
import { fillDefaults } from "./document_check.ts";
import { languageDetails, originalLanguageOf, withoutLanguageKeys } from "./language_keys.ts";
import type { Json } from "../entities/entity.ts";
import type { FieldDefinition } from "../fields/field_definition.ts";
import {
  type CheckScope,
  isAsStored,
  type Reference,
  reportInside,
  within,
} from "../fields/field_type.ts";
import { checkBlocks } from "../fields/types/block.ts";
import { fieldType } from "../fields/types/registry.ts";
import { isEmpty } from "../values/json_check.ts";
import { KeptBlocks } from "../fields/kept_blocks.ts";
import { isJsonObject } from "../values/json_object.ts";
import { isSlug, SLUG_RULES, type SlugForm } from "../values/slug.ts";
import { isText, longerThan, shownKey } from "../values/text_check.ts";

/** How a body is read. */
export interface DocumentInputOptions {
  mode: "create" | "patch";
  /** The admin API accepts the block tree; the headless API ignores it. */
  blocks: "accept" | "ignore";
  /** The document that a patch changes: when it is published, required values are checked with the rest. */
  current?: DocumentState;
  /** The document as it is stored, where that is not `current`. */
  stored?: DocumentState;
}

/** The parsed body. */
export interface DocumentInput {
  /** Trimmed; always there on create. */
  title?: string;
  /** Absent when it is to be derived. */
  slug?: string;
  /** On a patch any string: whether it is the present status is the caller's question. */
  status?: Status;
  /** By the fields' storage keys; `null` clears. With the defaults on create. */
  values: { [key: string]: Json };
  blocks?: Json[];
  /** The references in the given values. */
  references: Reference[];
  /** The language of a new document; absent for the site's. */
  originalLanguage?: string;
}

/** A body as it was read. */
export interface ReadBody {
  input: DocumentInput;
  /** All failures. */
  details: Detail[];
  /** Failures of what the body gives, without those of what the document lacks. */
  given: Detail[];
}

/** Statuses that a document may be created with. */
const CREATE_STATUSES: ReadonlySet<Json> = new Set(["draft", "published", "scheduled"]);

/** Keys that a body may carry and that are not read. */
const IGNORED: ReadonlySet<string> = new Set(
  FRAMING_KEYS.filter((key) => !["title", "slug", "status"].includes(key)),
);

/**
 * Keys that a read adds: the collection of an included document, counts, the keys whose lists a filter has
 * cut, and documents that refer to this one.
 */
function isAddedByRead(key: string): boolean {
  return ADDED_BY_READS.has(key) || key.startsWith(REVERSE_PREFIX);
}

const ADDED_BY_READS: ReadonlySet<string> = new Set(["_collection", "_counts", PARTIAL_KEY]);

/** Keys that the admin API adds to what it shows; ignored when they are sent back. */
const IGNORED_IN_ADMIN: ReadonlySet<string> = new Set([
  "collection",
  "publishAt",
  "hasWorkingCopy",
  "unpublishAt",
  "inRelease",
  "_review",
]);

/**
 * Parses the body of a write; its failures come with it, for callers that have some of their own to add. A
 * value that is sent back as it is stored is not checked: a definition may have been narrowed since.
 */
export function readDocumentBody(
  given: Record<string, Json>,
  collection: Collection,
  schema: Schema,
  options: DocumentInputOptions,
): ReadBody {
  if (!isJsonObject(given)) throw new Refusal("BODY_INVALID");
  const body = schema.languages === undefined ? given : withoutLanguageKeys(given);
  const isCreate = options.mode === "create";
  const status = isCreate ? body.status : options.current?.status;
  const stored = options.stored ?? options.current;
  const scope: CheckScope = {
    path: "",
    complete: status === "published",
    fill: isCreate,
    blocks: schema.blocks,
    ...(stored !== undefined && { kept: new KeptBlocks(stored) }),
    details: [],
    references: [],
  };
  const input: DocumentInput = { values: {}, references: scope.references };
  const fields = new Map(collection.fields.map((field) => [field.name, field]));
  const partial = partialKeys(body);
  for (const [key, value] of Object.entries(body)) {
    // A list that a filter has cut is not what the document holds.
    if (partial.has(key)) continue;
    const field = fields.get(key);
    if (field !== undefined) readValue(value, field, { scope, input, stored });
    else readFraming(key, value, scope, { ...options, slugs: schema.slugs }, input);
  }
  readLanguage(given, collection, schema, options, scope, input);
  if (isCreate) {
    requireTitle(body, scope);
    fillDefaults(input.values, collection);
  }
  const ofBody = [...scope.details];
  if (scope.complete) requireAll(input, collection, options.current, scope);
  return { input, details: scope.details, given: ofBody };
}

/** The language of a new document, or that of the one that a body changes, which it may name. */
function readLanguage(
  body: Record<string, Json>,
  collection: Collection,
  { languages }: Schema,
  { mode, current }: DocumentInputOptions,
  { details }: CheckScope,
  input: DocumentInput,
): void {
  if (languages === undefined) return;
  const site = languages;
  if (mode === "create") {
    const original = originalLanguageOf(body, collection, site, details);
    if (original !== undefined) input.originalLanguage = original;
    return;
  }
  const original = current?.originalLanguage ?? site.original;
  const message = `Must be ${original}, the language that the document is written in`;
  details.push(...languageDetails(body, original, message));
}

/** The keys whose lists are not whole in a body that was read. */
function partialKeys({ [PARTIAL_KEY]: keys }: Record<string, Json>): ReadonlySet<Json> {
  return new Set(Array.isArray(keys) ? keys : []);
}

/** Errors in the title, slug and status of a new document, whatever its fields are. */
export function framingDetails(body: Record<string, Json>, slugs?: SlugForm): Detail[] {
  const keys = ["title", "slug", "status"].filter((key) => Object.hasOwn(body, key));
  const scope: CheckScope = {
    path: "",
    complete: false,
    fill: true,
    blocks: new Map(),
    details: [],
    references: [],
  };
  const input: DocumentInput = { values: {}, references: scope.references };
  const options: FramingOptions = { mode: "create", blocks: "ignore", slugs };
  for (const key of keys) readFraming(key, body[key] ?? null, scope, options, input);
  requireTitle(body, scope);
  return scope.details;
}

/** How a body is read, and how its slug is spelled. */
type FramingOptions = DocumentInputOptions & { slugs?: SlugForm | undefined };

function requireTitle(body: Record<string, Json>, scope: CheckScope): void {
  if (!Object.hasOwn(body, "title")) add(scope, "title", "REQUIRED", "Required");
}

function add(scope: CheckScope, key: string, code: DetailCode, message: string): void {
  reportInside(scope, key, code, message);
}

function readValue(
  value: Json,
  field: FieldDefinition,
  { scope, input, stored }: {
    scope: CheckScope;
    input: DocumentInput;
    stored: DocumentState | undefined;
  },
): void {
  const here = within(scope, field.name);
  if (stored !== undefined) here.stored = stored.data[field.key] ?? null;
  input.values[field.key] = value === null || isAsStored(value, here)
    ? value
    : fieldType(field.type).check(value, field, here);
}

function readFraming(
  key: string,
  value: Json,
  scope: CheckScope,
  options: FramingOptions,
  input: DocumentInput,
): void {
  const isAdmin = options.blocks === "accept";
  if (key === "title") readTitle(value, scope, input);
  else if (key === "slug") readSlug(value, scope, options, input);
  else if (key === "status") readStatus(value, scope, options, input);
  else if (key === "blocks") {
    if (isAdmin) readBlocks(value, scope, input);
  } else if (!IGNORED.has(key) && !isAddedByRead(key) && !(isAdmin && IGNORED_IN_ADMIN.has(key))) {
    add(scope, shownKey(key), "UNKNOWN_KEY", "Unknown key");
  }
}

function readTitle(value: Json, scope: CheckScope, input: DocumentInput): void {
  if (value === null) return add(scope, "title", "REQUIRED", "Required");
  if (typeof value !== "string" || !isText(value)) {
    const message = typeof value === "string"
      ? "Must be text without NUL and lone surrogates"
      : "Must be text";
    return add(scope, "title", "INVALID_TYPE", message);
  }
  const title = value.trim();
  if (title === "") return add(scope, "title", "TOO_SHORT", "At least 1 character");
  if (longerThan(title, TITLE_CHARS_MAX)) {
    return add(scope, "title", "TOO_LONG", `At most ${TITLE_CHARS_MAX} characters`);
  }
  input.title = title;
}

/** On create `null` is the same as no slug; later a document cannot be without one. */
function readSlug(
  value: Json,
  scope: CheckScope,
  { mode, slugs = "ascii" }: FramingOptions,
  input: DocumentInput,
): void {
  if (value === null) {
    if (mode === "patch") add(scope, "slug", "REQUIRED", "Required");
  } else if (typeof value !== "string") {
    add(scope, "slug", "INVALID_TYPE", "Must be text");
  } else if (!isSlug(value, slugs)) {
    add(scope, "slug", "PATTERN_MISMATCH", SLUG_RULES[slugs]);
  } else {
    input.slug = value;
  }
}

function readStatus(
  value: Json,
  scope: CheckScope,
  { mode }: DocumentInputOptions,
  input: DocumentInput,
): void {
  if (typeof value !== "string") {
    add(scope, "status", "INVALID_TYPE", "Must be text");
  } else if (mode === "create" && !CREATE_STATUSES.has(value)) {
    add(scope, "status", "INVALID_STATUS", "Must be draft, published or scheduled");
  } else {
    input.status = value as Status;
  }
}

function readBlocks(value: Json, scope: CheckScope, input: DocumentInput): void {
  const blocks = checkBlocks(value ?? [], undefined, within(scope, "blocks"), fieldType);
  if (Array.isArray(blocks)) input.blocks = blocks;
}

/** Required fields of the document that the body makes; nested ones were checked with their values. */
function requireAll(
  input: DocumentInput,
  collection: Collection,
  current: DocumentState | undefined,
  scope: CheckScope,
): void {
  for (const field of collection.fields) {
    if (!field.required) continue;
    const { key, name } = field;
    const value = Object.hasOwn(input.values, key) ? input.values[key] : current?.data[key];
    const isRefused = scope.details.some(({ field: path }) =>
      path === name || path.startsWith(`${name}.`)
    );
    if (isEmpty(value) && !isRefused) add(scope, name, "REQUIRED", "Required");
  }
}
