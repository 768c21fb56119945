/**
 * A field of a file, as part of a commit.
 *
 * @module
 */
import { fieldKeyKey } from "../../keys.ts";
import type { FieldDefinition } from "../../model/fields/field_definition.ts";
import type { Head } from "../../versioning/entities.ts";
import type { Transaction } from "../../versioning/transaction.ts";
import { freeKey } from "../fields.ts";
import { attributesOf } from "./schema_files.ts";
import type { FieldFile } from "./schema_plan.ts";

/** Adds a field of a file to a commit: a new one, or the next state of one. */
export async function stageField(
  transaction: Transaction,
  collectionId: string,
  before: FieldDefinition | null,
  { id: given, input, position }: FieldFile,
): Promise<void> {
  const id = before?.id ?? given ?? transaction.newId();
  const head = await transaction.head("field_definition", id);
  const key = before?.key ?? await freeKey(transaction, collectionId, input.name);
  const { localized: _localized, labels: _labels, ...kept } = before ?? {};
  transaction.save("field_definition", id, head, {
    ...kept,
    id,
    collectionId,
    key,
    ...attributesOf(input),
    position,
    ...timesOf(transaction, head, before),
  });
  if (before === null) transaction.operation.set(fieldKeyKey(collectionId, key), id);
}

/** The times of a definition that is saved now; the change is never before its last version. */
export function timesOf(
  { at: now }: Transaction,
  { row }: Head,
  before: { createdAt: number } | null,
): { createdAt: number; updatedAt: number } {
  const at = Math.max(now, row?.at ?? 0);
  return { createdAt: before?.createdAt ?? at, updatedAt: at };
}
