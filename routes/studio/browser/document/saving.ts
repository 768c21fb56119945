/**
 * Runs in the browser. What keeps a document: live, or by requests where that cannot be.
 *
 * @module
 */
import type { Unsent } from "./live/live_session.ts";
import { nextSlug } from "./slug_follower.ts";
import { get } from "../elements.ts";

/** Keeps what is typed. */
export interface Saving {
  /** Whether everything that is shown is kept. */
  readonly isSettled: boolean;
  /** The id of the document, once it has one. */
  readonly id: string | null;
  /** Something was typed, in this element or anywhere. */
  touched(element: Element | null): void;
  /** A field was left. */
  left(): void;
  /** Keeps everything, as a version; answers whether everything is. */
  save(): Promise<boolean>;
  /** What would be lost with the page. */
  unsent(): Unsent | null;
}

/** How often another address is tried when the one made from the title is taken. */
const SLUG_TRIES = 20;

/** Looks for an address that nobody has, as long as it is made from the title. */
export class FreeSlug {
  readonly #input: HTMLInputElement;
  readonly #isOpen: boolean;
  #tries = 0;

  /** `isOpen`: the public does not know the address yet. */
  constructor(form: HTMLElement, isOpen: boolean) {
    this.#input = get<HTMLInputElement>(form, "#c-slug");
    this.#isOpen = isOpen;
  }

  get input(): HTMLInputElement {
    return this.#input;
  }

  /** Puts the next address in its place; false when it is for its author to change. */
  tryNext(): boolean {
    const isTyped = document.activeElement === this.#input;
    if (!this.#isOpen || isTyped || this.#tries >= SLUG_TRIES) return false;
    this.#tries += 1;
    this.#input.value = nextSlug(this.#input.value);
    return true;
  }

  found(): void {
    this.#tries = 0;
  }
}
