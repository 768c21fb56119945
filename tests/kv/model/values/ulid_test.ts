import { assertEquals } from "@std/assert";
import { decodeTime } from "@std/ulid";
import {
  CROCKFORD,
  freshUlids,
  isUlid,
  predecessor,
  successor,
} from "../../../../kv/model/values/ulid.ts";

Deno.test("freshUlids() tells the time that it was asked for, and never the same random part twice", () => {
  const fresh = freshUlids();
  const times = [0, 1, 31, 32, 1_790_000_000_000, 2 ** 48 - 1];
  const ids = Array.from({ length: 3_000 }, (_, n) => fresh(times[n % times.length]!));

  assertEquals(ids.every(isUlid), true);
  assertEquals(ids.map(decodeTime), ids.map((_, n) => times[n % times.length]));
  assertEquals(new Set(ids.map((id) => id.slice(10))).size, ids.length);
});

Deno.test("freshUlids() spells every digit as often, from bytes that are used once", () => {
  let next = 0;
  const fetched: number[] = [];
  const fresh = freshUlids((count) => {
    fetched.push(count);
    return Uint8Array.from({ length: count }, () => next++ % 256);
  });

  const digits = Array.from({ length: 1_024 }, () => fresh(0).slice(10)).join("");

  const counts = new Map<string, number>();
  for (const digit of digits) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  assertEquals([...counts.keys()].sort().join(""), CROCKFORD);
  assertEquals(new Set(counts.values()), new Set([digits.length / 32]));
  assertEquals(fetched.reduce((sum, count) => sum + count), digits.length);
  assertEquals(fetched.length <= 16, true);
});

Deno.test("successor() counts up as a number does, and predecessor() down again", () => {
  const pairs = [
    ["01M8EN9KM900631C64GA9FVFWY", "01M8EN9KM900631C64GA9FVFWZ"],
    ["01M8EN9KM900631C64GA9FVFZZ", "01M8EN9KM900631C64GA9FVG00"],
    ["01M8EN9KM9ZZZZZZZZZZZZZZZZ", "01M8EN9KMA0000000000000000"],
  ] as const;
  for (const [before, after] of pairs) {
    assertEquals([successor(before), predecessor(after)], [after, before]);
  }
  const fresh = freshUlids();
  for (let n = 0; n < 1_000; n++) {
    const id = fresh(n);
    assertEquals([predecessor(successor(id)), successor(id) > id], [id, true]);
  }
  assertEquals(predecessor("0".repeat(26)), "Z".repeat(26));
});
