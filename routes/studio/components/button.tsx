/**
 * Buttons, and links that look like them.
 *
 * @module
 */
import type { JSX } from "@hono/hono/jsx";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon_names.ts";

/** The role of a button: the main action of a screen, a destructive action, or one among others. */
export type ButtonVariant = "plain" | "primary" | "quiet" | "danger" | "danger primary";

interface ButtonStyle {
  variant?: ButtonVariant | undefined;
  size?: "normal" | "small" | "block" | undefined;
  icon?: IconName | undefined;
}

type ButtonProps = JSX.IntrinsicElements["button"] & ButtonStyle;
type LinkProps = JSX.IntrinsicElements["a"] & ButtonStyle;

/** A button; it submits nothing unless its type says so. */
export function Button({ variant, size, icon, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} class={classOf({ variant, size }, rest.class)}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A link to another page that looks like a button. */
export function ButtonLink({ variant, size, icon, children, ...rest }: LinkProps) {
  return (
    <a {...rest} class={classOf({ variant, size }, rest.class)}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

/** A button with nothing but an icon; `label` says what it does. */
export function IconButton(
  { icon, label, ...rest }: JSX.IntrinsicElements["button"] & { icon: IconName; label: string },
) {
  return (
    <button
      type="button"
      {...rest}
      class={rest.class ? `icon-button ${rest.class}` : "icon-button"}
      aria-label={label}
    >
      <Icon name={icon} />
    </button>
  );
}

function classOf(
  { variant = "plain", size = "normal" }: ButtonStyle,
  more: unknown,
): string {
  return [
    "button",
    variant === "plain" ? "" : variant,
    size === "normal" ? "" : size,
    typeof more === "string" ? more : "",
  ].filter((part) => part !== "").join(" ");
}
