/**
 * Reserving the values of the documents that a field has already, a portion at a time. Every commit checks the
 * field's row and the era: whatever calls the building off, or replaces the site, ends it.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { walkDocuments, type WalkPosition } from "../documents/document_walk.ts";
import { valueHash } from "../documents/reservations.ts";
import { zip } from "../model/primitives/zip.ts";
import { type CurrentRow, readHead } from "../versioning/entities.ts";
import { assertSameEra, type ImportLock, readEra } from "../versioning/import_lock.ts";
import { currentKey, uniqueKey, uniquePrefix } from "../keys.ts";
import { STATUSES } from "../model/entities/document.ts";
import type { FieldDefinition } from "../model/fields/field_definition.ts";
import { type Entry, Operation } from "../store/operation.ts";
import { forEachConcurrent } from "../store/concurrency.ts";
import { type Building, type BuildingId, findBuilding } from "./unique_building.ts";

/** Documents reserved in one commit, which has nine checks: two each, next to those of the era and the field. */
const RESERVATIONS_PER_COMMIT = 3;
/** Commits that are made at a time, more on a remote store: they share what a store does at once. */
const COMMITS_AT_ONCE = 16;
/** Documents of one portion. */
const DOCUMENTS_PER_PORTION = 2_000;
/** Reservations deleted in one commit. */
const WIPED_PER_COMMIT = 500;

/** Documents that hold a value; those that come later reserve theirs themselves. */
const HOLDING = STATUSES.filter((status) => status !== "trashed");

/** The entries that every commit of a build checks. */
interface VersionChecks {
  building: Building;
  era: Entry<ImportLock>;
  field: Entry<CurrentRow>;
}

/** How a portion has ended: a `duplicate` is a value that two documents have; `gone`, the building itself. */
export type Portion =
  | { kind: "more"; after: WalkPosition; done: number }
  | { kind: "done"; done: number }
  | { kind: "duplicate" }
  | { kind: "gone" };

/** Deletes what was left behind when the field was unique before, or almost; false while there is more. */
export async function wipeReservations(content: Content, id: BuildingId): Promise<boolean> {
  const checks = await readVersionChecks(content, id);
  if (checks === null || !checks.building.field.uniqueBuilding.wiping) return true;
  const { store } = content.context;
  const { collectionId, key } = checks.building.field;
  const prefix = uniquePrefix(collectionId, key);
  const left = await store.listAll({ prefix }, { limit: WIPED_PER_COMMIT });
  if (left.length === 0) return true;
  const operation = checking(checks);
  for (const entry of left) operation.delete(entry.key);
  await commit(content, checks, operation);
  return false;
}

/** Reserves the values of the documents behind one, in order of id. */
export async function reservePortion(
  content: Content,
  id: BuildingId,
  after: WalkPosition,
): Promise<Portion> {
  const checks = await readVersionChecks(content, id);
  if (checks === null) return { kind: "gone" };
  const { collection } = checks.building;
  const { ids: some, next } = await walkDocuments(
    content,
    collection,
    HOLDING,
    after,
    DOCUMENTS_PER_PORTION,
  );
  let outcome: Reserved = "reserved";
  function* fews() {
    for (let n = 0; n < some.length && outcome === "reserved"; n += RESERVATIONS_PER_COMMIT) {
      yield some.slice(n, n + RESERVATIONS_PER_COMMIT);
    }
  }
  await forEachConcurrent(
    fews(),
    content.context.store.concurrency(COMMITS_AT_ONCE),
    async (few) => {
      const reserved = await reserveFew(content, id, checks, few);
      // That the building is gone goes before all else: a duplicate calls it off.
      if (reserved === "gone" || outcome === "reserved") outcome = reserved;
    },
  );
  const { kind } = { kind: outcome as Reserved };
  if (kind !== "reserved") return { kind };
  return next === null
    ? { kind: "done", done: some.length }
    : { kind: "more", after: next, done: some.length };
}

/** The results for the values of some documents. */
type Reserved = "reserved" | "duplicate" | "gone";

/** Reserves the values of a few documents, again as long as another writer is faster. */
async function reserveFew(
  content: Content,
  id: BuildingId,
  first: VersionChecks,
  ids: string[],
): Promise<Reserved> {
  for (
    let checks: VersionChecks | null = first;
    checks !== null;
    checks = await readVersionChecks(content, id)
  ) {
    const operation = await stageFew(content, checks.building.field, checks, ids);
    if (operation === null) return "duplicate";
    if (operation.mutations === 0 || await commit(content, checks, operation)) return "reserved";
  }
  return "gone";
}

/** The reservations of a few documents; null when one of their values is another's. */
async function stageFew(
  { context }: Content,
  field: FieldDefinition,
  checks: VersionChecks,
  ids: string[],
): Promise<Operation | null> {
  const { store } = context;
  const operation = checking(checks);
  const wanted = new Map<string, string>();
  const entries = await store.getMany(ids.map((id) => currentKey("document", id)));
  for (const entry of entries as Entry<CurrentRow>[]) {
    const id = entry.key[2] as string;
    const head = await readHead(context, "document", id, entry.key, entry);
    const state = head.state;
    const value = state?.data[field.key] ?? null;
    if (state === null || state.status === "trashed" || value === null) continue;
    const hash = valueHash(value);
    if (wanted.has(hash)) return null;
    wanted.set(hash, id);
    operation.check(head.entry);
  }
  const keys = [...wanted.keys()].map((hash) => uniqueKey(field.collectionId, field.key, hash));
  const reserved = await store.getMany(keys) as Entry<string>[];
  for (const [id, entry] of zip([...wanted.values()], reserved)) {
    if (entry.value !== null && entry.value !== id) return null;
    operation.check(entry).set(entry.key, id);
  }
  return operation;
}

async function readVersionChecks(content: Content, id: BuildingId): Promise<VersionChecks | null> {
  const era = await readEra(content.context);
  const field = await content.context.store.get<CurrentRow>(
    currentKey("field_definition", id.fieldId),
  );
  // Read after the row: whatever changes the field behind this changes the row too.
  const building = await findBuilding(content, id);
  return building === null ? null : { building, era, field };
}

function checking({ era, field }: VersionChecks): Operation {
  return new Operation().check(era).check(field);
}

/** Commits; false if something has changed. Refuses once an import has replaced the site. */
async function commit(
  { context }: Content,
  { era }: VersionChecks,
  operation: Operation,
): Promise<boolean> {
  if ((await context.store.commit(operation)).ok) return true;
  await assertSameEra(context, era);
  return false;
}
