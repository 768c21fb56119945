import { cutsOf } from "../../../jobs/render/views/srcset.ts";
import { type CutName, CUTS, parseTransform } from "../../../kv/model/values/transform.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";

const PATH = "/media/M/a.jpg";

Deno.test("cutsOf() offers each shape in the widths that the image has, at addresses that are served", () => {
  for (const [width, height] of [[1300, 800], [300, 900], [1, 1], [160, 90], [5000, 200]]) {
    const medium = { mime: "image/jpeg", width: width!, height: height! } as const;
    for (const [name, cut] of Object.entries(cutsOf(PATH, medium, true))) {
      const ratio = CUTS[name as CutName];
      const offered = cut.srcset === "" ? [] : cut.srcset.split(", ");
      for (const one of [`${cut.path} ${cut.width}w`, ...offered]) {
        const [address, wide] = one.split(" ") as [string, string];
        const asked = parseTransform(new URL(address, "https://example.org").searchParams);
        assertEquals(asked.fit, "cover");
        assertEquals(asked.height, Math.round(asked.width! * ratio));
        assert(parseInt(wide) <= Math.max(width!, 160), one);
        if (offered.includes(one)) assertEquals(`${asked.width}w`, wide);
      }
      assert(cut.width <= width! && cut.height <= Math.max(1, height!), `${name} ${cut.height}`);
    }
  }
  const { wide, square } = cutsOf(PATH, { mime: "image/jpeg", width: 500, height: 300 }, true);
  assertEquals(wide, {
    path: `${PATH}?w=480&h=270`,
    srcset: `${PATH}?w=160&h=90 160w, ${PATH}?w=320&h=180 320w, ${PATH}?w=480&h=270 480w`,
    width: 480,
    height: 270,
  });
  assertEquals(square.path, `${PATH}?w=160&h=160`);
});

Deno.test("cutsOf() leaves an image as it is that is not resized", () => {
  const whole = { path: PATH, srcset: "", width: 900, height: 600 };
  const sized = { width: 900, height: 600 };
  assertEquals(cutsOf(PATH, { mime: "image/png", ...sized }, false).wide, whole);
  assertEquals(cutsOf(PATH, { mime: "image/gif", ...sized }, true).square, whole);
});
