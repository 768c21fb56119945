/**
 * What mails about accounts say, in text and in HTML. Names and titles are escaped; the link stands in
 * full, so that a reader sees where it leads.
 *
 * @module
 */
import type { AccountMail } from "../../kv/jobs/payloads.ts";
import { escapeMarkup } from "../render/markup.ts";

/** A mail's words. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

interface Words {
  subject: string;
  before: string;
  button: string;
  after: string;
}

/** Words of a mail that lets somebody choose a password. */
export function accountText(
  kind: AccountMail["kind"],
  facts: { displayName: string; title: string; link: string },
): MailText {
  const words = kind === "invitation" ? invitation(facts.title) : passwordReset(facts.title);
  return { subject: words.subject, ...bodies(words, facts) };
}

function invitation(title: string): Words {
  return {
    subject: `Your invitation to ${title}`,
    before: `you were invited to ${title}. Choose a password to sign in.`,
    button: "Choose a password",
    after: "Afterwards you can ask for a new link on the sign-in page.",
  };
}

function passwordReset(title: string): Words {
  return {
    subject: `A new password for ${title}`,
    before: `somebody, probably you, asked for a new password at ${title}.`,
    button: "Choose a new password",
    after: "If it was not you, there is nothing to do: your password stays as it is.",
  };
}

const HINT = "The link works once, for an hour:";

function bodies(
  { before, button, after }: Words,
  { displayName, link }: { displayName: string; link: string },
): { text: string; html: string } {
  const text = `Hello ${displayName},\n\n${before}\n\n${HINT}\n\n${link}\n\n${after}\n`;
  const href = escapeMarkup(link);
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
<p>Hello ${escapeMarkup(displayName)},</p>
<p>${escapeMarkup(before)}</p>
<p>${HINT}</p>
<p><a href="${href}">${button}</a></p>
<p>${href}</p>
<p>${escapeMarkup(after)}</p>
</body>
</html>
`;
  return { text, html };
}
