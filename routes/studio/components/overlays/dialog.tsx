/**
 * Dialogs. A button with `data-opens` opens one by its id, a button with `data-close` inside closes it.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { IconButton } from "../button.tsx";

/** A dialog that is labelled by its title. Where `open` is set, it opens with the page. */
export function Dialog(
  { id, title, size, open, children }: {
    id: string;
    title: string;
    size?: "large";
    open?: boolean;
    children: Child;
  },
) {
  return (
    <dialog
      id={id}
      class={size}
      aria-labelledby={`${id}-title`}
      data-open={open ? "" : undefined}
    >
      <div class="dialog-head">
        <h2 id={`${id}-title`} tabindex={-1}>{title}</h2>
        <IconButton icon="close" label="Close" data-close />
      </div>
      {children}
    </dialog>
  );
}

/** The buttons at the end of a dialog or a form, the main one last. */
export function DialogFoot({ children }: { children: Child }) {
  return <div class="dialog-foot">{children}</div>;
}
