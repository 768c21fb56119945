/**
 * SEND_MAIL: tells somebody how to choose a password. The token is made here, at the last moment, and
 * goes into the mail alone; in the link it stands after `#`, so no server ever logs it.
 *
 * @module
 */
import { AccountMail } from "../kv/account_mail.ts";
import type { User } from "../kv/model/access.ts";
import type { People } from "../kv/people.ts";
import { issueReset } from "../kv/resets.ts";
import { finish, type JobKind, jobKind } from "./job_kind.ts";

/** A mail on its way out. */
export interface Mail {
  /** The same however often the mail is handed over. */
  key: string;
  to: { email: string; name: string };
  subject: string;
  text: string;
}

/** Hands a mail over to whoever delivers it; throws when it may be tried again. */
export type SendMail = (mail: Mail) => Promise<void>;

/** Where the admin asks for the new password. */
export const PASSWORD_PAGE = "/admin/choose-password";

/** What the job needs. */
export interface SendMailOptions {
  access: People["access"];
  sendMail: SendMail;
  /** Where the site is reached, without a slash at the end, and what it is called. */
  site: () => Promise<{ url: string; title: string }>;
}

/** The kind of job that sends mails. */
export function sendMailKind({ access, sendMail, site }: SendMailOptions): JobKind {
  return jobKind({
    type: "SEND_MAIL",
    payload: AccountMail,
    steps: {
      async send({ context, payload, key }) {
        const issued = await issueReset({ context, access }, payload.userId);
        if (issued === null) return finish({ sent: false, reason: "The user is gone" });
        const { url, title } = await site();
        const link = `${url}${PASSWORD_PAGE}#token=${issued.token}`;
        await sendMail({ key, ...accountMail(payload.kind, issued.user, title, link) });
        return finish({ sent: true });
      },
    },
  });
}

function accountMail(
  kind: AccountMail["kind"],
  { email, displayName }: User,
  title: string,
  link: string,
): Omit<Mail, "key"> {
  const to = { email, name: displayName };
  const hint = `The link works once, for an hour:\n\n${link}\n\n`;
  if (kind === "invitation") {
    const text = `Hello ${displayName},\n\nyou were invited to ${title}. Choose a password to ` +
      `sign in.\n\n${hint}Afterwards you can ask for a new link on the sign-in page.\n`;
    return { to, subject: `Your invitation to ${title}`, text };
  }
  const text = `Hello ${displayName},\n\nsomebody, probably you, asked for a new password at ` +
    `${title}.\n\n${hint}If it was not you, there is nothing to do: your password stays as it is.\n`;
  return { to, subject: `A new password for ${title}`, text };
}
