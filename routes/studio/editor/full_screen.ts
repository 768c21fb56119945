/**
 * Full screen: only the text, its toolbar and the save status are visible.
 *
 * @module
 */
/// <reference lib="dom" />

/** Shows one text alone, and the page again. Style sheets know by `data-full` what stays. */
export class FullScreen {
  readonly #frame: HTMLElement;
  readonly #changed: () => void;

  /** `changed` is called when the text is alone, or no longer. */
  constructor(frame: HTMLElement, changed: () => void) {
    this.#frame = frame;
    this.#changed = changed;
    frame.addEventListener("keydown", (event) => {
      if (!event.defaultPrevented) this.leaveByKey(event);
    });
  }

  /** Whether the text is alone. */
  get isOn(): boolean {
    return this.#frame.dataset.full !== undefined;
  }

  /** Escape shows the page again; whether it did. */
  leaveByKey(event: KeyboardEvent): boolean {
    if (event.key !== "Escape" || !this.isOn) return false;
    event.preventDefault();
    this.toggle();
    return true;
  }

  toggle(): void {
    const isOn = !this.isOn;
    for (
      let element: HTMLElement | null = this.#frame;
      element !== null && !element.matches("form");
      element = element.parentElement
    ) element.toggleAttribute("data-full", isOn);
    document.documentElement.toggleAttribute("data-writing", isOn);
    this.#frame.scrollIntoView({ block: "nearest" });
    this.#changed();
  }
}
