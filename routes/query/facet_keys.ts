/**
 * `facets`: the fields that are summed up over everything that is selected.
 *
 * @module
 */
import type { FacetKey } from "../../kv/index/query/list_query.ts";
import { FACETS_MAX } from "../../kv/limits/requests.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import {
  columnFields,
  findColumnField,
  type IndexedField,
} from "../../kv/model/fields/indexed_fields.ts";
import { fieldType } from "../../kv/model/fields/types/registry.ts";
import { Refusal } from "../../kv/refusals.ts";

/** A facet with the name that it is answered under. */
export interface RequestedFacet extends FacetKey {
  name: string;
}

/** Whether a field can be summed up. */
export function hasFacet(field: IndexedField): boolean {
  return field.indexed && fieldType(field.type).facet !== null;
}

/** Reads the names of `facets`. */
export function parseFacets(names: string[] | undefined, collection: Collection): RequestedFacet[] {
  const distinct = [...new Set(names ?? [])];
  if (distinct.length > FACETS_MAX) {
    throw new Refusal("FACET_INVALID", { about: `at most ${FACETS_MAX} facets are allowed` });
  }
  return distinct.map((name) => {
    const field = findColumnField(collection, name);
    if (field === undefined || !hasFacet(field)) {
      const supported = columnFields(collection).filter(hasFacet).map((one) => one.name);
      throw new Refusal("FACET_INVALID", {
        about: `${name.slice(0, 100) || "an empty name"}; use one of: ${
          supported.slice(0, 20).join(", ") || "(none)"
        }`,
      });
    }
    return { name, by: { fieldKey: field.key }, kind: fieldType(field.type).facet! };
  });
}
