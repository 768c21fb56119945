/**
 * The role of a field for search engines and social networks: from its definition, else from its type and name, as
 * other systems name such fields: `metaTitle`, `seo.description`, `noindex`.
 *
 * @module
 */
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import { isSearchRole, type SearchRole } from "../../../kv/model/fields/field_role.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";

/** Names of groups of such fields. */
const GROUP_NAMES = /^(?:seo|meta|search)(?![a-z])/;

/** Names of fields. In a group, what follows its own name is enough: `seo.title` is a `seotitle`. */
const NAMES: readonly (readonly [RegExp, SearchRole])[] = [
  [/^(?:seo|meta)title$/, "searchTitle"],
  [/^(?:seo|meta)desc(?:ription)?$/, "searchDescription"],
  [/^(?:seo|meta|og|opengraph|social|share|twitter)image$/, "shareImage"],
  [/^(?:seo|meta)?canonical(?:url)?$/, "canonical"],
  [/^(?:seo|meta|robots)?noindex$/, "noindex"],
];

/** The role of a field of a collection, or of one in a group; null if it has none. */
export function searchRole(field: NestedField, group?: NestedField): SearchRole | null {
  const { role } = field.options;
  if (role !== undefined) return isSearchRole(role) ? role : null;
  const name = field.name.toLowerCase();
  const isGrouped = group !== undefined && GROUP_NAMES.test(group.name);
  const [, found] =
    NAMES.find(([names]) => names.test(name) || (isGrouped && names.test(`seo${name}`))) ?? [];
  return found !== undefined && fieldType(field.type).roles.includes(found) ? found : null;
}
