/**
 * Generated histories over all entity types, with spillover, compaction, pruning, restores of single versions
 * and of the whole site: state-at, diffs and restores are what a naive memory says.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { findJob } from "../../kv/jobs/jobs.ts";
import { type CurrentRow } from "../../kv/versioning/entities.ts";
import { currentPrefix, slugKey } from "../../kv/keys.ts";
import { STATUSES } from "../../kv/model/entities/document.ts";
import type { Json, State } from "../../kv/model/entities/entity.ts";
import { type EntityType, SITE_TYPES } from "../../kv/model/entities/entity_kinds.ts";
import { pruneEntity } from "../../kv/history/prune.ts";
import { Refusal } from "../../kv/refusals.ts";
import { restoreVersion } from "../../kv/history/restore/restore_version.ts";
import { requestSiteRestore } from "../../kv/history/site_restore/request.ts";
import { siteAt, siteDiff } from "../../kv/history/state_at.ts";
import { compactTimeline } from "../../kv/history/timeline/compaction.ts";
import { Timeline } from "../../kv/history/timeline/timeline.ts";
import { listVersions } from "../../kv/versioning/versions.ts";
import {
  type HarnessStep,
  HistoryHarness,
  type Memory,
} from "../support/harness/history_harness.ts";
import { seedCount } from "../support/harness/whole_run.ts";

const step: fc.Arbitrary<HarnessStep> = fc.record({
  action: fc.nat(1_000),
  which: fc.nat(60),
  what: fc.nat(3),
  seconds: fc.constantFrom(0, 0, 1, 2),
});

const event = fc.oneof(
  { weight: 20, arbitrary: step.map((harness) => ({ kind: "step" as const, harness })) },
  { weight: 1, arbitrary: fc.constant({ kind: "compact" as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restore" as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("prune" as const), keep: fc.constantFrom(1, 2) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("travel" as const), back: fc.nat(30) }) },
);

/** Types whose pruning leaves only holes of its own; a hole in the schema or in people has others follow. */
const PRUNED: readonly EntityType[] = ["document", "theme", "plugin", "api_token"];

async function checkInstant(harness: HistoryHarness, timeline: Timeline, instant: number) {
  const memory = harness.at(instant);
  const found = await siteAt(harness.context, timeline, instant);
  for (const type of SITE_TYPES) {
    const expected = [...memory.values()].filter((one) => one.type === type);
    const { count, sample, complete = true } = found.entities[type];
    assertEquals([type, count], [type, expected.length]);
    const kept = await Promise.all(expected.map((one) => harness.isKept(one)));
    assertEquals([type, complete], [type, kept.every((isKept) => isKept)]);
    const shown = kept.filter((isKept) => isKept).length;
    if (type !== "setting") assertEquals(sample.length, Math.min(5, shown));
    for (const one of sample) assertSample(type, one, memory);
  }
}

function assertSample(type: EntityType, sample: Record<string, Json>, memory: Memory): void {
  if (type === "setting") {
    assert(!String(sample.key).startsWith("secret."));
    return;
  }
  const { state } = memory.get(`${type} ${sample.id}`)!;
  for (const [key, value] of Object.entries(sample)) {
    const name = type === "media_metadata" && key === "name" ? "filename" : key;
    assertEquals(value, state[name]);
  }
}

async function checkDiff(harness: HistoryHarness, timeline: Timeline, from: number, to: number) {
  const [before, after] = [harness.at(from), harness.at(to)];
  const diff = await siteDiff(harness.context, timeline, from, to);
  for (const type of SITE_TYPES) {
    const of = (memory: Memory) => [...memory].filter(([, one]) => one.type === type);
    const { created, changed, removed } = diff.entities[type];
    assertEquals([type, created.count, changed.count, removed.count], [
      type,
      of(after).filter(([key]) => !before.has(key)).length,
      of(after).filter(([key, { n }]) => (before.get(key)?.n ?? n) !== n).length,
      of(before).filter(([key]) => !after.has(key)).length,
    ]);
  }
}

/** Restores some version of some entity. */
async function restoreOne(harness: HistoryHarness, which: number): Promise<void> {
  const { content, people } = harness.app.deps;
  const type = SITE_TYPES[which % SITE_TYPES.length]!;
  try {
    const id = await harness.pick(type, which >> 4);
    const { versions } = await listVersions(harness.context, type, id, { skip: 0, limit: 99 });
    const { id: versionId } = versions[(which >> 6) % versions.length]!;
    await restoreVersion({ content, access: people.access }, { userId: null }, versionId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  await harness.remember();
}

async function prune(harness: HistoryHarness, keep: number): Promise<void> {
  for (const type of PRUNED) {
    const rows = await harness.context.store.listAll<CurrentRow>({ prefix: currentPrefix(type) });
    for (const { key, value } of rows) {
      const id = key.at(-1) as string;
      await pruneEntity(harness.context, [], type, { id, current: value!, keep });
    }
  }
}

/** A state as it is restored: who is there keeps their password. */
function withoutPassword({ passwordHash: _hash, passwordId: _id, ...rest }: State): State {
  return rest;
}

async function travel(harness: HistoryHarness, instant: number): Promise<void> {
  const present = harness.at(harness.now);
  const expected = harness.at(instant);
  const lost = new Set<string>();
  for (const [key, one] of expected) {
    const isPresent = present.get(key)?.n === one.n;
    if (!isPresent && !(await harness.isKept(one))) lost.add(key);
  }
  const jobId = await requestSiteRestore(harness.context, { userId: harness.userId }, {
    timestamp: instant,
  });
  await harness.app.runner.drain();
  const job = (await findJob(harness.context.store, jobId))!;
  assertEquals([job.state, job.error], ["done", null]);
  harness.context.advance(1_000);
  await harness.remember();

  const after = harness.at(harness.now);
  const left = new Set(
    Object.values(job.results).flatMap((result) =>
      ((result as { named?: { type: string; id: string }[] } | null)?.named ?? [])
        .map(({ type, id }) => `${type} ${id}`)
    ),
  );
  for (const key of lost) assert(left.has(key));
  // Without a hole nothing is in the way.
  if (lost.size === 0) assertEquals([...left], []);
  for (const key of new Set([...expected.keys(), ...after.keys()])) {
    const wanted = left.has(key) ? present.get(key) : expected.get(key);
    const found = after.get(key);
    assertEquals([key, found && withoutPassword(found.state)], [
      key,
      wanted && withoutPassword(wanted.state),
    ]);
    if (found !== undefined && !left.has(key)) assert(found.n > (present.get(key)?.n ?? 0));
  }
  await checkFollowers(harness);
}

/** Slugs lead to their documents, and lists show what is there. */
async function checkFollowers(harness: HistoryHarness): Promise<void> {
  const { content } = harness.app.deps;
  const { collections } = await content.schema.current();
  const documents = [...harness.at(harness.now).values()].filter(({ type }) => type === "document");
  for (const collection of collections) {
    const own = documents.filter(({ state }) => state.collectionId === collection.id);
    for (const { id, state } of own) {
      if (state.status === "trashed") continue;
      const reservation = await harness.context.store.get(
        slugKey(collection.id, state.slug as string),
      );
      assertEquals(reservation.value, id);
    }
    const { rows } = await content.index.list({
      collections: [collection],
      statuses: STATUSES,
      sort: [{ by: "createdAt", descending: false }],
      offset: 0,
      limit: 1_000,
    });
    assertEquals(
      rows.map(({ id, n }) => `${id} ${n}`).sort(),
      own.map(({ id, n }) => `${id} ${n}`).sort(),
    );
  }
}

Deno.test("siteAt(), siteDiff() and RESTORE equal a naive memory of any history", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 20, maxLength: 80, size: "max" }),
      fc.array(fc.nat(30), { minLength: 2, maxLength: 2 }),
      async (events, backs) => {
        await using harness = await HistoryHarness.open();
        const timeline = new Timeline(harness.context.store);
        for (const one of events) {
          if (one.kind === "step") await harness.step(one.harness);
          if (one.kind === "restore") await restoreOne(harness, one.which);
          if (one.kind === "prune") await prune(harness, one.keep);
          if (one.kind === "travel") {
            await travel(harness, Math.max(harness.memories[0]!.at, harness.now - one.back));
          }
          if (one.kind === "compact") {
            for (const type of SITE_TYPES) {
              await compactTimeline(harness.context, type, { eventsMin: 1 });
            }
          }
        }
        const instants = [
          ...backs.map((back) => harness.now - back),
          harness.now,
          harness.now + 10,
        ];
        for (const instant of instants) await checkInstant(harness, timeline, instant);
        await checkDiff(harness, timeline, instants[0]!, instants[1]!);
      },
    ),
    { numRuns: seedCount(10, 30) },
  );
});
