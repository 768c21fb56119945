/**
 * Runs in the browser. Keeps the color picker and its text in sync, and shows an error for an invalid color.
 *
 * @module
 */
import { PAPERS } from "../../../../jobs/render/theme/readable_color.ts";
import { colorOn, type Paper } from "../../wording/color_words.ts";
import { all, get } from "../page/elements.ts";
import { clearFailures, markFailed } from "../page/failures.ts";

/** Makes a color and its text one control. */
export function startColorField(control: HTMLElement): void {
  const row = get(control, ".color-field");
  const text = get<HTMLInputElement>(row, "input[type=text]");
  const choice = get<HTMLInputElement>(row, "input[type=color]");
  const none = row.querySelector<HTMLElement>("[data-color-none]");
  const samples = get(control, "[data-color-samples]");
  const show = () => {
    const color = colorOf(text.value);
    const isEmpty = text.value.trim() === "";
    row.toggleAttribute("data-empty", isEmpty);
    if (none !== null) none.hidden = isEmpty;
    for (const sample of all(samples, "[data-paper]")) sample.hidden = color === null;
    get(samples, "[data-no-color]").hidden = !isEmpty;
    if (color === null) return;
    choice.value = color;
    showSamples(samples, color);
  };
  const set = (value: string) => {
    text.value = value;
    text.dispatchEvent(new Event("input", { bubbles: true }));
    clearFailures(control);
  };
  text.addEventListener("input", () => {
    if (text.value.trim() === "" || colorOf(text.value) !== null) clearFailures(control);
    show();
  });
  text.addEventListener("change", () => {
    const color = colorOf(text.value);
    if (color !== null && color !== text.value) set(color);
    clearFailures(control);
    if (color === null && text.value.trim() !== "") {
      markFailed(text, "Must be a color such as #9a3412");
    }
  });
  choice.addEventListener("input", () => set(choice.value));
  none?.addEventListener("click", () => {
    set("");
    text.focus();
  });
  show();
}

/** A color as it is stored, from any accepted spelling; null if it is invalid. */
function colorOf(text: string): string | null {
  const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(text.trim().toLowerCase()) ?? [];
  if (digits === undefined) return null;
  return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
}

/** The color as the site draws it on either paper, and how well it reads there. */
function showSamples(samples: HTMLElement, color: string): void {
  for (const sample of all(samples, "[data-paper]")) {
    const paper = sample.dataset.paper as Paper;
    const { drawn, words } = colorOn(paper, color);
    sample.style.background = PAPERS[paper];
    sample.style.color = drawn;
    get(sample, "span").textContent = words;
  }
}
