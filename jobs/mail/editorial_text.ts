/**
 * Texts of emails about reviews and mentions, as plain text and HTML: the event, the note, and a link to the
 * document.
 *
 * @module
 */
import type { EditorialMail } from "../../kv/jobs/payloads.ts";
import { escapeMarkup } from "../render/markup.ts";
import type { MailText } from "./account_text.ts";

/** The event, for the subject and for the first sentence. */
const WORDS: Record<EditorialMail["event"], { subject: string; happened: string }> = {
  review_asked: { subject: "Review requested", happened: "asks you to review" },
  review_returned: { subject: "Changes requested", happened: "requested changes to" },
  review_published: { subject: "Published", happened: "reviewed and published" },
  mentioned: { subject: "You were mentioned", happened: "mentioned you in a comment on" },
};

/** Words of a mail about a document. */
export function editorialText(
  { event, title, text }: Pick<EditorialMail, "event" | "title" | "text">,
  facts: { displayName: string; by: string; link: string },
): MailText {
  const { subject, happened } = WORDS[event];
  const name = title === "" ? "Untitled" : title;
  const sentence = `${facts.by} ${happened} “${name}”${text === "" ? "." : ":"}`;
  const href = escapeMarkup(facts.link);
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
<p>Hello ${escapeMarkup(facts.displayName)},</p>
<p>${escapeMarkup(sentence)}</p>
${text === "" ? "" : `<blockquote style="white-space: pre-line">${escapeMarkup(text)}</blockquote>`}
<p><a href="${href}">Open the document</a></p>
<p>${href}</p>
</body>
</html>
`;
  const quoted = text === "" ? "" : `${text.split("\n").map((line) => `> ${line}`).join("\n")}\n\n`;
  return {
    subject: `${subject}: ${name}`,
    text: `Hello ${facts.displayName},\n\n${sentence}\n\n${quoted}${facts.link}\n`,
    html,
  };
}
