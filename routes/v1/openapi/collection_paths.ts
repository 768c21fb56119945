/**
 * Paths of one collection: list, read, create, patch and trash.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/collection.ts";
import {
  BEARER_FAILURES,
  countedHeaders,
  failures,
  jsonAnswer,
  NOT_MODIFIED,
  type Part,
} from "./answers.ts";
import type { CollectionNames } from "./names.ts";
import { listParameters, parameters } from "./parameters.ts";
import { ref } from "./shared_schemas.ts";

/** The three paths of a collection. */
export function collectionPaths(collection: Collection, names: CollectionNames): Part {
  const { slug } = collection;
  return {
    [`/api/v1/${slug}`]: {
      get: listOperation(collection, names),
      post: createOperation(slug, names),
    },
    [`/api/v1/${slug}/{id}`]: {
      parameters: parameters("Id"),
      get: readOperation(slug, names, ""),
      patch: patchOperation(slug, names),
      delete: deleteOperation(slug, names),
    },
    [`/api/v1/${slug}/by-slug/{slug}`]: {
      parameters: parameters("Slug"),
      get: readOperation(slug, names, "BySlug"),
    },
  };
}

function head(slug: string, action: "read" | "write", operationId: string, summary: string): Part {
  return {
    operationId,
    summary,
    description: action === "read"
      ? `Needs the scope \`${slug}:read\`; drafts and scheduled documents need \`${slug}:read-drafts\`.`
      : `Needs the scope \`${slug}:write\`.`,
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

function listOperation(collection: Collection, { one, many }: CollectionNames): Part {
  const answer = jsonAnswer(
    "A page of documents.",
    countedHeaders("ETag"),
    ref(`${one}List`),
    example(`${one}List`),
  );
  return {
    ...head(collection.slug, "read", `list${many}`, `List documents of ${collection.slug}`),
    parameters: [
      ...parameters("Page", "PerPage", "StatusFilter", "IfNoneMatch"),
      ...listParameters(collection),
    ],
    responses: {
      "200": answer,
      ...NOT_MODIFIED,
      ...failures("ListQueryInvalid", "Forbidden", "CollectionNotFound", "ListRefused"),
      ...failures(...BEARER_FAILURES),
    },
  };
}

function documentAnswer(one: string, description: string, ...headers: string[]): Part {
  return jsonAnswer(description, countedHeaders("ETag", ...headers), ref(one), example(one));
}

function readOperation(slug: string, { one }: CollectionNames, by: "" | "BySlug"): Part {
  const summary = `Read a document of ${slug} by ${by === "" ? "id" : "slug"}`;
  return {
    ...head(slug, "read", `get${one}${by}`, summary),
    parameters: parameters("IfNoneMatch"),
    responses: {
      "200": documentAnswer(one, "The document."),
      ...NOT_MODIFIED,
      ...failures("NotFound", ...BEARER_FAILURES),
    },
  };
}

function createOperation(slug: string, { one }: CollectionNames): Part {
  return {
    ...head(slug, "write", `create${one}`, `Create a document of ${slug}`),
    requestBody: body(`${one}Create`),
    responses: {
      "201": documentAnswer(one, "The new document.", "Location"),
      ...failures("BodyInvalid", "Forbidden", "CollectionNotFound", "Conflict"),
      ...failures("PayloadTooLarge", "UnsupportedMediaType", "CreateRefused", ...BEARER_FAILURES),
    },
  };
}

function patchOperation(slug: string, { one }: CollectionNames): Part {
  return {
    ...head(slug, "write", `update${one}`, `Change a document of ${slug}`),
    parameters: parameters("IfMatch"),
    requestBody: body(`${one}Patch`),
    responses: {
      "200": documentAnswer(one, "The document as it is now."),
      ...failures("BodyInvalid", "Forbidden", "NotFound", "MethodNotAllowed", "Conflict"),
      ...failures("PreconditionFailed", "PayloadTooLarge", "UnsupportedMediaType", "PatchRefused"),
      ...failures(...BEARER_FAILURES),
    },
  };
}

function deleteOperation(slug: string, { one }: CollectionNames): Part {
  return {
    ...head(slug, "write", `delete${one}`, `Move a document of ${slug} to the trash`),
    parameters: parameters("IfMatch"),
    responses: {
      "204": { description: "It is in the trash.", headers: countedHeaders() },
      ...failures("Forbidden", "NotFound", "MethodNotAllowed", "DeleteConflict"),
      ...failures("PreconditionFailed", ...BEARER_FAILURES),
    },
  };
}
