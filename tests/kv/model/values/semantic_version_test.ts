import { assert, assertEquals } from "@std/assert";
import {
  compareVersion,
  fitsApi,
  isRange,
  isVersion,
} from "../../../../kv/model/values/semantic_version.ts";

Deno.test("compareVersion() has the order of the specification", () => {
  const ordered = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2"]
    .concat(["1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0"])
    .concat(["999999999.0.0"]);
  for (const [index, version] of ordered.entries()) {
    assert(isVersion(version), version);
    for (const [other, than] of ordered.entries()) {
      assertEquals(Math.sign(compareVersion(version, than)), Math.sign(index - other));
    }
  }
});

Deno.test("isVersion() and isRange() refuse everything that could be read in two ways", () => {
  const odd = ["", "1", "1.0", "1.0.0.0", "01.0.0", "1.0.0-01", "1.0.0-", "1.0.0+b", "v1.0.0"];
  assertEquals(
    [...odd, "1.0.0 ", "1000000000.0.0", "1.0.0-a".padEnd(70, "a")].filter(isVersion),
    [],
  );
  const ranges = [">=1 <2", "^1.0.0", "~1.0", "1.x", "1", ">=1.0.0 <2.0.0"];
  assertEquals(ranges.filter((range) => isRange(range) && fitsApi(range)), ranges);
  assertEquals(
    [">=2 <3", "<1", "0.x", "^2.0.0"].filter((range) => isRange(range) && fitsApi(range)),
    [],
  );
  assertEquals(
    ["", "*", ">=1 || <2", "latest", ">= 1", "1 - 2", ">=1".repeat(30)].filter(isRange),
    [],
  );
});
