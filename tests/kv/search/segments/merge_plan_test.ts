import { assert, assertEquals } from "@std/assert";
import type { SearchManifest, SegmentInfo } from "../../../../kv/search/segments/manifest.ts";
import { planMerge } from "../../../../kv/search/segments/merge_plan.ts";

function manifestOf(
  sizes: [documents: number, epoch?: number][],
  rebuild?: number,
): SearchManifest {
  const segments = sizes.map(([documents, epoch = 0], n): SegmentInfo => ({
    id: String(n),
    epoch,
    documents,
    tombstones: 0,
    bytes: 0,
    headBytes: 0,
  }));
  return {
    epoch: 9,
    firstEpoch: 0,
    segments,
    rebuild: rebuild === undefined ? null : { id: "r", epoch: rebuild },
  };
}

Deno.test("planMerge() merges four of a size, and leaves larger ones alone", () => {
  assertEquals(planMerge(manifestOf([[90_000], [4_000], [4_000], [4_000]])), null);
  assertEquals(planMerge(manifestOf([[90_000], [4_000], [4_000], [4_000], [4_000], [10]])), {
    start: 1,
    end: 6,
    keepTombstones: true,
  });
  assertEquals(planMerge(manifestOf([[1], [2], [3], [4]])), {
    start: 0,
    end: 4,
    keepTombstones: false,
  });
});

Deno.test("planMerge() keeps apart what a rebuild will replace", () => {
  const old: [number, number][] = [[10, 1], [10, 1], [10, 1]];
  assertEquals(planMerge(manifestOf([...old, [10, 5]], 5)), null);
  assertEquals(planMerge(manifestOf([...old, [10, 2], [10, 5]], 5)), {
    start: 0,
    end: 4,
    keepTombstones: false,
  });
  assertEquals(planMerge(manifestOf([[10, 5], [10, 5], [10, 6], [10, 7]], 5)), {
    start: 0,
    end: 4,
    keepTombstones: true,
  });
});

Deno.test("planMerge() rewrites a document a few times only, and keeps few segments", () => {
  let segments: SegmentInfo[] = [];
  let written = 0;
  let most = 0;
  for (let n = 0; n < 2_000; n++) {
    segments.push(manifestOf([[256]]).segments[0]!);
    written += 256;
    for (;;) {
      const plan = planMerge({ ...manifestOf([]), segments });
      if (plan === null) break;
      const documents = segments.slice(plan.start, plan.end)
        .reduce((sum, segment) => sum + segment.documents, 0);
      written += documents;
      const [merged] = manifestOf([[documents]]).segments;
      segments = segments.toSpliced(plan.start, plan.end - plan.start, merged!);
    }
    most = Math.max(most, segments.length);
  }
  assert(most <= 20, `${most} segments`);
  assert(written <= 7 * 2_000 * 256, `Each document is written ${written / 2_000 / 256} times`);
});
