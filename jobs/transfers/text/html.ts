/**
 * HTML as Portable Text, for every source that has HTML. The parser streams and knows no scripts; what has no place in
 * rich text is kept as text, or as an object that is not shown.
 *
 * @module
 */
import { Parser } from "htmlparser2";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import { plainText } from "../../../kv/model/values/portable_text.ts";
import { type BlockStyle, type ConvertedText, RichTextBuilder } from "./rich_text_builder.ts";
import { TableBuilder } from "./table_builder.ts";

const MARKS: Readonly<Record<string, string>> = {
  strong: "strong",
  b: "strong",
  em: "em",
  i: "em",
  cite: "em",
  dfn: "em",
  u: "underline",
  ins: "underline",
  s: "strike-through",
  del: "strike-through",
  strike: "strike-through",
  code: "code",
  kbd: "code",
  samp: "code",
  tt: "code",
};

/** Elements that begin and end a paragraph. */
const BLOCKS: ReadonlySet<string> = new Set([
  ...["p", "div", "section", "article", "main", "header", "footer", "aside", "address", "center"],
  ...["dl", "dt", "dd", "details", "summary", "nav", "hgroup", "fieldset", "form", "body", "html"],
]);

/** Elements that are left out with everything in them. */
const SKIPPED: ReadonlySet<string> = new Set([
  ...["script", "style", "noscript", "template", "svg", "canvas", "object", "head", "select"],
  ...["textarea", "button", "math", "title"],
]);

/** Tables and quotes inside one another that keep their structure. */
const NESTING = 4;

/** Options of a conversion. */
export interface HtmlOptions {
  /** Whether empty lines separate paragraphs, as in content of WordPress without blocks. */
  paragraphsByLines?: boolean;
  /** Receives comments; what follows is left out between {@linkcode HtmlConverter.pause} and `resume`. */
  onComment?: (converter: HtmlConverter, comment: string, place: HtmlPlace) => void;
}

/** Where something begins and ends in the text. */
export interface HtmlPlace {
  start: number;
  end: number;
}

/** Converts HTML. */
export function htmlToBlocks(html: string, options: HtmlOptions = {}): ConvertedText {
  return new HtmlConverter(options).convert(html);
}

/** The words of a piece of HTML; each of its paragraphs is a line. */
export function wordsOfHtml(html: string): string {
  return /[<&]/.test(html) ? plainText(htmlToBlocks(html).blocks).trim() : html.trim();
}

/** One conversion. */
export class HtmlConverter {
  readonly root = new RichTextBuilder();
  readonly #options: HtmlOptions;
  readonly #builders: RichTextBuilder[] = [this.root];
  readonly #tables: TableBuilder[] = [];
  readonly #marks: { element: string; mark: string }[] = [];
  readonly #links: (string | null)[] = [];
  readonly #lists: ("bullet" | "number")[] = [];
  #heading: string | null = null;
  #quotes = 0;
  #skipping: string[] = [];
  #pre: { text: string; language: string } | null = null;
  #caption: string | null = null;
  #figures: number[] = [];
  #isPaused = false;
  /** Whether the next words of the present list item begin a line. */
  #isBroken = false;
  /** Whether the present film or sound has an address. */
  #hasFilm = false;

  constructor(options: HtmlOptions) {
    this.#options = options;
  }

  /** Converts a whole text. */
  convert(html: string): ConvertedText {
    const { onComment } = this.#options;
    const parser = new Parser({
      onopentag: (name, attributes) => this.#open(name, attributes),
      onclosetag: (name) => this.#close(name),
      ontext: (text) => this.#text(text),
      oncomment: (comment) => {
        onComment?.(this, comment, { start: parser.startIndex, end: parser.endIndex + 1 });
      },
    }, { decodeEntities: true, recognizeSelfClosing: true });
    parser.write(html);
    parser.end();
    this.#endCode();
    while (this.#tables.length > 0) this.#endTable();
    return this.root.finish();
  }

  /** The text under construction. */
  get builder(): RichTextBuilder {
    return this.#builders.at(-1) ?? this.root;
  }

  /** Leaves out what follows. */
  pause(): void {
    this.builder.end();
    this.#isPaused = true;
  }

  /** Takes in what follows. */
  resume(): void {
    this.#isPaused = false;
  }

  get #isSkipping(): boolean {
    return this.#isPaused || this.#skipping.length > 0;
  }

  #style(): BlockStyle {
    if (this.#heading !== null) return { style: this.#heading };
    const listItem = this.#lists.at(-1);
    if (listItem !== undefined) return { style: "normal", listItem, level: this.#lists.length };
    return { style: this.#quotes > 0 ? "blockquote" : "normal" };
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (SKIPPED.has(name)) return void this.#skipping.push(name);
    if (this.#isSkipping) return;
    const mark = MARKS[name];
    if (name === "pre") return this.#beginCode(attributes);
    if (this.#pre !== null) {
      this.#pre.language ||= languageOf(attributes);
      if (name === "br") this.#pre.text += "\n";
      return;
    }
    if (mark !== undefined) return void this.#marks.push({ element: name, mark });
    if (/^h[1-6]$/.test(name)) {
      this.#heading = name;
      return this.builder.begin(this.#style());
    }
    if (BLOCKS.has(name)) return this.#paragraph();
    this.#openOther(name, attributes);
  }

  #openOther(name: string, attributes: Record<string, string>): void {
    const { builder } = this;
    switch (name) {
      case "a":
        if (this.#caption !== null) builder.warn("A link in a caption is kept as its words");
        // A button beside the name of a file.
        if (attributes.class?.includes("wp-block-file__button")) this.#words(" ");
        return void this.#links.push(attributes.href ?? null);
      case "br":
        return builder.text("\n", this.#markNames(), this.#link());
      case "hr":
        return builder.object({ _type: "horizontal-rule" });
      case "img":
        return this.#image(attributes);
      case "ul":
      case "ol":
        this.#lists.push(name === "ul" ? "bullet" : "number");
        return builder.end();
      case "li":
        this.#isBroken = false;
        if (this.#lists.length === 0) this.#lists.push("bullet");
        return builder.begin(this.#style());
      case "blockquote":
        this.#quotes += 1;
        return builder.begin(this.#style());
      case "figure":
        builder.end();
        return void this.#figures.push(builder.blocks.length);
      case "figcaption":
      case "caption":
        this.#caption = "";
        return;
      case "iframe":
        this.#skipping.push(name);
        return this.#player(attributes);
      case "embed":
        return this.#player(attributes);
      case "video":
      case "audio":
        this.#hasFilm = false;
        return this.#film(attributes);
      case "source":
        // The others are the same in other formats.
        return this.#hasFilm ? undefined : this.#film(attributes);
      default:
        return this.#openTable(name);
    }
  }

  #close(name: string): void {
    if (this.#skipping.length > 0) {
      if (this.#skipping.at(-1) === name) this.#skipping.pop();
      return;
    }
    if (this.#isPaused) return;
    if (name === "pre") return this.#endCode();
    if (this.#pre !== null) return;
    const last = this.#marks.findLastIndex(({ element }) => element === name);
    if (last >= 0) return void this.#marks.splice(last, 1);
    if (/^h[1-6]$/.test(name)) {
      this.#heading = null;
      return this.builder.end();
    }
    if (BLOCKS.has(name)) return this.#paragraph();
    this.#closeOther(name);
  }

  #closeOther(name: string): void {
    switch (name) {
      case "a":
        return void this.#links.pop();
      case "ul":
      case "ol":
        this.builder.end();
        return void this.#lists.pop();
      case "li":
        return this.builder.end();
      case "blockquote":
        this.builder.end();
        this.#quotes = Math.max(0, this.#quotes - 1);
        return;
      case "figcaption":
      case "caption":
        return this.#endCaption();
      case "figure":
        this.builder.end();
        return void this.#figures.pop();
      default:
        return this.#closeTable(name);
    }
  }

  #text(text: string): void {
    if (this.#isSkipping) return;
    if (this.#pre !== null) return void (this.#pre.text += text);
    if (this.#caption !== null) return void (this.#caption += text);
    if (this.#tables.length > 0 && !this.#tables.at(-1)?.isInCell) return;
    if (!this.#options.paragraphsByLines) return this.#words(text.replace(/\s+/g, " "));
    const paragraphs = text.replace(/\r\n?/g, "\n").split(/\n[ \t]*\n\s*/);
    for (const [index, paragraph] of paragraphs.entries()) {
      if (index > 0 && this.#heading === null) this.#paragraph();
      this.#words(paragraph.replace(/[ \t]*\n[ \t]*/g, "\n").replace(/[ \t]+/g, " "));
    }
  }

  #words(text: string): void {
    const { builder } = this;
    const begins = !builder.isOpen;
    if (!begins && !this.#isBroken) return builder.text(text, this.#markNames(), this.#link());
    const rest = text.trimStart();
    if (rest === "") return;
    this.#isBroken = false;
    if (begins) builder.begin(this.#style());
    else builder.text("\n");
    builder.text(rest, this.#markNames(), this.#link());
  }

  /** Between two paragraphs. In a list item they are two lines: rich text knows no items of several paragraphs. */
  #paragraph(): void {
    if (this.#lists.length === 0) this.builder.begin(this.#style());
    else this.#isBroken = this.builder.isOpen;
  }

  #markNames(): string[] {
    return this.#marks.map(({ mark }) => mark);
  }

  #link(): string | null {
    return this.#links.at(-1) ?? null;
  }

  #image(attributes: Record<string, string>): void {
    const source = attributes["data-src"] ?? attributes["data-lazy-src"];
    const src = attributes.src?.startsWith("data:") ? source ?? "" : attributes.src ?? source ?? "";
    if (src === "") return this.builder.warn("An image without an address is left out");
    const style = this.#style();
    const wasOpen = this.builder.isOpen;
    const link = this.#link();
    if (link !== null && fileOf(link) !== fileOf(src)) {
      this.builder.warn("The link of an image is left out");
    }
    this.builder.image(src, { alt: attributes.alt ?? "" });
    if (wasOpen) this.builder.begin(style);
  }

  #player({ src = "", title = "" }: Record<string, string>): void {
    if (/^(?:https?:)?\/\//i.test(src)) this.builder.embed(src, title);
  }

  #film({ src = "" }: Record<string, string>): void {
    if (src === "") return;
    this.#hasFilm = true;
    this.builder.begin();
    this.builder.text(src.split("/").at(-1) ?? src, [], src);
    this.builder.end();
    this.builder.warn("A film or sound is kept as a link");
  }

  #beginCode(attributes: Record<string, string>): void {
    this.builder.end();
    this.#pre ??= { text: "", language: languageOf(attributes) };
  }

  #endCode(): void {
    if (this.#pre === null) return;
    const { text, language } = this.#pre;
    this.#pre = null;
    const code = text.replace(/^\n/, "").replace(/\n+$/, "");
    if (code.trim() !== "") {
      this.builder.object({ _type: "code", code, ...(language !== "" && { language }) });
    }
  }

  #endCaption(): void {
    const caption = (this.#caption ?? "").replace(/\s+/g, " ").trim();
    this.#caption = null;
    if (caption === "") return;
    const { blocks } = this.builder;
    const first = this.#figures.at(-1) ?? blocks.length;
    const last = blocks.at(-1);
    // The caption of a gallery follows that of its last image.
    const isFree = isJsonObject(last) && last._type === "image" && last.caption === undefined;
    if (blocks.length > first && isFree) {
      last.caption = caption;
      return;
    }
    this.builder.begin();
    this.builder.text(caption);
    this.builder.end();
  }

  #openTable(name: string): void {
    if (name === "table") {
      if (this.#tables.length >= NESTING) return;
      this.builder.end();
      return void this.#tables.push(new TableBuilder());
    }
    const table = this.#tables.at(-1);
    if (table === undefined) return;
    if (name === "tr") return table.beginRow();
    if (name !== "td" && name !== "th") return;
    if (table.isInCell) this.#endCell();
    this.#builders.push(table.beginCell(name === "th"));
  }

  #closeTable(name: string): void {
    const table = this.#tables.at(-1);
    if (table === undefined) return;
    if (name === "table") return this.#endTable();
    if (name === "td" || name === "th" || name === "tr") this.#endCell();
  }

  #endCell(): void {
    const table = this.#tables.at(-1);
    if (table === undefined || !table.isInCell) return;
    this.#builders.pop();
    table.endCell();
  }

  #endTable(): void {
    this.#endCell();
    this.#tables.pop()?.addTo(this.builder);
  }
}

/** The name of a file, without the size that WordPress adds to it. */
function fileOf(address: string): string {
  const name = address.split(/[?#]/)[0]?.split("/").at(-1) ?? address;
  return name.replace(/-\d{1,5}x\d{1,5}(?=\.[a-z]{3,4}$)/i, "");
}

/** The language of a block of code, by the classes that editors give it. */
function languageOf({ class: names = "", lang = "", "data-language": data = "" }: {
  [name: string]: string;
}): string {
  const named = /(?:^|\s)(?:language|lang|brush:)-?\s*([\w+#.-]{1,40})/i.exec(names)?.[1];
  return named ?? (data || lang).slice(0, 40);
}
