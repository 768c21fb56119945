/**
 * Runs in the browser. Presence: the other users who have the document open, in the bar, and the field each of
 * them is in.
 *
 * @module
 */
import type { Present } from "../../../../../kv/model/input/live_message.ts";
import { PEOPLE_SHOWN_MAX } from "../../../../input/limits.ts";
import { all, make } from "../../page/elements.ts";
import { fieldAt, pathAt } from "./form_fields.ts";

/** Colors that tell people apart. */
const TONES = 6;
/** Minimum interval between presence updates, milliseconds. */
const MOVE_MS = 250;

/** The people who have a document open. */
export class People {
  readonly #form: HTMLElement;
  readonly #bar: HTMLElement | null;
  #present: Present[] = [];
  #shown = "";

  constructor(form: HTMLElement) {
    this.#form = form;
    this.#bar = form.querySelector("[data-people]");
  }

  /** The name of a user, which is known while they are connected. */
  nameOf(userId: string | null): string {
    return this.#present.find((one) => one.userId === userId)?.displayName ?? "Another user";
  }

  show(present: Present[]): void {
    this.#present = present;
    const others = present.filter(({ you }) => you !== true);
    const shown = JSON.stringify(others);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const own = present.find(({ you }) => you === true)?.userId;
    this.#showInBar(others, own);
    this.#showInFields(others);
  }

  /** Sends the position of the focus, at most once per interval. */
  follow(tell: (path: string | null) => void): void {
    let announced: string | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer = undefined;
      const active = document.activeElement;
      const path = active !== null && this.#form.contains(active)
        ? pathAt(this.#form, active)
        : null;
      if (path !== announced) tell(announced = path);
    };
    for (const event of ["focusin", "focusout"]) {
      this.#form.addEventListener(event, () => timer ??= setTimeout(look, MOVE_MS));
    }
  }

  #showInBar(others: Present[], own: string | undefined): void {
    if (this.#bar === null) return;
    const avatars = others.slice(0, PEOPLE_SHOWN_MAX).map((one) => {
      const words = one.userId === own ? "You, in another tab" : `${one.displayName} is here too`;
      return make(
        "li",
        { class: "person", "data-tone": toneOf(one.userId), title: words },
        make("span", { "aria-hidden": "true" }, initials(one.displayName)),
        make("span", { class: "sr" }, words),
      );
    });
    if (others.length > PEOPLE_SHOWN_MAX) {
      avatars.push(make("li", { class: "person more" }, `+${others.length - PEOPLE_SHOWN_MAX}`));
    }
    this.#bar.replaceChildren(...avatars);
    this.#bar.hidden = others.length === 0;
  }

  #showInFields(others: Present[]): void {
    for (const chip of all(this.#form, ".here")) chip.remove();
    for (const field of all(this.#form, "[data-others]")) delete field.dataset.others;
    const byField = new Map<HTMLElement, Present[]>();
    for (const one of others) {
      const field = one.path === null ? null : fieldAt(this.#form, one.path);
      if (field !== null) byField.set(field, [...byField.get(field) ?? [], one]);
    }
    for (const [field, here] of byField) {
      const tone = toneOf(here[0]?.userId ?? "");
      field.dataset.others = tone;
      const names = [...new Set(here.map(({ displayName }) => displayName))].join(", ");
      field.append(make("p", { class: "here", "data-tone": tone }, names));
    }
  }
}

/** The same color for every viewer. */
function toneOf(userId: string): string {
  let sum = 0;
  for (const letter of userId) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return String(sum % TONES);
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word = "") => [...word][0]);
  return letters.join("").toUpperCase();
}
