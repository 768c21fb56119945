/**
 * Mails about the work on a document: a review that is asked for, returned or published, and a comment that
 * mentions a user. Recipients are looked up when they are sent; users who chose a daily summary get it from
 * documents/mail_digest.ts.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { addJob } from "../jobs/jobs.ts";
import type { EditorialMail } from "../jobs/payloads.ts";
import type { Operation } from "../store/operation.ts";

/** Adds a mail to the commit that it follows. */
export function stageEditorialMail(
  operation: Operation,
  context: Context,
  mail: Omit<EditorialMail, "kind">,
): void {
  addJob(operation, context, { type: "SEND_MAIL", payload: { kind: "editorial", ...mail } });
}
