import { assertEquals } from "@std/assert";
import { AssumedEntries } from "../../../../kv/store/commits/assumption.ts";
import type { Entry } from "../../../../kv/store/operation.ts";
import { ASSUMED_PROBES, ASSUMED_ROWS_BYTES_MAX } from "../../../../kv/tuning.ts";

const SHARED = ["schema"];
const OWN = ["live", "document", "1"];

function entry(key: string[], versionstamp: string | null, value: unknown = 1): Entry {
  return { key, value, versionstamp };
}

Deno.test("the assumption about a document is given to one writer at a time", () => {
  const assumed = new AssumedEntries();
  assumed.note(entry(SHARED, "05"));
  assertEquals(assumed.take([SHARED], [OWN]), null);
  assumed.note(entry(OWN, null, null));
  assertEquals(assumed.take([SHARED], [OWN])?.map(({ versionstamp }) => versionstamp), [
    "05",
    null,
  ]);
  assertEquals(assumed.take([SHARED], [OWN]), null);
  assertEquals(assumed.take([SHARED], [])?.length, 1);
  assumed.held([entry(OWN, null, null)]);
  assertEquals(assumed.take([SHARED], [OWN])?.length, 2);
});

Deno.test("assumptions known to be newer stay, and large ones are evicted", () => {
  const assumed = new AssumedEntries();
  for (const versionstamp of ["07", "06", null]) assumed.note(entry(OWN, versionstamp));
  assumed.held([entry(OWN, "05")]);
  assertEquals(assumed.take([OWN], [])?.[0]?.versionstamp, "07");
  for (let n = 0; n < 8; n++) {
    assumed.note(entry(["large", `${n}`], "08", new Uint8Array(ASSUMED_ROWS_BYTES_MAX / 4)));
  }
  assertEquals(assumed.take([["large", "0"]], []), null);
  assertEquals(assumed.take([["large", "7"]], [])?.length, 1);
});

Deno.test("where assumptions fail, a few are still tried until they hold again", () => {
  const assumed = new AssumedEntries();
  const tries = (count: number) => {
    let taken = 0;
    for (let n = 0; n < count; n++) {
      assumed.note(entry(OWN, "05"));
      if (assumed.take([], [OWN]) !== null) taken += 1;
    }
    return taken;
  };
  assertEquals(tries(10), 10);
  for (let n = 0; n < 8; n++) assumed.failed();
  assertEquals(tries(10 * ASSUMED_PROBES), 10);
  // Tokens and definitions change seldom, whatever becomes of documents.
  assumed.note(entry(SHARED, "05"));
  assertEquals(assumed.take([SHARED], [])?.length, 1);
  for (let n = 0; n < 20; n++) assumed.held([]);
  assertEquals(tries(10), 10);
});
