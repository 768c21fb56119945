/**
 * Slugs and unique values in a site-wide restore. At the instant nobody had what somebody else had, but on
 * the way there a document may want what another one still holds: then that one goes first, or, when they
 * want it of each other, both go in one commit.
 *
 * @module
 */
import { valueHash } from "../../documents/claims.ts";
import { type LiveRow, readHead } from "../../entities.ts";
import { type Key, liveKey, oldSlugKey, slugKey, uniqueKey } from "../../keys.ts";
import { KV_CHECKS_MAX } from "../../limits.ts";
import type { Collection } from "../../model/collection.ts";
import type { DocumentState } from "../../model/document.ts";
import { keyText } from "../../store/operation.ts";
import type { Transaction } from "../../versioned_write.ts";
import { isYoung, type Site } from "./site.ts";

/** Checks that a commit may have with its claims: the list index needs one more. */
const CLAIM_CHECKS_MAX = KV_CHECKS_MAX - 1;

/** A document on its way back. */
export interface Move {
  id: string;
  collection: Collection;
  before: DocumentState | null;
  after: DocumentState | null;
}

/** What stands in the way of a move. */
export interface Blocked {
  /** Documents that have to go first. */
  by: string[];
  /** Whether one that was written after the cut holds a value for good. */
  taken: boolean;
}

/** Adds the claims of some moves to their commit; null, or what stands in their way. */
export async function stageClaims(
  transaction: Transaction,
  site: Site,
  moves: readonly Move[],
): Promise<Blocked | null> {
  const { operation } = transaction;
  const wanted = moves.flatMap(({ id, collection, after }) =>
    claimKeys(collection, after).map((key) => ({ id, key }))
  );
  const members = new Set(moves.map(({ id }) => id));
  const blocked: Blocked = { by: [], taken: false };
  const claims = await transaction.peek<string>(...wanted.map(({ key }) => key));
  for (const { key, value } of claims) {
    if (value === null || members.has(value)) continue;
    const way = await wayPast(transaction, site, key, value);
    if (way === "first") blocked.by.push(value);
    if (way === "taken") blocked.taken = true;
  }
  const changes = wanted.map((claim, place) => ({ ...claim, entry: claims[place]! }))
    .filter(({ id, entry }) => entry.value !== id);
  // A member's own row is checked: while it stands, nobody else gets what it holds.
  const checked = changes.filter(({ entry }) => !members.has(entry.value ?? ""));
  if (operation.checks.length + checked.length > CLAIM_CHECKS_MAX) blocked.taken = true;
  if (blocked.taken || blocked.by.length > 0) return blocked;
  for (const { entry } of checked) operation.check(entry);
  for (const { key, id } of changes) operation.set(key, id);
  await stageReleases(transaction, moves, new Set(wanted.map(({ key }) => keyText(key))));
  for (const move of moves) stageOldSlug(transaction, move);
  return null;
}

/** Lets go of what the moves hold and nobody of them wants; a claim may have become somebody else's. */
async function stageReleases(
  transaction: Transaction,
  moves: readonly Move[],
  wanted: ReadonlySet<string>,
): Promise<void> {
  const released = moves.flatMap(({ id, collection, before }) =>
    claimKeys(collection, before).map((key) => ({ id, key }))
  ).filter(({ key }) => !wanted.has(keyText(key)));
  const claims = await transaction.peek<string>(...released.map(({ key }) => key));
  for (const [place, { id, key }] of released.entries()) {
    if (claims[place]!.value === id) transaction.operation.delete(key);
  }
}

/** What a document in a state claims for itself alone. */
function claimKeys({ id, fields }: Collection, state: DocumentState | null): Key[] {
  if (state === null || state.status === "trashed") return [];
  const values = fields.filter((field) => field.unique || field.uniqueBuilding)
    .map(({ key }) => ({ key, value: state.data[key] ?? null }))
    .filter(({ value }) => value !== null);
  return [
    slugKey(id, state.slug),
    ...values.map(({ key, value }) => uniqueKey(id, key, valueHash(value))),
  ];
}

/**
 * Whether a claim of another document is a left-over, or that document has to go first, or keeps it: a
 * field may have been no unique one for a while.
 */
async function wayPast(
  transaction: Transaction,
  site: Site,
  key: Key,
  holderId: string,
): Promise<"free" | "first" | "taken"> {
  const live = liveKey("document", holderId);
  const [entry] = await transaction.peek<LiveRow>(live);
  const { state } = await readHead(transaction.context, "document", holderId, live, entry!);
  const holder = state as DocumentState | null;
  const [, collectionId, place, hash] = key as [string, string, string, string?];
  const isHeld = holder !== null && holder.collectionId === collectionId &&
    holder.status !== "trashed" &&
    (hash === undefined ? holder.slug === place : valueHash(holder.data[place] ?? null) === hash);
  if (!isHeld) return "free";
  return isYoung(site, entry!) ? "taken" : "first";
}

/** The address that a published document gives up still leads to it. */
function stageOldSlug({ operation }: Transaction, { id, collection, before, after }: Move): void {
  if (before?.status !== "published" || after === null || after.status === "trashed") return;
  if (before.slug !== after.slug) operation.set(oldSlugKey(collection.id, before.slug), id);
}
