/**
 * Collections in the order and under the headings that the site has chosen for them.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";

/** The properties of a collection that arrange it. */
type Arranged = Pick<Collection, "slug" | "group" | "position">;

/** Collections under one heading. */
export interface CollectionGroup<C extends Arranged = Collection> {
  /** Undefined for those without a group. */
  heading: string | undefined;
  collections: C[];
}

/** Collections by position; those without one follow by slug. */
function inChosenOrder<C extends Arranged>(collections: readonly C[]): C[] {
  return [...collections].sort((a, b) =>
    byPosition(a.position, b.position) || (a.slug < b.slug ? -1 : 1)
  );
}

/**
 * Collections by group. Groups follow the position of their first collection; of those without positions, the
 * collections without a group come first, then groups by name.
 */
export function collectionGroups<C extends Arranged>(
  collections: readonly C[],
): CollectionGroup<C>[] {
  const groups = Map.groupBy(inChosenOrder(collections), ({ group }) => group);
  return [...groups].map(([heading, collections]) => ({ heading, collections }))
    .sort((a, b) =>
      byPosition(a.collections[0]?.position, b.collections[0]?.position) ||
      (a.heading ?? "").localeCompare(b.heading ?? "", "en")
    );
}

function byPosition(a = Infinity, b = Infinity): number {
  return a === b ? 0 : a - b;
}
