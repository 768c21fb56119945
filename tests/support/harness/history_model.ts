/**
 * A naive history: every version of everything, copied as soon as it is there and never forgotten. What
 * there was at an instant is found by going through all of it.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import {
  type CurrentRow,
  readHead,
  type VersionRow,
  versionState,
} from "../../../kv/versioning/entities.ts";
import { currentPrefix, versionKey } from "../../../kv/keys.ts";
import type { State } from "../../../kv/model/entities/entity.ts";
import { asJson, ENTITY_TYPES, type EntityType } from "../../../kv/model/entities/entity_kinds.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import { assert, assertEquals } from "./assert.ts";

/** A version that once was. */
export interface PastVersion {
  n: number;
  vid: string;
  at: number;
  by: string | null;
  summary: string | null;
  state: State | null;
}

/** An entity and all that it ever was. */
export interface Past {
  type: EntityType;
  id: string;
  /** Oldest first; numbers begin at 1 and have no gap. */
  versions: PastVersion[];
}

/** All entities, by type and id. */
export class HistoryModel {
  readonly all = new Map<string, Past>();
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Copies what is new and checks it: numbers without a gap, times that never go back, a live row that is
   * its newest version. Answers the entities that have changed.
   */
  async follow(): Promise<Past[]> {
    const changed: Past[] = [];
    for (const type of ENTITY_TYPES) {
      const rows = this.#context.store.list<CurrentRow>({ prefix: currentPrefix(type) });
      for await (const entry of rows) {
        const past = await this.#followOne(type, entry);
        if (past !== null) changed.push(past);
      }
    }
    return changed;
  }

  async #followOne(type: EntityType, entry: Entry<CurrentRow>): Promise<Past | null> {
    const id = entry.key.at(-1) as string;
    const name = `${type} ${id}`;
    const past = this.all.get(name) ?? { type, id, versions: [] };
    const live = entry.value!;
    const known = past.versions.length;
    assert(live.n >= known, `${name} went back from version ${known} to ${live.n}`);
    if (live.n === known) return null;
    this.all.set(name, past);
    for (let n = known + 1; n <= live.n; n++) past.versions.push(await this.#read(type, id, n));
    const times = past.versions.map(({ at }) => at);
    assertEquals(times, times.toSorted((a, b) => a - b), `${name}: times`);
    const newest = past.versions.at(-1)!;
    const { state } = await readHead(this.#context, type, id, entry.key, entry);
    assertEquals([newest.vid, newest.at, newest.state], [live.vid, live.at, state], name);
    return past;
  }

  async #read(type: EntityType, id: string, n: number): Promise<PastVersion> {
    const { value } = await this.#context.store.get<VersionRow>(versionKey(type, id, n));
    assert(value !== null, `${type} ${id} has no version ${n}`);
    const state = await versionState(this.#context, type, id, value);
    const { vid, at, by, summary } = value;
    return { n, vid, at, by, summary, state: state && asJson(state) };
  }

  /** What an entity was at an instant, epoch seconds. */
  at({ versions }: Past, instant: number): PastVersion | null {
    const found = versions.findLast(({ at }) => at <= instant);
    return found === undefined || found.state === null ? null : found;
  }

  /** The entities of a type at an instant. */
  thereAt(type: EntityType, instant: number): Past[] {
    return [...this.all.values()].filter((one) =>
      one.type === type && this.at(one, instant) !== null
    );
  }

  /** How many versions had been recorded by the end of a second. */
  countUntil(instant: number): number {
    let count = 0;
    for (const { versions } of this.all.values()) {
      count += versions.filter(({ at }) => at <= instant).length;
    }
    return count;
  }

  /** The newest version of an entity. */
  newest({ versions }: Past): PastVersion {
    return versions.at(-1)!;
  }

  /** Which of an entity's versions the site still keeps. */
  async kept({ type, id, versions }: Past): Promise<PastVersion[]> {
    const keys = versions.map(({ n }) => versionKey(type, id, n));
    const entries = await this.#context.store.getMany(keys);
    return versions.filter((_, index) => entries[index]!.value !== null);
  }
}
