/**
 * Texts of emails about accounts, as plain text and HTML. Names and titles are escaped; the link is written
 * out, so that the reader sees its target.
 *
 * @module
 */
import type { AccountMail } from "../../kv/jobs/payloads.ts";
import { escapeMarkup } from "../render/markup.ts";
import { mailPage } from "./mail_page.ts";

/** A mail's words. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

interface Words {
  subject: string;
  before: string;
  /** The sentence before the link. */
  hint: string;
  button: string;
  after: string;
}

/** Words of a mail about an account. */
export function accountText(
  kind: AccountMail["kind"],
  facts: { displayName: string; title: string; link: string },
): MailText {
  const words = WORDS[kind](facts.title);
  return { subject: words.subject, ...bodies(words, facts) };
}

const WORKS_ONCE = "This link works once and expires after an hour:";
const NOT_YOU = "If you did not expect this, reset your password now and tell an administrator:";

const WORDS: Record<AccountMail["kind"], (title: string) => Words> = {
  invitation,
  password_reset: passwordReset,
  address_confirmation: (title) => ({
    subject: `Confirm your email address for ${title}`,
    before: `please confirm your new email address for ${title}.`,
    hint: WORKS_ONCE,
    button: "Confirm address",
    after: "If you did not request this, you can ignore this email. Nothing will change.",
  }),
  address_changed: (title) => notice(title, "Your email address was changed", "email address"),
  password_changed: (title) => notice(title, "Your password was changed", "password"),
  roles_changed: (title) => notice(title, "Your roles were changed", "roles"),
  passkey_added: (title) =>
    securityNotice(title, {
      subject: "A passkey was added",
      happened: `a new passkey can now sign in to your account at ${title}.`,
    }),
  factors_removed: (title) =>
    securityNotice(title, {
      subject: "A sign-in factor was removed",
      happened: `a passkey or an authenticator app was removed from your account at ${title}.`,
    }),
  passkey_cloned: (title) =>
    securityNotice(title, {
      subject: "A passkey was refused",
      happened:
        `a sign-in to ${title} with one of your passkeys was refused: the passkey seems to have ` +
        "been copied. Remove it and add a new one.",
    }),
  identity_linked: (title) =>
    securityNotice(title, {
      subject: "A sign-in provider was linked",
      happened: `an account at a sign-in provider was linked to your account at ${title}.`,
    }),
  new_browser: (title) =>
    securityNotice(title, {
      subject: "New sign-in",
      happened: `you have just signed in to ${title} from a new browser.`,
    }),
};

/** Words that tell of a change that its owner may not have made. */
function notice(title: string, subject: string, what: string): Words {
  return {
    subject: `${subject} at ${title}`,
    before: `your ${what} at ${title} ${what === "roles" ? "were" : "was"} changed.`,
    hint: NOT_YOU,
    button: "Reset your password",
    after: "If you made or expected this change, you don't need to do anything.",
  };
}

/** Words that tell of an event that its owner may not know of. */
function securityNotice(
  title: string,
  { subject, happened }: { subject: string; happened: string },
): Words {
  return { ...notice(title, subject, "account"), before: happened };
}

function invitation(title: string): Words {
  return {
    hint: WORKS_ONCE,
    subject: `Your invitation to ${title}`,
    before: `you have been invited to ${title}. Choose a password to sign in.`,
    button: "Choose a password",
    after: "If the link has expired, you can request a new one on the sign-in page.",
  };
}

function passwordReset(title: string): Words {
  return {
    hint: WORKS_ONCE,
    subject: `Reset your password for ${title}`,
    before: `we received a request to reset your password for ${title}.`,
    button: "Choose a new password",
    after: "If you did not request this, you can ignore this email. Your password will not change.",
  };
}

function bodies(
  { before, hint, button, after }: Words,
  { displayName, link }: { displayName: string; link: string },
): { text: string; html: string } {
  const text = `Hello ${displayName},\n\n${before}\n\n${hint}\n\n${link}\n\n${after}\n`;
  const href = escapeMarkup(link);
  const html = mailPage(
    `<p>Hello ${escapeMarkup(displayName)},</p>`,
    `<p>${escapeMarkup(before)}</p>`,
    `<p>${hint}</p>`,
    `<p><a href="${href}">${button}</a></p>`,
    `<p>${href}</p>`,
    `<p>${escapeMarkup(after)}</p>`,
  );
  return { text, html };
}
