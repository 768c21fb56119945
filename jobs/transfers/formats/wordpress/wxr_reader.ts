/**
 * WXR as a stream of elements: the channel's facts, its authors and terms, and its items. Document types are passed over
 * unread, so entities cannot be defined; undefined ones stay as text.
 *
 * @module
 */
import { TRANSFER_ROW_CHARS_MAX } from "../../../../kv/limits/transfers.ts";
import { BadSource, type ReadableFile } from "../../reading/source_file.ts";
import { textOf } from "../../reading/text_stream.ts";

/** An element with what is in it. */
export interface WxrElement {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: WxrElement[];
}

/** Elements that are handed over whole; everything else of the channel is a fact. */
const WHOLE = new Set(["item", "wp:author", "wp:category", "wp:tag", "wp:term"]);
/** Levels of elements inside one another. */
const LEVELS = 64;

/** The elements of a file: items, authors and terms; and each other element of the channel. */
export async function* wxrElements(file: ReadableFile): AsyncGenerator<WxrElement> {
  const { SaxesParser } = await import("saxes");
  const parser = new SaxesParser({ xmlns: false });
  const stack: WxrElement[] = [];
  const found: WxrElement[] = [];
  let chars = 0;
  // Damaged files are read as far as they can be.
  parser.on("error", () => {});
  parser.on("opentag", ({ name, attributes }) => {
    if (stack.length > LEVELS) throw new BadSource(`${file.path} is nested too deeply`);
    const element = {
      name,
      attributes: { ...attributes as Record<string, string> },
      text: "",
      children: [],
    };
    const isChannel = stack.length <= 2;
    if (!isChannel) stack.at(-1)?.children.push(element);
    stack.push(element);
  });
  const addText = (text: string) => {
    const element = stack.at(-1);
    if (element === undefined || stack.length < 3) return;
    chars += text.length;
    if (chars > TRANSFER_ROW_CHARS_MAX) {
      throw new BadSource(`${file.path} has an item that is too large`);
    }
    element.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const element = stack.pop();
    if (element === undefined || stack.length !== 2) return;
    found.push(element);
    chars = 0;
  });
  for await (const text of textOf(file)) {
    parser.write(text);
    yield* found.splice(0);
  }
  try {
    parser.close();
  } catch {
    // A file that is cut off ends at its last whole item.
  }
  yield* found.splice(0);
}

/** Whether an element is one of rows. */
export function isWhole({ name }: WxrElement): boolean {
  return WHOLE.has(name);
}

/** The text of the first child of a name. */
export function childText({ children }: WxrElement, ...names: string[]): string {
  for (const name of names) {
    const child = children.find((one) => one.name === name);
    if (child !== undefined) return child.text;
  }
  return "";
}
