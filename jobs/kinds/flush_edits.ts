/**
 * FLUSH_EDITS: puts what was typed into a document when no process with a connection does it any more. A
 * document that is still being typed into is left to those who are at it: the job looks twice, and acts
 * only when nothing has come in between.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import { NO_EDITS, pendingOf, readEditHead } from "../../kv/live/edit_log.ts";
import { flushEdits } from "../../kv/live/flush.ts";
import { type JobKind, jobKind, next, waitUntil } from "../runner/job_kind.ts";

/** Time between the two looks, milliseconds: longer than a process with a connection would wait. */
const POLL_INTERVAL_MS = 4_000;

/** The kind of job that flushes a document. */
export function flushEditsKind(content: Content): JobKind<"FLUSH_EDITS"> {
  return jobKind("FLUSH_EDITS", {
    flush: async ({ context, payload: { documentId }, cursor }) => {
      const head = (await readEditHead(context.store, documentId)).value ?? NO_EDITS;
      if (pendingOf(head) === 0) return next();
      if (cursor !== head.seq) return waitUntil(context.now() + POLL_INTERVAL_MS, head.seq);
      const flushed = await flushEdits(content, documentId);
      return next(flushed && { ...flushed });
    },
  });
}
