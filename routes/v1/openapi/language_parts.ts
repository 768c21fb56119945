/**
 * What a description tells of languages, where a site has several: parameters, the keys of documents, and the paths
 * of translations.
 *
 * @module
 */
import { TRANSLATION_STATES } from "../../../kv/index/query/language_query.ts";
import { codesOf, type Collection, languagesOf } from "../../../kv/model/entities/collection.ts";
import { publicCodes, type SiteLanguages } from "../../../kv/model/languages/language.ts";
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import {
  BEARER_FAILURES,
  countedHeaders,
  failures,
  jsonAnswer,
  NOT_MODIFIED,
  type Part,
} from "./answers.ts";
import { valueSchemas } from "./field_schema.ts";
import type { CollectionNames } from "./names.ts";
import { parameters } from "./parameters.ts";
import { EPOCH_SECONDS, ref, ULID } from "./shared_schemas.ts";

/** The codes that requests for a collection may name; empty where the site has one language. */
function codesFor(collection: Collection): string[] {
  const site = languagesOf(collection);
  if (site === undefined) return [];
  return collection.localized ? codesOf(collection) : site.all.map(({ code }) => code);
}

function languageParameter(codes: readonly string[], description: string): Part {
  const schema = { type: "string", enum: [...codes, "*"] };
  return { name: "language", in: "query", description, schema };
}

function fallbackParameter(codes: readonly string[], description: string): Part {
  const items = { type: "string", enum: ["none", "documents", ...codes] };
  const schema = { type: "array", items };
  return { name: "fallback", in: "query", description, style: "form", explode: false, schema };
}

/** The parameters of reads; a list also knows `translation`. */
export function languageParameters(collection: Collection, isList: boolean): Part[] {
  const codes = codesFor(collection);
  if (codes.length === 0) return [];
  const language = languageParameter(
    codes,
    "Return documents in this language. `*` returns the original with its translations.",
  );
  const fallback = fallbackParameter(
    codes,
    "`none`: missing values are null. `documents`: also documents without the language, " +
      "in the first one of its fallbacks. Codes: use these languages instead of the site's.",
  );
  const translation = {
    name: "translation",
    in: "query",
    description: "With `language`: documents whose translation is in one of these states. " +
      "Requires the read-drafts scope.",
    style: "form",
    explode: false,
    schema: { type: "array", items: { type: "string", enum: [...TRANSLATION_STATES] } },
  };
  return isList ? [language, fallback, translation] : [language, fallback];
}

/** The parameters of media; none where the site has one language. */
export function mediaLanguageParameters(site: SiteLanguages | undefined): Part[] {
  if (site === undefined) return [];
  const codes = publicCodes(site);
  return [
    languageParameter(
      codes,
      "Return `alt` in this language, or in the first of its fallbacks that has one.",
    ),
    fallbackParameter(codes, "`none`, or languages to use instead of the site's fallbacks."),
  ];
}

/** The parameter of searches; none where the site has one language. */
export function searchLanguageParameters(site: SiteLanguages | undefined): Part[] {
  if (site === undefined) return [];
  const codes = publicCodes(site);
  return [languageParameter(
    codes,
    "Search the documents of localized collections in this language. `*` searches all " +
      "languages and returns each document in the one that matches best.",
  )];
}

/** Schemas of results and media with the keys that tell of languages; none where the site has one language. */
export function sharedLanguageSchemas(
  site: SiteLanguages | undefined,
  { SearchHit = {}, Medium = {}, MediumPatch = {} }: { [name: string]: JsonSchema },
): { [name: string]: JsonSchema } {
  if (site === undefined) return {};
  const code = { type: "string", enum: publicCodes(site) };
  const inLanguage = (what: string): JsonSchema => ({
    ...code,
    description: `Language of ${what}. Only present with \`language\`.`,
  });
  return {
    SearchHit: withProperties(SearchHit, { _language: inLanguage("the title and snippet") }),
    Medium: withProperties(Medium, {
      _language: inLanguage("`alt`"),
      _fallback: {
        type: "object",
        description: "The language that `alt` comes from, if it is another one.",
        properties: { alt: code },
      },
    }),
    MediumPatch: withProperties(MediumPatch, {
      _language: { ...code, description: "The language of `alt`; the site's if absent." },
      _fallback: { description: "Keys that it names are ignored." },
    }),
  };
}

function withProperties(schema: JsonSchema, more: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...schema.properties as JsonSchema, ...more } };
}

const ENTRY: JsonSchema = {
  type: "object",
  required: ["slug", "title", "status", "publishedAt"],
  properties: {
    slug: { type: "string" },
    title: { type: "string" },
    status: ref("Status"),
    publishedAt: { type: ["integer", "null"] },
  },
};

/** The keys of documents that tell of languages, none of which is required. */
export function languageProperties(collection: Collection): JsonSchema {
  const codes = codesFor(collection);
  if (codes.length === 0) return {};
  const code = { type: "string", enum: codes };
  return {
    _language: {
      ...code,
      description: "The language of the document. Only present with `language`.",
    },
    _fallback: {
      type: "object",
      description: "The fields whose values come from another language, and which.",
      additionalProperties: code,
    },
    _languages: {
      type: "object",
      description: "The languages of the document. Only present if `fields` names it.",
      additionalProperties: ENTRY,
    },
    _translations: {
      type: "object",
      description: "Translations with their own values. Only present with `language=*`.",
      additionalProperties: { type: "object" },
    },
  };
}

/** The same in bodies, where all but `_language` are ignored. */
export function languageBodyProperties(collection: Collection): JsonSchema {
  const codes = codesFor(collection);
  if (codes.length === 0) return {};
  return {
    _language: {
      type: "string",
      enum: codes,
      description: "The language that the document is written in.",
    },
    _fallback: { description: "Fields that it names are ignored." },
    _languages: { description: "Ignored." },
    _translations: { description: "Ignored." },
  };
}

/** The schemas of a collection's translations; none where it is not localized. */
export function translationSchemas(
  collection: Collection,
  { one }: Pick<CollectionNames, "one">,
): { [name: string]: JsonSchema } {
  const codes = codesOf(collection);
  if (codes.length === 0) return {};
  const fields = collection.fields.filter(({ localized }) => localized)
    .map((field) => [field.name, valueSchemas(field)] as const);
  const language = { type: "string", enum: codes };
  const framing: JsonSchema = {
    id: ULID,
    slug: { type: "string" },
    title: { type: "string" },
    status: ref("Status"),
    createdAt: EPOCH_SECONDS,
    updatedAt: EPOCH_SECONDS,
    publishedAt: { type: ["integer", "null"] },
  };
  return {
    [`${one}Translation`]: {
      type: "object",
      description: "A translation: its own values, without those that fall back.",
      required: [...Object.keys(framing), "_language"],
      additionalProperties: false,
      properties: {
        ...framing,
        ...Object.fromEntries(fields.map(([name, { read }]) => [name, read])),
        blocks: { type: "array", items: ref("Block") },
        _language: language,
      },
    },
    [`${one}TranslationInput`]: {
      type: "object",
      description: "`title` is required for a new translation. null removes an own value.",
      additionalProperties: false,
      properties: {
        title: { type: "string", minLength: 1 },
        slug: { type: ["string", "null"] },
        status: { type: "string", enum: ["draft", "published", "scheduled"] },
        ...Object.fromEntries(fields.map(([name, { patch }]) => [name, patch])),
        ...Object.fromEntries(
          ["id", "createdAt", "updatedAt", "publishedAt", "blocks", "_fallback"]
            .map((name) => [name, { description: "Ignored." }]),
        ),
        _language: language,
      },
    },
    [`${one}TranslationList`]: {
      type: "object",
      required: ["data"],
      additionalProperties: false,
      properties: { data: { type: "array", items: translationRow(language) } },
    },
  };
}

function translationRow(language: JsonSchema): JsonSchema {
  return {
    type: "object",
    required: ["language", "slug", "title", "status", "publishedAt", "updatedAt"],
    properties: {
      language,
      slug: { type: ["string", "null"] },
      title: { type: ["string", "null"] },
      status: { type: ["string", "null"] },
      publishedAt: { type: ["integer", "null"] },
      updatedAt: { type: ["integer", "null"] },
      state: { type: ["string", "null"], enum: [...TRANSLATION_STATES, null] },
      missing: { type: ["array", "null"], items: { type: "string" } },
      outdated: {
        type: ["array", "null"],
        items: {
          type: "object",
          required: ["field", "since"],
          properties: { field: { type: "string" }, since: { type: ["integer", "null"] } },
        },
      },
    },
  };
}

/** The paths of a collection's translations; none where it is not localized. */
export function translationPaths(collection: Collection, names: CollectionNames): Part {
  const codes = codesOf(collection);
  if (codes.length === 0) return {};
  const { slug } = collection;
  const base = `/api/v1/${slug}/{id}/translations`;
  const code = {
    name: "language",
    in: "path",
    required: true,
    description: "Code of the language.",
    schema: { type: "string", enum: codes },
  };
  return {
    [base]: { parameters: parameters("Id"), get: listTranslations(slug, names) },
    [`${base}/{language}`]: {
      parameters: [...parameters("Id"), code],
      get: readTranslation(slug, names),
      put: writeTranslation(slug, names, "put", "Create or replace"),
      patch: writeTranslation(slug, names, "update", "Create or update"),
      delete: removeTranslation(slug, names),
    },
  };
}

function head(slug: string, action: "read" | "write", operationId: string, what: string): Part {
  return {
    operationId,
    summary: `${what} of a document in ${slug}`,
    description: `Requires the \`${slug}:${action}\` scope.`,
    tags: [slug],
    "x-required-scope": `${slug}:${action}`,
  };
}

function translationAnswer({ one }: CollectionNames, description: string): Part {
  return jsonAnswer(description, countedHeaders("ETag"), ref(`${one}Translation`));
}

function listTranslations(slug: string, { one }: CollectionNames): Part {
  const list = ref(`${one}TranslationList`);
  return {
    ...head(slug, "read", `list${one}Translations`, "List the translations"),
    parameters: parameters("IfNoneMatch"),
    responses: {
      "200": jsonAnswer("The original and its translations.", countedHeaders("ETag"), list),
      ...NOT_MODIFIED,
      ...failures("NotFound", ...BEARER_FAILURES),
    },
  };
}

function readTranslation(slug: string, names: CollectionNames): Part {
  return {
    ...head(slug, "read", `get${names.one}Translation`, "Get a translation"),
    parameters: parameters("IfNoneMatch"),
    responses: {
      "200": translationAnswer(names, "The translation."),
      ...NOT_MODIFIED,
      ...failures("NotFound", ...BEARER_FAILURES),
    },
  };
}

function writeTranslation(
  slug: string,
  names: CollectionNames,
  verb: string,
  what: string,
): Part {
  return {
    ...head(slug, "write", `${verb}${names.one}Translation`, `${what} a translation`),
    parameters: parameters("IfMatch", "IdempotencyKey", "DryRun"),
    requestBody: {
      required: true,
      content: { "application/json": { schema: ref(`${names.one}TranslationInput`) } },
    },
    responses: {
      "200": translationAnswer(names, "The changed translation."),
      "201": translationAnswer(names, "The new translation."),
      ...failures("BodyInvalid", "Forbidden", "NotFound", "MethodNotAllowed", "Conflict"),
      ...failures("PreconditionFailed", "PayloadTooLarge", "UnsupportedMediaType", "PatchRefused"),
      ...failures(...BEARER_FAILURES),
    },
  };
}

function removeTranslation(slug: string, { one }: CollectionNames): Part {
  return {
    ...head(slug, "write", `delete${one}Translation`, "Remove a translation"),
    parameters: parameters("IfMatch", "IdempotencyKey"),
    responses: {
      "204": { description: "The translation is removed.", headers: countedHeaders() },
      ...failures("ParameterInvalid", "Forbidden", "NotFound", "MethodNotAllowed"),
      ...failures("DeleteConflict", "KeyReused", "PreconditionFailed", ...BEARER_FAILURES),
    },
  };
}
