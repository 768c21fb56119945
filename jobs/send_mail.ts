/**
 * SEND_MAIL: tells somebody how to choose a password, or what a plugin has to say. A token is made here, at
 * the last moment, and goes into the mail alone; in the link it stands after `#`, so no server ever logs it.
 *
 * @module
 */
import type { People } from "../kv/people/people.ts";
import { issueReset } from "../kv/people/resets.ts";
import { finish, type JobKind, jobKind } from "./runner/job_kind.ts";
import { accountText } from "./mail/account_text.ts";
import { pluginText } from "./mail/plugin_text.ts";

/** A mail on its way out. */
export interface Mail {
  /** The same however often the mail is handed over. */
  key: string;
  /** What the sender is called: the site. */
  fromName: string;
  to: { email: string; name: string };
  subject: string;
  text: string;
  html: string;
}

/** Where mails are handed over to: a server, a folder, or nobody but the log. */
export type MailPlace = "smtp" | "outbox" | "log";

/** Hands a mail over to whoever delivers it and tells who that is; throws when it may be tried again. */
export type SendMail = (mail: Mail) => Promise<MailPlace | void>;

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
export function sendMailKind({ access, sendMail, site }: SendMailOptions): JobKind<"SEND_MAIL"> {
  return jobKind("SEND_MAIL", {
    async send({ context, payload, key }) {
      if (payload.kind === "plugin") {
        const { title } = await site();
        const to = { email: payload.to, name: "" };
        await sendMail({ key, fromName: title, to, ...pluginText(payload, title) });
        return finish({ sent: true });
      }
      const issued = await issueReset({ context, access }, payload.userId);
      if (issued === null) return finish({ sent: false, reason: "The user is gone" });
      const { url, title } = await site();
      const link = `${url}${PASSWORD_PAGE}#token=${issued.token}`;
      const { email, displayName } = issued.user;
      await sendMail({
        key,
        fromName: title,
        to: { email, name: displayName },
        ...accountText(payload.kind, { displayName, title, link }),
      });
      return finish({ sent: true });
    },
  });
}
