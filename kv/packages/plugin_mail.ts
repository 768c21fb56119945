/**
 * Mails that plugins ask for: plain words to one recipient, sent under the site's own name.
 *
 * @module
 */
import { z } from "zod";
import type { Context } from "../context.ts";
import { addJob } from "../jobs/jobs.ts";
import type { Operation } from "../store/operation.ts";

/** Mails of one call of a plugin. */
export const PLUGIN_MAILS_MAX = 5;
/** Characters of a mail's words; with all else it fits in a job. */
const TEXT_CHARS_MAX = 10_000;

/** A plugin's mail: the payload of its job. */
export const PluginMail = z.strictObject({
  kind: z.literal("plugin"),
  /** What the plugin is called; it stands below the words. */
  plugin: z.string().max(200),
  to: z.email().max(320),
  subject: z.string().min(1).max(200),
  text: z.string().min(1).max(TEXT_CHARS_MAX),
});
export type PluginMail = z.infer<typeof PluginMail>;

/** Adds a mail to the commit that it follows. */
export function stagePluginMail(operation: Operation, context: Context, mail: PluginMail): void {
  addJob(operation, context, { type: "SEND_MAIL", payload: mail });
}
