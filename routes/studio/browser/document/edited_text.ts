/**
 * Runs in the browser. The words around the cursor, by which their place in a rendered page is found.
 *
 * @module
 */

const TEXT_BLOCKS = "p, h1, h2, h3, h4, h5, h6, li, blockquote, pre, td, th";

/** The line or paragraph being edited; null if there is none. */
export function editedText(form: HTMLElement): string | null {
  const active = document.activeElement;
  if (active === null || !form.contains(active)) return null;
  if (active instanceof HTMLTextAreaElement) {
    const { value, selectionStart: at } = active;
    const start = value.lastIndexOf("\n", at - 1) + 1;
    const end = value.indexOf("\n", at);
    return nonEmpty(value.slice(start, end === -1 ? undefined : end));
  }
  if (active instanceof HTMLInputElement) {
    return active.type === "text" ? nonEmpty(active.value) : null;
  }
  const node = getSelection()?.anchorNode ?? null;
  if (node === null || !active.contains(node)) return null;
  const element = node instanceof Element ? node : node.parentElement;
  return nonEmpty(element?.closest(TEXT_BLOCKS)?.textContent ?? "");
}

function nonEmpty(text: string): string | null {
  return text.trim() === "" ? null : text;
}
