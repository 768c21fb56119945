/**
 * Rows that outlive what they belong to: counts of revoked tokens, former slugs and live editing of removed
 * documents, reservations of fields that are unique no more. Harmless, but they would accumulate.
 *
 * @module
 */
import type { FormerAddress } from "../redirects/former_addresses.ts";
import { formerAddressesChangedKey, formerAddressPrefix } from "../redirects/redirect_keys.ts";
import { zip } from "../model/primitives/zip.ts";
import { type Context, seconds } from "../context.ts";
import type { Content } from "../documents/content.ts";
import type { CurrentRow } from "../versioning/entities.ts";
import {
  currentKey,
  type Key,
  oldSlugPrefix,
  schemaKey,
  tokenUsePrefix,
  uniquePrefix,
  uniquesPrefix,
} from "../keys.ts";
import { editHeadPrefix, editOpStart, editPresenceStampPrefix } from "../live/live_keys.ts";
import { KV_CHECKS_MAX } from "../limits/store.ts";
import { reservesValues } from "../model/fields/field_definition.ts";
import { type Entry, Operation } from "../store/operation.ts";

/** Rows looked at in one portion. */
const ROWS_PER_SWEEP = 200;
/** Rows of one owner deleted in one commit. */
const DELETED_PER_COMMIT = 400;
/** How long an owner has been gone before its rows go, seconds: restores of a moment ago find them. */
const GONE_FOR = 86_400;

/** How far a sweep has come: which family of rows, and the last key of it. */
export type StrayCursor = {
  family: number;
  after: (string | number)[] | null;
  removed: number;
};

/** Rows whose owner is an entity. */
interface OwnedRows {
  prefix: Key;
  owner: (entry: Entry) => Key;
  /** The key that says when rows were added or removed. */
  changed?: Key;
  /** Other rows that go with one, at most so many at a time. */
  others?: (context: Context, entry: Entry) => Promise<Key[]>;
}

const OWNED: readonly OwnedRows[] = [
  { prefix: tokenUsePrefix, owner: ({ key }) => currentKey("api_token", key[1] as string) },
  {
    prefix: formerAddressPrefix,
    changed: formerAddressesChangedKey,
    owner: ({ value }) => currentKey((value as FormerAddress).type, (value as FormerAddress).id),
  },
  { prefix: oldSlugPrefix, owner: ({ value }) => currentKey("document", value as string) },
  { prefix: editPresenceStampPrefix, owner: documentOf },
  { prefix: editHeadPrefix, owner: documentOf, others: operationsOf },
];

function documentOf({ key }: Entry): Key {
  return currentKey("document", key[1] as string);
}

async function operationsOf({ store }: Context, { key }: Entry): Promise<Key[]> {
  const id = key[1] as string;
  const range = { start: editOpStart(id, 0), end: editOpStart(id, Number.MAX_SAFE_INTEGER) };
  return (await store.listAll(range, { limit: DELETED_PER_COMMIT })).map(({ key }) => key);
}

/** Sweeps a portion; returns where to continue, or how many rows have been removed in all. */
export async function sweepStrays(
  content: Content,
  cursor: StrayCursor,
): Promise<{ next: StrayCursor } | { removed: number }> {
  let { family, after, removed } = cursor;
  for (;;) {
    const owned = OWNED[family];
    const swept = owned === undefined
      ? await sweepReservations(content, after)
      : await sweepOwned(content.context, owned, after);
    removed += swept.removed;
    if (swept.after !== null) return { next: { family, after: [...swept.after], removed } };
    if (owned === undefined) return { removed };
    family += 1;
    after = null;
    // A family without strays takes one list: the next one follows in the same portion.
    if (swept.removed > 0) return { next: { family, after, removed } };
  }
}

interface SweepProgress {
  after: Key | null;
  removed: number;
}

async function sweepOwned(
  context: Context,
  { prefix, owner, others, changed }: OwnedRows,
  after: Key | null,
): Promise<SweepProgress> {
  const { store } = context;
  const start = after === null ? {} : { start: [...after, 0] };
  const rows = await store.listAll({ prefix, ...start }, { limit: ROWS_PER_SWEEP });
  const owners = await store.getMany(rows.map(owner)) as Entry<CurrentRow>[];
  const strays = zip(rows, owners).flatMap(([row, owner]) =>
    isLongGone(context, owner) ? [{ row, owner }] : []
  );
  let removed = 0;
  const perCommit = others === undefined ? Math.floor(KV_CHECKS_MAX / 2) : 1;
  for (let n = 0; n < strays.length; n += perCommit) {
    const operation = new Operation();
    for (const { row, owner } of strays.slice(n, n + perCommit)) {
      // A writer that restores the owner, or writes the row again, wins.
      operation.check(owner).check(row);
      const more = await others?.(context, row) ?? [];
      for (const key of more) operation.delete(key);
      if (more.length < DELETED_PER_COMMIT) operation.delete(row.key);
    }
    if (changed !== undefined) operation.touch(changed);
    if ((await store.commit(operation)).ok) removed += operation.deletes.length;
  }
  return { after: rows.length < ROWS_PER_SWEEP ? null : rows.at(-1)?.key ?? null, removed };
}

function isLongGone(context: Context, { value }: Entry<CurrentRow>): boolean {
  return value === null || (value.gone === true && seconds(context) - value.at > GONE_FOR);
}

/** Looks at one field's reservations, and skips those of a field that has use for them. */
async function sweepReservations(
  { context: { store }, schema }: Content,
  after: Key | null,
): Promise<SweepProgress> {
  const start = after === null ? {} : { start: after };
  const [first] = await store.listAll({ prefix: uniquesPrefix, ...start }, { limit: 1 });
  if (first === undefined) return { after: null, removed: 0 };
  const [collectionId, fieldKey] = first.key.slice(1) as [string, string];
  const behind = uniquePrefix(collectionId, `${fieldKey}\0`);
  const version = await store.get(schemaKey);
  const field = (await schema.at(version)).byId.get(collectionId)?.fields
    .find(({ key }) => key === fieldKey);
  if (field !== undefined && (reservesValues(field) || field.uniqueBuilding !== undefined)) {
    return { after: behind, removed: 0 };
  }
  const range = { prefix: uniquePrefix(collectionId, fieldKey) };
  const rows = await store.listAll(range, { limit: DELETED_PER_COMMIT });
  const operation = new Operation().check(version);
  for (const { key } of rows) operation.delete(key);
  const { ok } = await store.commit(operation);
  const isRest = ok && rows.length < DELETED_PER_COMMIT;
  return { after: isRest ? behind : first.key, removed: ok ? rows.length : 0 };
}
