/**
 * Paths and schemas of media.
 *
 * @module
 */
import {
  ALT_CHARS_MAX,
  MEDIA_SIGNATURE_SECONDS_DEFAULT,
  MEDIA_SIGNATURE_SECONDS_MAX,
} from "../../../kv/limits/media.ts";
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
import type { SiteLanguages } from "../../../kv/model/languages/language.ts";
import { mediaLanguageParameters } from "./language_parts.ts";
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

const PRIVATE: JsonSchema = {
  type: "boolean",
  description: "Only present if its URL has to be signed.",
};

/** The JSON properties of an asset, shared by the API description and the types module. */
export const MEDIUM_PROPERTIES: { readonly [key in keyof HeadlessMedium]: JsonSchema } = {
  id: ULID,
  filename: { type: "string" },
  mime: { type: "string", enum: [...ALL_MIMES] },
  bytes: { type: "integer" },
  width: { type: "integer", description: "Pixels; 0 if the file is not an image." },
  height: { type: "integer", description: "Pixels; 0 if the file is not an image." },
  alt: { type: "string" },
  alts: {
    type: "object",
    description: "Alt texts by language. Only present if there are any.",
    additionalProperties: { type: "string" },
  },
  focus: FOCUS,
  url: {
    type: "string",
    description: "Path of the file. For images, `?w=640` and similar return other sizes.",
  },
  createdAt: EPOCH_SECONDS,
  updatedAt: EPOCH_SECONDS,
  private: PRIVATE,
};

/** Properties that are only present with a value. */
const OPTIONAL: readonly string[] = ["alts", "private"] satisfies (keyof HeadlessMedium)[];

/** Component schemas of media. */
export const MEDIA_SCHEMAS: { [name: string]: JsonSchema } = {
  Medium: {
    type: "object",
    required: Object.keys(MEDIUM_PROPERTIES).filter((name) => !OPTIONAL.includes(name)),
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
      alts: {
        type: "object",
        description: "Alt texts by language; replaces them all. Known once the site has languages.",
        additionalProperties: ALT,
      },
      filename: { type: "string" },
      focus: FOCUS,
      private: { type: "boolean", description: "Whether its URL has to be signed." },
      ...Object.fromEntries(
        MEDIUM_READ_ONLY.map((key) => [key, { description: "Ignored." }]),
      ),
    },
  },
  MediumFromAddress: {
    type: "object",
    required: ["url"],
    additionalProperties: false,
    properties: {
      url: { type: "string", format: "uri" },
      alt: ALT,
      filename: { type: "string" },
      private: { type: "boolean" },
    },
  },
  MediumSignature: {
    type: "object",
    required: ["url", "expiresAt"],
    additionalProperties: false,
    properties: {
      url: { type: "string", description: "Path of the file with its signature." },
      expiresAt: EPOCH_SECONDS,
    },
  },
};

/** The body of a request for a signed URL. */
const SIGN_BODY: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    ttl: {
      type: "integer",
      minimum: 1,
      maximum: MEDIA_SIGNATURE_SECONDS_MAX,
      description: `Seconds until the URL expires. Default: ${MEDIA_SIGNATURE_SECONDS_DEFAULT}.`,
    },
    w: { type: "integer", description: "Width, pixels." },
    h: { type: "integer", description: "Height, pixels." },
    q: { type: "integer", description: "Quality, 1 to 100." },
    fit: { type: "string", description: "`cover`, `contain` or `scale-down`." },
    format: { type: "string", description: "`auto`, `webp`, `avif`, `jpeg` or `png`." },
    crop: { type: "string", description: "Name of a crop preset." },
  },
};

/** The paths of media. */
export function mediaPaths(languages: SiteLanguages | undefined): Part {
  return {
    "/api/v1/media": {
      get: {
        ...head("listMedia", "List media assets", "read"),
        parameters: [
          ...parameters("Page", "PerPage", "Cursor", "IfNoneMatch"),
          ...filters(),
          ...mediaLanguageParameters(languages),
        ],
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
                properties: {
                  file: { type: "string", format: "binary" },
                  alt: ALT,
                  private: { type: "string", enum: ["true", "false"] },
                },
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
    "/api/v1/media/{id}": mediumPath(languages),
    "/api/v1/media/{id}/sign": {
      parameters: parameters("Id"),
      post: {
        ...head("signMedium", "Sign the URL of a private media asset", "read"),
        requestBody: { required: true, content: { "application/json": { schema: SIGN_BODY } } },
        responses: {
          "200": jsonAnswer("The signed URL.", countedHeaders(), ref("MediumSignature")),
          ...failures("BodyInvalid", "Forbidden", "NotFound", "MethodNotAllowed"),
          ...failures("PayloadTooLarge", "UnsupportedMediaType", "PatchRefused"),
          ...failures(...BEARER_FAILURES),
        },
      },
    },
  };
}

function mediumPath(languages: SiteLanguages | undefined): Part {
  return {
    parameters: parameters("Id"),
    get: {
      ...head("getMedium", "Get a media asset", "read"),
      parameters: [...parameters("IfNoneMatch"), ...mediaLanguageParameters(languages)],
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
