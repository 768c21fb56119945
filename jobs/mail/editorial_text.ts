/**
 * Texts of emails about reviews and mentions, as plain text and HTML: the event, the note, and a link to the
 * document.
 *
 * @module
 */
import type { EditorialMail } from "../../kv/jobs/payloads.ts";
import { escapeMarkup } from "../render/markup.ts";
import { mailPage } from "./mail_page.ts";
import type { MailText } from "./account_text.ts";

/** The event, for the subject and for the first sentence. */
const WORDS: Record<EditorialMail["event"], { subject: string; happened: string }> = {
  review_asked: { subject: "Review requested", happened: "asks you to review" },
  review_returned: { subject: "Changes requested", happened: "requested changes to" },
  review_published: { subject: "Published", happened: "reviewed and published" },
  mentioned: { subject: "You were mentioned", happened: "mentioned you in a comment on" },
};

/** What happened, in a sentence that the text of the event may follow. */
export function eventSentence(
  { event, title, text, by }: Pick<EditorialMail, "event" | "title" | "text"> & { by: string },
): string {
  return `${by} ${WORDS[event].happened} “${title || UNTITLED}”${text === "" ? "." : ":"}`;
}

/** The title of a document without one. */
export const UNTITLED = "Untitled";

/** Words of a mail about a document. */
export function editorialText(
  mail: Pick<EditorialMail, "event" | "title" | "text">,
  facts: { displayName: string; by: string; link: string; account: string },
): MailText {
  const { event, title, text } = mail;
  const sentence = eventSentence({ event, title, text, by: facts.by });
  const href = escapeMarkup(facts.link);
  const note = accountNote(facts.account);
  const html = mailPage(
    `<p>Hello ${escapeMarkup(facts.displayName)},</p>`,
    `<p>${escapeMarkup(sentence)}</p>`,
    text === ""
      ? ""
      : `<blockquote style="white-space: pre-line">${escapeMarkup(text)}</blockquote>`,
    `<p><a href="${href}">Open the document</a></p>`,
    `<p>${href}</p>`,
    note.html,
  );
  const quoted = text === "" ? "" : `${text.split("\n").map((line) => `> ${line}`).join("\n")}\n\n`;
  return {
    subject: `${WORDS[event].subject}: ${title || UNTITLED}`,
    text: `Hello ${facts.displayName},\n\n${sentence}\n\n${quoted}${facts.link}\n\n${note.text}\n`,
    html,
  };
}

/** Where users choose when they get these mails. */
export function accountNote(account: string): { text: string; html: string } {
  const note = "You can choose when you get emails about reviews and mentions in your account";
  const href = escapeMarkup(account);
  return {
    text: `${note}: ${account}`,
    html: `<p style="color: #666; font-size: 0.875em"><a href="${href}">${note}</a></p>`,
  };
}
