/**
 * The empty state of a list or screen.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon_names.ts";

/** Why there is nothing, and what to do about it. */
export function EmptyState(
  { icon = "empty", title, children, actions }: {
    icon?: IconName;
    title: string;
    children?: Child;
    actions?: Child;
  },
) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children}
      {actions && <div class="empty-actions">{actions}</div>}
    </div>
  );
}
