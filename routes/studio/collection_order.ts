/**
 * The fewest changes of group and position that put collections into an order.
 *
 * @module
 */
import { COLLECTION_POSITION_MAX } from "../../kv/limits/content.ts";
import { type ArrangedCollection, collectionGroups } from "./collection_groups.ts";

/** The gap after a new position at the end: later, a collection fits in without a change of its neighbors. */
const GAP = 10;

/** A collection and the group that it is to have. */
export interface PlacedCollection extends ArrangedCollection {
  newGroup: string | undefined;
}

/** What changes of a collection; the group is empty for none. */
export interface Arrangement {
  slug: string;
  position?: number;
  group?: string;
}

/** The changes that list collections in the given order, group by group. */
export function arrangementsFor(wanted: readonly PlacedCollection[]): Arrangement[] {
  // Collections at the end need no position as long as those that they have sort them.
  for (let count = 0; count < wanted.length; count++) {
    const positions = positionsOf(wanted, count);
    if (isListedAs(wanted, positions)) return changesOf(wanted, positions);
  }
  return changesOf(wanted, positionsOf(wanted, wanted.length));
}

function changesOf(
  wanted: readonly PlacedCollection[],
  positions: readonly (number | undefined)[],
): Arrangement[] {
  return wanted.flatMap(({ slug, group, newGroup, position: before }, index) => {
    const position = positions[index];
    const change = {
      ...(position !== undefined && position !== before && { position }),
      ...(newGroup !== group && { group: newGroup ?? "" }),
    };
    return Object.keys(change).length === 0 ? [] : [{ slug, ...change }];
  });
}

/** Whether the navigation lists collections with these positions in their order. */
function isListedAs(
  wanted: readonly PlacedCollection[],
  positions: readonly (number | undefined)[],
): boolean {
  const arranged = wanted.map(({ slug, newGroup }, index) => ({
    slug,
    group: newGroup,
    position: positions[index],
  }));
  return collectionGroups(arranged).flatMap(({ collections }) => collections)
    .every(({ slug }, index) => slug === wanted[index]?.slug);
}

/** Positions of which the first `count` ascend, with as many as possible of the present ones. */
function positionsOf(wanted: readonly PlacedCollection[], count: number): (number | undefined)[] {
  const positions = wanted.map(({ position }) => position);
  let below = -1;
  let start = 0;
  const next = Math.min(...positions.slice(count).map((position) => position ?? Infinity));
  for (const end of [...keptIndices(wanted, count), count]) {
    const between = end - start + 1;
    const above = end < count ? positions[end] : next - below < between ? undefined : next;
    const room = Math.min(above ?? Infinity, COLLECTION_POSITION_MAX + 1) - below;
    const step = end < count ? room / between : Math.min(GAP, room / between);
    for (let index = start; index < end; index++) {
      positions[index] = below + Math.floor(step * (index - start + 1));
    }
    below = above ?? below;
    start = end + 1;
  }
  return positions;
}

/**
 * The most of the first `count` collections that can keep their position: the longest ascending run with room
 * for all that stand between. Those that change their group are written anyway.
 */
function keptIndices(wanted: readonly PlacedCollection[], count: number): number[] {
  /** The last index of the run of each length that ends lowest. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  const spare = (index: number) => (wanted[index]?.position ?? -1) - index;
  for (let index = 0; index < count; index++) {
    const { group, newGroup, position = -1 } = wanted[index] ?? {};
    const isAmple = position >= index && position + count - index <= COLLECTION_POSITION_MAX + 1;
    if (group !== newGroup || !isAmple) continue;
    const longer = ends.findIndex((end) => spare(end) > spare(index));
    const length = longer < 0 ? ends.length : longer;
    before[index] = ends[length - 1];
    ends[length] = index;
  }
  const kept: number[] = [];
  for (let index = ends.at(-1); index !== undefined; index = before[index]) kept.unshift(index);
  return kept;
}
