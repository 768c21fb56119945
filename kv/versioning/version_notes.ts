/**
 * Notes on an entity's versions, stored separately because a version never changes: the names that users have
 * given, and the gaps that pruning has left between the remaining versions.
 *
 * @module
 */
import { versionNoteKey, versionNotePrefix } from "../keys.ts";
import type { EntityType } from "../model/entities/entity_kinds.ts";
import type { Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** Versions between two others that were pruned away; it is kept under the number of the first of them. */
export interface Gap {
  /** The version behind the gap, which is kept. */
  end: number;
  /** When the first of them was made, epoch seconds: up to then the version before the gap was the newest. */
  at: number;
  /** Whether they belong to one edit session with the versions before and behind the gap. */
  sitting: boolean;
}

/** A note on a version: its name, or a gap that begins there. */
export type VersionNote = string | Gap;

/** The notes of an entity. */
export interface VersionNotes {
  names: ReadonlyMap<number, string>;
  /** By the number of the first version that is gone, oldest first. */
  gaps: ReadonlyMap<number, Gap>;
  /** Touched with every name that is given and everything that is pruned. */
  stamp: Pick<Entry, "key" | "versionstamp">;
}

/** The key that {@linkcode VersionNotes} has the stamp of: no version has the number 0. */
export function noteStampKey(type: EntityType, id: string) {
  return versionNoteKey(type, id, 0);
}

/** Reads the notes of an entity. */
export async function readNotes(
  { store }: { store: Store },
  type: EntityType,
  id: string,
): Promise<VersionNotes> {
  const names = new Map<number, string>();
  const gaps = new Map<number, Gap>();
  const stamp = { key: noteStampKey(type, id), versionstamp: null as string | null };
  const rows = await store.listAll<VersionNote>({ prefix: versionNotePrefix(type, id) });
  for (const { key, value, versionstamp } of rows) {
    const n = key[3] as number;
    if (n === 0) stamp.versionstamp = versionstamp;
    else if (typeof value === "string") names.set(n, value);
    else gaps.set(n, value);
  }
  return { names, gaps, stamp };
}

/** The gaps of an entity while versions are taken away: those that meet become one. */
export class GapChanges {
  /** By their first number, and the same by their end. */
  readonly #first = new Map<number, Gap>();
  readonly #byEnd = new Map<number, number>();
  /** First numbers of gaps that differ from what is stored. */
  readonly #changed = new Set<number>();

  constructor(gaps: ReadonlyMap<number, Gap>) {
    for (const [first, gap] of gaps) this.#put(first, gap);
  }

  /** Takes version `n` away. */
  add(n: number, at: number, sitting: boolean): void {
    let first = n;
    const gap: Gap = { end: n + 1, at, sitting };
    const above = this.#first.get(gap.end);
    if (above !== undefined) {
      this.#drop(gap.end);
      gap.end = above.end;
      gap.sitting &&= above.sitting;
    }
    const below = this.#byEnd.get(n);
    if (below !== undefined) {
      first = below;
      const lower = this.#first.get(below);
      gap.at = lower?.at ?? gap.at;
      gap.sitting &&= lower?.sitting ?? gap.sitting;
      this.#drop(below);
    }
    this.#put(first, gap);
    this.#changed.add(first);
  }

  /** Forgets what lies before the oldest version that is kept: that is no gap. */
  dropBelow(oldest: number): void {
    for (const first of [...this.#first.keys()]) if (first < oldest) this.#drop(first);
  }

  /** Adds to a commit what has changed since the last. */
  stage(operation: Operation, type: EntityType, id: string): void {
    for (const first of this.#changed) {
      const gap = this.#first.get(first);
      const key = versionNoteKey(type, id, first);
      if (gap === undefined) operation.delete(key);
      else operation.set(key, gap satisfies VersionNote);
    }
    this.#changed.clear();
  }

  /** Whether there is something to commit. */
  get hasChanges(): boolean {
    return this.#changed.size > 0;
  }

  #put(first: number, gap: Gap): void {
    this.#first.set(first, gap);
    this.#byEnd.set(gap.end, first);
  }

  #drop(first: number): void {
    const gap = this.#first.get(first);
    if (gap === undefined) return;
    this.#first.delete(first);
    if (this.#byEnd.get(gap.end) === first) this.#byEnd.delete(gap.end);
    this.#changed.add(first);
  }
}
