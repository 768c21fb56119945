import { assertEquals, assertRejects } from "@std/assert";
import { readAhead } from "../../../kv/store/read_ahead.ts";

/** Numbers up to `count`, which notes what is asked for and that it was ended. */
function noted(count: number, failsAt = Infinity) {
  const asked: (number | "end")[] = [];
  const numbers = async function* () {
    try {
      for (let number = 1; number <= count; number++) {
        asked.push(number);
        if (number === failsAt) throw new RangeError("No more");
        await Promise.resolve();
        yield number;
      }
    } finally {
      asked.push("end");
    }
  };
  return { asked, entries: numbers() };
}

Deno.test("readAhead() asks for what comes next before it gives what it has", async () => {
  for (const count of [0, 1, 4, 5, 6, 8, 13]) {
    const { asked, entries } = noted(count);
    const given: number[][] = [];
    for await (const some of readAhead(entries, 4)) {
      given.push(some);
      const until = given.flat().length;
      if (until < count) assertEquals(asked.at(-1), until + 1, "of the next ones the first");
    }
    const all = Array.from({ length: count }, (_, at) => at + 1);
    assertEquals(given.flat(), all);
    assertEquals(given.slice(0, -1).every((some) => some.length === 4), true);
  }
});

Deno.test("readAhead() requests nothing beyond the likely range, and still returns it", async () => {
  const { asked, entries } = noted(10);
  const reading = readAhead(entries, 4, 8);
  assertEquals((await reading.next()).value, [1, 2, 3, 4]);
  assertEquals((await reading.next()).value, [5, 6, 7, 8]);
  assertEquals(asked.at(-1), 8);
  assertEquals((await reading.next()).value, [9, 10]);
});

Deno.test("readAhead() ends its reads when the consumer stops, and passes failures on", async () => {
  const { asked, entries } = noted(10);
  for await (const _ of readAhead(entries, 4)) break;
  assertEquals(asked, [1, 2, 3, 4, 5, "end"]);

  const failing = noted(10, 5);
  const reading = readAhead(failing.entries, 4);
  assertEquals((await reading.next()).value, [1, 2, 3, 4]);
  await assertRejects(() => reading.next(), RangeError, "No more");
});
