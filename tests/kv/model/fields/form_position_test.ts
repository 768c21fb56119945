import { assertEquals } from "@std/assert";
import {
  formPositionOf,
  formPositions,
  withFormPosition,
} from "../../../../kv/model/fields/form_position.ts";

Deno.test("formPositions() returns tabs with their groups in order, and the side column last", () => {
  const options = [
    { side: true },
    { group: "Search", tab: "More" },
    { group: "Facts" },
    {},
    { tab: "More" },
    { group: "Facts" },
  ];
  assertEquals(formPositions(options.map((options) => ({ options }))), [
    {},
    { group: "Facts" },
    { tab: "More" },
    { tab: "More", group: "Search" },
    { side: true },
  ]);
  assertEquals(formPositions([]), [{}, { side: true }]);
});

Deno.test("withPlace() changes the place and nothing else", () => {
  assertEquals(withFormPosition({ group: "Facts", max: 3 }, { side: true }), {
    side: true,
    max: 3,
  });
  assertEquals(withFormPosition({ side: true, max: 3 }, { tab: "More" }), { max: 3, tab: "More" });
  assertEquals(withFormPosition({ tab: "More" }, {}), {});
  assertEquals(formPositionOf({ side: true, tab: "More" }), { side: true });
});
