/**
 * The bell: how many notifications are unread, and the panel that lists them. The browser code fills both.
 *
 * @module
 */
import type { Visit } from "../../serving/studio_env.ts";
import { Icon } from "../icon.tsx";

/** The id of the panel. */
const PANEL = "notifications";

/** The button; users who see no documents have none. */
export function Bell({ visit }: { visit: Visit }) {
  if (!visit.documents.somewhere("read")) return null;
  return (
    <button
      type="button"
      class="icon-button bell"
      popovertarget={PANEL}
      aria-label="Notifications"
      title="Notifications"
      data-bell
    >
      <Icon name="bell" />
    </button>
  );
}

/** The panel that the bells of a page open. */
export function NotificationPanel({ visit }: { visit: Visit }) {
  if (!visit.documents.somewhere("read")) return null;
  return (
    <section
      id={PANEL}
      class="panel wide-panel notification-panel"
      popover="auto"
      aria-labelledby="notifications-title"
      data-island="notifications"
    >
      <h2 id="notifications-title">Notifications</h2>
      <div data-notifications>
        <a href="/admin/notifications">Show notifications</a>
      </div>
    </section>
  );
}
