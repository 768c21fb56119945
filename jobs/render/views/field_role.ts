/**
 * The role of a field on a page: from its definition, else from its type and name.
 *
 * @module
 */
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import { isForMachines, isSearchRole, type PageRole } from "../../../kv/model/fields/field_role.ts";
import { isAuthorField } from "../../../kv/model/fields/author_field.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import { perObject } from "../../../kv/model/primitives/per_object.ts";
import { FIELD_RENDERINGS } from "./field_renderings.ts";
import { searchRole } from "./search_role.ts";

/** Names of the time at which something takes place. */
const DATE_NAMES = /^(?:starts?|startsAt|startsOn|startDate|startTime|begins|beginsAt|eventDate)$/;

/** Names of reference fields for related documents. */
const RELATED_NAMES = /^(?:related|seeAlso|readNext)(?![a-z])/;

/**
 * The role of a field on the page; what only search engines are given is hidden. Found once, because a page asks
 * for each of them several times.
 */
export const fieldRole = perObject((field: NestedField): PageRole => {
  const { role } = field.options;
  if (role !== undefined) return isSearchRole(role) ? "hidden" : role;
  if (isForMachines(field) || searchRole(field) !== null) return "hidden";
  if (isAuthorField(field)) return "byline";
  if (fieldType(field.type).roles.includes("date") && DATE_NAMES.test(field.name)) return "date";
  const refers = fieldType(field.type).referenceTo === "document";
  if (refers && RELATED_NAMES.test(field.name)) return "related";
  return FIELD_RENDERINGS[field.type].role(field);
});
