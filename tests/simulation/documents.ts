/**
 * Documents under fire: several processes over one simulated store write the same few documents, slugs
 * and unique values, while locks, lost answers, late commits and crashes are injected by a seed. What
 * must hold afterwards is checked against the store itself.
 *
 * @module
 */
import { StoreUnavailable } from "../../kv/unavailable.ts";
import { assert, assertEquals } from "@std/assert";
import { createCollection } from "../../kv/schema/collections.ts";
import { createDocument, patchDocument, trashDocument } from "../../kv/documents/documents.ts";
import { sameJson } from "../../kv/model/values/same_json.ts";
import {
  archiveDocument,
  publishDocument,
  unpublishDocument,
  untrashDocument,
} from "../../kv/documents/status.ts";
import type { WriteResult } from "../../kv/documents/write.ts";
import { valueHash } from "../../kv/documents/reservations.ts";
import { livingEntities, type VersionRow, versionState } from "../../kv/versioning/entities.ts";
import { type Key, slugKey, uniqueKey, versionPrefix } from "../../kv/keys.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import { type DocumentState, STATUSES } from "../../kv/model/entities/document.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import { Refusal } from "../../kv/refusals.ts";
import { StoreLocked } from "../../kv/store/driver.ts";
import {
  Outside,
  type SimulatedSite,
  simulatedSite,
  unreliableSite,
} from "../support/harness/simulated_site.ts";
import { SimulatedKv } from "../support/harness/simulated_kv.ts";
import { Harness } from "../support/harness/harness.ts";

const PROCESSES = 3;
const WRITERS_PER_PROCESS = 3;
const WRITES_PER_WRITER = 6;

/** One write that was acknowledged to its caller. */
interface Acknowledged {
  state: DocumentState;
  n: number;
}

/** Runs one seed; throws when something that must hold does not. Answers how many writes were acknowledged. */
export async function simulateDocuments(seed: number): Promise<number> {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const outside = new Outside();
  const calm = simulatedSite(harness, kv, outside);
  await harness.run(createCollection(calm.content, UNATTENDED, COLLECTION()));

  const acknowledged: Acknowledged[] = [];
  const ids: string[] = [];
  const serials = { next: 1_000 };
  const writers: Promise<void>[] = [];
  for (let index = 0; index < PROCESSES; index++) {
    const rate = index === 0 ? 0 : 0.06;
    const site = unreliableSite(harness, kv, outside, rate);
    // A killed process never settles its work: its writers end when it is killed.
    const death = watchDeath(harness, site);
    for (let writer = 0; writer < WRITERS_PER_PROCESS; writer++) {
      writers.push(Promise.race([write(harness, site, ids, acknowledged, serials), death]));
    }
  }
  await harness.run(Promise.all(writers));
  await harness.pass(5_000);
  await harness.run(checkAll(calm, acknowledged));
  return acknowledged.length;
}

const COLLECTION = () =>
  parseCollection({
    slug: "notes",
    name: "Notes",
    fields: [
      { name: "code", type: "text", unique: true },
      { name: "count", type: "number", indexed: true, sortable: true },
    ],
  });

async function watchDeath(harness: Harness, { process }: SimulatedSite): Promise<void> {
  for (let waited = 0; process.alive && waited < 600_000; waited += 1_000) {
    await harness.sleep(1_000);
  }
}

async function write(
  harness: Harness,
  { content }: SimulatedSite,
  ids: string[],
  acknowledged: Acknowledged[],
  serials: { next: number },
): Promise<void> {
  const small = (count: number) => Math.floor(harness.random() * count);
  for (let turn = 0; turn < WRITES_PER_WRITER; turn++) {
    const body = { title: `Note ${small(3)}`, code: `c${small(6)}`, count: small(100) };
    const id = ids[small(ids.length)];
    try {
      const written = await oneWrite(small(8), serials, content, id, body);
      acknowledged.push({ state: written.state, n: written.n });
      if (!ids.includes(written.state.id)) ids.push(written.state.id);
    } catch (error) {
      const expected = error instanceof Refusal || error instanceof StoreUnavailable ||
        error instanceof StoreLocked;
      if (!expected) throw error;
    }
  }
}

async function oneWrite(
  kind: number,
  serials: { next: number },
  content: SimulatedSite["content"],
  id: string | undefined,
  body: { title: string; code: string; count: number },
): Promise<Pick<WriteResult, "state" | "n">> {
  if (id === undefined || kind < 2) {
    // A serial number that no other create has: a create that is acknowledged once must have happened once.
    const serial = { ...body, count: serials.next++, ...(kind === 1 && { code: null }) };
    return await createDocument(content, UNATTENDED, "notes", serial);
  }
  const { code: _code, ...withoutCode } = body;
  switch (kind) {
    case 2:
      return await patchDocument(content, UNATTENDED, id, body);
    case 3:
      return await trashDocument(content, UNATTENDED, id);
    case 4:
      return await untrashDocument(content, UNATTENDED, id);
    case 5:
      return await publishDocument(content, UNATTENDED, id);
    case 6:
      return await (body.count % 2 ? unpublishDocument : archiveDocument)(content, UNATTENDED, id);
    default:
      return await patchDocument(content, UNATTENDED, id, {
        ...withoutCode,
        slug: `s${body.count % 5}`,
      });
  }
}

async function checkAll({ content }: SimulatedSite, acknowledged: Acknowledged[]): Promise<void> {
  const { context } = content;
  const schema = await content.schema.current();
  const [collection] = schema.collections;
  const live = new Map<string, { n: number; state: DocumentState }>();
  const serials = new Set<unknown>();
  for await (const { id, row, state } of livingEntities(context, "document")) {
    live.set(id, { n: row.n, state: state as unknown as DocumentState });
    const versions = await context.store.listAll<VersionRow>({
      prefix: versionPrefix("document", id),
    });
    const numbers = versions.map(({ value }) => value!.n);
    assertEquals(numbers, numbers.map((_, index) => index + 1), "versions have no gaps");
    assertEquals(row.n, numbers.length, "the live row is the newest version");
    const newest = versions.at(-1)!.value!;
    assertEquals(await versionState(context, "document", id, newest), state);
    const first = await versionState(context, "document", id, versions[0]!.value!);
    const serial = (first as unknown as DocumentState).data.count;
    assert(!serials.has(serial), "one create made two documents");
    serials.add(serial);
    const times = versions.map(({ value }) => value!.at);
    assertEquals(times, times.toSorted((a, b) => a - b), "changed_at never goes back");
    for (const { state: told, n } of acknowledged.filter((one) => one.state.id === id)) {
      const kept = await versionState(context, "document", id, versions[n - 1]!.value!);
      assert(sameJson(kept, told), "an acknowledged write is in the history");
    }
  }
  for (const { state } of acknowledged) {
    assert(live.has(state.id), "an acknowledged document is there");
  }

  const held = [...live.values()].filter(({ state }) => state.status !== "trashed");
  const reservations = await context.store.listAll<string>({ prefix: ["slug"] });
  assertEquals(
    new Map(reservations.map(({ key, value }) => [JSON.stringify(key), value])),
    reservedBy(held, ({ collectionId, slug }) => slugKey(collectionId, slug)),
    "slugs are reserved by whom has them",
  );
  const uniques = await context.store.listAll<string>({ prefix: ["unique"] });
  assertEquals(
    new Map(uniques.map(({ key, value }) => [JSON.stringify(key), value])),
    reservedBy(
      held.filter(({ state }) => state.data.code !== undefined),
      ({ collectionId, data }) => uniqueKey(collectionId, "code", valueHash(data.code)),
    ),
    "unique values are reserved by whom has them",
  );

  const listed = await content.index.list({
    collections: [collection!],
    statuses: STATUSES,
    sort: [{ by: "title", descending: false }],
    offset: 0,
    limit: 10_000,
  });
  assertEquals(
    new Map(listed.rows.map(({ id, n }) => [id, n])),
    new Map([...live].map(([id, { n }]) => [id, n]).toSorted() as [string, number][]),
    "the index has every document at its newest version",
  );
}

/** Who should hold which reservation: each document of some its own, none of them twice. */
export function reservedBy(
  documents: { state: DocumentState }[],
  keyOf: (state: DocumentState) => Key,
): Map<string, string> {
  const reservations = documents.map(({ state }): [string, string] => [
    JSON.stringify(keyOf(state)),
    state.id,
  ]);
  const sorted = reservations.toSorted(([a], [b]) => a < b ? -1 : 1);
  assertEquals(
    new Set(sorted.map(([key]) => key)).size,
    sorted.length,
    "nothing is reserved twice",
  );
  return new Map(sorted);
}
