/**
 * SEND_MAIL: sends an email about a password, about documents, or from a plugin with what it has
 * to say. A token is made here, at the last moment, and goes into the mail alone; in the link it stands after
 * `#`, so no server ever logs it.
 *
 * @module
 */
import type { AccountMail } from "../../kv/jobs/payloads.ts";
import type { User } from "../../kv/model/people/user.ts";
import { MAILS_AT_ONCE_MAX } from "../limits.ts";
import { issueAddressChange } from "../../kv/people/address_change.ts";
import { issueReset } from "../../kv/people/resets.ts";
import { finish, type JobKind, jobKind } from "../runner/job_kind.ts";
import { accountText } from "../mail/account_text.ts";
import { sendDigest, sendToNext } from "../mail/document_mails.ts";
import type { SendMailOptions } from "../mail/send_mail_options.ts";
import { pluginText } from "../mail/plugin_text.ts";

/** The page that asks for a new password. */
export const PASSWORD_PAGE = "/admin/choose-password";
/** The page that confirms a new email address. */
const ADDRESS_PAGE = "/admin/confirm-address";
/** The page that requests a password reset. */
const RESET_PAGE = "/admin/reset";

/** The mails that the setting `auth.mail` stops. */
const OPTIONAL_MAILS: ReadonlySet<AccountMail["kind"]> = new Set([
  "identity_linked",
  "new_browser",
]);

/** The kind of job that sends mails. */
export function sendMailKind(options: SendMailOptions): JobKind<"SEND_MAIL"> {
  const { access, sendMail, site } = options;
  return jobKind("SEND_MAIL", {
    async send(work) {
      const { context, payload, key } = work;
      if (payload.kind === "editorial") return await sendToNext(options, work, payload);
      if (payload.kind === "digest") return await sendDigest(options, work, payload.userId);
      if (payload.kind === "plugin") {
        const { title } = await site();
        const to = { email: payload.to, name: "" };
        await sendMail({ key, fromName: title, to, ...pluginText(payload, title) });
        return finish({ sent: true });
      }
      if (OPTIONAL_MAILS.has(payload.kind) && await options.isQuiet?.()) {
        return finish({ sent: false, reason: "The site wants no such mails" });
      }
      const letter = await letterOf({ context, access }, payload);
      if (letter === null) return finish({ sent: false, reason: "The user is gone" });
      const { url, title } = await site();
      const { user: { displayName, email }, path } = letter;
      await sendMail({
        key,
        fromName: title,
        to: { email: payload.email ?? email, name: displayName },
        ...accountText(payload.kind, { displayName, title, link: `${url}${path}` }),
      });
      return finish({ sent: true });
    },
  }, { concurrencyMax: MAILS_AT_ONCE_MAX });
}

/** The recipient of an account mail, and the path of its link; creates the token. */
async function letterOf(
  people: Parameters<typeof issueReset>[0],
  { kind, userId, email }: AccountMail,
): Promise<{ user: User; path: string } | null> {
  switch (kind) {
    case "password_reset":
    case "invitation": {
      const issued = await issueReset(people, userId);
      return issued && { user: issued.user, path: `${PASSWORD_PAGE}#token=${issued.token}` };
    }
    case "address_confirmation": {
      const issued = await issueAddressChange(people, userId, email!);
      return issued && { user: issued.user, path: `${ADDRESS_PAGE}#token=${issued.token}` };
    }
    default: {
      const user = (await people.access.current()).users.get(userId);
      return user === undefined ? null : { user, path: RESET_PAGE };
    }
  }
}
