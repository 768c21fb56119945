/**
 * Runs in the browser. Pins a collection in the navigation, which the server then renders again.
 *
 * @module
 */
import type { all, dataOf } from "./elements.ts";
import type { drawnOf } from "./fresh_page.ts";
import type { toast } from "./toast.ts";

/** What the page has loaded already. */
export interface PinTools {
  all: typeof all;
  dataOf: typeof dataOf;
  drawnOf: typeof drawnOf;
  toast: typeof toast;
}

let saving: Promise<void> = Promise.resolve();

/** Pins or unpins the collection of a button, after those that were chosen before. */
export function togglePin(tools: PinTools, list: HTMLElement, button: HTMLElement): void {
  const pinned = button.ariaPressed !== "true";
  button.ariaPressed = String(pinned);
  saving = saving.then(() => save(tools, list, { button, pinned }));
}

async function save(
  { all, dataOf, drawnOf, toast }: PinTools,
  list: HTMLElement,
  { button, pinned }: { button: HTMLElement; pinned: boolean },
): Promise<void> {
  const collection = dataOf(button, "pin");
  const current = list.querySelector("[aria-current]")?.getAttribute("href") ?? null;
  const drawn = await drawnOf("/admin/pins", { collection, pinned, current });
  const fresh = drawn?.querySelector(".nav");
  if (!fresh) {
    button.ariaPressed = String(!pinned);
    toast("The pin could not be saved. Try again.", { bad: true });
    return;
  }
  const group = button.closest<HTMLElement>("[data-nav-group]")?.dataset.navGroup;
  const top = button.getBoundingClientRect().top;
  const isFocused = button === document.activeElement;
  list.replaceChildren(...fresh.childNodes);
  const buttons = all(list, `[data-pin="${collection}"]`);
  const same = buttons.find((one) => one.closest(`[data-nav-group="${group}"]`)) ?? buttons[0];
  if (same === undefined) return;
  // The section above grows; what the pointer is on stays below it.
  list.scrollTop += same.getBoundingClientRect().top - top;
  if (isFocused) same.focus();
}
