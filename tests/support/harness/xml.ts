/**
 * XML read strictly: what is not well-formed throws.
 *
 * @module
 */
import { SaxesParser } from "saxes";

/** An element with its text and children. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: XmlElement[];
}

/** Parses a whole document; throws at the first fault. */
export function parseXml(text: string): XmlElement {
  const root: XmlElement = { name: "", attributes: {}, text: "", children: [] };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", (tag) => {
    const attributes = Object.fromEntries(
      Object.entries(tag.attributes).map(([name, { value }]) => [name, value]),
    );
    const element = { name: tag.name, attributes, text: "", children: [] };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on("text", (part) => void (open.at(-1)!.text += part));
  parser.on("cdata", (part) => void (open.at(-1)!.text += part));
  parser.on("closetag", () => void open.pop());
  parser.write(text).close();
  return root.children[0]!;
}

/** The children of this name. */
export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The text of the first child of this name. */
export function textOf(element: XmlElement, name: string): string {
  return childrenOf(element, name)[0]?.text ?? "";
}
