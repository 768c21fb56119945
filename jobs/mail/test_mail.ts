/**
 * Test emails, sent without a job, so that the user sees the result.
 *
 * @module
 */
import { type Context, seconds } from "../../kv/context.ts";
import type { User } from "../../kv/model/entities/access.ts";
import { COMPLAINT_CHARS_MAX } from "../limits.ts";
import { escapeMarkup } from "../render/markup.ts";
import { mailPage } from "./mail_page.ts";
import type { MailLocation, SendMail } from "./mail.ts";

/** The result of a test email. */
export interface TestMailResult {
  sent: boolean;
  to: string;
  /** The carrier that accepted it; null if none did. */
  via: MailLocation | null;
  /** The carrier's error message. */
  error: string | null;
}

/** Sends a mail to the user who asks for it. */
export async function sendTestMail(
  context: Context,
  sendMail: SendMail,
  user: User,
  site: { title: string; url: string },
): Promise<TestMailResult> {
  const at = seconds(context);
  const to = user.email;
  const text =
    `This is a test email that ${user.displayName} requested on ${site.url}. Email delivery works.`;
  try {
    const via = await sendMail({
      key: `test-${user.id}-${at}`,
      fromName: site.title,
      to: { email: to, name: user.displayName },
      subject: `Test email from ${site.title}`,
      text: `${text}\n`,
      html: mailPage(`<p>${escapeMarkup(text)}</p>`),
    });
    return { sent: via !== "log", to, via: via ?? null, error: null };
  } catch (error) {
    const complaint = error instanceof Error ? error.message : String(error);
    context.log.warn("a test mail was not handed over", { reason: complaint });
    return { sent: false, to, via: null, error: complaint.slice(0, COMPLAINT_CHARS_MAX) };
  }
}
