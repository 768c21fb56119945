/**
 * Definitions that are narrowed while people type: what they have typed may be more than a commit can hold
 * back. Every flush ends all the same, nothing that was acknowledged is lost, and the document can be written.
 *
 * @module
 */
import { flushEditsKind } from "../../../jobs/kinds/flush_edits.ts";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { type VersionRow, versionState } from "../../../kv/versioning/entities.ts";
import { versionPrefix } from "../../../kv/keys.ts";
import { readEditHead, readHeld } from "../../../kv/live/edit_log.ts";
import { LiveHub } from "../../../kv/live/hub.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import type { ServerMessage } from "../../../kv/model/input/live_message.ts";
import { ReleaseSource } from "../../../kv/versioning/open_releases.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { patchField } from "../../../kv/schema/fields.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { Harness } from "../../support/harness/harness.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import {
  Outside,
  type SimulatedSite,
  simulatedSite,
} from "../../support/harness/simulated_site.ts";

const ROUNDS = 5;
/** One list of so many can be held back, two of them are too much. */
const ROWS = 600;
const LISTS = ["rows", "more"] as const;
const WIDE = 1_000;
const NARROW = 500;

interface Fixture {
  harness: Harness;
  kv: SimulatedKv;
  calm: SimulatedSite;
  id: string;
  /** What was acknowledged last, by its path. */
  acknowledged: Map<string, string>;
}

const optionsOf = (maxItems: number) => ({ fields: [{ name: "a", type: "text" }], maxItems });

async function openFixture(seed: number): Promise<Fixture> {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const calm = simulatedSite(harness, kv, new Outside());
  const fields = LISTS.map((name) => ({ name, type: "repeater", options: optionsOf(WIDE) }));
  const collection = parseCollection({ slug: "notes", name: "Notes", fields } as never);
  await harness.run(createCollection(calm.content, UNATTENDED, collection));
  const list = Array.from({ length: ROWS }, (_, n) => ({ a: `${n} `.repeat(60) }));
  const body = { title: "Start", rows: list, more: list };
  const { state: { id } } = await harness.run(
    createDocument(calm.content, UNATTENDED, "notes", body),
  );
  return { harness, kv, calm, id, acknowledged: new Map() };
}

/** A user types a little in a process that may die before it has flushed the edits. */
async function typeAndNarrow(fixture: Fixture, round: number): Promise<void> {
  const { harness, kv, calm, id, acknowledged } = fixture;
  const { objects } = calm.context;
  const site = simulatedSite(harness, kv, new Outside(), { objects });
  const releases = new ReleaseSource(site.content.context);
  const hub = new LiveHub(site.content, { clock: site.process, releases });
  const sent = new Map<number, { path: string; text: string }>();
  const seat = await harness.run(hub.join(id, {
    id: harness.newId(harness.now),
    userId: "ada",
    displayName: "Ada",
    client: `tab ${round}`,
    path: null,
    draftsOnly: false,
    send: (message: ServerMessage) => {
      if (message.type !== "ack") return;
      const { path, text } = sent.get(message.clientSeq)!;
      acknowledged.set(path, text);
    },
    end: () => {},
  }, null));
  const paths = ["title", ...LISTS.map((name) => `${name}.7.a`)];
  for (let clientSeq = 1; clientSeq <= 4; clientSeq++) {
    const path = paths[Math.floor(harness.random() * paths.length)]!;
    const text = `typed ${round} ${clientSeq}`;
    sent.set(clientSeq, { path, text });
    seat!.receive(JSON.stringify({ type: "op", clientSeq, set: { [path]: text }, unset: [] }));
    await harness.pass(harness.random() * 300);
  }
  for (const name of LISTS) {
    const options = optionsOf(harness.chance(0.7) ? NARROW : WIDE);
    await harness.run(patchField(calm.content, UNATTENDED, "notes", name, { options }));
  }
  if (harness.chance(0.3)) site.process.kill();
  await harness.pass(harness.random() * 5_000);
  if (site.process.alive) await harness.run(hub.stop());
}

async function checkAll({ harness, calm, id, acknowledged }: Fixture): Promise<number> {
  const { content, content: { context } } = calm;
  const head = (await harness.run(readEditHead(context.store, id))).value!;
  assertEquals(head.flushed, head.seq, "nothing waits for ever");
  const range = { prefix: versionPrefix("document", id) };
  const rows = await harness.run(context.store.listAll<VersionRow>(range));
  const read = rows.map(({ value }) => versionState(context, "document", id, value!));
  const kept = JSON.stringify([
    await harness.run(Promise.all(read)),
    await harness.run(readHeld(context.store, id, head)),
  ]);
  for (const [path, text] of acknowledged) {
    assert(kept.includes(JSON.stringify(text)), `${path}: ${text} is neither stored nor held back`);
  }
  await harness.run(patchDocument(content, UNATTENDED, id, { title: "Written" }));
  return rows.filter(({ value }) => value!.summary?.includes("set aside:")).length;
}

/** Runs one seed; throws when something that must hold does not. Answers how many edits were set aside. */
export async function simulateNarrowing(seed: number): Promise<number> {
  const fixture = await openFixture(seed);
  const { harness, calm } = fixture;
  const runner = calm.runner([flushEditsKind(calm.content)]);
  runner.start();
  for (let round = 1; round <= ROUNDS; round++) await typeAndNarrow(fixture, round);
  // Long enough for jobs to flush what the dead have left behind.
  await harness.pass(200_000);
  const aside = await checkAll(fixture);
  await harness.run(runner.stop(100));
  return aside;
}
