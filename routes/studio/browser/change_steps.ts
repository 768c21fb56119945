/**
 * Runs in the browser. Goes from one change of a comparison to the next, by buttons and by the keys N and P.
 *
 * @module
 */
import type { all, dataOf, enclosing, get } from "./page/elements.ts";
import type { isTyping } from "./page/keys.ts";
import type { openModal } from "./page/modal.ts";

/** What the page has loaded already. */
export interface ChangeStepsTools {
  all: typeof all;
  dataOf: typeof dataOf;
  enclosing: typeof enclosing;
  get: typeof get;
  isTyping: typeof isTyping;
  openModal: typeof openModal;
}

/** The step of each key. */
const KEYS: Readonly<Record<string, number>> = { n: 1, p: -1 };

/** Starts the bar above the changes of a comparison. */
export function startChangeSteps(tools: ChangeStepsTools, bar: HTMLElement): void {
  const { all, dataOf, enclosing, get, isTyping, openModal } = tools;
  const changes = all(enclosing(bar, ".change-list"), "[data-change]");
  const label = get(bar, "[data-step]");
  let current = -1;
  const step = (by: number) => {
    // The first step backwards leads to the last change.
    current = current < 0 && by < 0
      ? changes.length - 1
      : (current + by + changes.length) % changes.length;
    changes.forEach((change, index) =>
      change.toggleAttribute("data-current-change", index === current)
    );
    label.textContent = `${current + 1} of ${changes.length} changes`;
    changes[current]?.scrollIntoView({ block: "center" });
  };
  get(bar, "[data-step-buttons]").hidden = false;
  for (const button of all(bar, "[data-step-by]")) {
    button.addEventListener("click", () => step(Number(dataOf(button, "stepBy"))));
  }
  document.addEventListener("keydown", (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (isTyping(event.target) || openModal() !== null) return;
    const by = KEYS[event.key];
    if (by !== undefined) step(by);
  });
}
