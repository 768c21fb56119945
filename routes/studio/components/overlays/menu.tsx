/**
 * Menus of actions that open next to a button.
 *
 * @module
 */
import type { Child, JSX } from "@hono/hono/jsx";
import { Icon } from "../icon.tsx";
import type { IconName } from "../icon_names.ts";

/** The list of a menu; a button with `popovertarget` of this id opens it. */
export function Menu(
  { id, side, children }: { id: string; side?: "start" | "above"; children: Child },
) {
  return <div id={id} class="menu" popover="auto" data-side={side}>{children}</div>;
}

/** A link in a menu. */
export function MenuLink(
  { icon, children, ...rest }: JSX.IntrinsicElements["a"] & { icon?: IconName },
) {
  return (
    <a {...rest} class="menu-entry">
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

/** A button in a menu. */
export function MenuButton(
  { icon, danger, children, ...rest }: JSX.IntrinsicElements["button"] & {
    icon?: IconName;
    danger?: boolean;
  },
) {
  return (
    <button type="button" {...rest} class={danger ? "menu-entry danger" : "menu-entry"}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
