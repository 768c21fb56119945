/**
 * History: the versions of an entity, newest first, and one version with its state. Secrets are removed here,
 * for every type.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { type CurrentRow, type VersionRow, versionState } from "./entities.ts";
import { currentKey, versionKey, versionNoteKey, versionPrefix } from "../keys.ts";
import type { State } from "../model/entities/entity.ts";
import { type EntityType, kindOf, type StateOf } from "../model/entities/entity_kinds.ts";
import { redact } from "../model/values/redact.ts";
import { Refusal } from "../refusals.ts";
import { type Entry, Operation } from "../store/operation.ts";
import { findVersionLocation, type LocatedVersion } from "./version_locations.ts";
import { noteStampKey, readNotes, type VersionNotes } from "./version_notes.ts";
import { allSettledOrThrow } from "../store/concurrency.ts";
import { forgetPruned } from "./pruned_until.ts";

/** A version without its state. */
export interface VersionHead {
  id: string;
  version_number: number;
  changed_by: string | null;
  change_summary: string | null;
  changed_at: number;
  /** The name that a user gave it; absent without one. */
  name?: string;
  /** Set if the version made a document, or changes of it, public. */
  published?: true;
  /** The languages that it changed, of a document that has several; `""` is that of the original. */
  languages?: string[];
}

/** A version with its state; null for a tombstone. */
export interface Version extends VersionHead {
  entity_type: EntityType;
  entity_id: string;
  state: State | null;
  /** Key of the object that holds a state too large for the store; null for all others. */
  state_r2_key: string | null;
}

/** A page of versions: `skip` counts from the newest. */
export interface VersionPage {
  total: number;
  versions: VersionHead[];
}

/**
 * A page of an entity's versions, newest first. Pruning leaves gaps between numbers, which the notes record,
 * so that a page is a range of keys.
 */
export async function listVersions(
  context: Context,
  type: EntityType,
  id: string,
  page: { skip: number; limit: number; below?: number },
): Promise<VersionPage> {
  const { store } = context;
  const [current, [oldest], notes] = await Promise.all([
    store.get<CurrentRow>(currentKey(type, id)),
    store.listAll<VersionRow>({ prefix: versionPrefix(type, id) }, { limit: 1 }),
    readNotes(context, type, id),
  ]);
  if (current.value === null) throw new Refusal("NOT_FOUND");
  const newest = current.value.n;
  const first = oldest?.value?.n ?? newest;
  const runs = keptRuns(notes.gaps, first, newest);
  const total = runs.reduce((sum, run) => sum + run.to - run.from + 1, 0);
  const upTo = numberAt(runs, { skip: page.skip, below: page.below ?? newest + 1 });
  if (upTo === null) return { total, versions: [] };
  // Whether a version published something may depend on the one before it.
  const limit = page.limit + (kindOf(type).becomesPublic === undefined ? 0 : 1);
  const range = { start: versionKey(type, id, first), end: versionKey(type, id, upTo + 1) };
  const rows = await store.listAll<VersionRow>(range, { reverse: true, limit, batchSize: 50 });
  const versions = rows.slice(0, page.limit).map(async ({ value }, position) => {
    const before = rows[position + 1]?.value ?? null;
    const published = await wasPublished(context, type, id, value, before);
    return versionHead(value, notes, published);
  });
  return { total, versions: await Promise.all(versions) };
}

/** A range of versions without a gap. */
interface Run {
  from: number;
  to: number;
}

/** The ranges of kept versions, newest first. */
function keptRuns(gaps: VersionNotes["gaps"], first: number, newest: number): Run[] {
  const runs: Run[] = [];
  let from = first;
  for (const [start, { end }] of gaps) {
    if (start < first || end > newest) continue;
    runs.push({ from, to: start - 1 });
    from = end;
  }
  runs.push({ from, to: newest });
  return runs.reverse();
}

/** The number of the version after `skip` others below a number; null if there are fewer. */
function numberAt(
  runs: readonly Run[],
  { skip, below }: { skip: number; below: number },
): number | null {
  for (const { from, to } of runs) {
    const count = Math.min(to, below - 1) - from + 1;
    if (count <= 0) continue;
    if (skip < count) return from + count - 1 - skip;
    skip -= count;
  }
  return null;
}

/** A version by its id, with its state. */
export async function getVersion(context: Context, versionId: string): Promise<Version> {
  const { location: [type, id, n] } = await getLocation(context, versionId);
  return await getVersionAt(context, type, id, { versionId, n });
}

/** A version by entity and number, with its state. */
export async function getVersionAt(
  context: Context,
  type: EntityType,
  id: string,
  { versionId, n }: { versionId: string; n: number },
): Promise<Version> {
  const [{ value: row }, notes] = await allSettledOrThrow([
    context.store.get<VersionRow>(versionKey(type, id, n)),
    readNotes(context, type, id),
  ]);
  if (row === null || row.vid !== versionId) throw new Refusal("NOT_FOUND");
  const version = await versionOf(context, { type, id, row });
  const name = notes.names.get(n);
  return { ...version, ...(name !== undefined && { name }) };
}

/** A version with its state, without its name. */
async function versionOf(
  context: Context,
  { type, id, row }: Omit<VersionFound, "entry">,
): Promise<Version> {
  const state = await getKeptState(context, type, id, row);
  const isOld = kindOf(type).becomesPublic !== undefined && row.published === undefined;
  const before = isOld ? await keptBefore(context, type, id, row.n) : null;
  const published = await wasPublished(context, type, id, row, before);
  return {
    ...versionHead(row, { names: new Map() }, published),
    entity_type: type,
    entity_id: id,
    state: state === null ? null : redact(type, state),
    state_r2_key: row.snapshot?.key ?? null,
  };
}

/** A version as stored, its entity, and its entry for the check of a write. */
export interface VersionFound {
  type: EntityType;
  id: string;
  row: VersionRow;
  entry: Entry<VersionRow>;
}

async function getLocation(context: Context, versionId: string): Promise<LocatedVersion> {
  const found = await findVersionLocation(context, versionId);
  if (found === null) throw new Refusal("NOT_FOUND");
  return found;
}

/** Finds a version by its id. */
export async function getVersionRow(context: Context, versionId: string): Promise<VersionFound> {
  const { location: [type, id, n], ...found } = await getLocation(context, versionId);
  const entry = found.entry ?? await context.store.get<VersionRow>(versionKey(type, id, n));
  if (entry.value === null) throw new Refusal("NOT_FOUND");
  return { type, id, row: entry.value, entry };
}

/** The state of a version that was just read; undefined if it was pruned since. */
export async function findKeptState<T extends EntityType>(
  context: Context,
  type: T,
  id: string,
  row: VersionRow,
): Promise<StateOf<T> | null | undefined> {
  try {
    return await versionState(context, type, id, row);
  } catch (error) {
    // Pieces and objects are removed together with their version or after it.
    const { value } = await context.store.get<VersionRow>(versionKey(type, id, row.n));
    if (value?.vid === row.vid) throw error;
    return undefined;
  }
}

/** The state of a version that was just read; NOT_FOUND if it was pruned since. */
export async function getKeptState<T extends EntityType>(
  context: Context,
  type: T,
  id: string,
  row: VersionRow,
): Promise<StateOf<T> | null> {
  const state = await findKeptState(context, type, id, row);
  if (state === undefined) throw new Refusal("NOT_FOUND");
  return state;
}

/** Names a version that was just read, or removes its name (null). Returns the version without a name. */
export async function nameVersion(
  context: Context,
  found: VersionFound,
  name: string | null,
): Promise<Version> {
  const { type, id, row, entry } = found;
  const version = await versionOf(context, found);
  const key = versionNoteKey(type, id, row.n);
  // A prune that removes the version removes its name too, and one that has not seen the name removes
  // nothing.
  const operation = new Operation().check(entry).touch(noteStampKey(type, id));
  if (name !== null) operation.set(key, name);
  else forgetPruned(operation.delete(key));
  if (!(await context.store.commit(operation)).ok) throw new Refusal("NOT_FOUND");
  return version;
}

/** The newest kept version before number `n`; null if there is none. */
export async function keptBefore(
  { store }: Context,
  type: EntityType,
  id: string,
  n: number,
  { above = 0 } = {},
): Promise<VersionRow | null> {
  if (above + 1 === n) return null;
  const range = { start: versionKey(type, id, above + 1), end: versionKey(type, id, n) };
  const [found] = await store.listAll<VersionRow>(range, { reverse: true, limit: 1 });
  return found?.value ?? null;
}

/**
 * Whether a version made a document, or changes of it, public; `before` is the kept version before it. New
 * versions record this; for older ones the states tell.
 */
export async function wasPublished(
  context: Context,
  type: EntityType,
  id: string,
  row: VersionRow,
  before: VersionRow | null,
): Promise<boolean> {
  const { becomesPublic } = kindOf(type);
  if (row.published !== undefined || becomesPublic === undefined) return row.published ?? false;
  const is = await findKeptState(context, type, id, row) ?? null;
  if (!becomesPublic(null, is)) return false;
  return becomesPublic(before && await findKeptState(context, type, id, before) || null, is);
}

/** A version without its state. */
export function versionHead(
  row: VersionRow,
  { names }: Pick<VersionNotes, "names">,
  published: boolean,
): VersionHead {
  const name = names.get(row.n);
  return {
    id: row.vid,
    version_number: row.n,
    changed_by: row.by,
    change_summary: row.summary,
    changed_at: row.at,
    ...(name !== undefined && { name }),
    ...(published && { published: true as const }),
    ...(row.languages && { languages: row.languages }),
  };
}
