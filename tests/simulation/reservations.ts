/**
 * One title and one value from many sides: processes near the store and far from it create documents of the
 * same title at once, while people make fields unique, ask for it again, and call it off. What must hold
 * afterwards is checked against the store itself.
 *
 * @module
 */
import { StoreUnavailable } from "../../kv/unavailable.ts";
import { assert, assertEquals } from "@std/assert";
import { reserveUniqueKind } from "../../jobs/kinds/reserve_unique.ts";
import type { Content } from "../../kv/documents/content.ts";
import { createDocument, patchDocument, trashDocument } from "../../kv/documents/documents.ts";
import { valueHash } from "../../kv/documents/reservations.ts";
import { livingEntities } from "../../kv/versioning/entities.ts";
import { slugKey, uniqueKey } from "../../kv/keys.ts";
import { UNIQUE_FIELDS_MAX } from "../../kv/limits/content.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import type { DocumentState } from "../../kv/model/entities/document.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import type { FieldDefinition } from "../../kv/model/fields/field_definition.ts";
import { Refusal } from "../../kv/refusals.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { patchField } from "../../kv/schema/fields.ts";
import { carryOutUnique } from "../../kv/schema/make_unique.ts";
import { StoreLocked } from "../../kv/store/driver.ts";
import { Harness } from "../support/harness/harness.ts";
import { SimulatedKv } from "../support/harness/simulated_kv.ts";
import { Outside, type SimulatedSite, simulatedSite } from "../support/harness/simulated_site.ts";
import { reservedBy } from "./documents.ts";

const PROCESSES = 3;
const WRITERS_PER_PROCESS = 4;
const WRITES_PER_WRITER = 5;
/** Documents that each process creates at one moment, when all of them are far away. */
const BURST = 10;
const TITLE = "Untitled";
/** Of these the first are unique from the start: one more may become it. */
const NAMES = ["one", "two", "three", "four", "five", "six", "seven"];
const UNIQUE_AT_FIRST = UNIQUE_FIELDS_MAX - 1;
const BECOMING = NAMES.slice(UNIQUE_AT_FIRST);

/** How often what has happened. */
export interface ReservationCounts {
  created: number;
  unique: number;
}

/** Runs one seed; throws when something that must hold does not. */
export async function simulateReservations(seed: number): Promise<ReservationCounts> {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const outside = new Outside();
  const calm = simulatedSite(harness, kv, outside);
  await harness.run(createCollection(calm.content, UNATTENDED, COLLECTION()));
  const isRemote = harness.chance(0.3);
  const slowness = isRemote ? 1 : 0.1;
  const sites = Array.from({ length: PROCESSES }, () =>
    simulatedSite(harness, kv, outside, {
      plan: () => harness.chance(slowness) ? "slow" : harness.chance(0.02) ? "locked" : "none",
    }));
  const runner = calm.runner([reserveUniqueKind(calm.content)]);
  runner.start();
  const ids: string[] = [];
  if (isRemote) {
    const burst = sites.flatMap((site) => Array.from({ length: BURST }, () => site));
    await harness.run(Promise.all(burst.map((site) => create(harness, site, ids))));
  }
  const writers = sites.flatMap((site) =>
    Array.from({ length: WRITERS_PER_PROCESS }, () => write(harness, site, ids))
  );
  const people = sites.map((site) => makeUnique(harness, site));
  await harness.run(Promise.all([...writers, ...people]));
  await harness.pass(120_000);
  const unique = await harness.run(checkAll(calm, ids));
  await harness.run(runner.stop(100));
  return { created: ids.length, unique };
}

const COLLECTION = () =>
  parseCollection({
    slug: "notes",
    name: "Notes",
    fields: NAMES.map((name, n) => ({ name, type: "text", unique: n < UNIQUE_AT_FIRST })),
  });

/** Values that no other document has, by run: shared ones are below. */
const FIRST_SERIAL = 100;
const serials = new WeakMap<Harness, number>();

function nextSerial(harness: Harness): number {
  const serial = serials.get(harness) ?? FIRST_SERIAL;
  serials.set(harness, serial + 1);
  return serial;
}

async function create(harness: Harness, { content }: SimulatedSite, ids: string[]): Promise<void> {
  const body = { title: TITLE, ...valuesOf(harness) };
  const made = await settled(createDocument(content, UNATTENDED, "notes", body), (refusal) => {
    const isForTitle = refusal.code === "SLUG_CONFLICT" ||
      refusal.facts.retryAfterSeconds !== undefined;
    assert(!isForTitle, `a title is refused: ${refusal.code}, ${refusal.facts.about}`);
  });
  if (made !== null) ids.push(made.state.id);
}

async function write(harness: Harness, site: SimulatedSite, ids: string[]): Promise<void> {
  const { content } = site;
  for (let turn = 0; turn < WRITES_PER_WRITER; turn++) {
    const id = ids[Math.floor(harness.random() * ids.length)];
    const kind = harness.random();
    if (id === undefined || kind < 0.6) await create(harness, site, ids);
    else if (kind < 0.9) {
      await settled(patchDocument(content, UNATTENDED, id, valuesOf(harness)));
    } else await settled(trashDocument(content, UNATTENDED, id));
    if (harness.chance(0.3)) await harness.sleep(harness.random() * 500);
  }
}

/** Values of which few are shared. */
function valuesOf(harness: Harness): Record<string, string> {
  return Object.fromEntries(NAMES.map((name, n) => {
    const isShared = n >= UNIQUE_AT_FIRST && harness.chance(0.06);
    return [name, `${name} ${isShared ? Math.floor(harness.random() * 5) : nextSerial(harness)}`];
  }));
}

/** Makes fields unique, waits for it or leaves it to its job, and perhaps calls it off. */
async function makeUnique(harness: Harness, { content }: SimulatedSite): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    const name = BECOMING[Math.floor(harness.random() * BECOMING.length)]!;
    await settled((async () => {
      const body = harness.chance(0.2) ? { unique: false } : { unique: true, label: `${turn}` };
      const patched = await patchField(content, UNATTENDED, "notes", name, body);
      if (!("building" in patched) || harness.chance(0.3)) return;
      await carryOutUnique(content, UNATTENDED, patched.building);
    })());
    if (harness.chance(0.5)) await harness.sleep(harness.random() * 1_000);
  }
}

/** What a write comes to; null for one that was refused. */
async function settled<T>(
  work: Promise<T>,
  look: (refusal: Refusal) => void = () => {},
): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    const expected = error instanceof Refusal || error instanceof StoreUnavailable ||
      error instanceof StoreLocked;
    if (!expected) throw error;
    if (error instanceof Refusal) look(error);
    return null;
  }
}

async function checkAll({ content }: SimulatedSite, ids: string[]): Promise<number> {
  const { context } = content;
  const collection = (await content.schema.current()).bySlug.get("notes")!;
  const held: { state: DocumentState }[] = [];
  for await (const { state } of livingEntities(context, "document")) {
    const document = state as unknown as DocumentState;
    if (document.status !== "trashed") held.push({ state: document });
  }
  const slugs = await context.store.listAll<string>({ prefix: ["slug"] });
  assertEquals(
    new Map(slugs.map(({ key, value }) => [JSON.stringify(key), value])),
    reservedBy(held, ({ collectionId, slug }) => slugKey(collectionId, slug)),
    "slugs are reserved by whom has them",
  );
  const unique = collection.fields.filter((field) => field.unique);
  assert(unique.length <= UNIQUE_FIELDS_MAX, `${unique.length} fields are unique`);
  assertEquals(collection.fields.filter(({ uniqueBuilding }) => uniqueBuilding).length, 0);
  for (const field of unique) await checkReserved(content, field, held);
  const last = Object.fromEntries(NAMES.map((name) => [name, `${name} last`]));
  await createDocument(content, UNATTENDED, "notes", { title: TITLE, ...last });
  assert(ids.length > 0);
  return unique.length;
}

/** Every value of a unique field is reserved by the one document that has it. */
async function checkReserved(
  { context }: Content,
  { collectionId, key }: FieldDefinition,
  held: { state: DocumentState }[],
): Promise<void> {
  const reserved = await context.store.listAll<string>({ prefix: ["unique", collectionId, key] });
  const having = held.filter(({ state }) => state.data[key] !== undefined);
  assertEquals(
    new Map(reserved.map((entry) => [JSON.stringify(entry.key), entry.value])),
    reservedBy(having, ({ data }) => uniqueKey(collectionId, key, valueHash(data[key]))),
    "values of a unique field are reserved by whom has them",
  );
}
