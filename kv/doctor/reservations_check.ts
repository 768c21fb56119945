/**
 * Reservations that are not needed: of documents that are gone, trashed, or have another slug or value by now.
 *
 * @module
 */
import { valueHash } from "../documents/reservations.ts";
import { currentKey, type Key, slugsPrefix, uniquesPrefix } from "../keys.ts";
import { type CurrentRow, readHead } from "../versioning/entities.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { reservesValues } from "../model/fields/field_definition.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Check, DoctorOptions, Finding } from "./finding.ts";

/** Examines every reservation. */
export async function* checkReservations({ content }: DoctorOptions): AsyncGenerator<Finding> {
  const { context } = content;
  const { byId } = await content.schema.current();
  const families: [Check, Key, (state: DocumentState, key: Key) => boolean][] = [
    [
      "slugs",
      slugsPrefix,
      (state, [, collectionId, slug]) => state.collectionId === collectionId && state.slug === slug,
    ],
    [
      "unique values",
      uniquesPrefix,
      (state, [, collectionId, fieldKey, hash]) =>
        state.collectionId === collectionId &&
        valueHash(state.data[fieldKey as string] ?? null) === hash,
    ],
  ];
  for (const [check, prefix, holds] of families) {
    for await (const entry of context.store.list<string>({ prefix })) {
      const [, collectionId, name] = entry.key;
      const collection = byId.get(collectionId as string);
      const field = collection?.fields.find(({ key }) => key === name);
      // A job clears the values of a field that is not unique any more.
      if (check === "unique values" && (field === undefined || !reservesValues(field))) continue;
      const id = entry.value;
      const current = await context.store.get<CurrentRow>(currentKey("document", id));
      const state = await stateOf(content, id, current);
      if (state === undefined) continue;
      if (state !== null && state.status !== "trashed" && holds(state, entry.key)) continue;
      yield {
        check,
        subject: `document ${id}`,
        problem: `has reserved ${JSON.stringify(name)} and does not use it`,
        repair: () => release(content, entry, current),
      };
    }
  }
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
