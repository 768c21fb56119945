/**
 * The browser's side of live editing under fire: people in several processes over one simulated store
 * type into the same fields, lose their connections, reload their pages, and choose where two versions
 * meet, while processes die and answers are lost. In the end all see one document, and every word is in
 * it that nobody has decided against.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { flushEditsKind } from "../../../jobs/kinds/flush_edits.ts";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { DocumentReader } from "../../../kv/documents/reader.ts";
import type { Editor } from "../../../kv/live/editor.ts";
import { type LiveConnection, LiveHub } from "../../../kv/live/hub.ts";
import { ReleaseSource } from "../../../kv/versioning/open_releases.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { adminWire } from "../../../kv/model/input/document_wire.ts";
import { type Json, UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import type { LiveFields } from "../../../routes/studio/browser/document/live/live_fields.ts";
import {
  EditingSession,
  type SessionListener,
  type Unsent,
} from "../../../routes/studio/browser/document/live/editing_session.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import {
  Outside,
  type SimulatedSite,
  simulatedSite,
  unreliableSite,
} from "../../support/harness/simulated_site.ts";
import { Harness } from "../../support/harness/harness.ts";

const PROCESSES = 3;
const PEOPLE = 4;
const EDITS = 25;

type Value = unknown;
type Process = { site: SimulatedSite; hub: LiveHub };

/** What a run came to. */
export interface Outcome {
  words: number;
  conflicts: number;
  reloads: number;
}

const COLLECTION = () =>
  parseCollection({
    slug: "notes",
    name: "Notes",
    fields: [
      { name: "lead", type: "text" },
      {
        name: "rows",
        type: "repeater",
        options: { fields: [{ name: "a", type: "text" }, { name: "b", type: "text" }] },
      },
      { name: "body", type: "rich_text" },
    ],
  });

/** Runs one seed; throws when something that must hold does not. */
export async function simulateSessions(seed: number): Promise<Outcome> {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const outside = new Outside();
  const calm = simulatedSite(harness, kv, outside);
  await harness.run(createCollection(calm.content, UNATTENDED, COLLECTION()));
  const { state } = await harness.run(
    createDocument(calm.content, UNATTENDED, "notes", { title: "Start", lead: "Lead" }),
  );
  const runner = calm.runner([flushEditsKind(calm.content)]);
  runner.start();
  const processes = Array.from({ length: PROCESSES }, (_, index) => {
    const rate = index === 0 ? 0 : 0.02;
    const site = unreliableSite(harness, kv, outside, rate, 0);
    return {
      site,
      hub: new LiveHub(site.content, {
        clock: site.process,
        releases: new ReleaseSource(site.content.context),
      }),
    };
  });
  const people = Array.from(
    { length: PEOPLE },
    (_, index) => new Typist(harness, processes, calm, state.id, `p${index}`),
  );
  await harness.run(Promise.all([
    ...people.map((person) => person.work()),
    patchElsewhere(harness, calm, state.id),
  ]));
  await harness.pass(120_000);
  await harness.run(Promise.all(people.map((person) => person.settle())));
  await harness.pass(120_000);

  const stored = await harness.run(shownDocument(calm, state.id));
  for (const person of people) {
    assertEquals(person.form.values, stored, `${person.name} sees what is stored`);
  }
  const given = new Set(people.flatMap(({ givenUp }) => [...givenUp]));
  const words = people.flatMap((person) => person.words);
  for (const word of words) {
    const isThere = JSON.stringify(stored).includes(word);
    assert(isThere || given.has(word), `${word} is gone, and nobody has decided so`);
  }
  await harness.run(runner.stop(100));
  const sum = (count: (person: Typist) => number) =>
    people.reduce((all, person) => all + count(person), 0);
  return {
    words: words.length,
    conflicts: sum(({ conflicts }) => conflicts),
    reloads: sum(({ reloads }) => reloads),
  };
}

/** Writes through the API while no other writer does. */
async function patchElsewhere(
  harness: Harness,
  { content }: SimulatedSite,
  id: string,
): Promise<void> {
  for (let count = 0; count < 3; count++) {
    await harness.sleep(harness.random() * 4_000);
    await patchDocument(content, UNATTENDED, id, { title: `Elsewhere ${count}` });
  }
}

async function shownDocument(
  { content }: SimulatedSite,
  id: string,
): Promise<Record<string, Value>> {
  const { state } = (await new DocumentReader(content).find(id))!;
  const schema = await content.schema.current();
  const wire = adminWire(state, schema.byId.get(state.collectionId)!);
  return new Form(wire).values;
}

/** The fields of a page, without the page. */
class Form implements LiveFields {
  values: Record<string, Value> = {};

  constructor(document: Record<string, Value>) {
    for (const name of this.names()) this.write(name, document[name]);
  }

  names(): string[] {
    return ["title", "lead", "rows", "body"];
  }

  read(name: string): Value {
    return structuredClone(this.values[name]);
  }

  shape(name: string, value: Value): Value {
    if (name === "rows") {
      const rows = (value ?? []) as Record<string, Value>[];
      return rows.length === 0 ? null : rows.map(({ a, b }) => ({ a: a ?? null, b: b ?? null }));
    }
    if (name === "body") return Array.isArray(value) && value.length > 0 ? value : null;
    return value || null;
  }

  write(name: string, value: Value): void {
    this.values[name] = this.shape(name, structuredClone(value));
  }
}

class Typist {
  readonly name: string;
  readonly words: string[] = [];
  readonly givenUp = new Set<string>();
  conflicts = 0;
  reloads = 0;
  form!: Form;
  readonly #harness: Harness;
  readonly #processes: Process[];
  readonly #calm: SimulatedSite;
  readonly #id: string;
  #session!: EditingSession;
  #seat: LiveConnection | null = null;
  #editor: Editor | null = null;
  #site: SimulatedSite | null = null;
  #outbox: string[] = [];
  #isConnected = false;
  #pages = 0;

  constructor(
    harness: Harness,
    processes: Process[],
    calm: SimulatedSite,
    id: string,
    name: string,
  ) {
    this.name = name;
    this.#harness = harness;
    this.#processes = processes;
    this.#calm = calm;
    this.#id = id;
  }

  async work(): Promise<void> {
    await this.#load(null);
    for (let edits = 0; edits < EDITS; edits++) {
      if (!this.#isThere && this.#harness.chance(0.6)) await this.#connect();
      this.#type();
      if (this.#harness.chance(0.06)) await this.#leave();
      if (this.#harness.chance(0.04)) await this.#reload();
      if (this.#harness.chance(0.2)) this.#choose();
      if (this.#harness.chance(0.7)) await this.#harness.turn();
      else {await this.#harness.sleep(
          this.#harness.random() * (this.#harness.chance(0.2) ? 3_000 : 200),
        );}
    }
  }

  /** Until everything is kept; what is contested is decided. */
  async settle(): Promise<void> {
    for (let look = 0; look < 400; look++) {
      if (!this.#isThere) await this.#connect();
      this.#choose();
      await this.#harness.sleep(500);
      if (look > 20 && this.#isThere && this.#session.isSettled) return;
    }
    throw new Error(`${this.name} is never done`);
  }

  get #isThere(): boolean {
    return this.#isConnected && this.#site!.process.alive;
  }

  async #load(unsent: Unsent | null): Promise<void> {
    this.form = new Form(await shownDocument(this.#calm, this.#id));
    this.#session = new EditingSession({
      fields: this.form,
      listener: this.#listener(),
      transmit: (message) => this.#transmit(JSON.stringify(message)),
      pauseMs: (name) => name === "slug" ? 800 : 0,
      later: (ms, run) => void this.#harness.setTimer(ms, run),
      firstSeq: ++this.#pages * 10_000,
    });
    if (unsent !== null) this.#session.restore(unsent);
  }

  async #reload(): Promise<void> {
    this.reloads += 1;
    const unsent = JSON.parse(JSON.stringify(this.#session.unsent()));
    await this.#leave();
    await this.#load(unsent);
  }

  async #connect(): Promise<void> {
    const alive = this.#processes.filter(({ site }) => site.process.alive);
    const { site, hub } = alive[Math.floor(this.#harness.random() * alive.length)]!;
    this.#session.closed();
    const editor: Editor = {
      id: this.#harness.newId(this.#harness.now),
      userId: this.name,
      displayName: this.name,
      client: this.name,
      path: null,
      draftsOnly: false,
      send: (message) => {
        if (editor !== this.#editor || !this.#isConnected || !site.process.alive) return;
        this.#session.receive(JSON.parse(JSON.stringify(message)));
      },
      end: () => {
        if (editor === this.#editor) this.#isConnected = false;
      },
    };
    this.#editor = editor;
    this.#site = site;
    this.#seat = null;
    this.#outbox = [];
    this.#isConnected = true;
    this.#session.opened();
    const joined = hub.join(this.#id, editor, this.#session.seq).catch(() => null);
    const patience = this.#harness.sleep(20_000).then(() => null);
    this.#seat = await Promise.race([joined, patience]);
    this.#isConnected &&= this.#seat !== null;
    for (const text of this.#outbox.splice(0)) this.#seat?.receive(text);
  }

  async #leave(): Promise<void> {
    this.#isConnected = false;
    const seat = this.#seat;
    this.#seat = null;
    this.#session.closed();
    if (seat !== null) await Promise.race([seat.leave(), this.#harness.sleep(20_000)]);
  }

  #transmit(text: string): boolean {
    if (this.#seat === null) this.#outbox.push(text);
    else if (this.#isThere) this.#seat.receive(text);
    return true;
  }

  #listener(): SessionListener {
    const nothing = () => {};
    return {
      changed: nothing,
      kept: nothing,
      refused: (name, error) => {
        throw new Error(`${this.name}: ${name} is refused: ${JSON.stringify(error)}`);
      },
      conflict: (_name, conflict) => void (this.conflicts += conflict === null ? 0 : 1),
      present: nothing,
      edited: nothing,
      document: nothing,
      flushed: nothing,
      heldBack: nothing,
      tooLarge: nothing,
      confused: () => this.#isConnected = false,
    };
  }

  #choose(): void {
    for (const name of this.#session.conflicting) {
      const mine = JSON.stringify(this.form.read(name));
      const theirs = JSON.stringify(this.#session.confirmed(name));
      const which = this.#harness.chance(0.5) ? "mine" : "theirs";
      const [kept, lost] = which === "mine" ? [mine, theirs] : [theirs, mine];
      for (const word of lost.match(/p\d+w\d+;/g) ?? []) {
        if (!kept.includes(word)) this.givenUp.add(word);
      }
      this.#session.choose(name, which);
    }
  }

  /** Adds a word somewhere; nothing that anybody has written is taken away. */
  #type(): void {
    const word = `${this.name}w${this.words.length};`;
    const small = (count: number) => Math.floor(this.#harness.random() * count);
    const woven = (text: Value) => {
      const before = typeof text === "string" ? text : "";
      const places = [0, ...[...before.matchAll(/;/g)].map(({ index }) => index + 1)];
      const at = places[small(places.length)]!;
      return before.slice(0, at) + word + before.slice(at);
    };
    const rows = (this.form.read("rows") ?? []) as Record<string, Value>[];
    const body = (this.form.read("body") ?? []) as Record<string, Json>[];
    const at = small(Math.max(1, rows.length));
    const offset = small(Math.max(1, body.length));
    const kind = small(5);
    if (kind === 0) this.#put("lead", woven(this.form.read("lead")));
    else if (kind === 1 && rows.length > 0) {
      this.#put("rows", rows.with(at, { ...rows[at], a: woven(rows[at]!.a) }));
    } else if (kind <= 2) {
      this.#put("rows", rows.toSpliced(at + 1, 0, { a: word, b: null }));
    } else if (kind === 3 && body.length > 0) {
      const [span] = body[offset]!.children as Record<string, Json>[];
      const children = [{ ...span, text: woven(span!.text) }];
      this.#put("body", body.with(offset, { ...body[offset]!, children }));
    } else {
      this.#put(
        "body",
        body.toSpliced(offset, 0, {
          _type: "block",
          _key: `k${word.slice(0, -1)}`,
          style: "normal",
          markDefs: [],
          children: [{ _type: "span", _key: "s", text: word, marks: [] }],
        }),
      );
    }
    this.words.push(word);
  }

  #put(name: string, value: Value): void {
    this.form.write(name, value);
    this.#session.touched([name]);
  }
}
