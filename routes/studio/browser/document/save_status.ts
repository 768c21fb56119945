/**
 * Runs in the browser. Says in words whether what was typed is kept.
 *
 * @module
 */
import { get } from "../elements.ts";

/** How the words are meant. */
export type Mood = "good" | "bad" | "";

/** The words in the bar of a document. */
export class SaveStatus {
  readonly #element: HTMLElement;

  constructor(form: HTMLElement) {
    this.#element = get(form, "[data-save-state]");
  }

  /** Words that stand there already are not said again. */
  say(words: string, mood: Mood = ""): void {
    if (this.#element.textContent !== words) this.#element.textContent = words;
    this.#element.dataset.mood = mood;
  }

  /** What is kept is a version now. */
  showVersion(version: number): void {
    const shown = document.querySelector("[data-version]");
    if (shown !== null) shown.textContent = String(version);
  }
}
