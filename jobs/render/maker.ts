/**
 * Who made a document: above its text, in feeds, and for search engines.
 *
 * @module
 */
import type { Collection } from "../../kv/model/collection.ts";
import type { PublishedDocument } from "../../kv/model/page.ts";
import { fieldRole } from "./field_role.ts";

/** The ids of the documents that stand for a document's makers, in order. */
export function makersOf({ data }: PublishedDocument, { fields }: Collection): string[] {
  return fields.filter((field) => fieldRole(field) === "byline").map(({ key }) => data[key])
    .filter((value) => typeof value === "string");
}
