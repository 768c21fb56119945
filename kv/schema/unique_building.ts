/**
 * Making a field unique whose collection has documents already. While the field is marked as building,
 * every write reserves its own value; the values of the documents that nobody writes are reserved here, a
 * few per commit, each only while its document stands as it was read. Only then does the field become
 * unique, so that there is no moment at which two documents could slip in with one value.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { valueHash } from "../documents/reservations.ts";
import { schemaOf } from "../documents/write.ts";
import { type LiveRow, readHead } from "../entities.ts";
import { assertSameEra, type ImportLock, readEra } from "../backup/import_lock.ts";
import { getField, saveField } from "./fields.ts";
import { liveKey, uniqueKey, uniquePrefix } from "../keys.ts";
import { STATUSES } from "../model/document.ts";
import type { Actor } from "../model/entity.ts";
import type { FieldDefinition } from "../model/field_definition.ts";
import { Refusal } from "../refusals.ts";
import { getCollection } from "./schema.ts";
import { type Entry, Operation } from "../store/operation.ts";
import { versionedWrite } from "../versioned_write.ts";

/** Documents reserved in one commit: two checks each, of the ten that a commit has, and the era's. */
const RESERVATIONS_PER_COMMIT = 4;
/** Reservations deleted in one commit. */
const WIPED_PER_COMMIT = 500;

/**
 * Makes a field unique. Everything takes effect in one era: reservations made for the documents of another site
 * would be wrong for those that an import has put in their place.
 *
 * @throws {Refusal} CONFLICT with a NOT_UNIQUE detail when two documents share a value.
 */
export async function makeUnique(
  content: Content,
  actor: Actor,
  slug: string,
  name: string,
): Promise<FieldDefinition> {
  const era = await readEra(content.context);
  const field = getField(getCollection(await content.schema.current(), slug), name);
  if (!field.uniqueBuilding) await wipeReservations(content, field, era);
  await markField(content, actor, field, { building: true, unique: false, era });
  if (await reserveAll(content, field, era)) {
    return await markField(content, actor, field, { building: false, unique: true, era });
  }
  await markField(content, actor, field, { building: false, unique: false, era });
  throw new Refusal("CONFLICT", {
    about: "documents share a value",
    details: [{ field: name, code: "NOT_UNIQUE", message: "Two documents have the same value" }],
  });
}

/** Reservations that were left behind when the field was unique before, or almost. */
async function wipeReservations(
  { context }: Content,
  field: FieldDefinition,
  era: Entry<ImportLock>,
): Promise<void> {
  const { store } = context;
  const prefix = uniquePrefix(field.collectionId, field.key);
  for (;;) {
    const reserved = await store.listAll({ prefix }, { limit: WIPED_PER_COMMIT });
    if (reserved.length === 0) return;
    const operation = new Operation().check(era);
    for (const { key } of reserved) operation.delete(key);
    if (!(await store.commit(operation)).ok) await assertSameEra(context, era);
  }
}

async function markField(
  content: Content,
  actor: Actor,
  { id, collectionId }: FieldDefinition,
  { era, ...mark }: { building: boolean; unique: boolean; era: Entry<ImportLock> },
): Promise<FieldDefinition> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    await assertSameEra(content.context, era);
    transaction.operation.check(era);
    const schema = await schemaOf(transaction, content);
    const field = schema.byId.get(collectionId)?.fields.find((field) => field.id === id);
    if (field === undefined) throw new Refusal("NOT_FOUND");
    const { uniqueBuilding: _building, ...rest } = field;
    const next: FieldDefinition = { ...rest, unique: mark.unique };
    if (mark.building) next.uniqueBuilding = true;
    await saveField(transaction, next);
    return next;
  });
}

async function reserveAll(
  content: Content,
  field: FieldDefinition,
  era: Entry<ImportLock>,
): Promise<boolean> {
  const collection = (await content.schema.current()).byId.get(field.collectionId);
  if (collection === undefined) throw new Refusal("NOT_FOUND");
  // Documents that come later reserve their value themselves.
  const { rows } = await content.index.list({
    collections: [collection],
    statuses: STATUSES.filter((status) => status !== "trashed"),
    filters: [],
    sort: [{ by: "createdAt", descending: false }],
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  });
  for (let start = 0; start < rows.length; start += RESERVATIONS_PER_COMMIT) {
    const ids = rows.slice(start, start + RESERVATIONS_PER_COMMIT).map(({ id }) => id);
    let outcome: boolean | null = null;
    while (outcome === null) outcome = await reserveSome(content, field, era, ids);
    if (!outcome) return false;
  }
  return true;
}

/** Reserves the values of a few documents; false when one is taken, null when somebody was faster. */
async function reserveSome(
  { context }: Content,
  field: FieldDefinition,
  era: Entry<ImportLock>,
  ids: string[],
): Promise<boolean | null> {
  const { store } = context;
  const operation = new Operation().check(era);
  const wanted = new Map<string, string>();
  const entries = await store.getMany(ids.map((id) => liveKey("document", id)));
  for (const entry of entries as Entry<LiveRow>[]) {
    const id = entry.key[2] as string;
    const head = await readHead(context, "document", id, entry.key, entry);
    const state = head.state;
    const value = state?.data[field.key] ?? null;
    if (state === null || state.status === "trashed" || value === null) continue;
    const hash = valueHash(value);
    if (wanted.has(hash)) return false;
    wanted.set(hash, id);
    operation.check(head.entry);
  }
  const keys = [...wanted.keys()].map((hash) => uniqueKey(field.collectionId, field.key, hash));
  const reserved = await store.getMany(keys) as Entry<string>[];
  for (const [index, id] of [...wanted.values()].entries()) {
    const entry = reserved[index]!;
    if (entry.value !== null && entry.value !== id) return false;
    operation.check(entry).set(entry.key, id);
  }
  if (operation.mutations === 0) return true;
  if ((await store.commit(operation)).ok) return true;
  await assertSameEra(context, era);
  return null;
}
