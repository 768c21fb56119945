/**
 * Texts of an email from a plugin, as plain text and HTML: its message and the name of the plugin.
 *
 * @module
 */
import type { PluginMail } from "../../kv/jobs/payloads.ts";
import { escapeMarkup } from "../render/markup.ts";
import type { MailText } from "./account_text.ts";

/** Words of a mail that a plugin asked for. */
export function pluginText({ subject, text, plugin }: PluginMail, title: string): MailText {
  const from = `Sent by ${plugin} at ${title}.`;
  const html = `<!doctype html>
<meta charset="utf-8">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
<p style="white-space: pre-line">${escapeMarkup(text)}</p>
<p><small>${escapeMarkup(from)}</small></p>
</body>
`;
  return { subject, text: `${text}\n\n--\n${from}\n`, html };
}
