/**
 * Reservations that are not needed: of documents that are gone, trashed, or have another slug or value by now.
 *
 * @module
 */
import { reservationMoves } from "../documents/reservations.ts";
import { currentKey, type Key, languageSlugsPrefix, slugsPrefix, uniquesPrefix } from "../keys.ts";
import type { Collection } from "../model/entities/collection.ts";
import { type CurrentRow, readHead } from "../versioning/entities.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { reservesValues } from "../model/fields/field_definition.ts";
import { type Entry, keyText, Operation } from "../store/operation.ts";
import type { Check, DoctorOptions, Finding } from "./finding.ts";

const FAMILIES: readonly [Check, Key][] = [
  ["slugs", slugsPrefix],
  ["slugs", languageSlugsPrefix],
  ["unique values", uniquesPrefix],
];

/** Examines every reservation. */
export async function* checkReservations({ content }: DoctorOptions): AsyncGenerator<Finding> {
  const { context } = content;
  const { byId } = await content.schema.current();
  for (const [check, prefix] of FAMILIES) {
    for await (const entry of context.store.list<string>({ prefix })) {
      const [, collectionId, name] = entry.key;
      const collection = byId.get(collectionId as string);
      if (check === "unique values" && !isOfUniqueField(collection, String(name))) continue;
      const id = entry.value;
      const current = await context.store.get<CurrentRow>(currentKey("document", id));
      const state = await stateOf(content, id, current);
      if (state === undefined) continue;
      if (state !== null && needs(collection, state, entry.key)) continue;
      yield {
        check,
        subject: `document ${id}`,
        problem: `has reserved ${reservationName(entry.key)} and does not use it`,
        repair: () => release(content, entry, current),
      };
    }
  }
}

/** Whether a reserved value is of a field that is unique. A job clears the values of one that is not any more. */
function isOfUniqueField(collection: Collection | undefined, name: string): boolean {
  const [fieldKey, language] = name.split("@");
  const field = collection?.fields.find(({ key }) => key === fieldKey);
  if (field === undefined || !reservesValues(field)) return false;
  return language === undefined || field.localized === true;
}

/** Whether a document needs a reservation. */
function needs(collection: Collection | undefined, state: DocumentState, key: Key): boolean {
  if (collection === undefined || state.collectionId !== collection.id) return false;
  const moves = reservationMoves({ collection, before: null, after: state });
  return moves.some(({ wanted }) => wanted !== null && keyText(wanted) === keyText(key));
}

function reservationName([family, , name, slug]: Key): string {
  return family === languageSlugsPrefix[0]
    ? `${JSON.stringify(slug)} in ${String(name)}`
    : JSON.stringify(name);
}

/** Undefined when it cannot be read: another check tells so. */
async function stateOf(
  { context }: DoctorOptions["content"],
  id: string,
  current: Entry<CurrentRow>,
): Promise<DocumentState | null | undefined> {
  try {
    return (await readHead(context, "document", id, current.key, current)).state;
  } catch {
    return undefined;
  }
}

async function release(
  { context: { store } }: DoctorOptions["content"],
  entry: Entry<string>,
  current: Entry<CurrentRow>,
): Promise<boolean> {
  const operation = new Operation().check(entry).check(current).delete(entry.key);
  return (await store.commit(operation)).ok;
}
