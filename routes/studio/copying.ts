/**
 * What a copy of a document is made with: where one may make it, and what stays with the original.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import { reservesValues } from "../../kv/model/fields/field_definition.ts";
import type { Visit } from "./serving/studio_env.ts";

/** Whether documents of a collection can be copied by whoever looks. */
export function mayCopy({ documents }: Pick<Visit, "documents">, collection: Collection): boolean {
  return documents.in("create", collection.id) && !collection.singleton;
}

/** Names of the fields whose values a copy cannot have. */
export function uniqueNames({ fields }: Collection): string[] {
  return fields.filter(reservesValues).map(({ name }) => name);
}
