/**
 * Paths of one collection: list, read, create, patch and trash.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import {
  BEARER_FAILURES,
  countedHeaders,
  failures,
  jsonAnswer,
  NOT_MODIFIED,
  type Part,
} from "./answers.ts";
import type { IncludeScope } from "../../query/include.ts";
import { languageParameters, translationPaths } from "./language_parts.ts";
import type { CollectionNames } from "./names.ts";
import { listParameters, parameters } from "./parameters.ts";
import { readParameters } from "./projection_parameters.ts";
import { ref } from "./shared_schemas.ts";

/** The paths of a collection. */
export function collectionPaths(
  collection: Collection,
  names: CollectionNames,
  scope: IncludeScope,
): Part {
  const { slug } = collection;
  return {
    [`/api/v1/${slug}`]: {
      get: listOperation(collection, names, scope),
      post: createOperation(slug, names),
    },
    [`/api/v1/${slug}/{id}`]: {
      parameters: parameters("Id"),
      get: readOperation(collection, names, scope, ""),
      patch: patchOperation(slug, names),
      delete: deleteOperation(slug, names),
    },
    [`/api/v1/${slug}/{id}/versions`]: {
      parameters: parameters("Id"),
      get: versionsOperation(slug, names),
    },
    [`/api/v1/${slug}/{id}/versions/{n}`]: {
      parameters: parameters("Id", "VersionNumber"),
      get: versionOperation(collection, names, scope),
    },
    [`/api/v1/${slug}/by-slug/{slug}`]: {
      parameters: parameters("Slug"),
      get: readOperation(collection, names, scope, "BySlug"),
      put: putOperation(slug, names),
    },
    [`/api/v1/${slug}/_bulk`]: { post: bulkOperation(slug, names) },
    ...translationPaths(collection, names),
  };
}

function head(slug: string, action: "read" | "write", operationId: string, summary: string): Part {
  return {
    operationId,
    summary,
    description: action === "read"
      ? `Requires the \`${slug}:read\` scope. Drafts and scheduled documents also require \`${slug}:read-drafts\`.`
      : `Requires the \`${slug}:write\` scope.`,
    tags: [slug],
    "x-required-scope": `${slug}:${action}`,
  };
}

/** An example that all operations on the collection refer to. */
function example(name: string): Part {
  return { example: { $ref: `#/components/examples/${name}` } };
}

function body(schema: string): Part {
  return {
    required: true,
    content: { "application/json": { schema: ref(schema), examples: example(schema) } },
  };
}

function listOperation(
  collection: Collection,
  { one, many }: CollectionNames,
  scope: IncludeScope,
): Part {
  const answer = withForms(
    withParts(
      jsonAnswer(
        "A page of documents.",
        countedHeaders("ETag", "DocumentsRead"),
        ref(`${one}List`),
        example(`${one}List`),
      ),
      `${one}PartList`,
    ),
    one,
  );
  return {
    ...head(collection.slug, "read", `list${many}`, `List documents in ${collection.slug}`),
    parameters: [
      ...parameters("Page", "PerPage", "Cursor", "StatusFilter", "Filter", "Words", "RichText"),
      ...parameters("Seed", "Collate"),
      ...parameters("Draft", "Release", "At", "Format", "IfNoneMatch"),
      ...listParameters(collection, scope),
      ...languageParameters(collection, true),
    ],
    responses: {
      "200": answer,
      ...NOT_MODIFIED,
      ...failures("ListQueryInvalid", "Forbidden", "ListNotFound", "ListRefused"),
      ...failures(...BEARER_FAILURES),
    },
  };
}

/**
 * A response whose schema `fields`, `include`, `counts` and `richText` change. It is listed next to the plain one, so
 * that generated clients can send back what they read without these parameters.
 */
function withParts(answer: Part, part: string): Part {
  const content = answer.content as { "application/json": Part };
  const json = { ...content["application/json"], "x-part-schema": ref(part) };
  const description =
    `${answer.description} A ${part} if \`fields\`, \`include\`, \`counts\` or \`richText\` is given.`;
  return { ...answer, description, content: { "application/json": json } };
}

/**
 * A list that `format` turns into a stream of documents. Its types are listed apart from those of the page, so that
 * the data of generated clients stay a page.
 */
function withForms(answer: Part, one: string): Part {
  const forms = {
    "text/csv": { schema: { type: "string" } },
    "application/x-ndjson": { schema: ref(`${one}Part`) },
  };
  return { ...answer, "x-format-content": forms };
}

function documentAnswer(one: string, description: string, ...headers: string[]): Part {
  return jsonAnswer(description, countedHeaders("ETag", ...headers), ref(one), example(one));
}

function readOperation(
  collection: Collection,
  { one }: CollectionNames,
  scope: IncludeScope,
  by: "" | "BySlug",
): Part {
  const { slug } = collection;
  const summary = `Get a document in ${slug} by ${by === "" ? "ID" : "slug"}`;
  return {
    ...head(slug, "read", `get${one}${by}`, summary),
    parameters: [
      ...parameters("RichText", "Draft", "Release", "At", "IfNoneMatch"),
      ...readParameters(collection, scope),
      ...languageParameters(collection, false),
    ],
    responses: {
      "200": withParts(documentAnswer(one, "The document.", "DocumentsRead"), `${one}Part`),
      ...NOT_MODIFIED,
      ...failures("ReadQueryInvalid", "NotFound", "VersionPruned", "QueryRefused"),
      ...failures(...BEARER_FAILURES),
    },
  };
}

function historyHead(slug: string, operationId: string, summary: string): Part {
  return {
    operationId,
    summary,
    description: `Requires the \`${slug}:read-history\` scope. ` +
      `Versions that were never published also require \`${slug}:read-drafts\`.`,
    tags: [slug],
    "x-required-scope": `${slug}:read-history`,
  };
}

function versionsOperation(slug: string, { one }: CollectionNames): Part {
  return {
    ...historyHead(slug, `list${one}Versions`, `List the versions of a document in ${slug}`),
    parameters: parameters("Page", "PerPage", "IfNoneMatch"),
    responses: {
      "200": jsonAnswer(
        "Versions, newest first.",
        countedHeaders("ETag"),
        ref("DocumentVersionList"),
      ),
      ...NOT_MODIFIED,
      ...failures("PagingInvalid", "Forbidden", "NotFound", ...BEARER_FAILURES),
    },
  };
}

function versionOperation(
  collection: Collection,
  { one }: CollectionNames,
  scope: IncludeScope,
): Part {
  const { slug } = collection;
  return {
    ...historyHead(slug, `get${one}Version`, `Get one version of a document in ${slug}`),
    parameters: [
      ...parameters("RichText", "IfNoneMatch"),
      ...readParameters(collection, scope),
      ...languageParameters(collection, false),
    ],
    responses: {
      "200": withParts(documentAnswer(one, "The document at that version."), `${one}Part`),
      ...NOT_MODIFIED,
      ...failures("ReadQueryInvalid", "NotFound", ...BEARER_FAILURES),
    },
  };
}

function createOperation(slug: string, { one }: CollectionNames): Part {
  return {
    ...head(slug, "write", `create${one}`, `Create a document in ${slug}`),
    parameters: parameters("IdempotencyKey", "DryRun"),
    requestBody: body(`${one}Create`),
    responses: {
      ...DRY_RUN(one),
      "201": documentAnswer(one, "The new document.", "Location", "IdempotencyReplayed"),
      ...failures("BodyInvalid", "Forbidden", "CollectionNotFound", "Conflict"),
      ...failures("PayloadTooLarge", "UnsupportedMediaType", "CreateRefused", ...BEARER_FAILURES),
    },
  };
}

/** The answer of a write that changes a document, or would. */
function changedAnswer(one: string): Part {
  const headers = countedHeaders("WrittenETag", "IdempotencyReplayed");
  return jsonAnswer("The changed document.", headers, ref(one), example(one));
}

/** A dry run has neither address nor tag. */
const DRY_RUN = (one: string): Part => ({
  "200": jsonAnswer(
    "The document as it would be written (`dryRun`).",
    countedHeaders(),
    ref(one),
    example(one),
  ),
});

function putOperation(slug: string, { one }: CollectionNames): Part {
  return {
    ...head(slug, "write", `put${one}BySlug`, `Create or update a document in ${slug} by slug`),
    parameters: parameters("NewSlug", "IfMatch", "IfNoneMatchAny", "IdempotencyKey", "DryRun"),
    requestBody: body(`${one}Patch`),
    responses: {
      "200": changedAnswer(one),
      "201": documentAnswer(one, "The new document.", "Location", "IdempotencyReplayed"),
      ...failures("BodyInvalid", "Forbidden", "CollectionNotFound", "MethodNotAllowed", "Conflict"),
      ...failures("PreconditionFailed", "PayloadTooLarge", "UnsupportedMediaType", "PatchRefused"),
      ...failures(...BEARER_FAILURES),
    },
  };
}

function bulkOperation(slug: string, { many }: CollectionNames): Part {
  return {
    ...head(slug, "write", `bulk${many}`, `Write documents in bulk in ${slug}`),
    parameters: parameters("IdempotencyKey"),
    requestBody: {
      required: true,
      content: { "application/x-ndjson": { schema: ref("BulkLine") } },
    },
    responses: {
      "200": {
        description:
          "One result per line, in order, sent as the lines are processed. The last line holds the totals.",
        headers: countedHeaders(),
        content: { "application/x-ndjson": { schema: ref("BulkAnswer") } },
      },
      ...failures("BodyInvalid", "Forbidden", "CollectionNotFound", "PayloadTooLarge"),
      ...failures("UnsupportedMediaType", "KeyReused", ...BEARER_FAILURES),
    },
  };
}

function patchOperation(slug: string, { one }: CollectionNames): Part {
  return {
    ...head(slug, "write", `update${one}`, `Update a document in ${slug}`),
    parameters: parameters("IfMatch", "IdempotencyKey", "DryRun"),
    requestBody: body(`${one}Patch`),
    responses: {
      "200": changedAnswer(one),
      ...failures("BodyInvalid", "Forbidden", "NotFound", "MethodNotAllowed", "Conflict"),
      ...failures("PreconditionFailed", "PayloadTooLarge", "UnsupportedMediaType", "PatchRefused"),
      ...failures(...BEARER_FAILURES),
    },
  };
}

function deleteOperation(slug: string, { one }: CollectionNames): Part {
  return {
    ...head(slug, "write", `delete${one}`, `Move a document in ${slug} to the trash`),
    parameters: parameters("IfMatch", "IdempotencyKey"),
    responses: {
      "204": {
        description: "The document is in the trash.",
        headers: countedHeaders("IdempotencyReplayed"),
      },
      ...failures("ParameterInvalid", "Forbidden", "NotFound", "MethodNotAllowed"),
      ...failures("DeleteConflict", "KeyReused"),
      ...failures("PreconditionFailed", ...BEARER_FAILURES),
    },
  };
}
