/**
 * The rules that every change of a field follows, and saving its next state.
 *
 * @module
 */
import { UNIQUE_FIELDS_MAX } from "../limits/content.ts";
import type { FieldDefinition } from "../model/fields/field_definition.ts";
import { requestSiteRendering } from "../pages/rendering_requests.ts";
import { Refusal } from "../refusals.ts";
import type { Transaction } from "../versioning/transaction.ts";

/** Adds a field's next state to the commit. */
export async function saveField(transaction: Transaction, field: FieldDefinition): Promise<void> {
  await saveUnseen(transaction, field);
  requestSiteRendering(transaction.operation, transaction.context);
}

/** The same for a change that no page shows. */
export async function saveUnseen(transaction: Transaction, field: FieldDefinition): Promise<void> {
  const head = await transaction.living("field_definition", field.id);
  field.updatedAt = Math.max(transaction.at, head.row.at);
  transaction.save("field_definition", field.id, head, field);
}

/** Refuses with CONFLICT when a field of this name is there. */
export function refuseTakenName(fields: FieldDefinition[], name: string): void {
  if (fields.some((field) => field.name === name)) {
    throw new Refusal("CONFLICT", { about: `a field already has the name ${name}` });
  }
}

/** Refuses with CONFLICT when one more unique field would be too many; `fields` are the others. */
export function refuseManyUnique(fields: FieldDefinition[], unique: boolean): void {
  if (unique && fields.filter(becomesUnique).length >= UNIQUE_FIELDS_MAX) {
    throw new Refusal("CONFLICT", { about: `at most ${UNIQUE_FIELDS_MAX} fields may be unique` });
  }
}

/** Whether a field is unique, or will be once its job is done. */
function becomesUnique({ unique, uniqueBuilding, migrating }: FieldDefinition): boolean {
  return unique || uniqueBuilding !== undefined || migrating?.to.unique === true;
}
