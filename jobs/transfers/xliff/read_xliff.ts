/**
 * Files of XLIFF 2 as translators send them back. Segments of a unit are joined; codes that are inside one another
 * keep the innermost. Document types are not read, so entities cannot be defined.
 *
 * @module
 */
import { TRANSLATION_FILE_CHARS_MAX, TRANSLATION_UNITS_MAX } from "../../../kv/limits/transfers.ts";
import { BadSource, type ReadableFile } from "../reading/source_file.ts";
import { textOf } from "../reading/text_stream.ts";
import { collapsed, type Inline, joined } from "./inline_text.ts";
import { XLIFF_NAMESPACE } from "./write_xliff.ts";

/** A unit that was read. */
export interface ReadUnit {
  path: string;
  source: Inline[];
  /** Null unless every segment has one. */
  target: Inline[] | null;
}

/** A document that was read. */
export interface ReadFile {
  id: string;
  sourceLanguage: string;
  targetLanguage: string;
  units: ReadUnit[];
}

/** The documents of a file. */
export async function readXliff(file: ReadableFile): Promise<ReadFile[]> {
  const { SaxesParser } = await import("saxes");
  const parser = new SaxesParser({ xmlns: true });
  const reading = new Reading();
  parser.on("error", (error) => {
    throw new BadSource(`${file.path} is not well-formed: ${error.message}`);
  });
  parser.on("opentag", ({ local, uri, attributes }) => {
    const attribute = (name: string) => attributes[name]?.value ?? "";
    reading.openSpace(attribute("xml:space"));
    if (uri === XLIFF_NAMESPACE) reading.open(local, attribute);
  });
  parser.on("closetag", ({ local, uri }) => {
    if (uri === XLIFF_NAMESPACE) reading.close(local);
    reading.closeSpace();
  });
  parser.on("text", (text) => reading.text(text));
  parser.on("cdata", (text) => reading.text(text));
  let chars = 0;
  for await (const text of textOf(file)) {
    chars += text.length;
    if (chars > TRANSLATION_FILE_CHARS_MAX) throw new BadSource(`${file.path} is too large`);
    parser.write(text);
  }
  parser.close();
  if (!reading.isXliff) throw new BadSource(`${file.path} is not XLIFF 2`);
  return reading.files;
}

/** Attributes by name; empty if absent. */
type Attributes = (name: string) => string;

/** What has been read so far. */
class Reading {
  isXliff = false;
  readonly files: ReadFile[] = [];
  #languages = { sourceLanguage: "", targetLanguage: "" };
  #unit: ReadUnit | null = null;
  #segments: { isIgnorable: boolean; source: Inline[]; target: Inline[] | null }[] = [];
  /** The text that is being read. */
  #into: Inline[] | null = null;
  #codes: string[] = [];
  /** Whether white space counts, by the elements that are open. */
  #spaces: boolean[] = [];
  #units = 0;

  openSpace(value: string): void {
    this.#spaces.push(value === "" ? this.#spaces.at(-1) ?? false : value === "preserve");
  }

  closeSpace(): void {
    this.#spaces.pop();
  }

  open(name: string, attribute: Attributes): void {
    if (this.#into !== null) return this.#openCode(name, attribute, this.#into);
    if (name === "xliff") {
      this.isXliff = attribute("version").startsWith("2.");
      const [sourceLanguage, targetLanguage] = [attribute("srcLang"), attribute("trgLang")];
      this.#languages = { sourceLanguage, targetLanguage };
    } else if (name === "file") {
      this.files.push({ id: attribute("id"), ...this.#languages, units: [] });
    } else if (name === "unit") {
      this.#units += 1;
      if (this.#units > TRANSLATION_UNITS_MAX) throw new BadSource("A file has too many units");
      this.#unit = { path: attribute("name") || attribute("id"), source: [], target: null };
      this.#segments = [];
    } else if (name === "segment" || name === "ignorable") {
      this.#segments.push({ isIgnorable: name === "ignorable", source: [], target: null });
    } else if (name === "source") this.#into = this.#segments.at(-1)?.source ?? null;
    else if (name === "target") {
      const segment = this.#segments.at(-1);
      if (segment !== undefined) this.#into = segment.target = [];
    }
  }

  #openCode(name: string, attribute: Attributes, into: Inline[]): void {
    if (name === "ph") into.push({ code: attribute("id"), text: null });
    else if (name === "pc" || name === "sc") this.#codes.push(attribute("id"));
    else if (name === "ec") this.#codes.pop();
    else if (name === "cp") this.text(characterOf(attribute("hex")));
  }

  close(name: string): void {
    if (name === "pc") this.#codes.pop();
    else if (name === "source" || name === "target") {
      const into = this.#into;
      if (into !== null && !this.#spaces.at(-1)) into.splice(0, Infinity, ...withoutIndent(into));
      this.#into = null;
      this.#codes = [];
    } else if (name === "unit" && this.#unit !== null) {
      this.files.at(-1)?.units.push({ ...this.#unit, ...joinedSegments(this.#segments) });
      this.#unit = null;
    }
  }

  text(text: string): void {
    const code = this.#codes.at(-1);
    this.#into?.push(code === undefined ? text : { code, text });
  }
}

/** A text whose white space does not count; between segments a space stays. */
function withoutIndent(text: readonly Inline[]): Inline[] {
  const parts = collapsed(text);
  return parts.length === 0 && text.length > 0 ? [" "] : parts;
}

/** A unit from its segments; what is between them is the same in both languages unless it says otherwise. */
function joinedSegments(
  segments: readonly { isIgnorable: boolean; source: Inline[]; target: Inline[] | null }[],
): Pick<ReadUnit, "source" | "target"> {
  const targets = segments.map(({ isIgnorable, source, target }) =>
    target ?? (isIgnorable ? source : null)
  );
  const isWhole = segments.some(({ target }) => target !== null) && !targets.includes(null);
  return {
    source: joined(segments.flatMap(({ source }) => source)),
    target: isWhole ? joined(targets.flatMap((target) => target ?? [])) : null,
  };
}

function characterOf(hex: string): string {
  const point = /^[0-9a-f]{1,6}$/i.test(hex) ? parseInt(hex, 16) : 0xfffd;
  return String.fromCodePoint(Math.min(point, 0x10ffff));
}
