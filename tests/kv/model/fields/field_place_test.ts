import { assertEquals } from "@std/assert";
import { placeOf, placesOf, withPlace } from "../../../../kv/model/fields/field_place.ts";

Deno.test("placesOf() has tabs with their groups in order, and the column beside at the end", () => {
  const options = [
    { side: true },
    { group: "Search", tab: "More" },
    { group: "Facts" },
    {},
    { tab: "More" },
    { group: "Facts" },
  ];
  assertEquals(placesOf(options.map((options) => ({ options }))), [
    {},
    { group: "Facts" },
    { tab: "More" },
    { tab: "More", group: "Search" },
    { side: true },
  ]);
  assertEquals(placesOf([]), [{}, { side: true }]);
});

Deno.test("withPlace() changes the place and nothing else", () => {
  assertEquals(withPlace({ group: "Facts", max: 3 }, { side: true }), { side: true, max: 3 });
  assertEquals(withPlace({ side: true, max: 3 }, { tab: "More" }), { max: 3, tab: "More" });
  assertEquals(withPlace({ tab: "More" }, {}), {});
  assertEquals(placeOf({ side: true, tab: "More" }), { side: true });
});
