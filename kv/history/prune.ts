/**
 * Pruning: of an entity's versions only those stay that are not surplus. What goes leaves gaps between the
 * numbers of the others; its notes tell them, and the timeline keeps knowing when the entity was there.
 *
 * @module
 */
import { type Context, seconds } from "../context.ts";
import type { CurrentRow, VersionRow } from "../versioning/entities.ts";
import { stateChunkPrefix, versionIdKey, versionKey, versionNoteKey } from "../keys.ts";
import { type EntityType, kindOf } from "../model/entities/entity_kinds.ts";
import { type Entry, Operation, StaleRead } from "../store/operation.ts";
import { allSettledOrThrow } from "../store/concurrency.ts";
import { PRUNE_ATTEMPTS_MAX } from "../tuning.ts";
import { versionsOf } from "../versioning/edit_sessions.ts";
import { SurplusClassifier } from "./surplus.ts";
import { recordPruned } from "../versioning/timeline/log.ts";
import {
  GapChanges,
  noteStampKey,
  readNotes,
  type VersionNotes,
} from "../versioning/version_notes.ts";
import { wasPublished } from "../versioning/versions.ts";

/** Versions removed at a time. */
const VERSIONS_PER_COMMIT = 50;
/** Keys changed in one commit, about. */
const KEYS_PER_COMMIT = 400;
/** So few versions have none between the first and the newest. */
const NOTHING_BETWEEN = 2;
/** How long other work is let through between two commits: as long as the last took, within bounds. */
const PAUSE_MS = { min: 4, max: 100 };

/** The setting that says how many versions of a type are kept. */
export const keepSetting = (type: EntityType): string => `versions.keep.${type}`;

/** An entity, and how much of its history stays. */
export interface Prunable {
  id: string;
  current: CurrentRow;
  keep: number;
  /** Up to when its edit sessions are thinned already, if it has not changed since; epoch seconds. */
  thinned?: number;
}

/**
 * Removes the surplus versions of an entity and returns how many there were, never including the newest. If
 * the process dies, the next prune removes what remains, or the sweep removes an unreferenced object. `checks`
 * are rows that must not change before the commit: a site restore that starts needs the existing versions, and
 * an import replaces them.
 */
export async function pruneEntity(
  context: Context,
  checks: Entry[],
  type: EntityType,
  { id, current, keep, thinned = 0 }: Prunable,
): Promise<number> {
  const cap = Math.max(1, keep);
  const isThinned = !kindOf(type).isEditedLive || current.n <= NOTHING_BETWEEN ||
    current.at <= thinned;
  if (current.n <= cap && isThinned) return 0;
  for (let attempt = 1, removed = 0;; attempt++) {
    const run = new PruneRun(context, checks, { type, id });
    try {
      await run.remove(cap);
      return removed + run.removed;
    } catch (error) {
      if (!(error instanceof StaleRead) || attempt === PRUNE_ATTEMPTS_MAX) throw error;
      removed += run.removed;
    }
  }
}

/** One way through the versions of an entity, from the newest to the oldest. */
class PruneRun {
  removed = 0;
  readonly #context: Context;
  readonly #checks: readonly Entry[];
  readonly #type: EntityType;
  readonly #id: string;
  #operation = new Operation();
  #gone: VersionRow[] = [];
  #startedAt: number;
  /** The stamp after the last commit. */
  #stamp: VersionNotes["stamp"] | null = null;

  constructor(context: Context, checks: readonly Entry[], of: { type: EntityType; id: string }) {
    this.#context = context;
    this.#checks = checks;
    this.#type = of.type;
    this.#id = of.id;
    this.#startedAt = context.now();
  }

  async remove(keep: number): Promise<void> {
    const context = this.#context;
    const [type, id] = [this.#type, this.#id];
    // Read together: a version that is named concurrently is in the notes, or changes their stamp.
    const versions = versionsOf(context, type, id, { reverse: true });
    const first = versions.next();
    const [notes] = await allSettledOrThrow([readNotes(context, type, id), first]);
    this.#stamp = notes.stamp;
    const gaps = new GapChanges(notes.gaps);
    const rule = new SurplusClassifier({ keep, now: seconds(context), notes });
    let oldest = 0;
    let after: VersionRow | null = null;
    for await (const [row, before] of withNext(await first, versions)) {
      const published = await wasPublished(context, type, id, row, before);
      const { surplus, inside } = rule.classify({ before, row, after, published });
      after = row;
      if (!surplus) oldest = row.n;
      else {
        gaps.add(row.n, row.at, inside);
        this.#stageRemoval(row, notes);
        if (this.#isFull) await this.#commit(gaps);
      }
    }
    gaps.dropBelow(oldest);
    if (this.#gone.length > 0 || gaps.hasChanges) await this.#commit(gaps);
  }

  #stageRemoval({ body: _body, ...row }: VersionRow, { names }: VersionNotes): void {
    const [type, id] = [this.#type, this.#id];
    this.#operation.delete(versionKey(type, id, row.n)).delete(versionIdKey(row.vid));
    if (names.has(row.n)) this.#operation.delete(versionNoteKey(type, id, row.n));
    for (let piece = 0; piece < (row.chunks ?? 0); piece++) {
      this.#operation.delete([...stateChunkPrefix(type, id, row.n), piece]);
    }
    this.#gone.push(row);
  }

  get #isFull(): boolean {
    return this.#gone.length === VERSIONS_PER_COMMIT ||
      this.#operation.mutations >= KEYS_PER_COMMIT;
  }

  /** Removes what is staged, and then its objects. */
  async #commit(gaps: GapChanges): Promise<void> {
    const { store, objects } = this.#context;
    const [operation, gone] = [this.#operation, this.#gone];
    const stampKey = noteStampKey(this.#type, this.#id);
    for (const check of this.#checks) operation.check(check);
    operation.check(this.#stamp!).touch(stampKey);
    gaps.stage(operation, this.#type, this.#id);
    for (const range of rangesOf(gone)) recordPruned(operation, this.#type, this.#id, range);
    const result = await store.commit(operation);
    if (!result.ok) throw new StaleRead(stampKey);
    this.#stamp = { key: stampKey, versionstamp: result.versionstamp };
    this.#operation = new Operation();
    this.#gone = [];
    this.removed += gone.length;
    for (const { snapshot } of gone) {
      if (snapshot !== undefined) await objects.delete(snapshot.key);
    }
    // On a remote store the time is spent waiting, and blocks nothing.
    const took = store.isRemote ? 0 : this.#context.now() - this.#startedAt;
    await store.sleep(Math.min(PAUSE_MS.max, Math.max(PAUSE_MS.min, took)));
    this.#startedAt = this.#context.now();
  }
}

/** The ranges of numbers of some versions, newest first. */
function rangesOf(rows: readonly VersionRow[]): { first: number; end: number }[] {
  const ranges: { first: number; end: number }[] = [];
  for (const { n } of rows) {
    const last = ranges.at(-1);
    if (last?.first === n + 1) last.first = n;
    else ranges.push({ first: n, end: n + 1 });
  }
  return ranges;
}

/** Every item, of which the first is there already, with the one that follows it; null behind the last. */
async function* withNext<T>(
  first: IteratorResult<T>,
  rest: AsyncIterator<T>,
): AsyncGenerator<[T, T | null]> {
  for (let one = first; !one.done;) {
    const following = await rest.next();
    yield [one.value, following.done ? null : following.value];
    one = following;
  }
}
