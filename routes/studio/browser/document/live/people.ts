/**
 * Runs in the browser. Presence: the other users who have the document open, in the bar, and the field each of
 * them is in.
 *
 * @module
 */
import type { Present, TextSelection } from "../../../../../kv/model/input/live_message.ts";
import { PEOPLE_SHOWN_MAX } from "../../../../input/limits.ts";
import { TEXT_EVENTS } from "../../forms/rich_text.ts";
import { all, make } from "../../page/elements.ts";
import { fieldAt, pathAt } from "./form_fields.ts";
import type { TextCursors } from "./text_cursors.ts";

/** Colors that tell people apart. */
const TONES = 6;
/** Minimum interval between presence updates, milliseconds. */
const MOVE_MS = 250;
/** How many intervals a cursor waits for the words before it to be saved. */
const UNSETTLED_MOVES = 4;

/** The position of this user. */
export interface Position {
  path: string | null;
  selection: TextSelection | null;
}

/** The people who have a document open. */
export class People {
  readonly #form: HTMLElement;
  readonly #bar: HTMLElement | null;
  readonly #isSettled: () => boolean;
  #present: Present[] = [];
  #shown = "";
  /** Cursors in rich text; null while no other user is here. */
  #cursors: TextCursors | null = null;
  #isLoading = false;
  #announced: string | null = null;
  #moveTimer: ReturnType<typeof setTimeout> | undefined;
  #waited = 0;
  #early: string | null = null;
  #tell: (position: Position) => void = () => {};

  /** `isSettled` tells whether every change is saved. */
  constructor(form: HTMLElement, isSettled: () => boolean) {
    this.#form = form;
    this.#isSettled = isSettled;
    this.#bar = form.querySelector("[data-people]");
  }

  /** The name of a user, which is known while they are connected. */
  nameOf(userId: string | null): string {
    return this.#present.find((one) => one.userId === userId)?.displayName ?? "Another user";
  }

  show(present: Present[]): void {
    this.#present = present;
    const others = this.#others;
    // A new connection does not know the position of this user.
    if (present.length === 0) this.#announced = null;
    if (others.length > 0) {
      void this.#loadCursors();
      this.#moved();
    }
    this.#cursors?.show(others);
    const shown = JSON.stringify(
      others.map(({ selection, ...one }) => ({ ...one, hasCursor: selection !== undefined })),
    );
    if (shown === this.#shown) return;
    this.#shown = shown;
    const own = present.find(({ you }) => you === true)?.userId;
    this.#showInBar(others, own);
    this.#showInFields(others);
  }

  /** Sends the position of the focus, at most once per interval. */
  follow(tell: (position: Position) => void): void {
    this.#tell = tell;
    for (const event of ["focusin", "focusout"]) {
      this.#form.addEventListener(event, () => this.#moved());
    }
  }

  get #others(): Present[] {
    return this.#present.filter(({ you }) => you !== true);
  }

  #moved(): void {
    this.#moveTimer ??= setTimeout(() => this.#announce(), MOVE_MS);
  }

  /** A cursor is announced after the words before it, which are counted in its place. */
  #announce(): void {
    this.#moveTimer = undefined;
    const active = document.activeElement;
    const path = active !== null && this.#form.contains(active) ? pathAt(this.#form, active) : null;
    const selection = this.#others.length > 0 ? this.#cursors?.own ?? null : null;
    const position = JSON.stringify([path, selection]);
    if (position === this.#announced) return;
    const isEarly = selection !== null && !this.#isSettled();
    if (isEarly) this.#moved();
    if (isEarly && (this.#waited++ < UNSETTLED_MOVES || position === this.#early)) return;
    this.#waited = 0;
    // An early one is announced again, once the words are saved.
    this.#early = isEarly ? position : null;
    this.#announced = isEarly ? null : position;
    this.#tell({ path, selection });
  }

  async #loadCursors(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const { TextCursors } = await import("./text_cursors.ts");
    const form = this.#form;
    const find = (path: string) => fieldAt(form, path);
    const tools = { all, fieldAt: find, make, textEvents: TEXT_EVENTS, toneOf };
    this.#cursors = new TextCursors(form, tools, () => this.#moved());
    this.#cursors.show(this.#others);
    this.#moved();
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
      // In rich text, others see the cursor itself.
      if (one.path === null || one.selection !== undefined) continue;
      const field = fieldAt(this.#form, one.path);
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
