/**
 * A document as a file of XLIFF 2.1: a unit for each text, with inline codes for marked spans and inline objects.
 *
 * @module
 */
import { type Inline, NMTOKEN } from "./inline_text.ts";

/** A text and its translation. */
export interface Unit {
  /** Where the text is in its document. */
  path: string;
  source: readonly Inline[];
  /** Null for none. */
  target: readonly Inline[] | null;
  /** Whether the source has changed since it was translated. */
  isOutdated: boolean;
}

/** A document with its texts in two languages. */
export interface XliffFile {
  id: string;
  /** Where it stands, for people. */
  original: string;
  sourceLanguage: string;
  targetLanguage: string;
  units: readonly Unit[];
}

/** The namespace of all versions from 2.0 on. */
export const XLIFF_NAMESPACE = "urn:oasis:names:tc:xliff:document:2.0";

/** The text of a file. */
export function writeXliff(file: XliffFile): string {
  const { id, original, sourceLanguage, targetLanguage, units } = file;
  const languages = `srcLang="${escaped(sourceLanguage)}" trgLang="${escaped(targetLanguage)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xliff xmlns="${XLIFF_NAMESPACE}" version="2.1" ${languages}>`,
    `<file id="${escaped(id)}" original="${escaped(original)}" xml:space="preserve">`,
    ...units.map(unit),
    "</file>",
    "</xliff>",
    "",
  ].join("\n");
}

function unit({ path, source, target, isOutdated }: Unit, position: number): string {
  const state = target === null || isOutdated ? "initial" : "translated";
  const note = isOutdated
    ? "<notes><note>The source has changed since it was translated.</note></notes>"
    : "";
  const translation = target === null ? "" : `<target>${inlineXml(target)}</target>`;
  const id = NMTOKEN.test(path) ? path : `u${position + 1}`;
  return `<unit id="${id}" name="${escaped(path)}">${note}<segment state="${state}">` +
    `<source>${inlineXml(source)}</source>${translation}</segment></unit>`;
}

function inlineXml(inline: readonly Inline[]): string {
  return inline.map((part) => {
    if (typeof part === "string") return escaped(part);
    const { code, text } = part;
    return text === null ? `<ph id="${code}"/>` : `<pc id="${code}">${escaped(text)}</pc>`;
  }).join("");
}

/** Characters that XML has no other way to hold become elements that XLIFF has for them. */
function escaped(text: string): string {
  return text.toWellFormed()
    .replace(/[&<>"\r]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(
      // deno-lint-ignore no-control-regex
      /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g,
      (character) => `<cp hex="${character.charCodeAt(0).toString(16).padStart(4, "0")}"/>`,
    );
}
