/**
 * Slugs and unique values in a site-wide restore. At the target instant all were distinct, but during the
 * restore a document may need a value that another one still holds: then the other is restored first or, if
 * each needs the other's value, both are restored in one commit.
 *
 * @module
 */
import { valueHash } from "../../documents/reservations.ts";
import { zip } from "../../model/primitives/zip.ts";
import { type CurrentRow, readHead } from "../../versioning/entities.ts";
import { currentKey, type Key, oldSlugKey, slugKey, uniqueKey } from "../../keys.ts";
import { KV_CHECKS_MAX } from "../../limits/store.ts";
import type { Collection } from "../../model/entities/collection.ts";
import type { DocumentState } from "../../model/entities/document.ts";
import { reservesValues } from "../../model/fields/field_definition.ts";
import { keyText } from "../../store/operation.ts";
import type { Transaction } from "../../versioning/transaction.ts";
import { isChangedSince, type RestoreRun } from "./restore_run.ts";

/** Checks that a commit may have with its reservations: the list index needs one more. */
const RESERVATION_CHECKS_MAX = KV_CHECKS_MAX - 1;

/** A document on its way back. */
export interface Move {
  id: string;
  collection: Collection;
  before: DocumentState | null;
  after: DocumentState | null;
}

/** The obstacles of a change. */
export interface BlockingMove {
  /** Documents that have to go first. */
  by: string[];
  /** Whether one that was written since the request holds a value for good. */
  taken: boolean;
}

/** Adds the reservations of some moves to their commit; null, or what stands in their way. */
export async function stageReservations(
  transaction: Transaction,
  run: RestoreRun,
  moves: readonly Move[],
): Promise<BlockingMove | null> {
  const { operation } = transaction;
  const wanted = moves.flatMap(({ id, collection, after }) =>
    reservedKeys(collection, after).map((key) => ({ id, key }))
  );
  const members = new Set(moves.map(({ id }) => id));
  const blocked: BlockingMove = { by: [], taken: false };
  const reserved = await transaction.peek<string>(...wanted.map(({ key }) => key));
  for (const { key, value } of reserved) {
    if (value === null || members.has(value)) continue;
    const way = await wayPast(transaction, run, key, value);
    if (way === "first") blocked.by.push(value);
    if (way === "taken") blocked.taken = true;
  }
  const changes = zip(wanted, reserved).map(([reservation, entry]) => ({ ...reservation, entry }))
    .filter(({ id, entry }) => entry.value !== id);
  // A member's own row is checked: while it stands, no other document gets what it holds.
  const checked = changes.filter(({ entry }) => !members.has(entry.value ?? ""));
  if (operation.checks.length + checked.length > RESERVATION_CHECKS_MAX) blocked.taken = true;
  if (blocked.taken || blocked.by.length > 0) return blocked;
  for (const { entry } of checked) operation.check(entry);
  for (const { key, id } of changes) operation.set(key, id);
  await stageReleases(transaction, moves, new Set(wanted.map(({ key }) => keyText(key))));
  for (const move of moves) stageOldSlug(transaction, move);
  return null;
}

/** Releases reservations that no move wants; a reservation may have passed to another document. */
async function stageReleases(
  transaction: Transaction,
  moves: readonly Move[],
  wanted: ReadonlySet<string>,
): Promise<void> {
  const released = moves.flatMap(({ id, collection, before }) =>
    reservedKeys(collection, before).map((key) => ({ id, key }))
  ).filter(({ key }) => !wanted.has(keyText(key)));
  const reserved = await transaction.peek<string>(...released.map(({ key }) => key));
  for (const [{ id, key }, { value: holder }] of zip(released, reserved)) {
    if (holder === id) transaction.operation.delete(key);
  }
}

/** The keys that a document in a state reserves. */
function reservedKeys({ id, fields }: Collection, state: DocumentState | null): Key[] {
  if (state === null || state.status === "trashed") return [];
  const values = fields.filter(reservesValues)
    .map(({ key }) => ({ key, value: state.data[key] ?? null }))
    .filter(({ value }) => value !== null);
  return [
    slugKey(id, state.slug),
    ...values.map(({ key, value }) => uniqueKey(id, key, valueHash(value))),
  ];
}

/**
 * Whether a reservation of another document is a left-over, or that document has to go first, or keeps it: a
 * field may have been no unique one for a while.
 */
async function wayPast(
  transaction: Transaction,
  run: RestoreRun,
  key: Key,
  holderId: string,
): Promise<"free" | "first" | "taken"> {
  const live = currentKey("document", holderId);
  const [entry] = await transaction.peek<CurrentRow>(live);
  const { state } = await readHead(transaction.context, "document", holderId, live, entry);
  const holder = state;
  const [, collectionId, name, hash] = key as [string, string, string, string?];
  const isHeld = holder !== null && holder.collectionId === collectionId &&
    holder.status !== "trashed" &&
    (hash === undefined ? holder.slug === name : valueHash(holder.data[name] ?? null) === hash);
  if (!isHeld) return "free";
  return isChangedSince(run, entry) ? "taken" : "first";
}

/** The address that a published document gives up still leads to it. */
function stageOldSlug({ operation }: Transaction, { id, collection, before, after }: Move): void {
  if (before?.status !== "published" || after === null || after.status === "trashed") return;
  if (before.slug !== after.slug) operation.set(oldSlugKey(collection.id, before.slug), id);
}
