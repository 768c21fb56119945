/**
 * Mails that plugins ask for: plain words to one recipient, sent under the site's own name.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { addJob } from "../jobs/jobs.ts";
import type { PluginMail } from "../jobs/payloads.ts";
import type { Operation } from "../store/operation.ts";

/** Adds a mail to the commit that it follows. */
export function stagePluginMail(operation: Operation, context: Context, mail: PluginMail): void {
  addJob(operation, context, { type: "SEND_MAIL", payload: mail });
}
