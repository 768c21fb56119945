import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { CHUNK_BYTES } from "../../../../kv/limits/store.ts";
import {
  blockBytes,
  mergeBlocks,
  once,
  readBlock,
} from "../../../../kv/versioning/timeline/blocks.ts";
import {
  CHANGED,
  CREATED,
  entityCount,
  type Events,
  EventsBuilder,
  eventsOf,
  type LogEvent,
  PRUNED,
} from "../../../../kv/versioning/timeline/events.ts";
import { readId } from "../../../../kv/index/segments/id_words.ts";

const idOf = (index: number) => `01KT1GW6G0${index.toString().padStart(16, "0")}`;

/** Versions 1 to `count` of an entity. */
function versions(index: number, count: number): LogEvent[] {
  return Array.from(
    { length: count },
    (_, n) => ({ id: idOf(index), n: n + 1, at: 100 + n, kind: n === 0 ? CREATED : CHANGED }),
  );
}

/** Blocks by way of their bytes, and everything that is in them. */
async function merged(parts: LogEvent[][]): Promise<{ blocks: Events[]; all: Events }> {
  const blocks: Events[] = [];
  for await (const block of mergeBlocks(parts.map((part) => once(eventsOf(part))))) {
    const bytes = blockBytes(block);
    assert(bytes.byteLength <= CHUNK_BYTES);
    blocks.push(readBlock(bytes));
  }
  return { blocks, all: joined(blocks) };
}

function joined(blocks: readonly Events[]): Events {
  const sum = (count: (one: Events) => number) => blocks.reduce((all, one) => all + count(one), 0);
  const builder = new EventsBuilder(sum(entityCount), sum(({ at }) => at.length));
  for (const block of blocks) builder.append(block);
  return builder.finish();
}

Deno.test("mergeBlocks() cuts many events into values of the store and loses none", async () => {
  const log = [...versions(1, 20_000), ...versions(2, 1), ...versions(3, 9_000)];
  const even = log.filter((_, index) => index % 2 === 0);
  const odd = log.filter((_, index) => index % 2 === 1 || index % 10 === 0);

  const { blocks, all } = await merged([even, odd]);

  assert(blocks.length >= 4);
  assertEquals(all, eventsOf(log));
  // Full ones, not one for each event.
  for (const block of blocks.slice(0, -1)) {
    assert(blockBytes(block).byteLength > CHUNK_BYTES - 100);
  }
});

Deno.test("mergeBlocks() holds as many entities as fit when each has one version", async () => {
  const log = Array.from({ length: 10_000 }, (_, index) => versions(index, 1)).flat();

  const { blocks, all } = await merged([log.slice(0, 100), log.slice(50, 9_000), log.slice(8_000)]);

  assertEquals(all, eventsOf(log));
  assertEquals(entityCount(all), 10_000);
  assertEquals(blocks.length, Math.ceil(10_000 * 28 / CHUNK_BYTES));
});

Deno.test("mergeBlocks() makes one mark of those that meet, whatever block they come from", async () => {
  const mark = (at: number, n: number) => ({ id: idOf(7), n, at, kind: PRUNED });
  const marks = [mark(0, 3), mark(5, 9), mark(0, 5), mark(20, 30), mark(12, 13), mark(21, 22)]
    .map((one) => [one]);
  const long = Array.from(
    { length: 3 },
    (_, part) => versions(7, 25_000).filter((_, n) => n % 3 === part),
  );

  const { all } = await merged([...marks, ...long, versions(6, 7_490)]);

  const left = [mark(0, 9), mark(12, 13), mark(20, 30)];
  assertEquals(all, eventsOf([...versions(6, 7_490), ...left, ...versions(7, 25_000)]));
  const row = entityCount(all) - 1;
  const [start, end] = [all.starts[row]!, all.starts[row + 1]!];
  assertEquals(end - start, left.length + 25_000);
});

Deno.test("mergeBlocks() of parts equals sorting all of them, with duplicates and marks", async () => {
  const event: fc.Arbitrary<LogEvent> = fc.record({
    id: fc.nat(9).map(idOf),
    n: fc.integer({ min: 1, max: 60 }),
    kind: fc.constantFrom(CREATED, CHANGED, CHANGED, PRUNED),
    gone: fc.integer({ min: 1, max: 60 }),
  }).map(({ id, n, kind, gone }) => ({
    id,
    n,
    at: kind === PRUNED ? Math.max(0, n - gone) : n,
    // An event that comes twice is the same one.
    kind: kind === PRUNED ? PRUNED : n === 1 ? CREATED : CHANGED,
  }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(event, { maxLength: 60 }), { maxLength: 6 }),
      async (parts) => {
        const { all } = await merged(parts);
        assertEquals(all, eventsOf(parts.flat()));
        for (let row = 1; row < entityCount(all); row++) {
          assert(readId(all.ids, row - 1) < readId(all.ids, row));
        }
      },
    ),
    { numRuns: 200 },
  );
});
