/**
 * Paths that every site has: search, the description in both forms, and the explorer.
 *
 * @module
 */
import { SEARCH_WORDS } from "../../query/search_words.ts";
import { SEARCH_COLLECTIONS_MAX } from "../../../kv/limits/requests.ts";
import {
  BEARER_FAILURES,
  countedHeaders,
  failures,
  headers,
  jsonAnswer,
  NOT_MODIFIED,
  type Part,
  PUBLIC_FAILURES,
} from "./answers.ts";
import { changesOperation } from "./change_path.ts";
import type { SiteLanguages } from "../../../kv/model/languages/language.ts";
import { searchLanguageParameters } from "./language_parts.ts";
import { SHARED_OPERATIONS } from "./names.ts";
import { parameters } from "./parameters.ts";
import { SEARCH_FACET } from "../reading/search.ts";
import { ref } from "./shared_schemas.ts";

/** The paths of search, description and explorer. */
export function sharedPaths(languages: SiteLanguages | undefined): Part {
  return {
    "/api/v1/search": { get: searchOperation(languages) },
    "/api/v1/_changes": { get: changesOperation(SHARED_OPERATIONS.changes) },
    "/api/v1/_meta": { get: metaOperation() },
    "/api/v1/_meta/types.ts": { get: typesOperation() },
    "/api/v1/_explorer": { get: explorerOperation() },
  };
}

function searchOperation(languages: SiteLanguages | undefined): Part {
  const example = {
    data: [{
      documentId: "01JZ6M0N1P2Q3R4S5T6V7W8X9Y",
      collectionSlug: "posts",
      title: "A first example",
      snippet: "A first <mark>example</mark> of what can be found",
      rank: 3.2,
    }],
    meta: { page: 1, perPage: 20, total: 1, took_ms: 1.4 },
  };
  const tagged = countedHeaders("WeakETag", "CacheControl");
  return {
    operationId: SHARED_OPERATIONS.search,
    summary: "Search published documents",
    description:
      "Public, no token required. Documents must contain every word; the last word also matches as a prefix.",
    tags: ["search"],
    security: [],
    parameters: [
      {
        name: "q",
        in: "query",
        required: true,
        description: "Words to search for. Leading and trailing whitespace is ignored.",
        schema: SEARCH_WORDS,
        example: "first example",
      },
      {
        name: "collection",
        in: "query",
        description: "Slugs of the collections to search. Default: all.",
        style: "form",
        explode: true,
        schema: { type: "array", maxItems: SEARCH_COLLECTIONS_MAX, items: { type: "string" } },
      },
      {
        name: "exact",
        in: "query",
        description: "Turn off spelling correction when nothing matches the words as written.",
        schema: { type: "boolean", default: false },
      },
      {
        name: "facets",
        in: "query",
        description: "`collection` counts the results per collection, in `meta.facets`.",
        schema: { type: "string", enum: [SEARCH_FACET] },
      },
      ...searchLanguageParameters(languages),
      ...parameters("Page", "SearchPerPage", "IfNoneMatch"),
    ],
    responses: {
      "200": jsonAnswer("A page of results.", tagged, ref("SearchPage"), {
        example: { value: example },
      }),
      "304": { description: "The results have not changed.", headers: tagged },
      ...failures("SearchInvalid", "SearchRefused", "RateLimited", ...PUBLIC_FAILURES),
    },
  };
}

function metaOperation(): Part {
  return {
    operationId: SHARED_OPERATIONS.meta,
    summary: "Get this OpenAPI description",
    description: "Works with any valid token.",
    tags: ["description"],
    parameters: parameters("IfNoneMatch"),
    responses: {
      "200": jsonAnswer("An OpenAPI 3.1 document.", countedHeaders("ETag"), {
        type: "object",
        required: ["openapi", "info", "paths"],
        properties: {
          openapi: { type: "string", pattern: "^3\\.1\\." },
          info: { type: "object" },
          paths: { type: "object" },
        },
        additionalProperties: true,
      }),
      ...NOT_MODIFIED,
      ...failures(...BEARER_FAILURES),
    },
  };
}

function typesOperation(): Part {
  return {
    operationId: SHARED_OPERATIONS.types,
    summary: "Get the API as a TypeScript module",
    description: "Types for all documents and a small typed client. Works with any valid token.",
    tags: ["description"],
    parameters: parameters("IfNoneMatch"),
    responses: {
      "200": {
        description: "A self-contained TypeScript module.",
        headers: countedHeaders("ETag"),
        content: { "text/typescript": { schema: { type: "string" } } },
      },
      ...NOT_MODIFIED,
      ...failures(...BEARER_FAILURES),
    },
  };
}

function explorerOperation(): Part {
  return {
    operationId: SHARED_OPERATIONS.explorer,
    summary: "Open the API explorer",
    description: "A page for trying read requests. Public, no token required.",
    tags: ["description"],
    security: [],
    parameters: parameters("IfNoneMatch"),
    responses: {
      "200": {
        description: "An HTML page.",
        headers: headers("ETag"),
        content: { "text/html": { schema: { type: "string" } } },
      },
      "304": { description: "The page has not changed.", headers: headers("ETag") },
      ...failures(...PUBLIC_FAILURES),
    },
  };
}
