/**
 * The way from a list to the board of the same documents.
 *
 * @module
 */
import type { Collection } from "../../../../../kv/model/entities/collection.ts";
import type { FieldDefinition } from "../../../../../kv/model/fields/field_definition.ts";
import { ButtonLink } from "../../../components/button.tsx";
import type { ListState } from "../../../list_state.ts";

/** The fields that can be the columns of a board: choices that lists are filtered by. */
export function boardFields(collection: Collection | null): FieldDefinition[] {
  return (collection?.fields ?? []).filter(({ type, indexed }) => type === "select" && indexed);
}

/** A link to the board if the collection can have one, with the filters of the list. */
export function BoardLink(
  { state, collection }: { state: ListState; collection: Collection | null },
) {
  if (collection === null || boardFields(collection).length === 0) return null;
  const params = new URLSearchParams(state.params);
  for (const name of ["columns", "page", "perPage"]) params.delete(name);
  const query = params.size === 0 ? "" : `?${params}`;
  return (
    <ButtonLink
      variant="quiet"
      icon="board"
      href={`/admin/content/${collection.slug}/board${query}`}
    >
      Board
    </ButtonLink>
  );
}
