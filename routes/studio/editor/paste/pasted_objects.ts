/**
 * Code, tables, dividers and players in pasted HTML, made objects of a rich text before the rest is read.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { allowedEmbed } from "../objects/embed_hosts.ts";
import { languageOf } from "../objects/code_languages.ts";
import type { Offered } from "./paste_text.ts";
import type { JsonObject } from "../schema.ts";
import { PASTED_STYLE } from "./pasted_html.ts";
import { codeText } from "./pasted_spaces.ts";
import { callout, code, table } from "../objects/text_objects.ts";

/** Reads the blocks in an element. */
type ReadBlocks = (element: Element) => JsonObject[];

/** Replaces elements with the objects they represent, if the field allows them. */
export function readObjects(root: Element, offered: Offered, read: ReadBlocks): void {
  if (offered.has("code")) {
    for (const pre of root.querySelectorAll("pre")) put(pre, readCode(pre));
  }
  if (offered.has("table")) {
    for (const found of [...root.querySelectorAll("table")]) {
      if (!isLayout(found)) put(found, readTable(found, read));
    }
  }
  if (offered.has("callout")) {
    // Innermost elements first, because they are read as part of the outer one.
    for (const found of [...root.querySelectorAll(CALLOUTS)].reverse()) {
      put(found, readCallout(found, read));
    }
  }
  if (offered.has("horizontal-rule")) {
    for (const rule of root.querySelectorAll("hr")) put(rule, { _type: "horizontal-rule" });
  }
  if (offered.has("embed")) {
    for (const frame of root.querySelectorAll("iframe[src]")) {
      const url = (frame.getAttribute("src") ?? "").replace(/^\/\//, "https://");
      const title = frame.getAttribute("title") ?? "";
      if (allowedEmbed(url) !== null) put(frame, { _type: "embed", url, ...(title && { title }) });
    }
  }
}

/** Alerts of GitHub and of other programs, asides, and notes by their role. */
const CALLOUTS =
  ".markdown-alert, aside, [role=note], [class*=admonition]:not([class*=admonition-]), " +
  "[class*=callout]:not([class*=callout-])";
/** The class names of each tone of an alert. */
const TONES: readonly (readonly [tone: string, words: RegExp])[] = [
  ["caution", /\b(?:caution|danger|error)\b/],
  ["warning", /\b(?:warning|attention)\b/],
  ["important", /\bimportant\b/],
  ["tip", /\b(?:tip|hint|success)\b/],
];

function readCallout(found: Element, read: ReadBlocks): JsonObject {
  const words = found.className.toLowerCase().replaceAll(/[-_]/g, " ");
  const tone = TONES.find(([, known]) => known.test(words))?.[0] ?? "note";
  // Its title is the name of its tone.
  found.querySelector(".markdown-alert-title, .admonition-title")?.remove();
  const content = read(found);
  return content.length === 0 ? callout(undefined, tone) : callout(content, tone);
}

/** Whether a table is used for layout only: its contents are read without it. */
export function isLayout(table: Element): boolean {
  if (table.matches("[role=presentation], [role=none]")) return true;
  if (table.querySelector("td table, th table") !== null) return true;
  const rows = [...table.querySelectorAll("tr")];
  if (!rows.some(({ children }) => children.length > 1)) return true;
  const isData = table.querySelector("th, caption") !== null ||
    table.matches("[class*=MsoTable], [class*=MsoNormalTable], [border='1']");
  return !isData &&
    (rows.length === 1 || table.querySelector("td p + p, td div, td ul, td ol") !== null);
}

function put(element: Element, raw: JsonObject): void {
  const object = document.createElement("div");
  object.dataset.object = JSON.stringify(raw);
  // An object is a sibling of paragraphs, never inside one.
  const paragraph = element.closest("p");
  if (paragraph === null) return element.replaceWith(object);
  paragraph.after(object);
  element.remove();
}

/** The lines of code, and the language that highlighters say by a class. */
function readCode(pre: Element): JsonObject {
  const inner = pre.querySelector("code") ?? pre;
  const words = [inner, pre, pre.parentElement].map((one) => one?.className ?? "").join(" ");
  const language = /\b(?:language|lang|highlight-source|brush:)[-\s]*([\w+#]+)/.exec(words)?.[1];
  const text = codeText(pre).replace(/^\n|\s+$/g, "").replaceAll("\u00a0", " ");
  return code(text, languageOf(language ?? ""));
}

/** Whether all words of a row are bold. */
function isBold({ cells }: HTMLTableRowElement): boolean {
  const bold =
    `b, strong, [${PASTED_STYLE}*="font-weight:bold"], [${PASTED_STYLE}*="font-weight:7"]`;
  const isPlain = (element: Element) =>
    /font-weight:\s*(?:normal|400)/.test(
      element.getAttribute(PASTED_STYLE) ?? "",
    );
  const written = [...cells].filter((cell) => cell.textContent.trim() !== "");
  return written.length > 0 && written.every((cell) => {
    const words = [...cell.querySelectorAll(bold)].filter((one) => !isPlain(one))
      .map((one) => one.textContent.trim());
    return words.some((text) => text === cell.textContent.trim());
  });
}

function readTable(found: HTMLTableElement, read: ReadBlocks): JsonObject {
  const rows = [...found.rows].filter(({ cells }) => cells.length > 0);
  const first = rows[0]!;
  const hasHead = first.closest("thead") !== null ||
    [...first.cells].every(({ tagName }) => tagName === "TH") ||
    // Word processors have heads that are only bold.
    (isBold(first) && rows[1] !== undefined && !isBold(rows[1]));
  // A cell that spans several columns is followed by empty ones, so that the others stay below each other.
  const values = rows.map(({ cells }) =>
    [...cells].flatMap((cell) => [
      read(cell),
      ...Array.from({ length: Math.min(Math.max(cell.colSpan, 1), 20) - 1 }, () => []),
    ])
  );
  return table(values, hasHead ? 1 : 0);
}
