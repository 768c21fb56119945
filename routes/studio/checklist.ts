/**
 * What stands between a document and its publication, and what would make it better.
 *
 * @module
 */
import type { Collection, Schema } from "../../kv/model/collection.ts";
import { checkComplete } from "../../kv/model/document_check.ts";
import type { DocumentState } from "../../kv/model/document.ts";
import type { Deps } from "../deps.ts";
import { findReferenced } from "./controls/referenced.ts";

/** One finding; an error keeps the document from being published. */
export interface Check {
  field: string;
  label: string;
  message: string;
  level: "error" | "warning";
}

/** Everything there is to say before a document is published. */
export async function findChecks(
  deps: Deps,
  state: DocumentState,
  collection: Collection,
  schema: Schema,
): Promise<Check[]> {
  const { details, references } = checkComplete(state, collection, schema);
  const referenced = await findReferenced(deps, references, schema);
  const found = (field: string, message: string, level: Check["level"]): Check => ({
    field,
    label: labelOf(field, collection),
    message,
    level,
  });
  const checks = details.map(({ field }) => found(field, "Required, and still empty", "error"));
  for (const { kind, id, path } of references) {
    if (kind === "media") {
      const medium = referenced.media.get(id);
      if (medium === undefined) checks.push(found(path, "The medium is gone", "error"));
      else if (medium.alt === "") {
        checks.push(found(path, `${medium.filename} has no alternative text`, "warning"));
      }
      continue;
    }
    const target = referenced.documents.get(id);
    if (target === undefined || target.status === "trashed") {
      checks.push(found(path, "The document it points to is gone", "error"));
    } else if (target.status !== "published") {
      checks.push(found(path, `“${target.title}” is not published yet`, "warning"));
    }
  }
  return checks;
}

/** `gallery.2.caption` as people read it. */
function labelOf(path: string, collection: Collection): string {
  const [name, ...rest] = path.split(".");
  const label = collection.fields.find((field) => field.name === name)?.label ?? name!;
  const steps = rest.filter((step) => step !== "data")
    .map((step) => /^\d+$/.test(step) ? String(Number(step) + 1) : step);
  return [label, ...steps].join(" › ");
}
