/**
 * Runs in the browser. Gives one field of a document a value, wherever that may happen: in the document, or
 * in the working copy of a public one.
 *
 * @module
 */
import { call, type Reply } from "../page/call.ts";
import type { Value } from "../document/control_values.ts";
import { same } from "../document/live/same_value.ts";

/** How often a document that changes meanwhile is read again. */
const ATTEMPTS = 4;

/** A document as its editors see it. */
export interface Edited {
  values: Record<string, Value>;
  isPublic: boolean;
  /** The entity tag of what was read. */
  tag: string;
}

/** Reads a document with its working copy; a failure is the reply. */
export async function readEdited(id: string): Promise<Edited | Reply> {
  const path = `/api/admin/documents/${id}`;
  const reply = await call("GET", path);
  if (!reply.ok) return reply;
  const isPublic = reply.body.status === "published";
  const working = isPublic && reply.body.hasWorkingCopy === true
    ? await call("GET", `${path}/working-copy`)
    : reply;
  // A working copy that is gone meanwhile is seen by the write, whose tag is the one of before.
  const { body } = working.ok ? working : reply;
  return { values: body, isPublic, tag: reply.headers.get("etag") ?? "" };
}

/**
 * Sets a field, if it still has the value that is expected, where one is. What changes elsewhere in the
 * document meanwhile stays.
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
};
