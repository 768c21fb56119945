/**
 * Mails about an account. A one-time token is made when the mail is sent, so neither the job nor a log ever
 * holds it.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { addJob } from "../jobs/jobs.ts";
import type { AccountMail } from "../jobs/payloads.ts";
import type { Operation } from "../store/operation.ts";

/** Adds a mail to the commit that it follows; `id` names its job, so that a repetition adds none. */
export function stageAccountMail(
  operation: Operation,
  context: Context,
  mail: AccountMail,
  id?: string,
): void {
  addJob(operation, context, { type: "SEND_MAIL", payload: mail, ...(id !== undefined && { id }) });
}
