/**
 * PUBLISH, UNPUBLISH and SCHEDULE with the process killed between every two awaits: what is public in
 * the end is what it would have been, and what a full rendering makes of the documents.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { SITE_JOB } from "../../kv/pages/rendering_requests.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { createDocument, patchDocument } from "../../kv/documents/documents.ts";
import { publishDocument, scheduleDocument, unpublishDocument } from "../../kv/documents/status.ts";
import type { CurrentRow } from "../../kv/versioning/entities.ts";
import { decodeState } from "../../kv/versioning/state_codec.ts";
import { addJob } from "../../kv/jobs/jobs.ts";
import { currentPrefix, type Key, versionTypePrefix } from "../../kv/keys.ts";
import { duePrefix, jobPrefix } from "../../kv/jobs/job_keys.ts";
import { searchPostingPrefix, searchRemovalPrefix } from "../../kv/search/search_keys.ts";
import { pagePrefix, siteEntryPrefix } from "../../kv/pages/page_keys.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import type { JobRecord } from "../../kv/jobs/job.ts";
import type { PageRow } from "../../kv/pages/pages.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { Operation } from "../../kv/store/operation.ts";
import { anyFailure, type KvPlan, SimulatedKv } from "../support/harness/simulated_kv.ts";
import { Outside, type SimulatedSite, simulatedSite } from "../support/harness/simulated_site.ts";
import { FaultyObjects } from "../support/stores/faulty_objects.ts";
import { isWholeRun, seedCount } from "../support/harness/whole_run.ts";
import { Harness, seededRandom } from "../support/harness/harness.ts";

/** One of so many faults is tried; a whole run tries them all. */
const FAULTS_SKIPPED = 3;
const SEEDS = seedCount(4, 12);

/** Too large for a row once it is rendered. */
const LARGE = Array.from({ length: 12 }, (_, n) => ({
  _type: "block",
  _key: `k${n}`,
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", text: `${n} ${"once upon a time ".repeat(400)}`, marks: [] }],
}));

/** A site with a few published documents, one draft, and nothing left to do. */
interface Fixture {
  harness: Harness;
  kv: SimulatedKv;
  outside: Outside;
  objects: MemoryObjects;
  /** A process that never runs jobs and never fails. */
  client: SimulatedSite;
  ids: { first: string; second: string; draft: string; referring: string };
}

async function createFixture(): Promise<Fixture> {
  const harness = new Harness(7);
  const kv = new SimulatedKv();
  const outside = new Outside();
  const objects = new MemoryObjects({ now: () => harness.now });
  const client = simulatedSite(harness, kv, outside, { objects });
  const { content } = client;
  const create = (slug: string, body: Record<string, never | string | null | object>) =>
    createDocument(content, UNATTENDED, "posts", { title: slug, slug, ...body } as never);
  const ids = await harness.run((async () => {
    await createCollection(
      content,
      UNATTENDED,
      parseCollection({
        slug: "posts",
        name: "Posts",
        fields: [
          { name: "body", type: "rich_text", label: "Body" },
          { name: "lead", type: "text", label: "Lead", required: true },
          {
            name: "related",
            type: "reference",
            label: "Related",
            options: { collection: "posts" },
          },
        ],
      }),
    );
    const first = await create("first", { status: "published", lead: "one" });
    const second = await create("second", { status: "published", lead: "two", body: LARGE });
    const draft = await create("draft", { lead: "three" });
    const referring = await create("referring", {
      status: "published",
      lead: "four",
      related: draft.state.id,
    });
    return {
      first: first.state.id,
      second: second.state.id,
      draft: draft.state.id,
      referring: referring.state.id,
    };
  })());
  const fixture = { harness, kv, outside, objects, client, ids };
  const runner = simulatedSite(harness, kv, outside, { objects });
  await harness.run(runner.siteRunner().drain());
  await harness.pass(5_000);
  await harness.run(runner.siteRunner().drain());
  runner.process.kill();
  return fixture;
}

/** A copy of the fixture. */
async function fork({ harness, kv, objects, ids }: Fixture, seed: number): Promise<Fixture> {
  const next = harness.fork(seed);
  const copy = { harness: next, kv: kv.fork(), outside: new Outside() };
  const copied = new MemoryObjects({ now: () => next.now });
  for await (const { key } of objects.list("")) await copied.put(key, (await objects.get(key))!);
  const client = simulatedSite(next, copy.kv, copy.outside, { objects: copied });
  return { ...copy, objects: copied, client, ids };
}

/** An action on a fixture, and the longest time (ms) after which something is due. */
interface Action {
  name: string;
  act: (fixture: Fixture) => Promise<unknown>;
  waitMs: number;
}

const ACTIONS: Action[] = [
  {
    name: "PUBLISH",
    act: ({ client, ids }) => publishDocument(client.content, UNATTENDED, ids.draft),
    waitMs: 0,
  },
  {
    name: "PUBLISH after a change of slug",
    act: ({ client, ids }) =>
      patchDocument(client.content, UNATTENDED, ids.second, { slug: "moved", title: "Moved" }),
    waitMs: 0,
  },
  {
    name: "UNPUBLISH",
    act: ({ client, ids }) => unpublishDocument(client.content, UNATTENDED, ids.second),
    waitMs: 0,
  },
  {
    name: "SCHEDULE",
    act: ({ harness, client, ids }) =>
      scheduleDocument(
        client.content,
        UNATTENDED,
        ids.draft,
        Math.floor(harness.now / 1000) + 3_600,
      ),
    waitMs: 3_600_000,
  },
];

/** Runs the action's jobs in processes that die as planned, and a last one that does not. */
async function play(
  base: Fixture,
  action: Action,
  plans: KvPlan[],
  options: { seed?: number; objectPlan?: () => "none" | "before" } = {},
): Promise<{ fixture: Fixture; calls: number; commits: Set<number> }> {
  const fixture = await fork(base, options.seed ?? 7);
  const { harness, kv, outside, objects } = fixture;
  const commits = new Set<number>();
  await harness.run(action.act(fixture));
  await harness.pass(action.waitMs);
  const doomed = plans.map((plan, index) =>
    simulatedSite(harness, kv, outside, {
      objects: new FaultyObjects(objects, options.objectPlan),
      skewMs: options.seed === undefined ? 0 : index * 40_000,
      plan: (call) => {
        if (call.method === "commit") commits.add(call.n);
        return plan(call);
      },
    })
  );
  for (const one of doomed) one.siteRunner().start();
  for (let second = 0; second < 8; second++) {
    await harness.pass(1_000);
    if (options.seed !== undefined) {
      doomed[0]!.process.skewMs = (harness.random() - 0.5) * 7_200_000;
    }
  }
  const calls = doomed[0]?.driver.calls ?? 0;
  for (const one of doomed) one.process.kill();
  const last = simulatedSite(harness, kv, outside, { objects });
  last.siteRunner().start();
  await harness.pass(options.seed === undefined ? 90_000 : 3_900_000);
  last.process.kill();
  return { fixture, calls, commits };
}

function pagesOf({ kv }: Fixture): Record<string, unknown> {
  return Object.fromEntries(
    kv.dump(pagePrefix).map(({ key, value }) => {
      const { hash, contentType, tags, documentId } = value as PageRow;
      return [key[1], { hash, contentType, tags, documentId }];
    }),
  );
}

/** Everything public, and everything about documents and jobs that does not depend on the hour. */
function outcomeOf(fixture: Fixture, action: Action) {
  const { kv } = fixture;
  const keysOf = (prefix: Key) => kv.dump(prefix).map(({ key }) => key);
  const pages = pagesOf(fixture);
  const jobs = kv.dump(jobPrefix).map(({ value }) => value as JobRecord);
  return {
    pages: action.name === "SCHEDULE" ? Object.keys(pages) : pages,
    entries: keysOf(siteEntryPrefix),
    postings: keysOf(searchPostingPrefix),
    removals: keysOf(searchRemovalPrefix),
    due: keysOf(duePrefix),
    documents: kv.dump(currentPrefix("document")).map(({ key, value }) => {
      const body = (value as CurrentRow).body ?? new TextEncoder().encode("{}");
      const { status } = decodeState<"document">(body);
      return [key[2], (value as CurrentRow).n, status ?? "large"];
    }),
    versions: kv.dump(versionTypePrefix("document")).map(({ value }) => {
      const { by, summary } = value as { by: string | null; summary: string | null };
      return [by, summary];
    }),
    jobs: jobs.filter(({ name }) => name === undefined).map(({ type, state, step, error }) =>
      [type, state, step, error].join()
    ).sort(),
  };
}

/** Renders everything again from the documents, and expects the same pages. */
async function assertTrue(fixture: Fixture): Promise<void> {
  const { kv, harness, client, outside, objects } = fixture;
  const stored = pagesOf(fixture);
  const wipe = new Operation();
  for (const { key } of kv.dump(pagePrefix)) wipe.delete(key);
  for (const { key } of kv.dump(siteEntryPrefix)) wipe.delete(key);
  for (const { key } of kv.dump(["page_place"])) wipe.delete(key);
  for (const prefix of ["sitemap_part", "site_changed", "site_look"]) {
    for (const { key } of kv.dump([prefix])) wipe.delete(key);
  }
  addJob(wipe, client.context, { type: "RENDER_SITE", name: SITE_JOB, payload: {} });
  await harness.run(client.context.store.commit(wipe));
  const site = simulatedSite(harness, kv, outside, { objects });
  site.siteRunner().start();
  await harness.pass(10_000);
  site.process.kill();
  assertEquals(pagesOf(fixture), stored);
}

for (const action of ACTIONS) {
  Deno.test(`${action.name} ends the same wherever its process is killed`, async () => {
    const base = await createFixture();
    const undisturbed = await play(base, action, [() => "none"]);
    const expected = outcomeOf(undisturbed.fixture, action);
    await assertTrue(undisturbed.fixture);
    assertEquals(expected.due, []);
    assert(undisturbed.calls > 20, `${undisturbed.calls}`);

    const faults: ["die_before" | "die_after", number][] = [];
    for (let n = 1; n <= undisturbed.calls; n++) {
      faults.push(["die_before", n]);
      // After a read nothing has happened yet that had not before it.
      if (undisturbed.commits.has(n)) faults.push(["die_after", n]);
    }
    for (const [index, [fault, n]] of faults.entries()) {
      if (!isWholeRun && index % FAULTS_SKIPPED !== 0) continue;
      const { fixture } = await play(base, action, [(call) => call.n === n ? fault : "none"]);
      assertEquals(outcomeOf(fixture, action), expected, `${fault} call ${n}`);
      if (index % 15 === 0) await assertTrue(fixture);
    }
  });

  Deno.test(`${action.name} ends the same with two runners, failing stores and clocks that jump`, async () => {
    const base = await createFixture();
    const expected = outcomeOf((await play(base, action, [() => "none"])).fixture, action);

    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = seededRandom(seed);
      const plan: KvPlan = (call) => random() > 0.08 ? "none" : anyFailure(call, random);
      const objectPlan = () => random() < 0.2 ? "before" as const : "none" as const;
      const { fixture } = await play(base, action, [plan, plan], { seed, objectPlan });
      const outcome = outcomeOf(fixture, action);
      assertEquals(outcome.jobs, expected.jobs, `seed ${seed}`);
      assertEquals(outcome, expected, `seed ${seed}`);
      await assertTrue(fixture);
    }
  });
}
