import { assertEquals } from "@std/assert";
import { compactIndexKind } from "../../../jobs/kinds/compact_index.ts";
import { Runner } from "../../../jobs/runner/runner.ts";
import { indexDeltaPrefix, indexManifestKey } from "../../../kv/index/index_keys.ts";
import { requestCompaction } from "../../../kv/index/segments/compaction_request.ts";
import { recordDelta } from "../../../kv/index/segments/delta.ts";
import type { Manifest } from "../../../kv/index/segments/manifest.ts";
import { COMPACTION_ROWS_MIN } from "../../../kv/tuning.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { rowOf } from "../../support/harness/list_harness.ts";
import { type TestApp, testApp } from "../../support/sites/app.ts";

const ROWS = COMPACTION_ROWS_MIN + 50;
const ROWS_PER_COMMIT = 50;

/** Adds rows to the delta of a collection, as bulk writes do. */
async function addRows({ context, deps }: TestApp, collectionId: string, from: number) {
  for (let start = from; start < from + ROWS; start += ROWS_PER_COMMIT) {
    const operation = new Operation();
    const epoch = await deps.content.index.readEpoch(collectionId);
    const end = Math.min(start + ROWS_PER_COMMIT, from + ROWS);
    for (let n = start; n < end; n++) recordDelta(operation, collectionId, epoch, rowOf(n));
    await context.store.commit(operation);
  }
}

async function compact({ context }: TestApp, id: string, runner: Runner): Promise<void> {
  const operation = new Operation();
  requestCompaction(operation, context, { id });
  await context.store.commit(operation);
  await runner.drain();
}

Deno.test("COMPACT_INDEX leaves rows that arrive during its run to the next one", async () => {
  await using site = await testApp();
  const { context: { store }, deps: { content } } = site;
  await site.collection({ slug: "notes", name: "Notes" });
  const [{ id } = { id: "" }] = (await content.schema.current()).collections;
  const kind = compactIndexKind(content);
  let calls = 0;
  const steps = {
    compact: async (work: Parameters<typeof kind.steps[string]>[0]) => {
      const outcome = await kind.steps.compact?.(work);
      if (++calls === 1) await addRows(site, id, ROWS);
      return outcome ?? { kind: "fail" as const, reason: "No such step" };
    },
  };
  const runner = new Runner(site.context, { kinds: [{ ...kind, steps }] });
  const sizes = async () => {
    const { value } = await store.get<Manifest>(indexManifestKey(id));
    return value?.segments.map(({ rows }) => rows);
  };
  await addRows(site, id, 0);

  await compact(site, id, runner);

  assertEquals(await sizes(), [ROWS]);
  assertEquals((await store.listAll({ prefix: indexDeltaPrefix(id) })).length, ROWS);
  site.context.advance(10_000);
  await compact(site, id, runner);
  assertEquals(await sizes(), [ROWS, ROWS]);
});
