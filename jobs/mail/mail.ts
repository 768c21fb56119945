/**
 * An email, and the function that hands it over.
 *
 * @module
 */

/** An email to send. */
export interface Mail {
  /** The same however often the mail is handed over. */
  key: string;
  /** The sender's display name: the name of the site. */
  fromName: string;
  to: { email: string; name: string };
  subject: string;
  text: string;
  html: string;
}

/** The destination of emails: a server, a folder, or only the log. */
export type MailLocation = "smtp" | "outbox" | "log";

/** Hands an email over for delivery and returns where it went; throws if it may be retried. */
export type SendMail = (mail: Mail) => Promise<MailLocation | void>;
