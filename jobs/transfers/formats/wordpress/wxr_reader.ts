/**
 * WXR as a stream of elements: the channel's facts, its authors and terms, and its items. Document types are passed over
 * unread, so entities cannot be defined; undefined ones stay as text.
 *
 * @module
 */
import { TRANSFER_ROW_CHARS_MAX } from "../../../../kv/limits/transfers.ts";
import { BadSource, type ReadableFile } from "../../reading/source_file.ts";
import { textOf } from "../../reading/text_stream.ts";
import { hasExtension } from "../format.ts";
import { parseStream } from "../json.ts";

/** An element with what is in it. */
export type WxrElement = {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: WxrElement[];
};

/** Elements that are handed over whole; everything else of the channel is a fact. */
const WHOLE = new Set(["item", "wp:author", "wp:category", "wp:tag", "wp:term"]);
/** Levels of elements inside one another. */
const LEVELS = 64;
/** What is around text that is not parsed. */
const [CDATA, CDATA_END] = ["<![CDATA[", "]]>"] as const;

/** The elements of an export, or those that were made of what the REST API has answered. */
export async function* elementsOf(file: ReadableFile): AsyncGenerator<WxrElement> {
  if (!hasExtension(file, "json")) return yield* wxrElements(file);
  for await (const { value } of parseStream(file, "$.elements.*")) {
    yield value as WxrElement;
  }
}

/** The elements of a file: items, authors and terms; and each other element of the channel. */
async function* wxrElements(file: ReadableFile): AsyncGenerator<WxrElement> {
  const { SaxesParser } = await import("saxes");
  const parser = new SaxesParser({ xmlns: false });
  const stack: WxrElement[] = [];
  // The text of the present element as it stands in the file, from its first CDATA on.
  let raw: string | null = null;
  let isDamaged = false;
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
    raw = null;
    isDamaged = false;
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
  parser.on("text", (text) => {
    addText(text);
    if (raw === null) return;
    raw += text;
    // Text after CDATA was in it: an end of CDATA in a value is not escaped.
    isDamaged ||= text.trim() !== "";
  });
  parser.on("cdata", (text) => {
    addText(text);
    raw = `${raw ?? ""}${CDATA}${text}${CDATA_END}`;
  });
  parser.on("closetag", () => {
    const element = stack.pop();
    if (element !== undefined && isDamaged) element.text = withoutCdata(raw ?? "") ?? element.text;
    raw = null;
    isDamaged = false;
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

/** A text that was written into one CDATA, with every other one as part of it; null if it was not. */
function withoutCdata(raw: string): string | null {
  const text = raw.trim();
  const isOne = text.startsWith(CDATA) && text.endsWith(CDATA_END);
  return isOne ? text.slice(CDATA.length, -CDATA_END.length) : null;
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
