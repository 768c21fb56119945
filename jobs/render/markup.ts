/**
 * Separates text and markup by type: templates escape every value except {@linkcode Html}, which only renderers
 * create.
 *
 * @module
 */

/** Markup that is safe to print unescaped. */
export class Html {
  constructor(readonly markup: string) {}

  toString(): string {
    return this.markup;
  }
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML, XML and quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Removes the control characters and lone surrogates that neither XML nor HTML may contain. */
export function printable(text: string): string {
  return text.toWellFormed().replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufdd0-\ufdef\ufeff\ufffe\uffff]/g,
    "",
  );
}

/** Escapes the output of a template. */
export function printed(value: unknown): string {
  if (value instanceof Html) return value.markup;
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(printed).join("");
  return escapeMarkup(printable(String(value)));
}
