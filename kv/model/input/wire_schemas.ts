/**
 * JSON Schemas that several field types and the API description share.
 *
 * @module
 */
import { ULID_PATTERN } from "../values/ulid.ts";

/** A ULID. */
export const ULID_SCHEMA = { type: "string", pattern: `^${ULID_PATTERN}$` } as const;
