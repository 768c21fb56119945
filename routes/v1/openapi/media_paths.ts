/**
 * Paths and schemas of media.
 *
 * @module
 */
import { ALT_CHARS_MAX } from "../../../kv/limits/media.ts";
import { MEDIA_SORTS } from "../../../kv/media/media_list.ts";
import { ALL_MIMES } from "../../../kv/model/entities/media.ts";
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import { MEDIA_QUERY_CHARS_MAX } from "../../input/limits.ts";
import { type HeadlessMedium, MEDIUM_READ_ONLY } from "../media_view.ts";
import {
  BEARER_FAILURES,
  countedHeaders,
  failures,
  jsonAnswer,
  NOT_MODIFIED,
  type Part,
} from "./answers.ts";
import { parameters } from "./parameters.ts";
import { EPOCH_SECONDS, ref, ULID } from "./shared_schemas.ts";

const FOCUS: JsonSchema = {
  type: ["object", "null"],
  description:
    "Focal point that crops keep in view, as fractions of width and height. Null means the center.",
  required: ["x", "y"],
  additionalProperties: false,
  properties: {
    x: { type: "number", minimum: 0, maximum: 1 },
    y: { type: "number", minimum: 0, maximum: 1 },
  },
};
const ALT: JsonSchema = { type: "string", maxLength: ALT_CHARS_MAX };

/** The JSON properties of an asset, shared by the API description and the types module. */
export const MEDIUM_PROPERTIES: { readonly [key in keyof HeadlessMedium]: JsonSchema } = {
  id: ULID,
  filename: { type: "string" },
  mime: { type: "string", enum: [...ALL_MIMES] },
  bytes: { type: "integer" },
  width: { type: "integer", description: "Pixels; 0 if the file is not an image." },
  height: { type: "integer", description: "Pixels; 0 if the file is not an image." },
  alt: { type: "string" },
  focus: FOCUS,
  url: {
    type: "string",
    description: "Path of the file. For images, `?w=640` and similar return other sizes.",
  },
  createdAt: EPOCH_SECONDS,
  updatedAt: EPOCH_SECONDS,
};

/** Component schemas of media. */
export const MEDIA_SCHEMAS: { [name: string]: JsonSchema } = {
  Medium: {
    type: "object",
    required: Object.keys(MEDIUM_PROPERTIES),
    additionalProperties: false,
    properties: MEDIUM_PROPERTIES,
  },
  MediumList: {
    type: "object",
    required: ["data", "meta"],
    additionalProperties: false,
    properties: { data: { type: "array", items: ref("Medium") }, meta: ref("ListMeta") },
  },
  MediumPatch: {
    type: "object",
    additionalProperties: false,
    properties: {
      alt: ALT,
      filename: { type: "string" },
      focus: FOCUS,
      ...Object.fromEntries(
        MEDIUM_READ_ONLY.map((key) => [key, { description: "Ignored." }]),
      ),
    },
  },
  MediumFromAddress: {
    type: "object",
    required: ["url"],
    additionalProperties: false,
    properties: { url: { type: "string", format: "uri" }, alt: ALT, filename: { type: "string" } },
  },
};

/** The paths of media. */
export function mediaPaths(): Part {
  return {
    "/api/v1/media": {
      get: {
        ...head("listMedia", "List media assets", "read"),
        parameters: [...parameters("Page", "PerPage", "Cursor", "IfNoneMatch"), ...filters()],
        responses: {
          "200": jsonAnswer("A page of media assets.", countedHeaders("ETag"), ref("MediumList")),
          ...NOT_MODIFIED,
          ...failures("ListQueryInvalid", "Forbidden", "ListRefused", ...BEARER_FAILURES),
        },
      },
      post: {
        ...head("uploadMedium", "Upload a file, or import it from a public URL", "write"),
        parameters: parameters("IdempotencyKey"),
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: ref("MediumFromAddress") },
            "multipart/form-data": {
              schema: {
                type: "object",
                required: ["file"],
                properties: { file: { type: "string", format: "binary" }, alt: ALT },
              },
            },
          },
        },
        responses: {
          "201": medium("The new asset.", "Location", "IdempotencyReplayed"),
          ...failures("BodyInvalid", "Forbidden", "PayloadTooLarge", "UnsupportedMediaType"),
          ...failures("DeleteConflict"),
          ...failures("CreateRefused", ...BEARER_FAILURES),
        },
      },
    },
    "/api/v1/media/{id}": mediumPath(),
  };
}

function mediumPath(): Part {
  return {
    parameters: parameters("Id"),
    get: {
      ...head("getMedium", "Get a media asset", "read"),
      parameters: parameters("IfNoneMatch"),
      responses: {
        "200": medium("The asset."),
        ...NOT_MODIFIED,
        ...failures("NotFound", ...BEARER_FAILURES),
      },
    },
    patch: {
      ...head("updateMedium", "Update the metadata of a media asset", "write"),
      parameters: parameters("IfMatch", "IdempotencyKey"),
      requestBody: {
        required: true,
        content: { "application/json": { schema: ref("MediumPatch") } },
      },
      responses: {
        "200": medium("The updated asset.", "IdempotencyReplayed"),
        ...failures("BodyInvalid", "Forbidden", "NotFound", "MethodNotAllowed", "DeleteConflict"),
        ...failures("PreconditionFailed", "PayloadTooLarge", "UnsupportedMediaType"),
        ...failures("PatchRefused"),
        ...failures(...BEARER_FAILURES),
      },
    },
    delete: {
      ...head("deleteMedium", "Delete a media asset (can be restored for 30 days)", "write"),
      parameters: parameters("IfMatch", "IdempotencyKey"),
      responses: {
        "204": {
          description: "The asset was deleted.",
          headers: countedHeaders("IdempotencyReplayed"),
        },
        ...failures("ParameterInvalid", "Forbidden", "NotFound", "MethodNotAllowed"),
        ...failures("DeleteConflict", "PreconditionFailed", "KeyReused"),
        ...failures(...BEARER_FAILURES),
      },
    },
  };
}

function medium(description: string, ...headers: string[]): Part {
  return jsonAnswer(description, countedHeaders("ETag", ...headers), ref("Medium"));
}

function head(operationId: string, summary: string, action: "read" | "write"): Part {
  return {
    operationId,
    summary,
    description: `Requires the \`media:${action}\` scope.`,
    tags: ["media"],
    "x-required-scope": `media:${action}`,
  };
}

function filters(): Part[] {
  return [
    {
      name: "mime",
      in: "query",
      description: "Only assets of these types.",
      style: "form",
      explode: true,
      schema: { type: "array", items: { type: "string", enum: [...ALL_MIMES] } },
    },
    {
      name: "q",
      in: "query",
      description: "Text to find in the file name, title or alt text.",
      schema: { type: "string", maxLength: MEDIA_QUERY_CHARS_MAX },
    },
    {
      name: "sort",
      in: "query",
      description: "Field to sort by. Prefix it with `-` for descending order.",
      schema: { type: "string", enum: MEDIA_SORTS.flatMap((name) => [name, `-${name}`]) },
    },
  ];
}
