/**
 * An import beside people who type: whatever was typed before it put its documents in place of theirs,
 * flushed or not, none of it is found in those documents afterwards.
 *
 * @module
 */
import { createDocument } from "../../../kv/documents/documents.ts";
import { versionState } from "../../../kv/versioning/entities.ts";
import { currentPrefix, importLockKey, versionKey } from "../../../kv/keys.ts";
import { jobKey } from "../../../kv/jobs/job_keys.ts";
import type { ImportLock } from "../../../kv/versioning/import_lock.ts";
import type { JobRecord } from "../../../kv/jobs/job.ts";
import { readEditHead } from "../../../kv/live/edit_log.ts";
import { LiveHub } from "../../../kv/live/hub.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { zip } from "../../../kv/model/primitives/zip.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import type { ServerMessage } from "../../../kv/model/input/live_message.ts";
import { ReleaseSource } from "../../../kv/versioning/open_releases.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import {
  Outside,
  type SimulatedSite,
  simulatedSite,
} from "../../support/harness/simulated_site.ts";
import { addTo, emptyFixture, fill, type Fixture } from "../backups.ts";
import { backUp, finish, IMPORT_ID } from "../import_sweep.ts";

const PEOPLE = 4;
const EDITS_MAX = 400;
const PAUSE_MS_MAX = 2_000;
/** While the import runs: it takes no longer than a few calls of a slow store. */
const HASTE_MS_MAX = 20;

/** How many edits were acknowledged before the import let go of the site, and how many after it. */
export interface ImportEditCounts {
  before: number;
  after: number;
}

/** A process with people in it. */
interface Process {
  site: SimulatedSite;
  hub: LiveHub;
}

/** Runs one seed; throws when something that must hold does not. */
export async function simulateImportEdits(seed: number): Promise<ImportEditCounts> {
  const fixture = emptyFixture(seed);
  const { harness, client: { content } } = fixture;
  await fill(fixture, "tiny");
  await harness.run(createDocument(content, UNATTENDED, "posts", { title: "Draft" }));
  const before = await harness.run(documents(fixture));
  await backUp(fixture, false);

  const processes = Array.from({ length: 2 }, () => processOf(fixture));
  const counts: ImportEditCounts = { before: 0, after: 0 };
  // What was on its way when the import ended is an edit of the documents that it brought.
  const editedSince = new Set<string>();
  const runner = slowSite(fixture);
  runner.siteRunner().start();
  let importId: string | null = null;
  const isHasty = () => {
    const job = importId === null ? null : fixture.kv.read(jobKey(importId)).value;
    return (job as JobRecord | null)?.state === "running";
  };
  // Edits of each document with an unknown outcome: their process was killed before it answered.
  const unanswered = new Map(before.map(({ id }) => [id, new Set<string>()]));
  const typing = Promise.all(Array.from({ length: PEOPLE }, (_, index) => {
    const [{ id }, process] = [before[index % before.length]!, processes[index % 2]!];
    return type(fixture, process, {
      name: `person ${index}`,
      documentId: id,
      unanswered: unanswered.get(id)!,
      isHasty,
      acknowledged: (isAfter) => {
        counts[isAfter ? "after" : "before"] += 1;
        if (isAfter) editedSince.add(id);
      },
    });
  }));
  await harness.pass(harness.random() * 4_000);
  importId = await addTo(fixture, "IMPORT", { importId: IMPORT_ID, userId: IMPORT_ID });
  await harness.run(typing);
  // Some disconnect without a message, so that only the jobs can flush their edits.
  for (const { site } of processes) if (harness.chance(0.5)) site.process.kill();
  const job = await finish(fixture, importId);
  assertEquals([job.state, job.error], ["done", null]);
  await harness.pass(200_000);

  for (const { id } of before) {
    const head = (await harness.run(readEditHead(content.context.store, id))).value;
    if (head !== null) assertEquals(head.flushed, head.seq, "nothing waits for ever");
  }
  const isUntouched = ({ id }: { id: string }) => !editedSince.has(id);
  const after = await harness.run(documents(fixture));
  const expected = before.filter(isUntouched);
  assertEquals(
    zip(after.filter(isUntouched), expected).map(([found, former]) =>
      withoutUnanswered(found, former, unanswered.get(found.id)!)
    ),
    expected,
    "what was typed is in no document",
  );
  for (const { site } of [{ site: runner }, ...processes]) site.process.kill();
  return counts;
}

function slowSite({ harness, kv, objects }: Fixture): SimulatedSite {
  const plan = () => harness.chance(0.1) ? "slow" : "none";
  return simulatedSite(harness, kv, new Outside(), { objects, plan });
}

function processOf(fixture: Fixture): Process {
  const site = slowSite(fixture);
  const releases = new ReleaseSource(site.content.context);
  return { site, hub: new LiveHub(site.content, { clock: site.process, releases }) };
}

/** What editors see of a document. */
interface SeenDocument {
  id: string;
  title: string;
  workingCopy: Record<string, unknown> | null;
}

/** A document as it would be without the edits that may have been made after the import. */
function withoutUnanswered(
  { id, title, workingCopy }: SeenDocument,
  before: SeenDocument,
  unanswered: ReadonlySet<unknown>,
): SeenDocument {
  const others = Object.entries(workingCopy ?? {}).filter(([, value]) => !unanswered.has(value));
  return {
    id,
    title: unanswered.has(title) ? before.title : title,
    workingCopy: others.length === 0 ? null : Object.fromEntries(others),
  };
}

/** What editors see of every document, in order of id. */
async function documents({ client: { content: { context } } }: Fixture): Promise<SeenDocument[]> {
  const rows = await context.store.listAll<{ n: number }>({ prefix: currentPrefix("document") });
  return await Promise.all(rows.map(async ({ key, value }) => {
    const id = String(key.at(-1));
    const row = (await context.store.get(versionKey("document", id, value!.n))).value;
    const state = await versionState(context, "document", id, row as never);
    const { title, workingCopy = null } = state as unknown as DocumentState;
    return { id, title, workingCopy };
  }));
}

/** A user who types. */
interface Person {
  name: string;
  documentId: string;
  /** The texts of edits that have not been answered. */
  unanswered: Set<string>;
  /** Whether they type without pause. */
  isHasty: () => boolean;
  /** An edit was acknowledged, before the import let go of the site or after it. */
  acknowledged: (isAfter: boolean) => void;
}

/** A user types until the import has released the site. */
async function type(
  { harness, kv }: Fixture,
  { site, hub }: Process,
  { name, documentId, unanswered, isHasty, acknowledged }: Person,
): Promise<void> {
  const sent = new Map<number, string>();
  const isOver = () => (kv.read(importLockKey).value as ImportLock | null)?.holder === null;
  const seat = await hub.join(documentId, {
    id: harness.newId(harness.now),
    userId: name,
    displayName: name,
    client: name,
    path: null,
    draftsOnly: false,
    send: (message: ServerMessage) => {
      if (!site.process.alive || (message.type !== "ack" && message.type !== "error")) return;
      if (message.clientSeq !== null) unanswered.delete(sent.get(message.clientSeq)!);
      if (message.type === "ack") acknowledged(isOver());
    },
    end: () => {},
  }, null);
  for (let edit = 1; edit <= EDITS_MAX && !isOver(); edit++) {
    const text = `${name} ${edit}`;
    const set = { [harness.chance(0.5) ? "title" : "size"]: text };
    sent.set(edit, text);
    unanswered.add(text);
    seat!.receive(JSON.stringify({ type: "op", clientSeq: edit, set, unset: [] }));
    await harness.sleep(harness.random() * (isHasty() ? HASTE_MS_MAX : PAUSE_MS_MAX));
  }
}
