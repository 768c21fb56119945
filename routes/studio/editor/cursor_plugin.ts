/**
 * Brings the cursor up to date before keys are handled. Browsers report a moved cursor in a task of its own, at the next
 * frame or later, so a key pressed right after a click would apply where the cursor was.
 *
 * @module
 */
/// <reference lib="dom" />
import { Plugin } from "prosemirror-state";

/** The cursor that is read before each key, as a plugin. It goes before all plugins that handle keys. */
export function cursorPlugin(): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        keydown: (_view, { isComposing }) => {
          if (!isComposing) document.dispatchEvent(new Event("selectionchange"));
          return false;
        },
      },
    },
  });
}
