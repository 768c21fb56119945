/**
 * Texts of an email from a plugin, as plain text and HTML: its message and the name of the plugin.
 *
 * @module
 */
import type { PluginMail } from "../../kv/jobs/payloads.ts";
import { escapeMarkup } from "../render/markup.ts";
import type { MailText } from "./account_text.ts";
import { mailPage } from "./mail_page.ts";

/** Words of a mail that a plugin asked for. */
export function pluginText({ subject, text, plugin }: PluginMail, title: string): MailText {
  const from = `Sent by ${plugin} at ${title}.`;
  const html = mailPage(
    // Only the plugin knows the language of its text.
    `<p lang="" style="white-space: pre-line">${escapeMarkup(text)}</p>`,
    `<p><small>${escapeMarkup(from)}</small></p>`,
  );
  return { subject, text: `${text}\n\n--\n${from}\n`, html };
}
