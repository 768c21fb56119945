/**
 * Mails that let somebody choose a password: a durable wish to send one. The one-time token is made
 * when the mail is sent, so neither the job nor a log ever holds it.
 *
 * @module
 */
import { z } from "zod";
import type { Context } from "../context.ts";
import { addJob } from "../jobs/jobs.ts";
import type { Operation } from "../store/operation.ts";

/** Which mail goes to whom: the payload of its job. */
export const AccountMail = z.strictObject({
  kind: z.enum(["password_reset", "invitation"]),
  userId: z.ulid(),
});
export type AccountMail = z.infer<typeof AccountMail>;

/** Adds a mail to the commit that it follows. */
export function stageAccountMail(operation: Operation, context: Context, mail: AccountMail): void {
  addJob(operation, context, { type: "SEND_MAIL", payload: mail });
}
