/**
 * The bar that saves all changed forms of a page together.
 *
 * @module
 */
import { Button } from "../button.tsx";

/** Hidden until something has changed. `done` is the toast after saving. */
export function SaveBar({ done }: { done: string }) {
  return (
    <div
      class="save-bar"
      role="region"
      aria-label="Unsaved changes"
      data-save-bar
      data-done={done}
      hidden
    >
      <p role="status" data-unsaved></p>
      <div class="row">
        <Button data-discard>Discard</Button>
        <Button variant="primary" data-save>Save</Button>
      </div>
    </div>
  );
}
