import { assertEquals } from "@std/assert";
import { shrink, shrinkFactor } from "../../../jobs/images/shrink.ts";

Deno.test("shrink() averages squares and drops the remainder", () => {
  const pixels = [0, 40, 90, 200, 80, 120, 7, 9].flatMap((grey) => [grey, grey, grey, 255]);
  const picture = new ImageData(Uint8ClampedArray.from(pixels.slice(0, 24)), 3, 2);

  const small = shrink(picture, 2);

  assertEquals([small.width, small.height], [1, 1]);
  assertEquals([...small.data], [80, 80, 80, 255]);
});

Deno.test("shrink() lets transparent pixels have no color", () => {
  const pixels = [255, 0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0];
  const picture = new ImageData(Uint8ClampedArray.from(pixels), 2, 2);

  assertEquals([...shrink(picture, 2).data], [255, 0, 0, 64]);
  assertEquals([...shrink(new ImageData(2, 2), 2).data], [0, 0, 0, 0]);
});

Deno.test("shrinkFactor() leaves at least the wanted size", () => {
  const factor = (width: number, height: number) =>
    shrinkFactor({ width: 4_000, height: 3_000 }, { width, height });

  assertEquals(factor(640, 480), 6);
  assertEquals(factor(2_000, 1_500), 2);
  assertEquals(factor(2_001, 1_500), 1);
  assertEquals(factor(4_000, 3_000), 1);
  assertEquals(factor(1, 1), 3_000);
});
