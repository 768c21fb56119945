/**
 * Runs in the browser. Keeps the color picker and its text in sync, and shows an error for an invalid color.
 *
 * @module
 */
import { PAPERS } from "../../../../jobs/render/theme/readable_colour.ts";
import { colourOn, type Paper } from "../../wording/colour_words.ts";
import { all, get } from "../page/elements.ts";
import { clearFailures, markFailed } from "../page/failures.ts";

/** Makes a colour and its text one control. */
export function startColourField(control: HTMLElement): void {
  const row = get(control, ".colour-field");
  const text = get<HTMLInputElement>(row, "input[type=text]");
  const choice = get<HTMLInputElement>(row, "input[type=color]");
  const none = row.querySelector<HTMLElement>("[data-colour-none]");
  const samples = get(control, "[data-colour-samples]");
  const show = () => {
    const colour = colourOf(text.value);
    const isEmpty = text.value.trim() === "";
    row.toggleAttribute("data-empty", isEmpty);
    if (none !== null) none.hidden = isEmpty;
    for (const sample of all(samples, "[data-paper]")) sample.hidden = colour === null;
    get(samples, "[data-no-colour]").hidden = !isEmpty;
    if (colour === null) return;
    choice.value = colour;
    showSamples(samples, colour);
  };
  const set = (value: string) => {
    text.value = value;
    text.dispatchEvent(new Event("input", { bubbles: true }));
    clearFailures(control);
  };
  text.addEventListener("input", () => {
    if (text.value.trim() === "" || colourOf(text.value) !== null) clearFailures(control);
    show();
  });
  text.addEventListener("change", () => {
    const colour = colourOf(text.value);
    if (colour !== null && colour !== text.value) set(colour);
    clearFailures(control);
    if (colour === null && text.value.trim() !== "") {
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
export function colourOf(text: string): string | null {
  const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(text.trim().toLowerCase()) ?? [];
  if (digits === undefined) return null;
  return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
}

/** The colour as the site draws it on either paper, and how well it reads there. */
function showSamples(samples: HTMLElement, colour: string): void {
  for (const sample of all(samples, "[data-paper]")) {
    const paper = sample.dataset.paper as Paper;
    const { drawn, words } = colourOn(paper, colour);
    sample.style.background = PAPERS[paper];
    sample.style.color = drawn;
    get(sample, "span").textContent = words;
  }
}
