/**
 * Live editing under fire: people in several processes over one simulated store type into one document,
 * while locks, lost answers, late commits and crashes are injected by a seed, and somebody else writes
 * the same document. What must hold afterwards is checked against the store and against what each saw.
 *
 * @module
 */
import { StoreUnavailable } from "../../../kv/unavailable.ts";
import { assert, assertEquals } from "@std/assert";
import { flushEditsKind } from "../../../jobs/kinds/flush_edits.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { sameJson } from "../../../kv/model/values/same_json.ts";
import { type VersionRow, versionState } from "../../../kv/versioning/entities.ts";
import { versionPrefix } from "../../../kv/keys.ts";
import { type EditOperation, readEditHead, readEdits } from "../../../kv/live/edit_log.ts";
import type { Editor } from "../../../kv/live/editor.ts";
import { type LiveConnection, LiveHub } from "../../../kv/live/hub.ts";
import { ReleaseSource } from "../../../kv/versioning/open_releases.ts";
import { applyEdit, workingOn } from "../../../kv/live/working_state.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { type Json, UNATTENDED } from "../../../kv/model/entities/entity.ts";
import type { ServerMessage } from "../../../kv/model/input/live_message.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { StoreLocked } from "../../../kv/store/driver.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import {
  Outside,
  type SimulatedSite,
  simulatedSite,
  unreliableSite,
} from "../../support/harness/simulated_site.ts";
import { Harness } from "../../support/harness/harness.ts";

const PROCESSES = 3;
const PEOPLE = 5;
const EDITS = 30;

/** A write through the API: the version that it made, and the last operation that was there before it. */
interface WrittenElsewhere {
  n: number;
  note: string;
  after: number;
}

/** An edit as its editor has sent it. */
export interface SentEdit {
  set: { [path: string]: Json };
  unset: string[];
}

/** An edit that was acknowledged. */
export interface Acknowledged extends SentEdit {
  seq: number;
  language?: string;
}

/** Runs one seed; throws when something that must hold does not. Answers how much was acknowledged. */
export async function simulateLive(seed: number): Promise<number> {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const outside = new Outside();
  const calm = simulatedSite(harness, kv, outside);
  await harness.run(createCollection(calm.content, UNATTENDED, COLLECTION()));
  const created = await harness.run(
    createDocument(calm.content, UNATTENDED, "notes", { title: "Start" }),
  );
  const { id } = created.state;
  const runner = calm.runner([flushEditsKind(calm.content)]);
  runner.start();

  const processes = Array.from({ length: PROCESSES }, (_, index) => {
    const rate = index === 0 ? 0 : 0.03;
    const site = unreliableSite(harness, kv, outside, rate);
    return {
      site,
      hub: new LiveHub(site.content, {
        clock: site.process,
        releases: new ReleaseSource(site.content.context),
      }),
    };
  });
  const acknowledged: Acknowledged[] = [];
  const people = Array.from({ length: PEOPLE }, (_, index) => {
    const person = new Person(harness, processes, id, `person ${index}`, acknowledged);
    return person;
  });
  const sent: WrittenElsewhere[] = [];
  await harness.run(Promise.all([
    ...people.map((person) => person.work()),
    writeElsewhere(harness, calm, id, sent),
  ]));
  if (harness.chance(0.3)) { for (const { site } of processes) site.process.kill(); }
  // Long enough for jobs to flush what the dead have left behind.
  await harness.pass(200_000);
  await harness.run(checkAll(calm, id, { created: created.state, acknowledged, people, sent }));
  await harness.run(runner.stop(100));
  if (processes[0]!.site.process.alive) await harness.run(processes[0]!.hub.stop());
  return acknowledged.length;
}

const COLLECTION = () =>
  parseCollection({
    slug: "notes",
    name: "Notes",
    fields: [
      { name: "lead", type: "text" },
      { name: "count", type: "number" },
      { name: "note", type: "text" },
      {
        name: "rows",
        type: "repeater",
        options: { fields: [{ name: "a", type: "text" }, { name: "b", type: "text" }] },
      },
      { name: "body", type: "rich_text" },
    ],
  });

/** Writes a text through the API that no user types, and a note that a user may be typing. */
async function writeElsewhere(
  harness: Harness,
  { content }: SimulatedSite,
  id: string,
  sent: WrittenElsewhere[],
): Promise<void> {
  for (let count = 1; count <= 6; count++) {
    await harness.sleep(harness.chance(0.5) ? 0 : harness.random() * 4_000);
    const { value: head } = await readEditHead(content.context.store, id);
    const note = `elsewhere ${count}`;
    const { n } = await patchDocument(content, UNATTENDED, id, { count, note });
    sent.push({ n, note, after: head?.seq ?? 0 });
  }
}

/** What a person edits, and how; the whole document at random by default. */
export interface Habits {
  /** The language of a translation. */
  translation?: string;
  edit?: (text: string) => SentEdit;
}

/** A user who types, and reconnects after losing the connection. */
export class Person {
  /** What they see. */
  view: { document: Record<string, Json>; seq: number } | null = null;
  connected = false;
  readonly #harness: Harness;
  readonly #processes: { site: SimulatedSite; hub: LiveHub }[];
  readonly #id: string;
  readonly #name: string;
  readonly #acknowledged: Acknowledged[];
  readonly #habits: Habits;
  readonly #waiting = new Map<number, SentEdit>();
  #seat: LiveConnection | null = null;
  #site: SimulatedSite | null = null;
  #clientSeq = 0;

  constructor(
    harness: Harness,
    processes: { site: SimulatedSite; hub: LiveHub }[],
    id: string,
    name: string,
    acknowledged: Acknowledged[],
    habits: Habits = {},
  ) {
    this.#habits = habits;
    this.#harness = harness;
    this.#processes = processes;
    this.#id = id;
    this.#name = name;
    this.#acknowledged = acknowledged;
  }

  async work(): Promise<void> {
    for (let edits = 0; edits < EDITS || this.#waiting.size > 0;) {
      if (!this.isThere) await this.#connect();
      else if (edits < EDITS) {
        edits += 1;
        this.#send(++this.#clientSeq, this.#edit());
      }
      if (this.#harness.chance(0.05)) await this.#leave();
      // Mostly at the same moment as others: time stands still while anybody can go on.
      if (this.#harness.chance(0.9)) await this.#harness.turn();
      else {await this.#harness.sleep(
          this.#harness.chance(0.3) ? 2_000 : this.#harness.random() * 300,
        );}
    }
    if (!this.isThere) await this.#connect();
  }

  get #isNameless(): boolean {
    return this.#name.endsWith("0");
  }

  /** Whether their connection lasts. */
  get isThere(): boolean {
    return this.connected && this.#site!.process.alive;
  }

  async #connect(): Promise<void> {
    const alive = this.#processes.filter(({ site }) => site.process.alive);
    const { site, hub } = alive[Math.floor(this.#harness.random() * alive.length)]!;
    const editor: Editor = {
      id: this.#harness.newId(this.#harness.now),
      userId: this.#name,
      displayName: this.#name,
      // The nameless never send anything again, so nothing of theirs may be done twice either.
      client: this.#isNameless ? null : this.#name,
      path: null,
      ...this.#language,
      draftsOnly: false,
      send: (message) => site.process.alive && this.#hear(editor, message),
      end: () => void (this.connected = false),
    };
    this.#current = editor;
    this.connected = true;
    this.#site = site;
    const since = this.view?.seq ?? null;
    const joined = hub.join(this.#id, editor, since).catch((error) => {
      assert(isExpected(error), `${error}`);
      return null;
    });
    this.#seat = await Promise.race([joined, this.#patience()]);
    this.connected = this.#seat !== null && this.connected;
    if (this.#isNameless) this.#waiting.clear();
    for (const [clientSeq, edit] of this.#waiting) this.#send(clientSeq, edit);
  }

  #current: Editor | null = null;

  get #language() {
    const { translation } = this.#habits;
    return translation === undefined ? {} : { translation, language: translation };
  }

  /** A dead process never answers. */
  async #patience(): Promise<null> {
    await this.#harness.sleep(20_000);
    return null;
  }

  async #leave(): Promise<void> {
    this.connected = false;
    const seat = this.#seat;
    this.#seat = null;
    if (seat !== null) await Promise.race([seat.leave(), this.#patience()]);
  }

  #send(clientSeq: number, edit: SentEdit): void {
    this.#waiting.set(clientSeq, edit);
    this.#seat?.receive(JSON.stringify({ type: "op", clientSeq, ...edit }));
  }

  #edit(): SentEdit {
    const text = `${this.#name} ${this.#clientSeq}`;
    if (this.#habits.edit !== undefined) return this.#habits.edit(text);
    const small = (count: number) => Math.floor(this.#harness.random() * count);
    if (this.#harness.chance(0.1)) return { set: { note: text }, unset: [] };
    const block = (key: string) => ({
      _type: "block",
      _key: key,
      children: [{ _type: "span", _key: "s", text, marks: [] }],
    });
    switch (small(7)) {
      case 0:
        return { set: { title: text }, unset: [] };
      case 1:
        return { set: { lead: text }, unset: [] };
      case 2:
        return { set: { [`rows.${small(3)}.a`]: text }, unset: [] };
      case 3:
        return { set: {}, unset: [`rows.${small(3)}`] };
      case 4:
        return { set: { [`body.+k${small(4)}`]: [block(`k${small(6)}`)] }, unset: [] };
      case 5: {
        const key = `k${small(6)}`;
        return { set: { [`body.${key}`]: block(key) }, unset: [] };
      }
      default:
        return { set: { title: `${text}!` }, unset: [`body.k${small(6)}`, "lead"] };
    }
  }

  #hear(editor: Editor, message: ServerMessage): void {
    if (editor !== this.#current || !this.connected) return;
    if (message.type === "state") {
      this.view = { document: message.document, seq: message.seq };
    } else if (message.type === "op") {
      if (message.seq <= this.view!.seq) return;
      assertEquals(message.seq, this.view!.seq + 1, "operations come without a gap");
      this.#see(message.seq, message);
    } else if (message.type === "ack") {
      const edit = this.#waiting.get(message.clientSeq);
      if (edit === undefined) return;
      this.#waiting.delete(message.clientSeq);
      const { translation: language } = this.#habits;
      const found = { seq: message.seq, ...edit };
      this.#acknowledged.push(language === undefined ? found : { ...found, language });
      if (message.seq > this.view!.seq) this.#see(message.seq, edit);
    } else if (message.type === "error" && message.clientSeq !== null) {
      // An invalid one is answered once; what the store refused is sent again later.
      if (message.code === "VALIDATION_FAILED") this.#waiting.delete(message.clientSeq);
    }
  }

  #see(seq: number, { set, unset }: SentEdit): void {
    this.view = { document: applied(this.view!.document, { set, unset }), seq };
  }
}

/** A document on the wire after an operation. */
function applied(
  document: Record<string, Json>,
  { set, unset }: SentEdit,
): Record<string, Json> {
  const { title, slug, blocks, ...others } = document;
  const state = { title, slug, blocks, data: others } as unknown as DocumentState;
  const after = applyEdit(workingOn(state), { set, unset, keys: {}, by: "" }, "rebase").state;
  return { ...after.data, title: after.title, slug: after.slug, blocks: after.blocks };
}

/** Whether a store under fire may throw this. */
export function isExpected(error: unknown): boolean {
  return error instanceof Refusal || error instanceof StoreUnavailable ||
    error instanceof StoreLocked;
}

interface Outcome {
  created: DocumentState;
  acknowledged: Acknowledged[];
  people: Person[];
  sent: WrittenElsewhere[];
}

async function checkAll({ content }: SimulatedSite, id: string, outcome: Outcome): Promise<void> {
  const { context } = content;
  const head = (await readEditHead(context.store, id)).value!;
  assertEquals(head.flushed, head.seq, "everything is flushed");
  const operations = await readEdits(context.store, id, 1, head.seq);
  assertEquals(operations.map(({ seq }) => seq), operations.map((_, at) => at + 1), "no gaps");
  const sendings = operations.map(({ by, clientSeq }) => `${by} ${clientSeq}`);
  assertEquals(new Set(sendings).size, sendings.length, "nothing is done twice");
  for (const { seq, set, unset } of outcome.acknowledged) {
    const { set: kept, unset: keptUnset } = operations[seq - 1]!;
    assertEquals([kept, keptUnset], [set, unset], "an acknowledged operation is in its place");
  }

  const rows = await context.store.listAll<VersionRow>({ prefix: versionPrefix("document", id) });
  const states: DocumentState[] = [];
  for (const { value } of rows) {
    states.push(await versionState(context, "document", id, value!) as unknown as DocumentState);
  }
  assertEquals(rows.map(({ value }) => value!.n), rows.map((_, at) => at + 1));
  states.slice(1).forEach((state, at) => {
    const { updatedAt: _now, ...now } = state;
    const { updatedAt: _before, ...before } = states[at]!;
    assert(!sameJson(now, before), "each version changes something");
  });
  const last = states.at(-1)!;
  const expected = replayed(outcome.created, operations);
  assertEquals(last.title, expected.title);
  const note = last.data.note!;
  assertEquals(last.data, { ...expected.data, count: outcome.sent.length, note });
  for (const written of outcome.sent) assertNotUndone(written, states, operations);

  for (const { view, isThere } of outcome.people) {
    if (!isThere || view === null) continue;
    assertEquals(view.seq, head.seq, "everybody has heard everything");
    assertEquals(view.document.title, last.title, "everybody sees what is stored");
    assertEquals(view.document.lead ?? null, last.data.lead ?? null);
    assertEquals(view.document.rows ?? null, last.data.rows ?? null);
    assertEquals(view.document.body ?? null, last.data.body ?? null);
    assertEquals(view.document.count, last.data.count, "writes from elsewhere are seen");
    assertEquals(view.document.note, note);
  }
}

/** Only what was typed after a write has begun may take its place. */
function assertNotUndone(
  { n, note, after }: WrittenElsewhere,
  states: DocumentState[],
  operations: EditOperation[],
): void {
  assertEquals(states[n - 1]!.data.note, note);
  const next = states.slice(n).find(({ data }) => data.note !== note)?.data.note;
  const typed = operations.find(({ set }) => next !== undefined && set.note === next);
  if (typed !== undefined) {
    assert(typed.seq > after, `${next} was typed before ${note} was written`);
  }
}

function replayed(state: DocumentState, operations: EditOperation[]): DocumentState {
  return operations.reduce(
    (sum, one) => applyEdit(workingOn(sum), one, "rebase").state,
    state,
  );
}
