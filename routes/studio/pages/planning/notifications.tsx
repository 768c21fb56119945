/**
 * Notifications: their list, which the bell shows too, and the screen of all.
 *
 * @module
 */
import {
  findNotifications,
  isUnread,
  type Notification,
  type Notifications,
} from "../../../../kv/documents/notifications.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Avatar } from "../../components/avatar.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import { Icon } from "../../components/icon.tsx";
import { Time } from "../../components/time.tsx";
import type { Handlers } from "../../screens.ts";
import { page } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { documentPath } from "../../document_path.ts";
import { reviewHref, titleInLanguage } from "../content/review_target.ts";
import { nameOf, type Names, userNames } from "../../wording/user_names.ts";

/** What happened, and the page about it. */
const KINDS: Record<Notification["kind"], { words: string; hash: string }> = {
  review_requested: { words: "asks you to review", hash: "" },
  changes_requested: { words: "requested changes to", hash: "" },
  mentioned: { words: "mentioned you in a comment on", hash: "#comments" },
  schedule_failed: { words: "Schedule failed:", hash: "" },
};

/** `/notifications`; with `?part`, only the list. */
export function notificationScreens(deps: Deps): Handlers<"notifications"> {
  return {
    notifications: async (c) => {
      const visit = c.get("visit");
      const access = await deps.people.access.current();
      const [found, people] = await Promise.all([
        findNotifications(deps.content, access, visit.user.id),
        userNames(deps),
      ]);
      const list = <NotificationList found={found} people={people} visit={visit} />;
      if (c.req.query("part") !== undefined) return c.html(list);
      const facts = {
        title: "Notifications",
        intro: "A notification stays here until you act on it.",
      };
      return await page(c, facts, <section class="card narrow">{list}</section>);
    },
  };
}

/** The address of what a notification is about. */
export function notificationHref({ kind, documentId, language }: Notification): string {
  if (kind === "review_requested") return reviewHref(documentId, language);
  return `/admin${documentPath(documentId, language)}${KINDS[kind].hash}`;
}

interface NotificationListProps {
  found: Notifications;
  people: Names;
  visit: Visit;
}

function NotificationList({ found, people, visit }: NotificationListProps) {
  const { all } = found;
  const unread = all.filter((one) => isUnread(one, found)).length;
  return (
    <div data-notifications data-unread={unread} data-until={all[0]?.at ?? 0}>
      {all.length === 0 && (
        <EmptyState icon="bell" title="You're all caught up">
          <p>
            Reviews that you are asked for, requested changes, mentions in comments, and schedules
            that failed appear here.
          </p>
        </EmptyState>
      )}
      <ul class="notification-lines">
        {all.map((one) => (
          <li data-unread={isUnread(one, found) ? "" : undefined}>
            <Line notification={one} people={people} visit={visit} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Line(
  { notification, people, visit }: Omit<NotificationListProps, "found"> & {
    notification: Notification;
  },
) {
  const { kind, by, text, at } = notification;
  const name = nameOf(people, by);
  return (
    <a href={notificationHref(notification)}>
      {kind === "schedule_failed"
        ? (
          <span class="notification-icon">
            <Icon name="warning" />
          </span>
        )
        : <Avatar id={by ?? ""} name={name} />}
      <span>
        {kind !== "schedule_failed" && <b>{name}</b>} {KINDS[kind].words}{" "}
        <b dir="auto">{titleInLanguage(notification, visit.schema)}</b>
        {text !== "" && <span class="notification-text" dir="auto">{text}</span>}
        <span class="muted small">
          <Time at={at} clock={visit} />
        </span>
      </span>
    </a>
  );
}
