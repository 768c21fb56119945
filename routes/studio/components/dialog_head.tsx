/**
 * The head of a dialog.
 *
 * @module
 */
import { Icon } from "./icon.tsx";

/** The title of a dialog, which is labelled by it, and the button that closes it. */
export function DialogHead({ id, title }: { id: string; title: string }) {
  return (
    <div class="dialog-head">
      <h2 id={id}>{title}</h2>
      <button type="button" class="icon-button" data-close aria-label="Close">
        <Icon name="close" />
      </button>
    </div>
  );
}
