/**
 * A restore of the site with processes that die between any two calls, wrong clocks, a store and objects
 * that fail, prunes and compactions beside it, and somebody who goes on writing: in the end everything is as it was
 * at the instant but for what was written meanwhile, and every entity was restored once.
 *
 * @module
 */
import { ObjectStoreUnavailable } from "../../kv/unavailable.ts";
import { assert, assertEquals } from "@std/assert";
import { requestTimelineCompaction } from "../../jobs/kinds/compact_timeline.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { createDocument, patchDocument, trashDocument } from "../../kv/documents/documents.ts";
import { type CurrentRow, livingEntities, type VersionRow } from "../../kv/versioning/entities.ts";
import { patchField } from "../../kv/schema/fields.ts";
import { addJob, findJob } from "../../kv/jobs/jobs.ts";
import { accessKey, currentPrefix, type Key, slugKey, versionTypePrefix } from "../../kv/keys.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import { STATUSES } from "../../kv/model/entities/document.ts";
import { type Json, UNATTENDED } from "../../kv/model/entities/entity.ts";
import { ENTITY_TYPES } from "../../kv/model/entities/entity_kinds.ts";
import { parseToken } from "../../kv/model/input/token_input.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { Refusal } from "../../kv/refusals.ts";
import { Settings } from "../../kv/sources/settings.ts";
import { requestSiteRestore } from "../../kv/history/site_restore/request.ts";
import { Operation } from "../../kv/store/operation.ts";
import { mintToken } from "../../kv/people/tokens.ts";
import { versionedWrite } from "../../kv/versioning/versioned_write.ts";
import { FaultyObjects } from "../support/stores/faulty_objects.ts";
import { liveStates } from "../support/harness/live_states.ts";
import { type KvFault, type KvPlan, SimulatedKv } from "../support/harness/simulated_kv.ts";
import { Outside, type SimulatedSite, simulatedSite } from "../support/harness/simulated_site.ts";
import { Harness } from "../support/harness/harness.ts";

const SEEDS = 12;
const LARGE = "long ".repeat(50_000);
const MINUTE_MS = 60_000;

/** Saves people by hand: one administrator who can sign in. */
async function savePeople({ context }: SimulatedSite): Promise<string> {
  return await versionedWrite(context, UNATTENDED, async (transaction) => {
    await transaction.get(accessKey);
    const ids = [transaction.newId(), transaction.newId(), transaction.newId()] as const;
    const [userId, roleId, grantId] = ids;
    const times = { createdAt: transaction.at, updatedAt: transaction.at };
    const login = { passwordHash: "hash", passwordId: roleId };
    const names = ["administrator", "editor", "author", "viewer"];
    for (const [index, name] of names.entries()) {
      const id = index === 0 ? roleId : transaction.newId();
      const role = { id, name, permissions: [], builtIn: true, ...times };
      transaction.save("role", id, null, role);
    }
    const user = { id: userId, email: "ada@x.org", displayName: "Ada", ...login, ...times };
    transaction.save("user", userId, null, user);
    transaction.save("user_role", grantId, null, { id: grantId, userId, roleId });
    transaction.operation.touch(accessKey);
    return userId;
  });
}

interface Fixture {
  harness: Harness;
  kv: SimulatedKv;
  objects: MemoryObjects;
  client: SimulatedSite;
  documents: string[];
  /** The state of everything at the instant. */
  early: Record<string, Json>;
  jobId: string;
}

const seconds = (harness: Harness) => Math.floor(harness.now / 1000);

/** A site with a past, and a restore of it that has just been asked for. */
async function createFixture(seed: number): Promise<Fixture> {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const objects = new MemoryObjects({ now: () => harness.now });
  const client = simulatedSite(harness, kv, new Outside(), { objects });
  return await harness.run((async () => {
    const { content, context } = client;
    const settings = new Settings(context);
    const userId = await savePeople(client);
    const fields = [
      { name: "body", type: "text", label: "Body" },
      { name: "sku", type: "text", label: "Number", unique: true },
    ];
    const posts = parseCollection({ slug: "posts", name: "Posts", fields });
    await createCollection(content, UNATTENDED, posts);
    const create = async (n: number, rest: Record<string, Json> = {}) =>
      (await createDocument(content, UNATTENDED, "posts", {
        title: `Post ${n}`,
        sku: `${n}`,
        ...rest,
      })).state.id;
    const patch = (id: string, body: Record<string, Json>) =>
      patchDocument(content, UNATTENDED, id, body);
    const documents: string[] = [];
    for (let n = 0; n < 14; n++) documents.push(await create(n, n === 3 ? { body: LARGE } : {}));
    await settings.patch(UNATTENDED, { "site.title": "Then", "versions.keep.document": 2 });
    const token = await mintToken(
      context,
      UNATTENDED,
      parseToken({ name: "t", scopes: ["*"] }, 0),
      null,
    );
    await harness.sleep(2_000);
    const timestamp = seconds(harness);
    const early = await liveStates(context);
    await harness.sleep(2_000);

    await patch(documents[0]!, { slug: "aside", sku: "aside" });
    await patch(documents[1]!, { slug: "post-0", sku: "0" });
    await patch(documents[0]!, { slug: "post-1", sku: "1" });
    await patch(documents[3]!, { body: `${LARGE} and more` });
    await trashDocument(content, UNATTENDED, documents[4]!);
    await create(20, { slug: "post-4" });
    await settings.patch(UNATTENDED, { "site.title": "Now", "site.language": "de" });
    await patchField(content, UNATTENDED, "posts", "body", { label: "Text" });
    await createCollection(content, UNATTENDED, parseCollection({ slug: "new", name: "New" }));
    await createDocument(content, UNATTENDED, "new", { title: "In the new one" });
    await versionedWrite(context, UNATTENDED, async (transaction) => {
      const id = token.view.id;
      transaction.save("api_token", id, await transaction.head("api_token", id), null);
    });
    await harness.sleep(2_000);
    const jobId = await requestSiteRestore(context, { userId }, { timestamp });
    return { harness, kv, objects, client, documents, early, jobId };
  })());
}

function faultPlan(harness: Harness, badness: number): KvPlan {
  const faults: KvFault[] = ["locked", "before", "after", "late", "die_before", "die_after"];
  return ({ method }) => {
    if (!harness.chance(badness)) return "none";
    const fault = faults[Math.floor(harness.random() * faults.length)]!;
    if (method === "commit") return fault;
    return fault === "locked" || fault === "late" ? "before" : fault;
  };
}

/** A process that runs jobs, until one of its calls is its last. */
function born({ harness, kv, objects }: Fixture, badness: number): SimulatedSite {
  const faulty = new FaultyObjects(objects, () => {
    const fault = harness.chance(badness) ? harness.chance(0.5) ? "before" : "after" : "none";
    return fault;
  });
  const skewMs = harness.chance(0.5) ? 0 : (harness.random() - 0.5) * 20_000;
  const plan = faultPlan(harness, badness);
  const one = simulatedSite(harness, kv, new Outside(), { plan, skewMs, objects: faulty });
  one.siteRunner().start();
  return one;
}

/** Keeps writing; returns the acknowledged writes, by entity. */
async function writeMeanwhile(
  { harness, client, documents }: Fixture,
  written: Map<string, string>,
): Promise<void> {
  const { content } = client;
  for (let n = 0; n < 10; n++) {
    await harness.sleep(harness.random() * 300);
    // The first ones have swapped their slugs: kept, they would keep others from having theirs again.
    const id = documents[5 + Math.floor(harness.random() * (documents.length - 5))]!;
    const title = `Meanwhile ${n}`;
    try {
      if (harness.chance(0.3)) {
        const { state } = await createDocument(content, UNATTENDED, "posts", { title });
        written.set(`document ${state.id}`, title);
      } else {
        await patchDocument(content, UNATTENDED, id, { title });
        written.set(`document ${id}`, title);
      }
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof ObjectStoreUnavailable)) throw error;
    }
  }
}

async function simulate(seed: number): Promise<void> {
  const fixture = await createFixture(seed);
  const { harness, client, jobId } = fixture;
  const { context, content } = client;
  const badness = seed % 3 === 0 ? 0 : 0.01;
  let processes = [born(fixture, badness), born(fixture, badness)];
  const written = new Map<string, string>();
  const work = writeMeanwhile(fixture, written);
  const beside = new Operation();
  addJob(beside, context, { type: "PRUNE", payload: {} });
  requestTimelineCompaction(beside, context);
  await harness.run(context.store.commit(beside));
  await harness.run(work);
  let job = await harness.run(findJob(context.store, jobId));
  for (let minute = 0; minute < 240 && job?.state !== "done"; minute++) {
    await harness.pass(MINUTE_MS);
    processes = processes.map((one) => one.process.alive ? one : born(fixture, badness / 2));
    job = await harness.run(findJob(context.store, jobId));
  }
  for (const { process } of processes) process.kill();

  assertEquals([job?.state, job?.error], ["done", null]);
  await harness.run(checkOutcome(fixture, written));
  await harness.run(checkFollowers(content));
}

async function checkOutcome(fixture: Fixture, written: Map<string, string>): Promise<void> {
  const { client: { context }, early, jobId } = fixture;
  const late = await liveStates(context);
  for (const key of new Set([...Object.keys(early), ...Object.keys(late)])) {
    const title = written.get(key);
    if (title !== undefined) assertEquals([key, late[key]?.title], [key, title]);
    else assertEquals([key, late[key]], [key, early[key] as typeof late[string]]);
  }
  const summary = `RESTORE ${jobId}`;
  for (const type of ENTITY_TYPES) {
    const versions = new Map<string, VersionRow[]>();
    for await (
      const { key, value } of context.store.list<VersionRow>({
        prefix: versionTypePrefix(type),
      })
    ) {
      const id = key[2] as string;
      versions.set(id, [...versions.get(id) ?? [], value!]);
    }
    for (const [id, rows] of versions) {
      const first = rows[0]!.n;
      assertEquals(rows.map(({ n }) => n), rows.map((_, index) => first + index));
      assertEquals(rows.toSorted((a, b) => a.at - b.at), rows);
      const own = rows.filter((row) => row.summary?.startsWith(summary)).length;
      assert(own <= 1, `${type} ${id} was restored ${own} times`);
      if (!written.has(`${type} ${id}`)) assertEquals([type, id, own], [type, id, 1]);
    }
  }
}

/** Slugs lead to their documents, and the list shows what is there. */
async function checkFollowers({ context, schema, index }: SimulatedSite["content"]): Promise<void> {
  const { collections } = await schema.current();
  assertEquals(collections.map(({ slug }) => slug), ["posts"]);
  const [posts] = collections;
  const rows: string[] = [];
  const reservations: Key[] = [];
  for await (const { id, row, state } of livingEntities(context, "document")) {
    rows.push(`${id} ${row.n}`);
    const reservation = await context.store.get<string>(slugKey(posts!.id, state.slug as string));
    assertEquals(reservation.value, id);
    reservations.push(reservation.key);
  }
  const listed = await index.list({
    collections: [posts!],
    statuses: STATUSES,
    sort: [{ by: "createdAt", descending: false }],
    offset: 0,
    limit: 1_000,
  });
  assertEquals(listed.rows.map(({ id, n }) => `${id} ${n}`).sort(), rows.sort());
  const live = await context.store.listAll<CurrentRow>({ prefix: currentPrefix("document") });
  assert(live.some(({ value }) => value!.gone));
}

Deno.test("RESTORE is exact and happens once, whatever else fails", async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      await simulate(seed);
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
});
