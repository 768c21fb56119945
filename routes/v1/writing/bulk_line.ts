/**
 * One line of a bulk request: which operation on which document, and carrying it out as the single routes
 * do.
 *
 * @module
 */
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import {
  type IdempotencyRecord,
  IdempotentReplay,
  IdempotentRequest,
} from "../../../kv/documents/idempotency.ts";
import {
  type Body,
  createDocument,
  type DocumentWriteOptions,
  patchDocument,
  trashDocument,
} from "../../../kv/documents/documents.ts";
import { upsertDocument } from "../../../kv/documents/upsert.ts";
import type { Content } from "../../../kv/documents/content.ts";
import { schemaKey, slugKey } from "../../../kv/keys.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { removeTranslation } from "../../../kv/documents/translations/translation_removal.ts";
import { writeTranslation } from "../../../kv/documents/translations/translations.ts";
import type { SiteLanguages } from "../../../kv/model/languages/language.ts";
import { translationOf } from "../../../kv/model/languages/translation.ts";
import type { Actor, Json } from "../../../kv/model/entities/entity.ts";
import { type SlugForm, slugify } from "../../../kv/model/values/slug.ts";
import { type Detail, invalid, Refusal } from "../../../kv/refusals.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import { parseJsonObject } from "../../input/body.ts";
import { languageCondition, versionCondition } from "../reading/etag.ts";

/** Operations of a line. */
export const BULK_OPERATIONS = ["create", "upsert", "update", "trash"] as const;

/** Operations of a line where the site has several languages. */
const LANGUAGE_OPERATIONS = ["translate", "untranslate"] as const;

/** A line that is spelled as it should be. */
export interface BulkLine {
  op: typeof BULK_OPERATIONS[number] | typeof LANGUAGE_OPERATIONS[number];
  id?: string;
  slug?: string;
  ifMatch?: string;
  /** Of `translate` and `untranslate`. */
  language?: string;
  body: Body;
}

/** The result of a line; `status` is that of the single-document route. */
export interface BulkResult {
  status: 200 | 201 | 204;
  id: string;
  slug: string;
}

/** The shared context of all lines of a request. */
export interface BulkContext {
  content: Content;
  collection: Collection;
  slugs?: SlugForm | undefined;
  /** The languages of the content; absent for one. */
  languages?: SiteLanguages | undefined;
  actor: Actor;
  tokenId: string;
  /** Tells the request apart from others with its idempotency key: the key and the path. */
  idempotency?: { key: string; path: string };
}

/**
 * Parses a line.
 *
 * @throws {Refusal} BODY_INVALID, or VALIDATION_FAILED with everything that is wrong with its members.
 */
export function parseBulkLine(bytes: Uint8Array, languages?: SiteLanguages): BulkLine {
  const line = parseJsonObject(bytes);
  const operations: readonly string[] = languages === undefined
    ? BULK_OPERATIONS
    : [...BULK_OPERATIONS, ...LANGUAGE_OPERATIONS];
  const rule = `Must be one of ${operations.join(", ")}`;
  const details: Detail[] = [];
  const wrong = (field: string, code: Detail["code"], message: string) =>
    details.push({ field, code, message });
  for (const key of Object.keys(line)) {
    const isKnown = MEMBERS.has(key) || (key === "language" && languages !== undefined);
    if (!isKnown) wrong(key, "UNKNOWN_KEY", "Unknown key");
  }
  const { op, id, slug, body = {} } = line;
  if (typeof op !== "string") wrong("op", op === undefined ? "REQUIRED" : "INVALID_TYPE", rule);
  else if (!operations.includes(op)) wrong("op", "INVALID_CHOICE", rule);
  const isOfLanguage = op === "translate" || op === "untranslate";
  for (const key of ["id", "slug", "ifMatch"]) {
    if (line[key] !== undefined && typeof line[key] !== "string") {
      wrong(key, "INVALID_TYPE", "Must be text");
    }
  }
  if (!isJsonObject(body)) wrong("body", "INVALID_TYPE", "Must be an object");
  if (op === "upsert" && slug === undefined) wrong("slug", "REQUIRED", "An upsert needs a slug");
  if (languages !== undefined) details.push(...lineLanguageDetails(line, languages, isOfLanguage));
  if (
    (op === "update" || op === "trash" || isOfLanguage) && id === undefined && slug === undefined
  ) {
    wrong("id", "REQUIRED", "Give an id or a slug");
  }
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  // The line was validated above.
  return { ...line, body } as BulkLine;
}

const MEMBERS: ReadonlySet<string> = new Set(["op", "id", "slug", "ifMatch", "body"]);

/** The fault of a line's language. */
function lineLanguageDetails(
  { language }: Record<string, Json>,
  languages: SiteLanguages,
  isNeeded: boolean,
): Detail[] {
  if (language === undefined) {
    if (!isNeeded) return [];
    return [{ field: "language", code: "REQUIRED", message: "Give a language" }];
  }
  if (typeof language === "string" && languages.byCode.has(language)) return [];
  const message = `Must be one of ${languages.all.map(({ code }) => code).join(", ")}`;
  return [{ field: "language", code: "INVALID_LANGUAGE", message }];
}

/** The write of a line. */
export interface BulkTargets {
  /** Lines that share one of these are carried out in their order. */
  names: string[];
  /** The name of the document; null for a new one. */
  by: "id" | "slug" | null;
  /** Whether it may free a slug, a unique value, or the place in a collection for one document. */
  frees: boolean;
  /** Whether it may make a slug that it does not name: a derived one that is taken gets another. */
  makes: boolean;
}

/** The targets of a line; a new document's slug follows from its title, and a unique value is its own. */
export function targetsOf(
  { op, id, slug, body }: BulkLine,
  { collection: { fields, singleton }, slugs }: Pick<BulkContext, "collection" | "slugs">,
): BulkTargets {
  const unique = fields.filter((field) => field.unique && Object.hasOwn(body, field.name));
  const names = unique.map(({ name }) => `value of ${name} ${JSON.stringify(body[name])}`);
  if (singleton) names.push("the one document");
  if (id !== undefined && op !== "create") names.push(`id ${id}`);
  const title = op === "create" && typeof body.title === "string"
    ? slugify(body.title, slugs)
    : undefined;
  for (const text of [slug, body.slug ?? title]) {
    if (typeof text === "string") names.push(`slug ${text}`);
  }
  const by = op === "create" ? null : op === "upsert" || id === undefined ? "slug" : "id";
  const frees = op === "trash" ||
    (op !== "create" && (body.slug !== undefined || unique.length > 0));
  return { names, by, frees, makes: title !== undefined && body.slug === undefined };
}

/** A line as it arrived. */
export interface ArrivedLine {
  number: number;
  bytes: Uint8Array;
  /** The schema's version key, read again; lines that start together share the read. */
  schema: () => Promise<Entry[]>;
}

/** Carries out a line. */
export async function runBulkLine(
  around: BulkContext,
  line: BulkLine,
  arrived: ArrivedLine,
): Promise<BulkResult> {
  try {
    return await write(around, line, await optionsOf(around, line, arrived));
  } catch (error) {
    if (!(error instanceof IdempotentReplay)) throw error;
    const { id, slug, created } = error.record;
    const isGone = line.op === "trash" || line.op === "untranslate";
    return { status: isGone ? 204 : created ? 201 : 200, id, slug };
  }
}

async function optionsOf(
  around: BulkContext,
  { ifMatch }: BulkLine,
  arrived: ArrivedLine,
): Promise<DocumentWriteOptions> {
  const precondition = versionCondition(ifMatch ?? null);
  const read = around.idempotency === undefined
    ? { known: await arrived.schema() }
    : await onceOptions(around, around.idempotency, arrived);
  return { collection: around.collection.slug, ...(precondition && { precondition }), ...read };
}

/** The record comes first: the line itself may have changed the slug that it names. */
async function onceOptions(
  { content: { context }, tokenId }: BulkContext,
  { key, path }: NonNullable<BulkContext["idempotency"]>,
  { number, bytes }: ArrivedLine,
): Promise<DocumentWriteOptions> {
  // A key cannot contain a newline, so no other request has this one.
  const idempotent = new IdempotentRequest(tokenId, `${key}\n${number}`, [path, bytes]);
  const known = await context.store.getMany([idempotent.key, schemaKey]);
  idempotent.refuseRepeated(known[0].value as IdempotencyRecord | null, context.now());
  return { idempotent, known };
}

async function write(
  { content, actor, collection }: BulkContext,
  { op, id, slug, body, language = "", ifMatch }: BulkLine,
  options: DocumentWriteOptions,
): Promise<BulkResult> {
  if (op === "translate" || op === "untranslate") {
    const target = id ?? await idOfSlug(content, collection, slug ?? "");
    const condition = languageCondition(ifMatch ?? null, language);
    const { precondition: _of, ...rest } = options;
    const how = { ...rest, ...(condition && { condition }) };
    if (op === "untranslate") {
      const { state } = await removeTranslation(content, actor, target, language, how);
      return { status: 204, id: state.id, slug: state.slug };
    }
    const written = await writeTranslation(content, actor, target, language, body, how);
    const translated = translationOf(written.state, language);
    return {
      status: written.created ? 201 : 200,
      id: written.state.id,
      slug: translated?.slug ?? written.state.slug,
    };
  }
  if (op === "create") {
    const { state } = await createDocument(
      content,
      actor,
      collection.slug,
      createBody(body, slug),
      options,
    );
    return { status: 201, id: state.id, slug: state.slug };
  }
  if (op === "upsert") {
    const { state, created } = await upsertDocument(
      content,
      actor,
      collection.slug,
      slug!,
      body,
      options,
    );
    return { status: created ? 201 : 200, id: state.id, slug: state.slug };
  }
  const target = id ?? await idOfSlug(content, collection, slug!);
  const { state } = op === "update"
    ? await patchDocument(content, actor, target, body, options)
    : await trashDocument(content, actor, target, options);
  return { status: op === "update" ? 200 : 204, id: state.id, slug: state.slug };
}

/** The slug of a line is also the slug of its body. */
function createBody(body: Body, slug: string | undefined): Record<string, Json> {
  if (slug === undefined) return body;
  if (body.slug !== undefined && body.slug !== slug) {
    throw invalid("slug", "INVALID_CHOICE", "Must match the slug of the line");
  }
  return { ...body, slug };
}

async function idOfSlug({ context }: Content, { id }: Collection, slug: string): Promise<string> {
  const { value } = await context.store.get<string>(slugKey(id, slug));
  if (value === null) throw new Refusal("NOT_FOUND");
  return value;
}
