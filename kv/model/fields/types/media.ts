/**
 * The id of a medium. Whether it is there matters only to what is published, so it is left to the writer.
 *
 * @module
 */
import { z } from "zod";
import { MIME_CHARS_MAX, MIMES_MAX } from "../../../limits/content.ts";
import { isUlid } from "../../values/ulid.ts";
import { distinct } from "../../values/choices.ts";
import type { Json } from "../../entities/entity.ts";
import type { NestedField } from "../field_definition.ts";
import { type CheckScope, type FieldType, type Reference, report } from "../field_type.ts";
import { EQUALITY_OPERATORS } from "../filter_operator.ts";
import { includedId } from "../included_id.ts";
import { idFilter, noText, SCALAR, textIndex } from "../../values/scalar_index.ts";
import { ULID_SCHEMA } from "../../input/wire_schemas.ts";

const mime = z.string().max(MIME_CHARS_MAX).regex(/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/);

/** Medium. */
export const media: FieldType = {
  name: "media",
  kind: "string",
  holds: "references",
  richText: false,
  referenceTo: "media",
  roles: ["body", "cover", "hidden", "shareImage"],
  options: z.strictObject({ mimes: distinct(z.array(mime).min(1).max(MIMES_MAX)).exactOptional() }),
  can: SCALAR,
  check,
  wire: () => ({ ...ULID_SCHEMA }),
  operators: EQUALITY_OPERATORS,
  facet: null,
  indexValues: textIndex,
  parseFilter: idFilter,
  searchText: noText,
};

function check(given: Json, field: NestedField, scope: CheckScope): Json {
  const value = includedId(given);
  if (typeof value !== "string") return report(scope, "INVALID_TYPE", "Must be a media id");
  if (!isUlid(value)) return report(scope, "INVALID_REFERENCE", "Not an id");
  const reference: Reference = { kind: "media", id: value, path: scope.path };
  if (field.options.mimes !== undefined) reference.mimes = field.options.mimes;
  scope.references.push(reference);
  return value;
}
