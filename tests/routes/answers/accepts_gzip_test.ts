import { acceptsGzip } from "../../../routes/answers/accepts_gzip.ts";
import { assertEquals } from "../../support/harness/assert.ts";

const CASES: [string | undefined, boolean][] = [
  [undefined, false],
  ["", false],
  ["identity", false],
  ["br, deflate", false],
  ["gzipped", false],
  ["gzip;q=0", false],
  ["gzip; Q=0.000, *", false],
  ["*;q=0", false],
  ["gzip;q=nothing", false],
  ["gzip", true],
  ["x-gzip", true],
  ["br, GZIP ; q=0.1", true],
  ["*", true],
  ["*;q=0, gzip", true],
];

for (const [header, accepted] of CASES) {
  Deno.test(`acceptsGzip() says ${accepted} to ${JSON.stringify(header)}`, () => {
    assertEquals(acceptsGzip(header), accepted);
  });
}
