import { collectionGroups } from "../../../routes/studio/collection_groups.ts";
import {
  type Arrangement,
  arrangementsFor,
  type PlacedCollection,
} from "../../../routes/studio/collection_order.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";

type Arranged = Omit<PlacedCollection, "newGroup">;

/** Collections from `slug`, `slug@position` and `slug@position/group`, as they are listed. */
function site(...texts: string[]): Arranged[] {
  const collections = texts.map((text) => {
    const [, slug = "", position, group] = /^(\w+)(?:@(\d+))?(?:\/(\w+))?$/.exec(text) ?? [];
    return { slug, group, position: position === undefined ? undefined : Number(position) };
  });
  return listed(collections);
}

function listed(collections: Arranged[]): Arranged[] {
  return collectionGroups(collections).flatMap(({ collections }) => collections);
}

/** Moves a collection to an index, into the group of a neighbor; answers the order and the changes. */
function move(collections: Arranged[], slug: string, index: number, group?: string) {
  const moved = collections.find((one) => one.slug === slug);
  assert(moved !== undefined);
  const placed = collections.filter((one) => one !== moved)
    .map((one): PlacedCollection => ({ ...one, newGroup: one.group }));
  placed.splice(index, 0, { ...moved, newGroup: group });
  const changes = arrangementsFor(placed);
  return { wanted: placed.map(({ slug }) => slug), changes, after: applied(collections, changes) };
}

function applied(collections: Arranged[], changes: Arrangement[]): Arranged[] {
  return listed(collections.map((one) => {
    const change = changes.find(({ slug }) => slug === one.slug);
    if (change === undefined) return one;
    const group = change.group === undefined ? one.group : change.group || undefined;
    return { slug: one.slug, group, position: change.position ?? one.position };
  }));
}

Deno.test("an order that is there already changes nothing", () => {
  const collections = site("a", "b", "c@4", "d/Shop", "e@7/Shop");
  const { changes } = move(collections, "b", collections.findIndex(({ slug }) => slug === "b"));
  assertEquals(changes, []);
});

Deno.test("between positions with room, only the moved collection is written", () => {
  const collections = site("a@0", "b@10", "c@20", "d@30");
  assertEquals(move(collections, "d", 1).changes, [{ slug: "d", position: 5 }]);
  assertEquals(move(collections, "a", 3).changes, [{ slug: "a", position: 40 }]);
  // The lowest position stays where nothing fits below it.
  assertEquals(move(collections, "b", 0).changes, [{ slug: "a", position: 15 }]);
});

Deno.test("collections without positions get them up to the moved one, the others stay", () => {
  const { changes, after } = move(site("a", "b", "c", "d", "e"), "c", 0);
  assertEquals(changes.map(({ slug }) => slug), ["c"]);
  assertEquals(after.map(({ slug }) => slug), ["c", "a", "b", "d", "e"]);
});

Deno.test("a collection that changes its group is written once, with group and position", () => {
  const collections = site("a@0", "b@10", "x@20/Shop", "y@30/Shop");
  const into = move(collections, "b", 2, "Shop");
  assertEquals(into.changes, [{ slug: "b", position: 25, group: "Shop" }]);
  assertEquals(into.after.map(({ slug, group }) => [slug, group]), [
    ["a", undefined],
    ["x", "Shop"],
    ["b", "Shop"],
    ["y", "Shop"],
  ]);
  const out = move(collections, "y", 1);
  assertEquals(out.changes, [{ slug: "y", position: 5, group: "" }]);
});

Deno.test("any move of any site is listed as it was made, and writes no more than all of it", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = seed * 1_103_515_245 + 12_345 & 0x7fffffff;
    return (seed >> 8) % below;
  };
  for (let turn = 0; turn < 2_000; turn++) {
    let collections = site(...Array.from({ length: 1 + random(9) }, (_, n) => {
      const position = random(2) === 0 ? "" : `@${random(3) === 0 ? random(4) : random(40)}`;
      return `c${n}${position}${["", "/Shop", "/Team"][random(3)]}`;
    }));
    for (let moves = 0; moves < 3; moves++) {
      const rest = collections.filter((_, n) => n > 0);
      const slug = collections[0]?.slug ?? "";
      const index = random(collections.length);
      const neighbor = rest[index - 1] ?? rest[index];
      const { wanted, changes, after } = move(collections, slug, index, neighbor?.group);
      assertEquals(after.map(({ slug }) => slug), wanted);
      assert(changes.length <= collections.length);
      collections = after;
    }
  }
});
