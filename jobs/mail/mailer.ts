/**
 * Sends emails: to an SMTP server if one is configured, else to the outbox, a folder of `.eml` files. Without a
 * disk, only the fact is logged, never the contents.
 *
 * @module
 */
import type { Log } from "../../kv/log.ts";
import { MAIL_LINE_CHARS_MAX } from "../limits.ts";
import { JobFailure } from "../runner/job_kind.ts";
import type { Mail, MailLocation, SendMail } from "./mail.ts";

/** How long a mail server may take for each of its answers, milliseconds. */
const ANSWER_MS = 20_000;

/** The destination of emails. */
export interface MailerOptions {
  /** `smtp(s)://user:pass@host:port`, or empty. */
  smtpUrl: string;
  emailDomain: string;
  /** The outbox folder if there is no SMTP server; null without a disk. */
  outbox: string | null;
  log: Log;
}

/** The sender of every mail. */
export function senderAddress(emailDomain: string | undefined): string {
  return `noreply@${emailDomain?.trim() || "localhost"}`;
}

/** Makes what hands mails over. */
export function createMailer(options: MailerOptions): SendMail {
  const { smtpUrl, outbox, log } = options;
  if (smtpUrl !== "") return (mail) => sendBySmtp(options, mail);
  if (outbox !== null) return (mail) => writeToOutbox(options, outbox, mail);
  return (mail) => {
    log.warn("mail not sent: SMTP_URL is empty", { key: mail.key, subject: oneLine(mail.subject) });
    return Promise.resolve("log");
  };
}

async function sendBySmtp(options: MailerOptions, mail: Mail): Promise<MailLocation> {
  const { createTransport } = (await import("nodemailer")).default;
  const transport = createTransport({
    url: options.smtpUrl,
    connectionTimeout: ANSWER_MS,
    greetingTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail(messageOf(options, mail));
    return "smtp";
  } catch (error) {
    throw failureOf(error);
  } finally {
    transport.close();
  }
}

/** A recipient or mail that is refused for good is refused the next time too. */
function failureOf(error: unknown): unknown {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  const refused = ["EENVELOPE", "EMESSAGE"].includes(code ?? "") && (responseCode ?? 0) >= 500;
  if (!refused) return error;
  return new JobFailure(`The mail server refused the mail with ${responseCode}`, { cause: error });
}

/** A mail that is written twice is one file. */
async function writeToOutbox(
  options: MailerOptions,
  outbox: string,
  mail: Mail,
): Promise<MailLocation> {
  const { createTransport } = (await import("nodemailer")).default;
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { message } = await transport.sendMail(messageOf(options, mail));
  await Deno.mkdir(outbox, { recursive: true });
  const path = `${outbox}/${mail.key.replace(/[^A-Za-z0-9-]/g, "_")}.eml`;
  await Deno.writeFile(`${path}.part`, message as Uint8Array, { mode: 0o600 });
  await Deno.rename(`${path}.part`, path);
  options.log.info("mail written to the outbox", { path });
  return "outbox";
}

function messageOf({ emailDomain }: MailerOptions, mail: Mail) {
  const sender = senderAddress(emailDomain);
  return {
    from: { name: oneLine(mail.fromName), address: sender },
    to: { name: oneLine(mail.to.name), address: addressOf(mail.to.email) },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.key.replace(/[^A-Za-z0-9-]/g, "_")}@${sender.split("@")[1]}>`,
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

/** One line without anything that could begin another header. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return line.slice(0, MAIL_LINE_CHARS_MAX).toWellFormed();
}

/** An address that names one mailbox and nothing else. */
function addressOf(email: string): string {
  const plain = /^[^\s<>()[\]\\,;:"@\p{Cc}]{1,64}@[^\s<>()[\]\\,;:"@\p{Cc}]{1,255}$/u;
  if (plain.test(email)) return email;
  throw new JobFailure("The address of the recipient is not a plain mail address");
}
