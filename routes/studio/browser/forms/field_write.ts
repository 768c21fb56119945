/**
 * Runs in the browser. Gives one field of a document a value, wherever that may happen: in the document, or
 * in the working copy of a public one.
 *
 * @module
 */
import { call, type Reply } from "../page/call.ts";
import type { Value } from "../document/control_values.ts";
import { same } from "../document/live/same_value.ts";
import type { DocumentBody } from "../document/document_body.ts";

/** How many times the write is retried if the document changes in the meantime. */
const ATTEMPTS = 4;

/** A document as its editors see it. */
export interface Edited {
  values: Record<string, Value>;
  isPublic: boolean;
  /** The entity tag of the state that was read. */
  tag: string;
}

/** Reads a document with its working copy; a failure is the reply. */
export async function readEdited(id: string): Promise<Edited | Reply> {
  const path = `/api/admin/documents/${id}`;
  const reply = await call<DocumentBody>("GET", path);
  if (!reply.ok) return reply;
  const isPublic = reply.body.status === "published";
  const working = isPublic && reply.body.hasWorkingCopy === true
    ? await call<DocumentBody>("GET", `${path}/working-copy`)
    : reply;
  // If the working copy is gone, the write notices: its tag no longer matches.
  const { body } = working.ok ? working : reply;
  return { values: body, isPublic, tag: reply.headers.get("etag") ?? "" };
}

/**
 * Sets a field, if given only while it still has the expected value. Concurrent changes of other fields are
 * kept.
 */
export async function setField(
  id: string,
  name: string,
  value: Value,
  expected?: { value: Value },
): Promise<Reply> {
  for (let attempt = 1;; attempt++) {
    const edited = await readEdited(id);
    if ("ok" in edited) return edited;
    if (expected !== undefined && !same(edited.values[name] ?? null, expected.value)) {
      return CHANGED;
    }
    const path = `/api/admin/documents/${id}${edited.isPublic ? "/working-copy" : ""}`;
    const headers = { "if-match": edited.tag };
    const reply = await call("PATCH", path, { body: { [name]: value }, headers });
    if (reply.status !== 412 || attempt === ATTEMPTS) return reply;
  }
}

const CHANGED: Reply = {
  ok: false,
  status: 412,
  body: null,
  headers: new Headers(),
  message: "Another user changed this in the meantime. Reload the page and try again.",
  details: [],
  code: "PRECONDITION_FAILED",
};
