/**
 * Runs in the browser. The slug follows the title until the user types one or the document is published.
 *
 * @module
 */
import { SLUG_DERIVED_CHARS_MAX } from "../../../../kv/limits/content.ts";
import { get } from "../page/elements.ts";

/** A title as a slug, as far as the browser can derive it; empty otherwise. */
export function slugOf(title: string): string {
  const plain = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  if (/[^\u0000-\u024f]/.test(plain.replace(/[\p{P}\p{S}\s]/gu, ""))) return "";
  const joined = plain.replaceAll("ß", "ss").replaceAll("æ", "ae").replaceAll("ø", "o")
    .replace(/[^a-z0-9]+/g, "-");
  return joined.slice(0, SLUG_DERIVED_CHARS_MAX).replace(/^-+|-+$/g, "");
}

/** Lets the slug's input follow the title's. */
export function followTitle(form: HTMLElement, { open }: { open: boolean }): void {
  const title = get<HTMLTextAreaElement>(form, "#c-title");
  const slug = get<HTMLInputElement>(form, "#c-slug");
  const base = () => slug.value.replace(/-\d+$/, "");
  let follows = open && (slug.value === "" || [slug.value, base()].includes(slugOf(title.value)));
  title.addEventListener("input", () => {
    if (follows) slug.value = slugOf(title.value);
  });
  slug.addEventListener("input", () => follows = slug.value === "");
  form.querySelector("[data-unlock]")?.addEventListener("click", (event) => {
    slug.readOnly = false;
    (event.target as HTMLElement).hidden = true;
    slug.focus();
    slug.select();
  });
}

/** The next slug to try if one is taken. */
function nextSlug(slug: string): string {
  const [, base, number] = /^(.*?)(?:-(\d+))?$/.exec(slug) ?? [slug, slug];
  return `${base}-${Number(number ?? 1) + 1}`;
}

/** How many slugs are tried if the one derived from the title is taken. */
const SLUG_TRIES = 20;

/** Finds a free slug while it is derived from the title. */
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
