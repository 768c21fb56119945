/**
 * History: the versions of an entity, newest first, and one version with its state. What nobody may see
 * is taken out here, whatever the type.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { type LiveRow, type VersionRow, versionState } from "../entities.ts";
import { liveKey, versionIdKey, versionKey, versionNameKey, versionNamePrefix } from "../keys.ts";
import type { State } from "../model/entity.ts";
import type { EntityType, StateOf } from "../model/entity_kinds.ts";
import { redact } from "../model/redact.ts";
import { Refusal } from "../refusals.ts";
import { type Entry, Operation } from "../store/operation.ts";

/** A version without its state. */
export interface VersionHead {
  id: string;
  version_number: number;
  changed_by: string | null;
  change_summary: string | null;
  changed_at: number;
  /** What somebody has called it; absent for nothing. */
  name?: string;
}

/** A version with its state; null for a tombstone. */
export interface Version extends VersionHead {
  entity_type: EntityType;
  entity_id: string;
  state: State | null;
  /** Key of the object that keeps a state too large for the store; null for all others. */
  state_r2_key: string | null;
}

/** Where a page of versions lies: `skip` from the newest on. */
export interface VersionPage {
  total: number;
  versions: VersionHead[];
}

/**
 * A page of an entity's versions, newest first. Numbers have no gaps except where old versions were
 * pruned away, so a page is a range of keys.
 */
export async function listVersions(
  context: Context,
  type: EntityType,
  id: string,
  page: { skip: number; limit: number },
): Promise<VersionPage> {
  const live = await context.store.get<LiveRow>(liveKey(type, id));
  if (live.value === null) throw new Refusal("NOT_FOUND");
  const newest = live.value.n;
  const start = versionKey(type, id, 0);
  const end = versionKey(type, id, newest + 1);
  const [oldest] = await context.store.listAll<VersionRow>({ start, end }, { limit: 1 });
  const first = oldest?.value?.n ?? newest;
  const upTo = newest - page.skip;
  const versions: VersionHead[] = [];
  if (upTo >= first) {
    const from = Math.max(first, upTo - page.limit + 1);
    const range = { start: versionKey(type, id, from), end: versionKey(type, id, upTo + 1) };
    const [rows, names] = await Promise.all([
      context.store.listAll<VersionRow>(range, { reverse: true, batchSize: 50 }),
      readNames(context, type, id),
    ]);
    versions.push(...rows.map(({ value }) => versionHead(value!, names)));
  }
  return { total: newest - first + 1, versions };
}

/** One version by its id, with its state. */
export async function getVersion(context: Context, versionId: string): Promise<Version> {
  const { type, id, row } = await getVersionRow(context, versionId);
  const state = await getKeptState(context, type, id, row);
  return {
    ...versionHead(row, await readNames(context, type, id)),
    entity_type: type,
    entity_id: id,
    state: state === null ? null : redact(type, state),
    state_r2_key: row.snapshot?.key ?? null,
  };
}

/** A version as stored, whose it is, and its entry for the check of a write that uses it. */
export async function getVersionRow(
  context: Context,
  versionId: string,
): Promise<{ type: EntityType; id: string; row: VersionRow; entry: Entry<VersionRow> }> {
  const target = await context.store.get<[EntityType, string, number]>(versionIdKey(versionId));
  if (target.value === null) throw new Refusal("NOT_FOUND");
  const [type, id, n] = target.value;
  const entry = await context.store.get<VersionRow>(versionKey(type, id, n));
  if (entry.value === null) throw new Refusal("NOT_FOUND");
  return { type, id, row: entry.value, entry };
}

/** The state of a version that was read just now; undefined when a prune has taken it away since. */
export async function findKeptState<T extends EntityType>(
  context: Context,
  type: T,
  id: string,
  row: VersionRow,
): Promise<StateOf<T> | null | undefined> {
  try {
    return await versionState(context, type, id, row);
  } catch (error) {
    // Pieces and objects go with their version or after it.
    const { value } = await context.store.get<VersionRow>(versionKey(type, id, row.n));
    if (value?.vid === row.vid) throw error;
    return undefined;
  }
}

/** The same, and NOT_FOUND for a version that is no more. */
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

/** The names of an entity's versions, by their numbers. */
export async function readNames(
  { store }: Pick<Context, "store">,
  type: EntityType,
  id: string,
): Promise<ReadonlyMap<number, string>> {
  const rows = await store.listAll<string>({ prefix: versionNamePrefix(type, id) });
  return new Map(rows.map(({ key, value }) => [key[3] as number, value!]));
}

/** Names a version; null takes its name away. */
export async function nameVersion(
  context: Context,
  versionId: string,
  name: string | null,
): Promise<Version> {
  const { type, id, row, entry } = await getVersionRow(context, versionId);
  const key = versionNameKey(type, id, row.n);
  // A prune that takes the version takes its name, too.
  const operation = new Operation().check(entry);
  if (name === null) operation.delete(key);
  else operation.set(key, name);
  if (!(await context.store.commit(operation)).ok) throw new Refusal("NOT_FOUND");
  return await getVersion(context, versionId);
}

/** A version without its state. */
export function versionHead(row: VersionRow, names: ReadonlyMap<number, string>): VersionHead {
  return {
    id: row.vid,
    version_number: row.n,
    changed_by: row.by,
    change_summary: row.summary,
    changed_at: row.at,
    ...(names.has(row.n) && { name: names.get(row.n)! }),
  };
}
