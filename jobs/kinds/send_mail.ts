/**
 * SEND_MAIL: sends an email about a password, about a document, or from a plugin with what it has
 * to say. A token is made here, at the last moment, and goes into the mail alone; in the link it stands after
 * `#`, so no server ever logs it.
 *
 * @module
 */
import type { People } from "../../kv/people/people.ts";
import type { AccountMail, EditorialMail } from "../../kv/jobs/payloads.ts";
import { canSignIn, type User } from "../../kv/model/people/user.ts";
import { MAILS_AT_ONCE_MAX } from "../limits.ts";
import { issueAddressChange } from "../../kv/people/address_change.ts";
import { issueReset } from "../../kv/people/resets.ts";
import type { SendMail } from "../mail/mail.ts";
import {
  again,
  finish,
  type JobKind,
  jobKind,
  type OutcomeOf,
  type Work,
} from "../runner/job_kind.ts";
import { accountText } from "../mail/account_text.ts";
import { editorialText } from "../mail/editorial_text.ts";
import { pluginText } from "../mail/plugin_text.ts";

/** The page that asks for a new password. */
export const PASSWORD_PAGE = "/admin/choose-password";
/** The page that confirms a new email address. */
const ADDRESS_PAGE = "/admin/confirm-address";
/** The page that requests a password reset. */
const RESET_PAGE = "/admin/reset";

/** The dependencies of the job. */
export interface SendMailOptions {
  access: People["access"];
  sendMail: SendMail;
  /** The URL of the site, without a slash at the end, and its title. */
  site: () => Promise<{ url: string; title: string }>;
  /** Whether the site wants no mails about new browsers and linked identities. */
  isQuiet?: () => Promise<boolean>;
}

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

/** A step sends one mail, so that a repetition never reaches those again who have theirs. */
async function sendToNext(
  { access, sendMail, site }: SendMailOptions,
  { cursor, key }: Work<"SEND_MAIL", "send">,
  mail: EditorialMail,
): Promise<OutcomeOf<"SEND_MAIL", "send">> {
  const { users } = await access.current();
  const left = (await recipientsOf({ access }, mail)).filter(({ id }) => id > (cursor ?? ""));
  const [user, ...others] = left;
  if (user === undefined) {
    const reason = cursor === null ? "There is no recipient" : undefined;
    return finish({ sent: cursor !== null, ...(reason !== undefined && { reason }) });
  }
  const { url, title } = await site();
  const { email, displayName } = user;
  const by = users.get(mail.by ?? "")?.displayName ?? "Somebody";
  await sendMail({
    key: `${key}-${user.id}`,
    fromName: title,
    to: { email, name: displayName },
    ...editorialText(mail, { displayName, by, link: `${url}/admin/documents/${mail.documentId}` }),
  });
  return others.length === 0 ? finish({ sent: true }) : again(user.id);
}

/** The current recipients of a mail, in order of their IDs, without the user who caused it. */
async function recipientsOf(
  { access }: Pick<SendMailOptions, "access">,
  { to, by, collectionId }: EditorialMail,
): Promise<User[]> {
  const current = await access.current();
  const isMeant = ({ id }: User) => {
    const { documents } = current.authorityOf(id);
    return to === null
      ? documents.in("publish", collectionId)
      : to.includes(id) && documents.in("read", collectionId);
  };
  return [...current.users.values()]
    .filter((user) => user.id !== by && canSignIn(user) && isMeant(user))
    .sort((a, b) => a.id < b.id ? -1 : 1);
}
