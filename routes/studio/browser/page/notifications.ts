/**
 * Runs in the browser. The bell: counts what is unread when a page has loaded and when its tab is looked at again, shows
 * the notifications in its panel, and marks them as read once the panel has been opened.
 *
 * @module
 */
/// <reference lib="dom" />
import type { call } from "./call.ts";
import type { all, get } from "./elements.ts";
import type { pageAt } from "./fresh_page.ts";

/** Code that the page has loaded already. */
interface Tools {
  all: typeof all;
  call: typeof call;
  get: typeof get;
  pageAt: typeof pageAt;
}

const PART = "[data-notifications]";

/** Starts the bells of the page and their panel. */
export function startNotifications(tools: Tools, panel: HTMLElement): void {
  const { all, call, get, pageAt } = tools;
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
  /** Without a connection, the panel stays as it is. */
  const refresh = async () => {
    if (!navigator.onLine || document.visibilityState !== "visible") return;
    const part = (await pageAt("/admin/notifications?part"))?.querySelector<HTMLElement>(PART);
    if (!part) return;
    get(panel, PART).replaceWith(part);
    showCount(Number(part.dataset.unread));
  };
  const markRead = async () => {
    const { unread = "0", until } = get<HTMLElement>(panel, PART).dataset;
    if (unread === "0") return;
    const { ok } = await call("POST", "/api/admin/notifications/read", {
      body: { until: Number(until) },
    });
    if (ok) showCount(0);
  };
  panel.addEventListener("toggle", (event) => {
    if ((event as ToggleEvent).newState === "open") void refresh().then(markRead);
  });
  document.addEventListener("visibilitychange", () => void refresh());
  void refresh();
}
