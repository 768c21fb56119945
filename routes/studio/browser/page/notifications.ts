/**
 * Runs in the browser. The bell: counts what is unread when a page has loaded and when its tab is looked at again, shows
 * the notifications in its panel, and marks them as read once the panel has been opened.
 *
 * @module
 */
/// <reference lib="dom" />
import type { call } from "./call.ts";
import type { all, get, make } from "./elements.ts";
import type { pageAt } from "./fresh_page.ts";

/** Code that the page has loaded already. */
interface Tools {
  all: typeof all;
  call: typeof call;
  get: typeof get;
  make: typeof make;
  pageAt: typeof pageAt;
}

const PART = "[data-notifications]";

/** Starts the bells of the page and their panel. */
export function startNotifications(tools: Tools, panel: HTMLElement): void {
  const { all, call, get, make, pageAt } = tools;
  const showCount = (count: number) => {
    for (const bell of all(document, "[data-bell]")) {
      if (count === 0) delete bell.dataset.unread;
      else bell.dataset.unread = count > 99 ? "99+" : String(count);
      bell.setAttribute(
        "aria-label",
        count === 0 ? "Notifications" : `Notifications: ${count} unread`,
      );
    }
  };
  /** The last list; it is on the page only while the panel is open. */
  let latest: HTMLElement | null = null;
  const show = () => {
    if (latest !== null && panel.matches(":popover-open")) get(panel, PART).replaceWith(latest);
  };
  /** Without a connection, the panel stays as it is. */
  const refresh = async () => {
    if (!navigator.onLine || document.visibilityState !== "visible") return;
    const part = (await pageAt("/admin/notifications?part"))?.querySelector<HTMLElement>(PART);
    if (!part) return;
    latest = part;
    showCount(Number(part.dataset.unread));
    show();
  };
  const markRead = async () => {
    const { unread = "0", until } = latest?.dataset ?? {};
    if (unread === "0") return;
    const body = { until: Number(until) };
    const { ok } = await call("POST", "/api/admin/notifications/read", { body });
    if (ok) showCount(0);
  };
  panel.addEventListener("toggle", (event) => {
    if ((event as ToggleEvent).newState === "closed") {
      latest?.replaceWith(make("div", { "data-notifications": "" }));
    } else {
      show();
      void refresh().then(markRead);
    }
  });
  document.addEventListener("visibilitychange", () => void refresh());
  void refresh();
}
