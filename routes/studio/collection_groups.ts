/**
 * Collections in the order and under the headings that the site has chosen for them.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";

/** The properties of a collection that arrange it. */
export interface ArrangedCollection {
  slug: string;
  group?: string | undefined;
  position?: number | undefined;
}

/** Collections under one heading. */
export interface CollectionGroup<C extends ArrangedCollection = Collection> {
  /** Undefined for those without a group. */
  heading: string | undefined;
  collections: C[];
}

/** Collections by position; those without one follow by slug. */
function inChosenOrder<C extends ArrangedCollection>(collections: readonly C[]): C[] {
  return [...collections].sort((a, b) =>
    byPosition(a.position, b.position) || (a.slug < b.slug ? -1 : 1)
  );
}

/**
 * Collections by group. Groups follow the position of their first collection; of those without positions, the
 * collections without a group come first, then groups by name.
 */
export function collectionGroups<C extends ArrangedCollection>(
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
