import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  geometry,
  heightsFor,
  isTransformable,
  parseTransform,
  TRANSFORM_SIDES,
  transformName,
} from "../../../../kv/model/values/transform.ts";
import { Refusal } from "../../../../kv/refusals.ts";

const parse = (query: string) => parseTransform(new URLSearchParams(query));

Deno.test("parseTransform() reads a size of the set", () => {
  assertEquals(parse("w=640&h=480&fit=contain&format=jpeg&q=50"), {
    width: 640,
    height: 480,
    fit: "contain",
    format: "jpeg",
    quality: 50,
  });
});

Deno.test("parseTransform() spells alike what comes out the same", () => {
  const name = (query: string) => transformName(parse(query));

  assertEquals(name("w=320"), name("w=320&fit=cover&format=webp&q=75"));
  assertEquals(name("w=320&format=png&q=50"), name("w=320&format=png&q=90"));
  assertEquals(name("w=320&h=240"), "w320-h240-cover-q75.webp");
});

Deno.test("parseTransform() refuses every size, format and quality outside the set", () => {
  const refused = [
    "w=4001",
    "w=0",
    "w=-320",
    "w=1e3",
    "w=320.0",
    "w=99999",
    "w=",
    "w=320&w=640",
    "h=0",
    "w=641&h=100",
    "w=640&h=479",
    "w=320&fit=fill",
    "format=avif",
    "format=svg",
    "q=100",
    "w=NaN",
    "w=__proto__",
  ];
  for (const query of refused) {
    const refusal = assertThrows(() => parse(query), Refusal);
    assertEquals(refusal.facts.details?.[0]?.code, "INVALID_CHOICE", query);
  }
});

Deno.test("parseTransform() rounds a side up to the next step, and keeps the shape of a pair", () => {
  const size = (query: string) => {
    const { width, height } = parse(query);
    return [width, height];
  };
  assertEquals(size("w=1"), [160, null]);
  assertEquals(size("w=160"), [160, null]);
  assertEquals(size("w=161"), [320, null]);
  assertEquals(size("w=641"), [960, null]);
  assertEquals(size("w=1920"), [1920, null]);
  assertEquals(size("w=4000"), [1920, null]);
  assertEquals(size("h=500"), [null, 640]);
  assertEquals(size("w=300&h=300"), [320, 320]);
  assertEquals(size("w=400&h=225"), [480, 270]);
  assertEquals(size("w=333&h=250"), [480, 360]);
});

Deno.test("parseTransform() knows only a few hundred transforms of a picture", () => {
  const names = new Set<string>();
  for (const w of [null, ...TRANSFORM_SIDES]) {
    for (const h of [null, ...(w === null ? TRANSFORM_SIDES : heightsFor(w))]) {
      for (const rest of ["webp", "jpeg", "png"].flatMap((f) => [50, 75, 90].map((q) => [f, q]))) {
        for (const fit of ["cover", "contain"]) {
          const size = (w === null ? "" : `&w=${w}`) + (h === null ? "" : `&h=${h}`);
          names.add(transformName(parse(`format=${rest[0]}&q=${rest[1]}&fit=${fit}${size}`)));
        }
      }
    }
  }
  assert(names.size < 700, String(names.size));
});

Deno.test("geometry() never enlarges, never leaves the source, and fits the box", () => {
  const side = fc.integer({ min: 1, max: 9_000 });
  const box = fc.constantFrom(...TRANSFORM_SIDES, null);
  const fits = fc.constantFrom("cover" as const, "contain" as const);
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  const crops = fc.option(fc.record({ x: part, y: part, width: part, height: part }), {
    nil: undefined,
  });
  fc.assert(fc.property(side, side, box, box, fits, crops, (width, height, w, h, fit, drawn) => {
    const asked = { width: w, height: h, fit, format: "webp", quality: 75 } as const;

    const result = geometry(drawn ? { ...asked, crop: drawn } : asked, { width, height });

    const { crop } = result;
    assert(result.width >= 1 && result.height >= 1);
    assert(result.width <= Math.max(1, width) && result.height <= Math.max(1, height));
    assert(crop.x >= 0 && crop.x + crop.width <= width && crop.width >= 1);
    assert(crop.y >= 0 && crop.y + crop.height <= height && crop.height >= 1);
    assert(result.width <= (w ?? 1920) && result.height <= (h ?? 1920));
  }));
});

Deno.test("geometry() cuts the middle for cover and keeps all for contain", () => {
  const wanted = { width: 160, height: 160, format: "webp", quality: 75 } as const;

  assertEquals(geometry({ ...wanted, fit: "cover" }, { width: 640, height: 320 }), {
    width: 160,
    height: 160,
    crop: { x: 160, y: 0, width: 320, height: 320 },
  });
  assertEquals(geometry({ ...wanted, fit: "contain" }, { width: 640, height: 320 }), {
    width: 160,
    height: 80,
    crop: { x: 0, y: 0, width: 640, height: 320 },
  });
});

Deno.test("isTransformable() refuses animations and pictures too large for the memory", () => {
  assert(isTransformable({ mime: "image/png", width: 4_000, height: 4_000 }));
  assert(!isTransformable({ mime: "image/png", width: 4_000, height: 4_001 }));
  assert(!isTransformable({ mime: "image/gif", width: 1, height: 1 }));
});
