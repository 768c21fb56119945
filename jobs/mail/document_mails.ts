/**
 * Mails about the work on documents: each event as it happens, or as part of a user's daily summary.
 *
 * @module
 */
import type { EditorialMail } from "../../kv/jobs/payloads.ts";
import type { Access } from "../../kv/model/entities/access.ts";
import type { Schema } from "../../kv/model/entities/collection.ts";
import { languageInEnglish } from "../../kv/model/languages/language.ts";
import { canSignIn, type User } from "../../kv/model/people/user.ts";
import { stageDigestEvent, unreadEvents, waitingEvents } from "../../kv/documents/mail_digest.ts";
import { DIGESTS_STAGED_MAX } from "../limits.ts";
import { again, finish, type OutcomeOf, type Work } from "../runner/job_kind.ts";
import { digestText } from "./digest_text.ts";
import { editorialText, UNTITLED } from "./editorial_text.ts";
import type { SendMailOptions } from "./send_mail_options.ts";

/** The page on which users choose when they get these mails. */
const ACCOUNT_PAGE = "/admin/account";
/** The name of a user who is not known any more. */
const FORMER_USER = "A former user";

type SendWork = Work<"SEND_MAIL", "send">;
type SendOutcome = OutcomeOf<"SEND_MAIL", "send">;

/**
 * Sends a mail about a document to the next recipient, and adds it to the summaries of those before. A step sends one
 * mail, so that a repetition never reaches those again who have theirs.
 */
export async function sendToNext(
  { access, schema, sendMail, site }: SendMailOptions,
  { context, cursor, key, operation }: SendWork,
  mail: EditorialMail,
): Promise<SendOutcome> {
  const current = await access.current();
  const left = recipientsOf(current, mail).filter(({ id }) => id > (cursor ?? ""));
  const { url, title, timezone } = await site();
  let staged = 0;
  for (const [index, user] of left.entries()) {
    const { id, displayName, email, notificationEmails } = user;
    if (notificationEmails === "daily") {
      stageDigestEvent(operation, context, id, mail, timezone);
      staged += 1;
    } else {
      await sendMail({
        key: `${key}-${id}`,
        fromName: title,
        to: { email, name: displayName },
        ...editorialText({ ...mail, title: titleOf(mail, await schema.current()) }, {
          displayName,
          by: nameOf(current, mail.by),
          link: documentLink(url, mail),
          account: `${url}${ACCOUNT_PAGE}`,
        }),
      });
    }
    const isLast = index === left.length - 1;
    if (!isLast && (notificationEmails !== "daily" || staged === DIGESTS_STAGED_MAX)) {
      return again(id);
    }
  }
  const isSent = left.length > 0 || cursor !== null;
  return finish({ sent: isSent, ...(!isSent && { reason: "There is no recipient" }) });
}

/** Sends a user what they have not read since their last summary. */
export async function sendDigest(
  { access, schema, sendMail, site }: SendMailOptions,
  { context, key, operation }: SendWork,
  userId: string,
): Promise<SendOutcome> {
  const waiting = await waitingEvents(context.store, userId);
  const last = waiting.at(-1);
  for (const entry of waiting) operation.delete(entry.key);
  const current = await access.current();
  const user = current.users.get(userId);
  if (user === undefined || !canSignIn(user)) {
    return finish({ sent: false, reason: "The user is gone" });
  }
  if (user.notificationEmails === "never") {
    return finish({ sent: false, reason: "The user wants no such mails" });
  }
  const events = waiting.map(({ value }) => value);
  const unread = await unreadEvents({ context, schema }, current, userId, events);
  if (last === undefined || unread.length === 0) {
    return finish({ sent: false, reason: "There is nothing new" });
  }
  const { url, title } = await site();
  const languages = await schema.current();
  const { email, displayName } = user;
  await sendMail({
    // The job of a user's summaries is the same each day; the newest event is not.
    key: `${key}-${last.key.at(-1)}`,
    fromName: title,
    to: { email, name: displayName },
    ...digestText(
      unread.map((event) => {
        return {
          ...event,
          title: titleOf(event, languages),
          by: nameOf(current, event.by),
          link: documentLink(url, event),
        };
      }),
      { displayName, title, account: `${url}${ACCOUNT_PAGE}`, link: `${url}/admin` },
    ),
  });
  return finish({ sent: true });
}

function documentLink(
  url: string,
  { documentId, language }: Pick<EditorialMail, "documentId" | "language">,
): string {
  const path = `${url}/admin/documents/${documentId}`;
  return language === undefined ? path : `${path}/translations/${language}`;
}

/** The title of a document; that of a translation names its language. */
function titleOf(
  { title, language }: Pick<EditorialMail, "title" | "language">,
  { languages }: Schema,
): string {
  if (language === undefined) return title;
  return `${title || UNTITLED} · ${languageInEnglish(language, languages)}`;
}

function nameOf({ users }: Access, id: string | null): string {
  return users.get(id ?? "")?.displayName ?? FORMER_USER;
}

/** The current recipients of a mail, in order of their IDs, without the user who caused it. */
function recipientsOf(
  access: Access,
  { to, by, collectionId, publishIn }: EditorialMail,
): User[] {
  const isMeant = ({ id }: User) => {
    const { documents } = access.authorityOf(id);
    return to === null
      ? access.mayPublish(id, collectionId, publishIn)
      : to.includes(id) && documents.in("read", collectionId);
  };
  return [...access.users.values()]
    .filter((user) => user.id !== by && user.notificationEmails !== "never")
    .filter((user) => canSignIn(user) && isMeant(user))
    .sort((a, b) => a.id < b.id ? -1 : 1);
}
