/**
 * Runs in the browser. Updates a page to match another by replacing only the elements that differ, so that
 * images stay loaded and players keep playing.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Updates an element to match one of another document. */
export function replaceChanged(present: Element, next: Element): void {
  if (present.isEqualNode(next)) return;
  const isShell = present.cloneNode().isEqualNode(next.cloneNode());
  if (!isShell || present.localName === "iframe") {
    present.replaceWith(present.ownerDocument.adoptNode(next));
    return;
  }
  const [before, after] = [[...present.childNodes], [...next.childNodes]];
  let start = 0;
  while (before[start]?.isEqualNode(after[start] ?? null)) start += 1;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before.at(-1 - end)?.isEqualNode(after.at(-1 - end) ?? null)
  ) end += 1;
  const gone = before.slice(start, before.length - end);
  const come = after.slice(start, after.length - end);
  const [was, is] = [gone[0], come[0]];
  // If one element replaces one, only a part of it may differ.
  const isOne = gone.length === 1 && come.length === 1;
  if (isOne && was !== undefined && is !== undefined && isElement(was) && isElement(is)) {
    return replaceChanged(was, is);
  }
  const behind = before[before.length - end] ?? null;
  for (const node of gone) node.remove();
  for (const node of come) present.insertBefore(present.ownerDocument.adoptNode(node), behind);
}

function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE;
}
