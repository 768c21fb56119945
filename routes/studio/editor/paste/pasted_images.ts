/**
 * Images in pasted HTML. Each is replaced by a placeholder paragraph with a link until it has been fetched, so
 * that other users see a link, and a link remains if fetching fails.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { Fragment, Slice, type TagParseRule } from "prosemirror-model";
import { ALT_CHARS_MAX } from "../../../../kv/limits/media.ts";
import { ADDRESS_CHARS_MAX } from "../../../../kv/limits/packages.ts";
import { CAPTION_CHARS_MAX, IMAGE_ADDRESSES_MAX } from "../../../input/limits.ts";
import { keyOf } from "../objects/block_key.ts";
import { freshKey } from "../keys.ts";
import { isLayout } from "./pasted_objects.ts";
import { emptyBlock } from "../schema.ts";

/** An image that has to be fetched. */
export interface FoundImage {
  /** The key of its placeholder. */
  key: string;
  /** Its URLs, best first; a `data:` URL contains the image itself. */
  addresses: readonly string[];
  alt: string;
  caption: string;
}

/** Marks the paragraph in the place of an image. */
const WAITS = "data-waits";

/** Elements that cannot contain blocks: they are split around the image. */
const SPLIT = "p, h1, h2, h3, h4, h5, h6, li, dd, dt, a, span, b, strong, i, em, u, s, font, " +
  "small, label, center, picture, figure";
/** Elements that are paragraphs unless they contain one. */
const WRAPPERS = "div, td, th, section, article, blockquote";
const PARAGRAPHS = "p, h1, h2, h3, h4, h5, h6, pre, ul, ol, dl, table, figure, " + WRAPPERS;
/** Elements that count as content, in addition to text. */
const CONTENTS = `img, hr, iframe, table, video, audio, object, embed, [data-object], [${WAITS}]`;
/** Attributes in which pages keep the addresses of images that they load late. */
const LATE = ["data-src", "data-lazy-src", "data-original"];
/** Pixels up to which an image is none: senders of mail count readers by them. */
const COUNTING_PIXELS = 2;

/** How the paragraph of an image is read: under the key that the image is known by. */
export const WAITING_RULE: TagParseRule = {
  tag: `p[${WAITS}]`,
  node: "textblock",
  priority: 70,
  getAttrs: (element) => ({ key: element.getAttribute(WAITS) }),
};

/** Puts paragraphs in the place of the images that can be fetched, and says which these are. */
export function takeImages(root: Element): FoundImage[] {
  for (const marked of root.querySelectorAll(`[${WAITS}]`)) marked.removeAttribute(WAITS);
  const lastOf = new Map<Element, Element>();
  const found: FoundImage[] = [];
  for (const image of [...root.querySelectorAll("img")]) {
    const alt = wordsOf(image.getAttribute("alt") ?? "", ALT_CHARS_MAX);
    if (image.closest("noscript") !== null) continue;
    if (isCounter(image)) image.remove();
    else if (isSign(alt)) image.replaceWith(alt);
    else {
      const addresses = addressesOf(image);
      if (addresses.length === 0) continue;
      const whole = wholeOf(image);
      const caption = whole.matches("figure") ? captionOf(whole) : "";
      const one: FoundImage = { key: freshKey(), addresses, alt, caption };
      const stand = placeholderOf(one, root.ownerDocument);
      found.push(one);
      const table = image.closest("table");
      if (table === null || isLayout(table)) put(whole, stand, root);
      else {
        // A cell holds text: its images follow the table.
        (lastOf.get(table) ?? table).after(stand);
        lastOf.set(table, stand);
        whole.remove();
      }
    }
  }
  return found;
}

/** A slice in which the paragraphs of images stay paragraphs of their own, with room to go on behind the last. */
export function separateFromText(slice: Slice, found: readonly FoundImage[]): Slice {
  const keys = new Set<string | null>(found.map(({ key }) => key));
  const { content: { firstChild, lastChild }, openStart, openEnd } = slice;
  if (firstChild === null || lastChild === null) return slice;
  const isLast = keys.has(keyOf(lastChild));
  return new Slice(
    isLast ? slice.content.append(Fragment.from(emptyBlock())) : slice.content,
    keys.has(keyOf(firstChild)) ? 0 : openStart,
    isLast ? 1 : openEnd,
  );
}

/** The URLs of an image, largest first, without lazy-loading placeholders. */
export function addressesOf(image: Element): string[] {
  const set = (element: Element) =>
    [element.getAttribute("srcset"), element.getAttribute("data-srcset")].flatMap((text) =>
      largestFirst(text ?? "")
    );
  const sources = [...image.closest("picture")?.querySelectorAll("source") ?? []];
  const given = [
    ...set(image).slice(0, 1),
    image.getAttribute("src") ?? "",
    ...LATE.map((name) => image.getAttribute(name) ?? ""),
    ...sources.flatMap(set).slice(0, 1),
  ].map((address) => address.trim().replace(/^\/\//, "https://"));
  const isWeb = (address: string) =>
    /^https?:\/\//i.test(address) && address.length <= ADDRESS_CHARS_MAX &&
    URL.canParse(address);
  const web = given.filter(isWeb);
  const held = given.filter((address) => /^data:image\//i.test(address));
  return [...new Set(web.length > 0 ? web : held)].slice(0, IMAGE_ADDRESSES_MAX);
}

/** The addresses of a `srcset`. */
function largestFirst(set: string): string[] {
  const candidates = [...set.matchAll(/(\S*[^\s,])(?:\s+([\d.]+)[wx])?\s*(?:,|$)/g)];
  return candidates.map(([, address = "", size]) => ({ address, size: Number(size ?? 1) }))
    .sort((one, other) => other.size - one.size).map(({ address }) => address);
}

/** The figure or link that contains only the image, or the image itself. */
function wholeOf(image: Element): Element {
  const figure = image.closest("figure");
  const isAlone = figure !== null && figure.querySelectorAll("img").length === 1 &&
    figure.querySelector("table, pre, iframe, video, audio") === null &&
    withoutCaption(figure) === "";
  return isAlone ? figure : image;
}

function withoutCaption(figure: Element): string {
  const copy = figure.cloneNode(true) as Element;
  for (const silent of copy.querySelectorAll("figcaption, noscript, script, style")) {
    silent.remove();
  }
  return copy.textContent.trim();
}

function captionOf(figure: Element): string {
  const captions = [...figure.querySelectorAll("figcaption")];
  return wordsOf(captions.map(({ textContent }) => textContent).join(" "), CAPTION_CHARS_MAX);
}

/** On one line, and not longer than it may be. */
function wordsOf(text: string, charsMax: number): string {
  return [...text.replace(/\s+/g, " ").trim()].slice(0, charsMax).join("");
}

function isCounter(image: Element): boolean {
  const sides = ["width", "height"].map((name) => Number(image.getAttribute(name) ?? NaN));
  return sides.every((side) => side <= COUNTING_PIXELS);
}

/** Whether an image represents a character, such as an emoji. */
function isSign(alt: string): boolean {
  return [...alt].length <= 8 && /^\p{Extended_Pictographic}[^\p{L}\p{N}]*$/u.test(alt);
}

/** The words of an image, and the way to it. */
function placeholderOf(
  { key, addresses: [address = ""], alt, caption }: FoundImage,
  doc: Document,
) {
  const stand = doc.createElement("p");
  stand.setAttribute(WAITS, key);
  const isHeld = address.startsWith("data:");
  const words = doc.createElement(isHeld ? "em" : "a");
  if (!isHeld) words.setAttribute("href", address);
  words.textContent = alt || nameOf(address);
  stand.append(words);
  if (caption !== "") stand.append(doc.createElement("br"), caption);
  return stand;
}

/** The name of an image without alt text. */
export function nameOf(address: string): string {
  const url = URL.parse(address);
  if (url === null || url.protocol === "data:") return "Image";
  const last = url.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last) || url.hostname;
  } catch {
    // Some servers have names that are no text.
    return last;
  }
}

/** Replaces an element with a paragraph and splits its ancestors. */
function put(element: Element, stand: Element, root: Element): void {
  let outer: Element | null = null;
  for (let above = element.parentElement; above !== null; above = above.parentElement) {
    if (above === root) break;
    const isParagraph = above.matches(WRAPPERS) && above.querySelector(PARAGRAPHS) === null;
    if (isParagraph || above.matches(SPLIT)) outer = above;
  }
  if (outer === null) return element.replaceWith(stand);
  const range = element.ownerDocument.createRange();
  range.setStartAfter(element);
  range.setEndAfter(outer);
  const rest = range.extractContents();
  const isEmpty = (node: ParentNode) =>
    (node.textContent ?? "").trim() === "" && node.querySelector(CONTENTS) === null;
  outer.after(stand, ...(isEmpty(rest) ? [] : [rest]));
  element.remove();
  if (isEmpty(outer)) outer.remove();
}
