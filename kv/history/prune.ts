/**
 * Pruning: of an entity's versions only the newest stay, as many sittings as its type's setting says, and
 * for longer what is named or was published. What goes first is always the oldest, so that the versions that are left have no gap; the timeline keeps
 * knowing when the entity was there.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { LiveRow, VersionRow } from "../entities.ts";
import { stateChunkPrefix, versionIdKey, versionKey, versionNameKey } from "../keys.ts";
import type { EntityType } from "../model/entity_kinds.ts";
import { type Entry, Operation, StaleRead } from "../store/operation.ts";
import { firstKept } from "./sittings.ts";
import { readNames } from "./versions.ts";
import { recordPruned } from "./timeline/log.ts";

/** Versions removed at a time. */
const VERSIONS_PER_COMMIT = 50;
/** Versions read in one go: their states, of up to 48 KB, come with them. */
const VERSIONS_PER_READ = 10;
/** Keys deleted in one commit. */
const DELETED_PER_COMMIT = 400;
/** How long other work is let through between two commits: as long as the last took, within bounds. */
const PAUSE_MS = { min: 4, max: 100 };

/** The setting that says how many versions of a type are kept. */
export const keepSetting = (type: EntityType): string => `versions.keep.${type}`;

/**
 * Removes the surplus versions of an entity and answers how many there were. The newest is never among
 * them; killed anywhere it leaves what the next prune finds, or an object for the sweep. `checks`
 * are rows that must not change meanwhile: a restore of the site that begins needs the versions that are
 * there, and an import puts others in their place.
 */
export async function pruneEntity(
  context: Context,
  checks: Entry[],
  type: EntityType,
  { id, live, keep }: { id: string; live: LiveRow; keep: number },
): Promise<number> {
  const { store } = context;
  const cap = Math.max(1, keep);
  if (live.n <= cap) return 0;
  const end = versionKey(type, id, await firstKept(context, type, id, cap));
  const range = { start: versionKey(type, id, 0), end };
  let removed = 0;
  for (;;) {
    const startedAt = context.now();
    const entries = await store.listAll<VersionRow>(range, {
      limit: VERSIONS_PER_COMMIT,
      batchSize: VERSIONS_PER_READ,
    });
    const rows = entries.map((entry) => entry.value!);
    if (rows.length === 0) return removed;
    const gone = await removeVersions(context, checks, type, id, rows);
    removed += gone.length;
    if (rows.length < VERSIONS_PER_COMMIT && gone.length === rows.length) return removed;
    const took = context.now() - startedAt;
    await store.sleep(Math.min(PAUSE_MS.max, Math.max(PAUSE_MS.min, took)));
  }
}

/** Removes the first of some versions, as many as fit into one commit, and then their objects. */
async function removeVersions(
  { store, objects }: Context,
  checks: Entry[],
  type: EntityType,
  id: string,
  rows: VersionRow[],
): Promise<VersionRow[]> {
  const operation = new Operation();
  const names = await readNames({ store }, type, id);
  for (const check of checks) operation.check(check);
  const gone: VersionRow[] = [];
  for (const row of rows) {
    const keys = 2 + (row.chunks ?? 0);
    if (gone.length > 0 && operation.mutations + keys > DELETED_PER_COMMIT) break;
    operation.delete(versionKey(type, id, row.n)).delete(versionIdKey(row.vid));
    if (names.has(row.n)) operation.delete(versionNameKey(type, id, row.n));
    for (let piece = 0; piece < (row.chunks ?? 0); piece++) {
      operation.delete([...stateChunkPrefix(type, id, row.n), piece]);
    }
    gone.push(row);
  }
  recordPruned(operation, type, id, gone.at(-1)!.n + 1);
  if (!(await store.commit(operation)).ok) throw new StaleRead(checks[0]!.key);
  for (const { snapshot } of gone) {
    if (snapshot !== undefined) await objects.delete(snapshot.key);
  }
  return gone;
}
