/**
 * Runs in the browser, in the studio and in front ends of others: scrolls a page to the words that are being
 * edited. It stands alone, for it is also served as the text of its source.
 *
 * @module
 */
/// <reference lib="dom" />

/** Scrolls to the smallest element that has the words; answers whether there is one. */
export function scrollToText(page: Document, words: string): boolean {
  const plain = (text: string) => text.replace(/\s+/g, " ").trim();
  const wanted = plain(words).slice(0, 80);
  const view = page.defaultView;
  if (wanted === "" || view === null || page.body === null) return false;
  const has = (element: Element) => plain(element.textContent ?? "").includes(wanted);
  let found: Element = page.body;
  if (!has(found)) return false;
  for (;;) {
    const inner: Element | undefined = [...found.children].find(has);
    if (inner === undefined) break;
    found = inner;
  }
  const { top, bottom } = found.getBoundingClientRect();
  const isSeen = top >= 0 && bottom <= view.innerHeight;
  // Of the page alone: scrollIntoView would also move the window around the frame.
  if (!isSeen) view.scrollTo({ top: top + view.scrollY - view.innerHeight / 3 });
  return true;
}
