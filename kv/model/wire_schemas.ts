/**
 * JSON Schemas that several field types and the API description share.
 *
 * @module
 */
import { ULID_PATTERN } from "./ulid.ts";

/** A ULID. */
export const ULID_SCHEMA = { type: "string", pattern: `^${ULID_PATTERN}$` } as const;

/** The component `PortableTextBlock`: opaque but for its type. */
export const PORTABLE_TEXT_BLOCK_SCHEMA = {
  type: "object",
  required: ["_type"],
  properties: { _type: { type: "string", minLength: 1 }, _key: { type: "string", minLength: 1 } },
  additionalProperties: true,
} as const;
