/**
 * Duplicating documents: where the user may do it, and which values are not copied.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import { reservesValues } from "../../kv/model/fields/field_definition.ts";
import type { Visit } from "./serving/studio_env.ts";

/** Whether the user can duplicate documents of a collection. */
export function mayCopy({ documents }: Pick<Visit, "documents">, collection: Collection): boolean {
  return documents.in("create", collection.id) && !collection.singleton;
}

/** Names of the unique fields, whose values are not copied. */
export function uniqueNames({ fields }: Collection): string[] {
  return fields.filter(reservesValues).map(({ name }) => name);
}
