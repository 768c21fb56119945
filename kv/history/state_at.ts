/**
 * The whole site at an instant, and between two: per entity type how many there were and a few of them,
 * never a whole state. An answer that pruning has made uncertain says so.
 *
 * @module
 */
import { zip } from "../model/primitives/zip.ts";
import type { Context } from "../context.ts";
import type { VersionRow } from "../versioning/entities.ts";
import { versionKey } from "../keys.ts";
import { SAMPLE_MAX } from "../limits/store.ts";
import type { Json } from "../model/entities/entity.ts";
import {
  asJson,
  type EntityType,
  kindOf,
  SITE_TYPES,
  type SiteType,
  type StateOf,
} from "../model/entities/entity_kinds.ts";
import { SAMPLE_CANDIDATES_MAX } from "../tuning.ts";
import { versionIn } from "../versioning/timeline/events.ts";
import {
  type EntityPosition,
  isThere,
  isUnknown,
  type Moment,
  type TimelineReader,
} from "./timeline/timeline_reader.ts";
import type { TimelineReaders } from "./timeline/timeline.ts";
import { findKeptState } from "../versioning/versions.ts";

/** An entity as a sample shows it. */
export type Sample = Record<string, Json>;

/** Some of the entities of a type. */
export interface EntityCounts {
  count: number;
  sample: Sample[];
}

/** The entities of a type at an instant; `complete` is false if versions are missing. */
export type TypeAt = EntityCounts & { complete?: false };

/** The whole site at an instant. */
export interface SiteAt {
  timestamp: number;
  /** There and false where the state of some entity at the instant is known no longer. */
  complete?: false;
  entities: Record<SiteType, TypeAt>;
}

/** The changes of a type between two instants. */
export interface TypeDiff {
  created: EntityCounts;
  changed: EntityCounts;
  removed: EntityCounts;
  complete?: false;
}

/** The changes of the site between two instants. */
export interface SiteDiff {
  from: number;
  to: number;
  complete?: false;
  entities: Record<SiteType, TypeDiff>;
}

/** A version of an entity. */
interface VersionName {
  id: string;
  n: number;
}

/** The site at an instant, epoch seconds; `readers` best read the timelines of all types together. */
export async function siteAt(
  context: Context,
  readers: TimelineReaders,
  timestamp: number,
): Promise<SiteAt> {
  const found = await forEveryType(async (type) => {
    const reader = await readers.of(type);
    const there = new SampledCount(reader);
    await reader.walk([timestamp], (moment) => {
      const [what] = moment.what as [number];
      if (isThere(what)) there.add(moment, 0);
      else if (isUnknown(what, moment)) there.doubt();
    });
    return there;
  });
  // All of them are looked for together: each call would travel alone otherwise.
  const entities = await forEveryType(async (type): Promise<TypeAt> => {
    return { ...await counted(context, type, found[type]), ...found[type].warning };
  });
  return { timestamp, ...doubtOf(entities), entities };
}

/**
 * The changes of the site between two instants, epoch seconds. Samples show created and changed entities as of
 * `to`, and removed ones as of `from`.
 */
export async function siteDiff(
  context: Context,
  readers: TimelineReaders,
  from: number,
  to: number,
): Promise<SiteDiff> {
  const found = await forEveryType(async (type) => {
    return await countChanges(await readers.of(type), from, to);
  });
  const entities = await forEveryType(async (type): Promise<TypeDiff> => {
    const { created, changed, removed } = found[type];
    return {
      created: await counted(context, type, created),
      changed: await counted(context, type, changed),
      removed: await counted(context, type, removed),
      ...created.warning,
      ...changed.warning,
      ...removed.warning,
    };
  });
  return { from, to, ...doubtOf(entities), entities };
}

/** A picture with a type that is not complete is not complete itself. */
function doubtOf(entities: Record<string, { complete?: false }>): { complete?: false } {
  return Object.values(entities).some(({ complete }) => complete === false)
    ? { complete: false }
    : {};
}

async function countChanges(reader: TimelineReader, from: number, to: number) {
  const created = new SampledCount(reader);
  const changed = new SampledCount(reader);
  const removed = new SampledCount(reader);
  await reader.walk([from, to], (moment) => {
    const [before, after] = moment.what as [number, number];
    if (before === after) return;
    const [was, is] = [isThere(before), isThere(after)];
    if (isUnknown(before, moment)) changed.doubt();
    if (!was && !is) return;
    if (was && is) changed.add(moment, 1, 0);
    else if (is) created.add(moment, 1);
    else removed.add(moment, 0);
  });
  return { created, changed, removed };
}

async function forEveryType<T>(
  work: (type: SiteType) => Promise<T>,
): Promise<Record<SiteType, T>> {
  const found = await Promise.all(
    SITE_TYPES.map(async (type): Promise<[SiteType, T]> => [type, await work(type)]),
  );
  return Object.fromEntries(found) as Record<SiteType, T>;
}

/** Counts entities and remembers the last ones whose version is kept: ids grow with time. */
class SampledCount {
  count = 0;
  readonly #reader: TimelineReader;
  /** A ring. */
  readonly #last: (EntityPosition & { n: number })[] = [];
  #seen = 0;
  #complete = true;

  constructor(reader: TimelineReader) {
    this.#reader = reader;
  }

  /** Adds an entity as it was at the instant of a turn; it matters too whether it is known what it was `before`. */
  add({ what, lost, position: { layer, row } }: Moment, instant: number, before = instant): void {
    this.count += 1;
    if (lost[instant] || lost[before]) this.#complete = false;
    if (lost[instant]) return;
    const n = versionIn(what[instant]!);
    this.#last[this.#seen++ % SAMPLE_CANDIDATES_MAX] = { layer, row, n };
  }

  /** Says that there may be more than is known. */
  doubt(): void {
    this.#complete = false;
  }

  /** For the answer, when versions are missing that it would need. */
  get warning(): { complete?: false } {
    return this.#complete ? {} : { complete: false };
  }

  /** The newest first. */
  get candidates(): VersionName[] {
    return this.#last.map((position) => ({ id: this.#reader.idAt(position), n: position.n }))
      .sort((a, b) => a.id < b.id ? 1 : -1);
  }
}

async function counted(
  context: Context,
  type: EntityType,
  counter: SampledCount,
): Promise<EntityCounts> {
  const names = counter.candidates;
  const entries = await context.store.getMany(names.map(({ id, n }) => versionKey(type, id, n)));
  const sample: Sample[] = [];
  for (const [{ id }, { value }] of zip(names, entries)) {
    if (sample.length === SAMPLE_MAX) break;
    const row = value as VersionRow | null;
    // A prune may have been faster than this answer.
    const state = row === null ? null : await findKeptState(context, type, id, row);
    const shown = state == null ? null : sampleOf(type, id, state);
    if (shown !== null) sample.push(shown);
  }
  return { count: counter.count, sample };
}

function sampleOf<T extends EntityType>(type: T, id: string, state: StateOf<T>): Sample | null {
  const { sample } = kindOf(type);
  if (sample !== undefined) return sample(id, state);
  const { name } = asJson(state);
  return typeof name === "string" ? { id, name } : { id };
}
