/**
 * Daily summaries: for users who want one email a day about reviews and mentions, each event is kept until the next
 * morning, when a job emails what they have not read by then.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { Content } from "./content.ts";
import { findNotifications, isUnread, NOTIFICATION_KINDS } from "./notifications.ts";
import { addJob } from "../jobs/jobs.ts";
import type { EditorialMail } from "../jobs/payloads.ts";
import { mailDigestKey, mailDigestPrefix } from "../keys.ts";
import { DIGEST_EVENTS_MAX } from "../limits/people.ts";
import type { Access } from "../model/entities/access.ts";
import type { Operation, StoredEntry } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** The hour of the day, in the site's time zone, at which summaries are sent. */
const DIGEST_HOUR = 8;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The kind of notification that an event is shown as; what was published is not among them. */
const SHOWN_AS: Readonly<
  Record<EditorialMail["event"], typeof NOTIFICATION_KINDS[number] | null>
> = {
  review_asked: "review_requested",
  review_returned: "changes_requested",
  review_published: null,
  mentioned: "mentioned",
};

/** An event that waits for a summary. */
export type DigestEvent = Omit<EditorialMail, "kind" | "to">;

/** Adds an event to a user's next summary, and the job that sends it. */
export function stageDigestEvent(
  operation: Operation,
  context: Context,
  userId: string,
  { kind: _kind, to: _to, ...event }: EditorialMail,
  timezone: string,
): void {
  const now = context.now();
  operation.set(mailDigestKey(userId, context.newId(now)), event satisfies DigestEvent);
  addJob(operation, context, {
    type: "SEND_MAIL",
    payload: { kind: "digest", userId },
    name: `digest ${userId}`,
    dueAt: nextMorning(now, timezone),
  });
}

/** The events that wait for a user's summary, at most {@linkcode DIGEST_EVENTS_MAX}, the oldest first. */
export async function waitingEvents(
  store: Store,
  userId: string,
): Promise<StoredEntry<DigestEvent>[]> {
  const range = { prefix: mailDigestPrefix(userId) };
  return await store.listAll<DigestEvent>(range, { limit: DIGEST_EVENTS_MAX });
}

/** The events that are still news to a user: not read, and not settled in the meantime. */
export async function unreadEvents(
  content: Pick<Content, "context" | "schema">,
  access: Access,
  userId: string,
  events: readonly DigestEvent[],
): Promise<DigestEvent[]> {
  const notifications = await findNotifications(content, access, userId);
  const { documents } = access.authorityOf(userId);
  const shown = new Set(
    notifications.all.filter((one) => isUnread(one, notifications))
      .map(({ kind, documentId, language = "" }) => `${kind} ${documentId} ${language}`),
  );
  return events.filter(({ event, documentId, collectionId, language = "" }) => {
    if (!documents.in("read", collectionId)) return false;
    const kind = SHOWN_AS[event];
    return kind === null || shown.has(`${kind} ${documentId} ${language}`);
  });
}

/** The next time after `now` (both milliseconds) at which summaries are sent. */
export function nextMorning(now: number, timezone: string): number {
  const soon = now + untilMorning(now, timezone);
  // The clocks may change in between.
  const off = untilMorning(soon, timezone) % DAY_MS;
  return off > DAY_MS / 2 ? soon + off - DAY_MS : soon + off;
}

/** Milliseconds until the clocks of a time zone next show the hour; a whole day at that time. */
function untilMorning(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const shown = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const [hour = 0, minute = 0, second = 0] = ["hour", "minute", "second"]
    .map((part) => shown.get(part as Intl.DateTimeFormatPartTypes));
  const passed = hour * HOUR_MS + minute * 60_000 + second * 1_000 + at % 1_000;
  return DAY_MS - (passed - DIGEST_HOUR * HOUR_MS + DAY_MS) % DAY_MS;
}
