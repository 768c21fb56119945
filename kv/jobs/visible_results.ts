/**
 * The part of job results that a user may see: permission to see jobs grants no access to documents, media or
 * tokens.
 *
 * @module
 */
import type { Json } from "../model/entities/entity.ts";
import type { DocumentRights } from "../model/entities/document_rights.ts";
import { isJsonObject, type JsonObject } from "../model/values/json_object.ts";
import type { Permission } from "../model/entities/permission.ts";
import type { JobRecord } from "./job.ts";

/** The viewer of jobs. */
export interface JobViewer {
  permissions: ReadonlySet<Permission>;
  documents: DocumentRights;
}

/** Keys of a result that name documents; besides id and reason, each may have a title and a value. */
const OF_DOCUMENTS: ReadonlySet<string> = new Set(["lost", "left"]);

/** Whether a user may read the documents that a job is about. */
export function mayReadSubjects({ payload }: JobRecord, { documents }: JobViewer): boolean {
  if (documents.everywhere("read")) return true;
  const id = isJsonObject(payload) ? payload.collectionId : undefined;
  return typeof id === "string" && documents.in("read", id);
}

/** A job without what its viewer may not see of its results. */
export function visibleJob(record: JobRecord, viewer: JobViewer): JobRecord {
  const results = Object.entries(record.results).map(([step, result]): [string, Json] => [
    step,
    isJsonObject(result) ? visibleResult(record, result, viewer) : result,
  ]);
  const error = mayReadSubjects(record, viewer) ? record.error : withoutNames(record.error);
  return { ...record, error, results: Object.fromEntries(results) };
}

/** The failure, without titles. */
function withoutNames(error: string | null): string | null {
  return error === null ? null : error.replace(/"[^"]*"|“[^”]*”/g, '"…"');
}

function visibleResult(record: JobRecord, result: JsonObject, viewer: JobViewer): JsonObject {
  const shown = Object.entries(result).map(([key, value]): [string, Json] => {
    if (!Array.isArray(value)) return [key, value];
    if (OF_DOCUMENTS.has(key) && !mayReadSubjects(record, viewer)) {
      return [key, value.map((one) => only(one, ["id", "reason"]))];
    }
    if (key === "validAgain" && !viewer.permissions.has("tokens.manage")) {
      return [key, value.map((one) => ({ ...only(one, ["id"]), name: "" }))];
    }
    // The names of the files that an import lacks; of a restore, types and ids.
    const isFiles = key === "named" && value.every((one) => typeof one === "string");
    return [key, isFiles && !viewer.permissions.has("media.read") ? [] : value];
  });
  return Object.fromEntries(shown);
}

function only(value: Json, keys: readonly string[]): JsonObject {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
}
