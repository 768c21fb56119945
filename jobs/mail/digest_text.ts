/**
 * Text of the daily summary of reviews and mentions, as plain text and HTML.
 *
 * @module
 */
import type { DigestEvent } from "../../kv/documents/mail_digest.ts";
import { DIGEST_SHOWN_MAX } from "../limits.ts";
import { escapeMarkup } from "../render/markup.ts";
import { mailPage } from "./mail_page.ts";
import type { MailText } from "./account_text.ts";
import { accountNote, eventSentence } from "./editorial_text.ts";

/** Characters of a note or comment that a summary quotes. */
const QUOTED_CHARS = 300;

/** An event with the name of the user who caused it and the link to its document. */
type NamedEvent = Omit<DigestEvent, "by"> & { by: string; link: string };

/** Words of a summary: the events in order, and how many more there are. */
export function digestText(
  events: readonly NamedEvent[],
  facts: { displayName: string; title: string; account: string; link: string },
): MailText {
  const shown = events.slice(0, DIGEST_SHOWN_MAX);
  const more = events.length - shown.length;
  const rest = more === 0 ? "" : `${more} more in the studio`;
  const note = accountNote(facts.account);
  const greeting = `Hello ${facts.displayName},`;
  const lead = "This is new since your last summary:";
  const items = shown.map((event) => {
    const sentence = eventSentence(event);
    const quote = quoted(event.text);
    return {
      text: `- ${sentence}\n${quote === "" ? "" : `  > ${quote}\n`}  ${event.link}`,
      html: `<li><a href="${escapeMarkup(event.link)}">${escapeMarkup(sentence)}</a>${
        quote === "" ? "" : `<blockquote>${escapeMarkup(quote)}</blockquote>`
      }</li>`,
    };
  });
  const updates = events.length === 1 ? "1 update" : `${events.length} updates`;
  return {
    subject: `Your summary of ${facts.title}: ${updates}`,
    text: [
      greeting,
      lead,
      ...items.map(({ text }) => text),
      ...(rest === "" ? [] : [`${rest}: ${facts.link}`]),
      note.text,
    ].join("\n\n") + "\n",
    html: mailPage(
      `<p>${escapeMarkup(greeting)}</p>`,
      `<p>${lead}</p>`,
      "<ul>",
      ...items.map(({ html }) => html),
      "</ul>",
      rest === "" ? "" : `<p><a href="${escapeMarkup(facts.link)}">${rest}</a></p>`,
      note.html,
    ),
  };
}

/** The beginning of a text in one line. */
function quoted(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.length <= QUOTED_CHARS ? line : `${line.slice(0, QUOTED_CHARS).trimEnd()}…`;
}
