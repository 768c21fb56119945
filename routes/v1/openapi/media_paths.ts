/**
 * Paths and schemas of media.
 *
 * @module
 */
import { ALT_CHARS_MAX } from "../../../kv/limits.ts";
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
  description: "The point that cuts keep, as parts of width and height; null is the middle.",
  required: ["x", "y"],
  additionalProperties: false,
  properties: {
    x: { type: "number", minimum: 0, maximum: 1 },
    y: { type: "number", minimum: 0, maximum: 1 },
  },
};
const ALT: JsonSchema = { type: "string", maxLength: ALT_CHARS_MAX };

/** What a medium has on the wire: the description, and the types module, say it from here. */
export const MEDIUM_PROPERTIES: { readonly [key in keyof HeadlessMedium]: JsonSchema } = {
  id: ULID,
  filename: { type: "string" },
  mime: { type: "string", enum: [...ALL_MIMES] },
  bytes: { type: "integer" },
  width: { type: "integer", description: "Pixels; 0 for a file that is no picture." },
  height: { type: "integer", description: "Pixels; 0 for a file that is no picture." },
  alt: { type: "string" },
  focus: FOCUS,
  url: {
    type: "string",
    description: "Path of the picture; `?w=640` and the like ask for other sizes.",
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
        ...head("listMedia", "List media", "read"),
        parameters: [...parameters("Page", "PerPage", "Cursor", "IfNoneMatch"), ...filters()],
        responses: {
          "200": jsonAnswer("A page of media.", countedHeaders("ETag"), ref("MediumList")),
          ...NOT_MODIFIED,
          ...failures("ListQueryInvalid", "Forbidden", "ListRefused", ...BEARER_FAILURES),
        },
      },
      post: {
        ...head("uploadMedium", "Upload a picture, or fetch it from a public address", "write"),
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
          "201": medium("The new medium.", "Location", "IdempotencyReplayed"),
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
      ...head("getMedium", "Read a medium", "read"),
      parameters: parameters("IfNoneMatch"),
      responses: {
        "200": medium("The medium."),
        ...NOT_MODIFIED,
        ...failures("NotFound", ...BEARER_FAILURES),
      },
    },
    patch: {
      ...head("updateMedium", "Change what is said of a medium", "write"),
      parameters: parameters("IfMatch", "IdempotencyKey"),
      requestBody: {
        required: true,
        content: { "application/json": { schema: ref("MediumPatch") } },
      },
      responses: {
        "200": medium("The medium as it is now.", "IdempotencyReplayed"),
        ...failures("BodyInvalid", "Forbidden", "NotFound", "MethodNotAllowed", "DeleteConflict"),
        ...failures("PreconditionFailed", "PayloadTooLarge", "UnsupportedMediaType"),
        ...failures("PatchRefused"),
        ...failures(...BEARER_FAILURES),
      },
    },
    delete: {
      ...head("deleteMedium", "Delete a medium; for 30 days it can be brought back", "write"),
      parameters: parameters("IfMatch", "IdempotencyKey"),
      responses: {
        "204": { description: "It is deleted.", headers: countedHeaders("IdempotencyReplayed") },
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
    description: `Needs the scope \`media:${action}\`.`,
    tags: ["media"],
    "x-required-scope": `media:${action}`,
  };
}

function filters(): Part[] {
  return [
    {
      name: "mime",
      in: "query",
      description: "Only these types.",
      style: "form",
      explode: true,
      schema: { type: "array", items: { type: "string", enum: [...ALL_MIMES] } },
    },
    {
      name: "q",
      in: "query",
      description: "Text in the file name, the title or the alternative text.",
      schema: { type: "string", maxLength: MEDIA_QUERY_CHARS_MAX },
    },
    {
      name: "sort",
      in: "query",
      description: "What to sort by; a leading `-` means descending.",
      schema: { type: "string", enum: MEDIA_SORTS.flatMap((name) => [name, `-${name}`]) },
    },
  ];
}
